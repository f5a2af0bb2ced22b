"""What pages say that failed or are being worked on, in few words and many languages, as a table."""
# ruff: noqa: RUF001 - letters of other alphabets are meant

from crawler.classification.signature import with_text
from crawler.contracts.outcome import Kind

OK = frozenset({200, 203})
OK_OR_BUSY = frozenset({*OK, 503})
FEW = 40
LEAST = 25

_SITE = (
    r"(?:web)?(?:seite|site|shop|server|dienst|service|sivusto|sidan|siden|str[áao]n\w*|serwis\w*|oldal|"
    r"portal|system|nettsted\w*|nettside\w*|pagina|p[áa]gina|sitio|sito|sajt\w*|сайт\w*|сервис\w*|sayfa|"
    r"sitemiz|hizmet|ιστ[όο]\w*|trang|situs|halaman|サイト|サービス|사이트|서비스|الموقع|האתר|سایت|เว็บ\w*|"
    r"网站|網站|系统|系統|page)"
)
_WORK = (
    r"wird (?:derzeit |gerade )?gewartet|wartungsarbeiten|tareas de mantenimiento|em manuten[çc][ãa]o|"
    r"bezig met onderhoud|onderhoudswerkzaamheden|underh[åa]ll|vedligehold\w*|vedlikehold\w*|huollossa|"
    r"huoltokatko|prace (?:konserwacyjne|techniczne|serwisowe)|przerwa techniczna|prob[íi]h[áa] [úu]dr[žz]ba|"
    r"karbantart[áa]s|[îi]n mentenan[țţt][ăa]|техническ\w+ (?:обслуживани|работ)\w*|технічн\w+ робот\w*|"
    r"bak[ıi]m(?:da| [çc]al)|υπ[όο] συντ[ήη]ρηση|[đd]ang b[ảa]o tr[ìi]|dalam pemeliharaan|"
    r"升级维护|系统维护|网站维护|維護中|维护中|メンテナンス中|一時停止して|점검 ?중|تحت الصيانة|בתחזוקה|در دست تعمیر|"
    r"ระหว่างการปรับปรุง"
)
_AWAY = (
    r"vor[üu]bergehend nicht (?:erreichbar|verf[üu]gbar)|temporairement (?:indisponible|inaccessible)|"
    r"temporalmente (?:fuera de servicio|no disponible)|temporaneamente non (?:disponibile|raggiungibile)|"
    r"temporariamente (?:indispon[íi]vel|fora do ar)|tijdelijk niet (?:beschikbaar|bereikbaar)|"
    r"tillf[äa]lligt (?:nere|ur funktion)|midlertidigt? (?:nede|utilgj?[æe]ngelig)|"
    r"tymczasowo niedost[ęe]pn|do[čc]asn[ěe] (?:nedostupn|mimo provoz)|временно (?:недоступ|не работает)|"
    r"тимчасово (?:не працює|недоступ)|ge[çc]ici olarak"
)
_ERROR_ABROAD = (
    r"fehler aufgetreten|konnte nicht geladen werden|une erreur (?:\w+ )?(?:est survenue|s'est produite)|"
    r"(?:ha ocurrido|se ha producido|ocurri[óo]) un error|si [èe] verificato un errore|"
    r"ocorreu um erro|er is (?:een fout|iets) (?:op|mis)|ett fel har (?:uppst[åa]tt|intr[äa]ffat)|"
    r"der opstod en fejl|det oppst(?:o|å)d? ?en feil|tapahtui virhe|wyst[ąa]pi[łl] b[łl][ąa]d|"
    r"do[šs]lo k chyb[ěe]|vyskytla sa chyba|hiba t[öo]rt[ée]nt|a ap[ăa]rut o eroare|произошла ошибка|"
    r"сталася помилка|bir hata olu[şs]tu|παρουσι[άα]στηκε σφ[άα]λμα|[đd][ãa] x[ảa]y ra l[ỗo]i|"
    r"terjadi kesalahan|(?:服务器|伺服器|系统)(?:错误|異常|异常|錯誤)|エラーが発生|오류가 발생|حدث خطأ|אירעה שגיאה|"
    r"خطایی رخ داده|เกิดข้อผิดพลาด"
)
SIGNS = (
    with_text(
        "work-words",
        "generic",
        Kind.MAINTENANCE,
        r"(?:currently |presently )(?:upgrading|updating|improving|maintaining) our|"
        r"site (?:is )?under construction|"
        r"(?:having|experiencing|encountering) (?:\w+ )?technical (?:difficulties|issues|problems)|"
        r"(?:servers?|site|website|service) (?:is|are) taking a (?:short |quick )?break",
        r"\b(?:back|later|soon|shortly|again|moment|patience|inconvenience)\b",
        statuses=OK_OR_BUSY,
        most_words=FEW,
        hints="upgrading|updating|improving|maintaining|construction|technical|taking a",
    ),
    with_text(
        "work-abroad",
        "generic",
        Kind.MAINTENANCE,
        rf"{_SITE}.{{0,60}}(?:{_WORK}|{_AWAY})|(?:{_WORK}|{_AWAY}).{{0,60}}{_SITE}|"
        rf"\A.{{0,30}}(?:{_WORK}).{{0,40}}(?:\n|\Z)",
        statuses=OK_OR_BUSY,
        most_words=LEAST,
    ),
    with_text(
        "failure-words",
        "generic",
        Kind.ERROR_PAGE,
        r"something (?:went|has gone) wrong|an? (?:unexpected |internal |unknown )?error (?:has )?"
        r"(?:occurred|happened)|having (?:trouble|problems) loading this (?:page|site)|"
        r"this (?:page|site) (?:isn't|is not) working|unable to connect to (?:the |our )?(?:database|"
        r"server)|encountered an (?:internal |unexpected )?error",
        r"\b(?:sorry|oops|whoops|please|try|refresh|reload|later|page|application|error|our end|unable)\b",
        statuses=OK,
        most_words=LEAST,
        hints="wrong|error|trouble|problems|working|unable",
    ),
    with_text(
        "failure-abroad",
        "generic",
        Kind.ERROR_PAGE,
        _ERROR_ABROAD,
        statuses=OK,
        most_words=LEAST,
    ),
)
