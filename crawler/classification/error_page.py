"""Tell a page that says it failed, or is being worked on, with a status that says nothing of it."""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

from crawler.classification import failure_sign, parked
from crawler.classification.page import FetchedPage
from crawler.classification.signature import find_verdict, with_headline, with_text
from crawler.contracts.outcome import Kind, Verdict

OK_OR_BUSY = frozenset({200, 203, 503})
OK = frozenset({200, 203})

_ABROAD_MAINTENANCE = (
    r"wartungsarbeiten|wird gerade gewartet|im wartungsmodus|en (?:cours "
    r"de )?maintenance|maintenance en cours|"
    r"une maintenance|technische wartung|momentan[ée]ment (?:indisponible|"
    r"inaccessible)|temporairement indisponible|en mantenimiento|"
    r"em manuten[çc][ãa]o|in manutenzione|in onderhoud|wegens onderhoud|технически[ех] работ|"
    r"prace (?:techniczne|konserwacyjne)|przerwa techniczna|bak[ıi]m (?:[çc]al[ıi]"
    r"[şs]mas|modu|nedeniyle)|bak[ıi]mda|"
    r"メンテナンス中|ただいまメンテナンス|系统维护|系統維護|正在维护|维护中|점검 ?중"
)
_ABROAD_ERROR = (
    r"(?:es ist )?ein (?:unerwarteter |interner )?fehler (?:ist )?aufgetreten|"
    r"une erreur (?:est survenue|s'est produite)|"
    r"(?:ha ocurrido|se ha producido|ocurri[óo]) un error.*|si [èe] verificato "
    r"un errore.*|ocorreu um erro.*|"
    r"er is (?:een fout|iets (?:fout|mis)).*|произошла ошибка.*|wyst[ąa]pi[łl] "
    r"b[łl][ąa]d.*|bir hata olu[şs]tu.*|"
    r"interner serverfehler|(?:hoppla|ups|oh nein)?[,! ]*(?:da |hier )?ist "
    r"(?:leider )?etwas schief\s?(?:gelaufen|gegangen)|erreur (?:interne "
    r")?(?:du )?serveur|"
    r"error (?:interno )?(?:del |en el )?servidor|errore (?:interno )?(?:del "
    r")?server|erro interno(?: do servidor)?|внутренняя ошибка сервера|"
    r"(?:システム)?エラーが発生しました|(?:系统|服务器)(?:错误|异常|繁忙).*|오류가 발생.*"
)


SIGNS = (
    with_headline(
        "forbidden",
        "generic",
        Kind.DENIED,
        r"(error )?(403|401)?[ :|-]*(-? ?error:? )?(forbidden(: access is "
        r"denied)?|access forbidden|"
        r"unauthori[sz]ed|authorization required)"
        r"|(http |error )*403( error| forbidden)*",
        statuses=OK,
        most_words=60,
    ),
    with_text(
        "permission-words",
        "generic",
        Kind.DENIED,
        r"you (?:do not|don't) have (?:permission|access|authori[sz]ation) "
        r"to (?:access|view|see)|you(?:'re| are) not (?:allowed|authori[sz]ed|permitted) to "
        r"(?:access|view|visit|see)|forbidden by administrative rules|"
        r"access to this resource [^.]{0,30}denied",
        statuses=OK,
        most_words=60,
        hints="you |forbidden|access to this resource",
    ),
    with_headline(
        "maintenance-title",
        "generic",
        Kind.MAINTENANCE,
        r"((site|website|page|system|server|scheduled|planned|routine|temporary|"
        r"we're|we are|site is|currently|down for|temporarily down for|"
        r"(site |website )?(is )?(currently )?under|in|the site is) )*"
        r"(maintenance|service interruption|downtime|outage)( mode| page| in progress| break|"
        r" notice)?|(we'll |we will )?be (right )?back( soon| shortly| in "
        r"a .*)?|(web)?site (is )?(offline|down)"
        r"|(site |website |service )?temporarily (unavailable|offline|down|"
        r"out of service)|temporary outage",
        statuses=OK_OR_BUSY,
        most_words=160,
    ),
    with_text(
        "maintenance-text",
        "generic",
        Kind.MAINTENANCE,
        r"(?:down|closed|offline|unavailable|undergoing|performing|under) "
        r"(?:for |due to |of )?(?:\w+ ){0,2}(?:maintenance|upgrades?)\b|"
        r"(?:unavailable|offline|down)(?: \w+){0,4} (?:due to|for|because "
        r"of) (?:\w+ )?(?:maintenance|upgrade)|"
        r"performing (?:\w+ )?maintenance|(?:is|are) being (?:upgraded|updated)\b[^.]{0,30}"
        r"\. (?:please )?try again|"
        r"temporary service interruption|(?:site|website|service|system|page|"
        r"server)s? (?:is|are) (?:\w+ )?(?:temporarily|currently|momentarily) "
        r"(?:down|unavailable|offline|closed|out of)(?! in)|we(?:'ll| will) be (?:right "
        r")?back (?:\w+ )?(?:soon|shortly|online|up)|"
        r"(?:try|visit|come back|check back) (?:again )?(?:later|soon|shortly|"
        r"after some time)[^.]{0,40}maintenance",
        # A notice on a pool, bridge or lift is a page like any other.
        r"\b(?:(?:web)?site|page|server|systems?|services?|app|application|portal|shop|store|"
        r"platform|network|banking|database|we|our|try again|check back)\b",
        statuses=OK_OR_BUSY,
        most_words=80,
        hints="maintenance|service|unavailable|down|offline|closed|back|upgrade",
    ),
    with_text(
        "maintenance-abroad",
        "generic",
        Kind.MAINTENANCE,
        _ABROAD_MAINTENANCE,
        r"seite|website|webseite|server|system|shop|portal|dienst|site|service|"
        r"página|pagina|sitio|serviço|sito|сайт|серв|stron|serwis|site|sayfa|"
        r"hizmet|サイト|サービス|ページ|系统|網站|网站|系統|서비스|시스템",
        statuses=OK_OR_BUSY,
        most_words=60,
        hints="technische|wartung|gewartet|maintenance|indisponible|inaccessible|mantenimiento|"
        "manuten|onderhoud|техническ|prace|przerwa|bak|メンテナンス|维护|維護|점검",
    ),
    with_text(
        "regret-text",
        "generic",
        Kind.MAINTENANCE,
        r"(?:regret|apologi[sz]e for|sorry for)(?: the| any| this)? inconvenience[^.]{0,20}"
        r"\.? ?(?:please )?try (?:again )?(?:after|later|in)",
        statuses=OK_OR_BUSY,
        most_words=40,
        hints="inconvenience",
    ),
    with_headline(
        "error-title",
        "generic",
        Kind.ERROR_PAGE,
        r"(http )?(error )?(status )?5\d\d( - | |: )?(error|server error|internal "
        r"server error|bad gateway|service unavailable|service temporarily "
        r"unavailable|gateway time-?out)*|"
        r"(internal )?server error( in '.*' application)?|bad gateway|(service|"
        r"page|site|website) (temporarily |currently )?unavailable|gateway "
        r"time-?out|bad request|"
        r"(http )?(error )?400( bad request)?|(application|runtime|database|"
        r"fatal|system|unexpected|unknown|technical|script|proxy) error|error "
        r"establishing a database connection|"
        r"(origin )?dns error|dns points to prohibited ip|origin (is )?unreachable|connection timed out|web server is (down|"
        r"returning an unknown error)|site (can't be reached|not (available|"
        r"configured))",
        statuses=OK,
        most_words=160,
    ),
    with_headline(
        "error-occurred",
        "generic",
        Kind.ERROR_PAGE,
        r"(we're )?(sorry|oops|whoops|uh[ -]?oh)?[,.! -]*(but )?(an?|some|"
        r"there (was|has been) an?) (\w+ )?(error|problem)( has| have)?( occurred|"
        r" happened| was encountered).{0,90}|(an )?error[ !]*|there (was|has "
        r"been) an? (\w+ )?(error|problem).{0,60}|"
        r"((we're )?sorry|oops|whoops|uh[ -]?oh)?[,.! -]*(but )?(something|looks like something|"
        r"it looks like something) (went|has gone|is) wrong.{0,60}|"
        r"((we're )?sorry|oops|whoops)?[,.! -]*((we're|we are) (having|experiencing)) "
        r"(\w+ )?(technical )?(difficulties|issues|problems).*|"
        r"((we're )?sorry[,.! -]*)(but )?there (was|has been|is) (a|an) (\w+ "
        r")?(problem|error|issue).{0,60}|(\w+ )?technical (difficulties|problems?)|"
        rf"{_ABROAD_ERROR}",
        statuses=OK,
        most_words=160,
    ),
    *parked.SIGNS,
    with_headline(
        "old-browser",
        "generic",
        Kind.ERROR_PAGE,
        r"(your |this |old |outdated )?(web ?)?browser (is )?(not|no longer|un) ?supported|"
        r"unsupported browser|(please )?(upgrade|update) your browser",
        statuses=OK,
        most_words=80,
    ),
    with_text(
        "cloudflare-origin",
        "cloudflare",
        Kind.ERROR_PAGE,
        r"error 10(?:0[0-4]|1[46-9])\b",
        r"ray id|cloudflare",
        most_words=250,
        hints="error 10",
    ),
    with_text(
        "error-text",
        "generic",
        Kind.ERROR_PAGE,
        r"encountered an (?:unexpected|internal) error|critical error on this "
        r"website|client-side exception has occurred|"
        r"upstream connect error|no healthy upstream|service (?:is )?(?:temporarily "
        r")?unavailable\b|internal server error|"
        r"account has been suspended|an error (?:has )?occurred (?:while|whilst|"
        r"during) processing|default backend - 404",
        statuses=OK,
        most_words=45,
        hints="error|exception|upstream|unavailable|suspended|backend",
    ),
    with_text(
        "error-trace",
        "generic",
        Kind.ERROR_PAGE,
        r"^(?:(?:fatal|parse|catchable fatal) error ?: |(?:warning|notice) ?: "
        r"(?:\w+\(|undefined|include)|traceback \(most recent call last\)|"
        r"error establishing a database connection|could not connect to|access "
        r"denied for user|mysql_|sqlstate\[|nginx error)",
        statuses=OK,
        most_words=120,
    ),
    *failure_sign.SIGNS,
)


def find_error_page(page: FetchedPage) -> Verdict | None:
    """Return the verdict on a page that says it is no page, or None."""
    return find_verdict(page, SIGNS)
