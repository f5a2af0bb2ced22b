"""What walls say in few words: of countries, money and consent, in many languages, as a table."""
# ruff: noqa: RUF001 - letters of other alphabets are meant

from crawler.classification.signature import with_text
from crawler.contracts.outcome import Kind

FEW = 60
LEAD = 140
"""The beginning of an article may stand before the wall."""

GOODS = (b"add to cart", b"add to basket", b'itemprop="price', b'"offers"')
"""Where things are sold, and to where they are not shipped, is a matter of the thing."""

GEO = (
    with_text(
        "geo-words",
        "generic",
        Kind.GEO,
        r"(?:do not|don't|cannot|can't|unable to) (?:currently )?(?:offer|provide|serve|ship|sell|"
        r"deliver)\b[^.]{0,40}(?:in|to|from) (?:your (?:country|region|area|location)|"
        r"(?:the )?(?:eu|europe|eea|european union))\b|"
        r"you (?:appear|seem) to be (?:outside|located outside)|outside (?:of )?the area where|"
        r"you must be (?:located )?in(?:side)? (?:the )?[\w ]{2,20} to (?:view|watch|access|use)|"
        r"(?:isn't|is not|not) available where you are|"
        r"(?:residents|citizens|users) of your (?:country|region) (?:may|can) ?not",
        most_words=FEW,
        absent=GOODS,
        hints="your |eu|area|available where|you must be|outside",
    ),
    with_text(
        "geo-many",
        "generic",
        Kind.GEO,
        r"(?:stream|video|inhalt|angebot|sendung)[^.]{0,30}nur in (?:deutschland|[öo]sterreich|der schweiz)|"
        r"depuis votre (?:position|pays|localisation)|"
        r"(?:inte|ikke) (?:\w+ )?(?:tillg[äa]nglig|tilgjengelig|tilg[æa]ngelig)t? i (?:ditt|dit) land|"
        r"ei ole (?:saatavilla|k[äa]ytett[äa]viss[äa]) (?:maassasi|alueellasi)|"
        r"nie jest dost[ęe]pn\w+ w (?:twoim|pa[ńn]stwa) (?:kraju|regionie)|"
        r"ve va[šs][íi] zemi|vo va[šs]ej krajine|az [öo]n orsz[áa]g[áa]ban|"
        r"(?:nu este|nu e) disponibil\w* [îi]n ([țţt]ara|regiunea)|"
        r"недоступ\w+ (?:\w+ )?(?:у|в) ваш\w+ (?:країні|регіоні)|"
        r"[ởo] (?:qu[ốo]c gia|khu v[ựu]c) c[ủu]a b[ạa]n|tidak tersedia di (?:negara|wilayah) anda|"
        r"غير متاح في (?:بلدك|منطقتك)|(?:אינו|לא) זמין (?:במדינה|באזור) שלך|"
        r"در کشور شما (?:در دسترس|قابل)|ไม่(?:สามารถ)?(?:ใช้|รับชม).{0,20}ในประเทศของคุณ",
        most_words=FEW,
    ),
)
PAYWALL = (
    with_text(
        "paywall-call",
        "generic",
        Kind.PAYWALL,
        r"(?:register|sign up|create (?:a |your )(?:free )?account)(?: for free)? to (?:continue|keep) "
        r"reading|unlock (?:this|the full) (?:article|story)|subscribe (?:now |today )?to (?:read|continue|"
        r"keep reading|unlock)|"
        r"you(?:'ve| have) (?:read|used) all (?:of )?your free|want to read more\? subscribe|"
        r"to read the (?:full|whole|rest of the) (?:story|article)[^.]{0,30}(?:trial|subscri|sign|log)|"
        r"behind a paywall",
        r"subscri|account|trial|free|register|paywall",
        most_words=LEAD,
        hints="register|sign up|create|unlock|subscribe|free|to read|paywall",
    ),
    with_text(
        "paywall-many",
        "generic",
        Kind.PAYWALL,
        r"registrieren sie sich[^.]{0,30}weiterzulesen|abonnez-vous pour (?:lire|continuer)|"
        r"suscr[íi]b(?:e|a)te para (?:seguir|continuar)|l[íi]mite de art[íi]culos|abbonati per (?:continuare|"
        r"leggere)|assine para (?:continuar|ler)|word abonnee om (?:verder )?te lezen|"
        r"(?:endast|bara) f[öo]r prenumeranter|bli prenumerant|(?:kun |er )for abonnenter|bliv abonnent for|"
        r"vain tilaajille|tilaa jatkaaksesi|tylko dla prenumerator|jen pro p[řr]edplatitele|"
        r"len pre predplatite[ľl]ov|csak el[őo]fizet[őo]knek|doar (?:pentru )?abona[țţt]il?or|"
        r"(?:доступн\w+ )?только (?:по подписке|подписчикам|для подписчиков)|оформите подписку|"
        r"тільки для передплатників|yaln[ıi]zca abonelere|μ[όο]νο για συνδρομητ|"
        r"仅(?:对|限)?订阅|订阅后|订阅以|付费(?:阅读|内容)|会員限定|有料会員|유료 회원 전용|구독자 전용|للمشتركين فقط|"
        r"למנויים בלבד",
        most_words=LEAD,
    ),
)
_COOKIES = r"cookies?|cookie|[çc]erez|ev[äa]stei|informasjonskapsler|ciasteczk|daten|privacy policy"
_ACCEPT_ALL = (
    r"(?:alle|alles) (?:akzeptieren|accepteren|zulassen|toestaan)|accept(?:er|ere)? all\w*|"
    r"(?:tout|tous) accepter|acept[ao]r? tod[oa]s?|accetta tutt[oi]|aceitar tud[oa]s?|aceitar todos|"
    r"godk[äa]nn alla|godta alle|tillad alle|hyv[äa]ksy kaikki|akceptuj wszystkie|zaakceptuj wszystk|"
    r"p[řr]ijmout v[šs]e|prija[ťt] v[šs]etk|принять все|прийняти (?:все|всі)|t[üu]m[üu]n[üu] kabul|"
    r"elfogad[áa]s|accept[ăa] tot|αποδοχ[ήη] [όο]λων|すべて(?:許可|同意)|全部接受|接受所有|모두 (?:동의|허용)"
)
_REJECT_ALL = (
    r"ablehnen|einstellungen|weigeren|instellingen|reject|manage|decline|options|sans accepter|refuser|"
    r"rechazar|configurar|rifiuta|rejeitar|recusar|avvisa|avvis|afvis|hylk[äa][äa]|odrzu[ćc]|odm[íi]tnout|"
    r"odmietnu|отклонить|відхилити|reddet|elutas|respinge|απ[όο]ρριψη|拒否|拒绝|거부"
)
CONSENT = (
    with_text(
        "consent-words",
        "generic",
        Kind.CONSENT,
        r"(?:before you continue|to continue|must|by continuing)[^.]{0,60}(?:accept|agree)",
        r"cookies?|privacy policy|consent",
        r"accept|i agree|reject|do not agree",
        most_words=LEAD // 4,
        hints="continu|must",
    ),
    with_text(
        "consent-partners",
        "generic",
        Kind.CONSENT,
        r"our (?:\d+ )?partners (?:store|use|process|access)",
        r"\b(?:agree|accept|reject|manage options|i consent)\b",
        most_words=LEAD // 4,
        hints="partners",
    ),
    with_text(
        "consent-many",
        "generic",
        Kind.CONSENT,
        _ACCEPT_ALL,
        _REJECT_ALL,
        _COOKIES,
        most_words=LEAD // 4,
    ),
    with_text(
        "age-many",
        "generic",
        Kind.CONSENT,
        r"(?:sind sie|bist du) (?:[üu]ber |mindestens )?(?:16|18)|avez-vous (?:plus de |l'[âa]ge)|"
        r"(?:[êe]tes-vous|es-tu) (?:majeur|[âa]g[ée])|eres mayor de edad|tienes m[áa]s de 18|"
        r"(?:sei|hai) (?:maggiorenne|pi[ùu] di 18|compiuto 18)|voc[êe] tem mais de 18|"
        r"ben (?:je|jij|u) (?:18|ouder dan)|[äa]r du (?:[öo]ver )?18|er du (?:over )?18|"
        r"вам (?:уже )?(?:есть |исполнилось )?18|czy masz (?:uko[ńn]czone )?18|je v[áa]m (?:u[žz] )?18|"
        r"18 ya[şs][ıi]ndan b[üu]y[üu]k|18歳以上ですか|满18岁|年满18|만 ?19세 이상",
        most_words=30,
    ),
)
SIGNS = (*GEO, *PAYWALL, *CONSENT)
