"""What refusals say in other languages than English, in few words, as a table."""

import re

from crawler.classification.signature import Sign, with_text
from crawler.contracts.outcome import Kind

FEW = 60

_STOPPED = (
    r"(?:gesperrt|blockiert|gebannt|bloqu[ée]|interdit|refus[ée]|bloquead|rechazad|denegad|restringid|"
    r"bloccat|negad|geblokkeerd|geweigerd|заблок|запрещ|ограничен|блокован|блокиран|"
    r"zablok|zabloko|engellen|yasaklan|blocker|blokker|blokeret|blokert|sp[äæ]rrad|estetty|estett|"
    r"tiltva|tiltott|letilt|blocat|αποκλειστ|μπλοκ|b[ịi] ch[ặa]n|diblokir|封禁|被封|封锁|封鎖|拦截|被限制|"
    r"屏蔽|ブロック|拒否|制限|차단|제한|حظر|مسدود|נחסמ|חסומ|ถูกบล็อก|ถูกระงับ)"
)
_YOURS = (
    r"\b(?:ihre?[nr]?|deine?|votre|vos|ta|su|sus|tu|la tua|il tuo|la sua|seu|sua|uw|je|jouw|"
    r"ваш\w*|twoj\w*|tw[óo]j|va[šs]e?|din|ditt|dit|deres)\b"
)
_ASKING = (
    r"(?:zugriff|zugang|anfrage|requ[êe]te|demande|acc[èe]s|solicitud|petici[óo]n|acceso|richiesta|accesso|"
    r"solicita[çc][ãa]o|requisi[çc][ãa]o|acesso|verzoek|toegang|запрос|доступ|[żz][ąa]danie|"
    r"dost[ęe]p|po[žz]adavek|p[řr][íi]stup|beg[äæ]ran|[åa]tkomst|adgang|foresp[øo]rsel|navegador|browser)"
)
_TOO_MANY = (
    r"zu viele (?:anfragen|zugriffe|aufrufe)|trop de (?:requ[êe]tes|demandes|connexions)|"
    r"demasiadas (?:solicitudes|peticiones|consultas)|troppe richieste|"
    r"(?:muitas|excesso de) (?:requisi[çc][õo]es|solicita[çc][õo]es)|te veel (?:verzoeken|aanvragen)|"
    r"слишком много запросов|слишком частые запросы|занадто багато запитів|"
    r"zbyt (?:wiele|du[żz]o) (?:zapyta[ńn]|[żz][ąa]da[ńn])|p[řr][íi]li[šs] mnoho (?:po[žz]adavk|dotaz)|"
    r"[çc]ok fazla (?:istek|sorgu)|f[öo]r m[åa]nga (?:f[öo]rfr[åa]gningar|anrop)|"
    r"for mange (?:foresp[øo]rsler|anmodninger)|liian monta pyynt|t[úu]l sok k[ée]r[ée]s|"
    r"prea multe (?:cereri|solicit)|πάρα πολλά αιτήματα|qu[áa] nhi[ềe]u y[êe]u c[ầa]u|"
    r"terlalu banyak permintaan|(?:访问|請求|请求|操作|訪問)(?:频率)?(?:过于|太|過於)?(?:频繁|過高|过高|頻繁)|"
    r"访问异常|异常访问|(?:大量|過剰)の(?:アクセス|リクエスト)|요청이 너무 많|과도한 (?:요청|접속)|"
    r"طلبات كثيرة|درخواست.{0,10}بیش از حد"
)
_NO_ROBOT = (
    r"ikke er en robot|et ole robotti|nem (?:vagy |vagyok )?robot|nu (?:sunte[țţt]i|e[șşs]ti) (?:un )?robot|"
    r"δεν είστε ρομπότ|kh[ôo]ng ph[ảa]i (?:l[àa] )?(?:robot|ng[ưu][ờo]i m[áa]y)|bukan robot|"
    r"ไม่ใช่(?:หุ่นยนต์|บอท)|لست روبوت|אינ(?:ך|כם) רובוט|לא רובוט|ربات نیست"
)
SIGNS: tuple[Sign, ...] = (
    with_text("robot-abroad", "generic", Kind.CAPTCHA, _NO_ROBOT, most_words=120),
    with_text(
        "address-abroad",
        "generic",
        Kind.BLOCK,
        rf"\bip\b.{{0,60}}{_STOPPED}|{_STOPPED}.{{0,40}}\bip\b|(?<![a-z])ip(?![a-z]).{{0,30}}{_STOPPED}",
        most_words=FEW,
        hints="ip",
    ),
    Sign(
        "asking-abroad",
        "generic",
        Kind.BLOCK,
        texts=(
            re.compile(rf"{_YOURS}.{{0,20}}{_ASKING}.{{0,60}}{_STOPPED}"),
            re.compile(
                r"sicherheit|s[ée]curit|seguri|sicurezza|beveilig|veilig|firewall|pare-feu|безопасн|"
                r"bezpe[čc]|bezpiecz|s[äæi]kkerhet|s[äæi]kerhet|\bip\b|40[36]|admin|bot\b|id\b"
            ),
        ),
        most_words=FEW,
    ),
    with_text(
        "suspect-abroad",
        "generic",
        Kind.BLOCK,
        r"(?:vous avez [ée]t[ée]|vous [êe]tes) (?:\w+ )?bloqu[ée]|"
        r"(?:activit[ée] suspecte|actividad sospechosa|attivit[àa] sospetta|atividade suspeita|"
        r"verd[äa]chtige aktivit|verdachte activiteit|подозрительн\w+ активност|podejrzan\w+ aktywno)",
        r"\b(?:ip|vous|votre|su|tu|la tua|seu|sua|ihre?|uw|ваш\w*|tw[oó]j\w*)\b",
        most_words=FEW,
    ),
    with_text("amount-abroad", "generic", Kind.BLOCK, _TOO_MANY, most_words=FEW),
)
