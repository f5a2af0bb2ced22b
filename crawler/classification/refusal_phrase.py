"""What challenges and blocks say to a reader, as parts of patterns; all lower-case."""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

HAS_BEEN = (
    r"(?:(?:has|have|had|was|were|is|are|got|been|being|be|might|may|temporarily|permanently|"
    r"automatically|currently|unfortunately|now|also|rated|as|suspicious|by|our|the|security|"
    r"system|firewall|and|therefore) )"
)
BLOCKED = (
    r"(?:blocked|banned|denied|refused|rejected|restricted|blacklisted|"
    r"block-listed|filtered|flagged)"
)
ADDRESSED = (
    r"(?:your (?:current )?(?:ip|ip[- ]address|access|request|query|connection|visit|browser|"
    r"computer|network|client|session)|this (?:request|ip|ip address|access|visit|query)|"
    r"access (?:from your|to this (?:page|site|website|resource|service))|"
    r"(?:latest|last|public) (?:request|ip address)|ip(?: address)?|your browser)"
)
DETAIL = r"(?:[:,]? ?\(?[\w.:#/-]{1,45}\)?,? ){0,7}?"
ACTIVITY = (
    r"(?:unusual|suspicious|suscipious|malicious|abnormal|automated|unauthori[sz]ed|aggressive|"
    r"hostile|undesirable|excessive|abusive|potentially unsafe|potentially malicious|bot|harmful) "
    r"(?:or \w+ )?(?:spam|activit(?:y|ies)|traffic|behaviou?r|requests?|"
    r"queries|operation|patterns?|"
    r"attacks?|access|threats?)"
)
CONTEXT = (
    r"\b(?:ip|firewall|security|suspicious|suscipious|malicious|bots?|robots?|automated|captcha|"
    r"webmaster|site owner|website owner|administrator|admin|incident|request id|reference|"
    r"ray id|support id|abuse|spam|hackers?|crawlers?|spiders?|scrap(?:er|ing)|vpn|proxy|403|406|"
    r"429|error|contact|server|protection|whoops)\b"
)
NO_ROBOT = (
    r"(?:not|n't) a (?:ro)?bot\b|\bkeine? (?:ro)?bot|pas un robot|no (?:soy|eres|es) un robot|"
    r"n[ãa]o (?:[ée]s?|sou) um rob[ôo]|non sei un robot|geen robot|не робот|"
    r"nie jeste[śs] robotem|(?:nie ste|niste|nejste) robot|inte (?:är )?en robot|robot olmad[ıi]|"
    r"ロボットではない|ロボットではありません|不是机器人|不是機器人|로봇이 아닙니다|人机验证|安全验证|"
    r"滑动验证|请完成验证|完成验证|滑块|输入验证码|sie ein mensch|du ein mensch|[êe]tes (?:bien )?une? humain|"
    r"eres (?:un )?humano|sei umano|[ée] humano|\bi am human|slide to verify"
)
CHECKING = (
    r"checking (?:if |that )?(?:your|the(?: site)?) (?:browser|connection|site connection)|"
    r"check(?:ing)? your browser|verif(?:y|ying) (?:that |if |whether "
    r")?(?:your (?:browser|connection)|"
    r"the (?:security of )?(?:your )?connection|you are (?:a )?human)|"
    r"request is being verified|performing (?:a )?security (?:check|verification)|"
    r"establishing a secure connection|"
    r"enable javascript and cookies to continue|needs to review the security of your connection|"
    r"redirect(?:ed)? to (?:your|the) requested (?:content|page|url)|"
    r"(?:ddos|anti-?bot|anti-?crawler|bot|anti-?ddos) protection (?:is |by |for )|"
    r"making sure you're not|security (?:check|testing|verification|scan) (?:is )?in progress|"
    r"while we (?:verify|check|are checking|validate|make sure) (?:your|"
    r"you|that you|that your|the (?:security|connection)|if)\b|"
    r"[üu]berpr[üu]f(?:en|t|ung) (?:ihre[ns]?|deine[ns]?|des) browsers?|"
    r"v[ée]rifi(?:e|ons|cation de) "
    r"(?:votre|que vous|si votre)|(?:verificando|comprobando) (?:que |si )?(?:tu|su|seu|o|la) "
    r"(?:navegador|conexi[óo]n|conex[ãa]o)|verifica del (?:tuo |suo )?browser|"
    r"(?:проверка|проверяем) (?:вашего |ваш )?(?:браузера?|безопасност)|"
    r"sprawdzanie (?:twojej |twoje )?przegl[ąa]dark|tarayıcınız (?:kontrol|denetlen)|"
    r"正在(?:检查|验证|進行|进行).{0,8}(?:浏览器|安全|連線|连接)|ブラウザを?(?:確認|チェック)"
)
BLOCKED_ABROAD = (
    r"zugriff (?:wurde )?(?:verweigert|gesperrt|blockiert|abgelehnt)|"
    r"(?:ihre|diese|die) anfrage (?:wurde|war|ist) (?:\w+ ){0,5}?(?:blockiert|geblockt|abgelehnt|"
    r"unzul[äa]ssig|gesperrt)|(?:sie|du) (?:wurden?|wurdest|sind|bist) (?:\w+ ){0,6}?(?:blockiert|"
    r"gesperrt|geblockt)|wurdest du (?:\w+ )?gesperrt|acc[èe]s (?:\w+ "
    r")?(?:refus[ée]|interdit|bloqu[ée]|restreint)|"
    r"(?:avez|a) [ée]t[ée] (?:\w+ )?bloqu[ée]|acceso (?:\w+ )?(?:denegado|bloqueado|restringido|"
    r"prohibido)|(?:ha|han|fue) (?:sido )?bloquead[oa]|acesso (?:\w+ )?(?:negado|bloqueado|"
    r"restrito)|foi bloquead[oa]|bloqueou (?:a )?sua|accesso (?:\w+ )?(?:negato|bloccato|vietato)|"
    r"[èe] stat[oa] bloccat[oa]|toegang (?:\w+ )?(?:geweigerd|geblokkeerd|"
    r"ontzegd)|u bent geblokkeerd|"
    r"доступ (?:\S+ ){0,4}?(?:запрещ[её]н|заблокирован|ограничен)|запрос (?:\w+ )?заблокирован|"
    r"вы заблокированы|ip[- ]адрес \S* ?заблокирован|dost[ęe]p (?:\w+ "
    r")?(?:zablokowany|zabroniony)|odmowa dost[ęe]pu|"
    r"zosta[łl]e[śs] zablokowany|eri[şs]im(?:iniz)? (?:\w+ )?engellen|[åa]tkomst nekad|"
    r"p[řr][íi]stup (?:\w+ )?(?:odep[řr]en|zablokov[áa]n|zam[íi]tnut)|访问(?:被|已被)?(?:拒绝|拦截|阻断|禁止)|"
    r"請求.{0,10}(?:封鎖|阻擋)|请求.{0,12}(?:拦截|阻断|阻止|拒绝)|已被.{0,8}(?:阻止|封禁|拦截)|"
    r"アクセス(?:が|は)?(?:拒否|制限|ブロック|禁止)|비정상적인 접근|이용이 제한|(?:접근|접속).{0,8}(?:차단|거부|제한)|차단되었습니다"
)
