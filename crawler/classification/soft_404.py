"""Tell a page that says "not found" with status 200, from its title and first heading alone."""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

import html
import re
from collections.abc import Iterator

from crawler.classification.visible_text import count_words, read_words
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.document.encoding import decode_part
from crawler.document.scan import iter_tags

WINDOW = 64 * 1024
MOST_WORDS = 700
"""A page with more to read is about missing pages, not one of them."""

_THING = (
    r"(?:page|site|document|content|resource|file|article|item|product|event|job|listing|post|url"
    r"|vacancy|object|story|link|file or directory|page or item|page or file|thing)"
)
_GONE = (
    r"(?:(?:was |is |could |can)?not (?:be )?found|(?:can't|cannot|couldn't) be (?:found|displayed)"
    r"|does(?: not|n't) exist|no longer exists|(?:is |are )?(?:no longer|not|isn't|currently "
    r"not) available|isn't (?:available|here)|(?:has been|was|may have been|might have been) "
    r"(?:removed|deleted|moved)|(?:is )?(?:missing|gone|lost)|has moved)"
)
_REGRET = (
    r"(?:(?:we're |we are )?(?:sorry|oops|whoops|ouch|hmm+|yikes|unfortunately|"
    r"uh[ -]?oh)[,.!…]* )*"
)
_WANTED = (
    r"(?: (?:that )?(?:you are|you're|you were) (?:looking for|trying to \w+)|"
    r" (?:that )?(?:you|you've|you have) (?:just )?(?:requested|wanted|asked for))?"
)
PATTERNS = {
    "404": r"(?:http )?(?:error|fehler|erreur|errore|erro|fout|fel|b[łl][ąa]d|"
    r"ошибка|hata|chyba|hiba)?[ :#-]*\(?404\)?"
    r"(?: error| page| fehler|エラー)?[ !.#(]*(?:oops|sorry|page)?[ !).]*1?",
    "404-not-found": (
        r"(?:http )?(?:error )?\(?404\)?[ :,.(!-]*(?:error[ :,-]*)?"
        rf"(?:(?:the |this |that )?{_THING} )?(?:(?:could |can)?not (?:be )?found|"
        rf"missing|unavailable)[ !).]*1?"
    ),
    "thing-gone": (
        rf"{_REGRET}(?:this |the |that |your )?(?:requested )?{_THING}{_WANTED}(?: "
        rf"is)? {_GONE}(?: (?:on|at|in|by) .{{0,60}})?(?:[ :,(#-]*404\)?)?"
    ),
    "cannot-find": (
        rf"{_REGRET}(?:but )?(?:we )?(?:could(?: not|n't)|can(?:not|'t| not)(?: seem to)?|"
        rf"are unable to|were unable to|didn't|did not) (?:find|locate) "
        rf"(?:(?:that|this|the|your|a) (?:requested )?{_THING}(?: (?:that )?you.*)?|"
        r"what (?:you are|you're|you were) looking for.*)"
    ),
    "not-found": r"not found[ (#]*(?:404)?\)?|(?:no such|invalid|unknown|bad) (?:page|"
    r"url|file|address)|nothing (?:was )?found(?: here)?|nothing here|"
    r"(?:the )?requested "
    r"(?:url|resource) was not found.{0,60}",
    "expired": (
        rf"{_REGRET}(?:this |the )(?:job|job posting|position|vacancy|listing|"
        rf"advert|ad|offer|posting)(?: posting| listing)? "
        r"(?:has (?:expired|been filled|closed|ended|been removed)|is (?:closed|"
        r"expired|no longer (?:active|accepting applications|open|listed)))"
    ),
    "error-page": r"error ?page|page error|fehlerseite|page d'erreur|p[áa]gina de erro[r]?|"
    r"pagina di errore|foutpagina",
    "dead-link": r"(?:you've |you have )?(?:reached|found|followed|hit) (?:a )?(?:dead "
    r"end|broken link|page that (?:doesn't|does not) exist.*)|"
    r"(?:this is a )?(?:dead|broken) link|looks like (?:you're|you are) "
    r"lost|(?:oops[,! ]*)?(?:it )?looks like (?:this|the|that) page (?:is|"
    r"was|has) .{0,40}|(?:this|that|the) (?:link|page) (?:is|may be|appears "
    r"to be) "
    r"(?:broken|missing)(?: or .*)?",
    "de": r"(?:die |diese )?(?:angeforderte |gesuchte |gew[üu]nschte )?(?:seite|"
    r"datei|artikel|produkt|stellenanzeige|inhalt) (?:\w+ )?(?:wurde |"
    r"konnte |ist |existiert )?"
    r"(?:leider )?(?:nicht (?:gefunden(?: werden)?|(?:mehr )?verf[üu]gbar|"
    r"vorhanden|mehr vorhanden)|nicht(?: mehr)?)(?: \w+)?",
    "fr": r"(?:d[ée]sol[ée],? )?(?:oups,? ?)?(?:cette |la |votre )?(?:page|annonce|"
    r"offre)(?: que vous .{0,30})? (?:demand[ée]e )?(?:est )?(?:introuvable|"
    r"non trouv[ée]e|n'existe (?:pas|plus)|n'a pas [ée]t[ée] trouv[ée]e|"
    r"inexistante|plus disponible)",
    "es": r"(?:la )?p[áa]gina (?:solicitada )?(?:que .{0,30} )?no (?:fue |ha "
    r"sido |se ha |se )?(?:encontrada|encontrado|encuentra|existe|disponible)|"
    r"no (?:encontramos|se (?:ha )?(?:encontrado|encontr[óo])) (?:la|esta) "
    r"p[áa]gina",
    "ca": r"(?:la )?p[àa]gina no (?:s'ha )?trobada?",
    "it": r"(?:la )?pagina (?:richiesta )?(?:che .{0,30} )?non (?:[èe] stata "
    r")?(?:trovata|esiste|disponibile)",
    "pt": r"(?:a )?p[áa]gina (?:que .{0,30} )?n[ãa]o (?:foi )?(?:encontrada|"
    r"existe|dispon[íi]vel|localizada)",
    "nl": r"(?:de |deze )?(?:opgevraagde )?pagina (?:is |kan |werd |bestaat "
    r")?(?:niet (?:gevonden(?: worden)?|(?:meer )?beschikbaar)|niet(?: "
    r"meer)?)",
    "sv": r"(?:sidan|sida) (?:kunde inte |kan inte )?(?:inte )?(?:hittades(?: "
    r"inte)?|hittas|finns inte.{0,20})",
    "da-no": r"(?:siden|side) (?:ble |blev |kunne |findes |finnes |eksisterer )?ikke(?: "
    r"blive)?(?: fundet| funnet)?",
    "fi": r"sivua ei (?:l[öo]ydy|l[öo]ytynyt)",
    "pl": r"nie znaleziono (?:strony|podanej strony)|(?:podana |ta )?strona "
    r"(?:nie (?:istnieje|została (?:znaleziona|odnaleziona))|o podanym "
    r"adresie nie istnieje)|nie ma takiej strony",
    "cs-sk": r"(?:tato )?str[áa]nk[au](?: nebyla| nebola| sa nena[šs]la| neexistuje|"
    r" nen[áa]jden[áa])(?: nalezena| n[áa]jden[áa])?|str[áa]nka nenalezena",
    "hu": r"(?:az? )?(?:keresett )?oldal nem (?:tal[áa]lhat[óo]|l[ée]tezik)",
    "ro": r"pagina (?:nu (?:a fost g[ăa]sit[ăa]|exist[ăa])|neg[ăa]sit[ăa])",
    "hr-sr": r"(?:tra[žz]ena )?stranica (?:nije prona[đd]ena|ne postoji)|страница није пронађена",
    "el": r"η σελίδα δεν (?:βρέθηκε|υπάρχει)",
    "tr": r"(?:arad[ıi][ğg][ıi]n[ıi]z )?sayfa (?:bulunamad[ıi]|mevcut de[ğg]il)",
    "ru": r"(?:запрашиваемая |такая |данная )?страница (?:не (?:найдена|существует)|"
    r"удалена)|страницы не существует|такой страницы (?:нет|не существует)",
    "uk": r"сторінк[уа] не (?:знайдено|знайдена|існує)",
    "ja": r"(?:お探しの|ご指定の|指定された)?(?:ページ|記事|商品)(?:が|は)?(?:見つかりません(?:でした)?|存在しません|ございません)|ページが見つかりません",
    "zh": r"(?:抱歉[，, ]*)?(?:您(?:访问|要找|请求)的)?(?:页面|頁面|网页|網頁|内容)(?:不存在|未找到|找不到|"
    r"没有找到|已(?:删除|不存在))|(?:未找到|找不到)(?:页面|頁面|网页|網頁)|404[，, ]*(?:页面|頁面).{0,8}",
    "ko": r"(?:요청하신 )?페이지를 찾을 수 없습니다|존재하지 않는 페이지(?:입니다)?|(?:요청하신 )?(?:작업을 수행할|페이지를 표시할) 수 없습니다",
    "ar": r"(?:الصفحة|صفحة) غير موجودة|لم يتم العثور على الصفحة",
    "he": r"(?:ה)?(?:דף|עמוד) לא נמצא",
    "vi": r"kh[ôo]ng t[ìi]m th[ấa]y trang(?: n[àa]y)?|trang kh[ôo]ng t[ồo]n t[ạa]i",
    "id": r"halaman tidak (?:ditemukan|tersedia)",
}
NOTICE = re.compile(
    r"\b(?:(?:page|file|url|document|resource) (?:was |could |can)?(?:not "
    r")(?:be )?found|404 (?:error|not found)\b|"
    r"(?:requested|looking for) (?:\w+ ){0,4}(?:not (?:be )?found|does(?: "
    r"not|n't) exist|no longer (?:exists|available)))|"
    r"sayfa \w* ?bulunamad|요청하신 (?:작업을|페이지를)"
)
"""Said in running text by a page that says little else, and has no heading."""
NOTICE_WORDS = 45
_COMPILED = {rule: re.compile(pattern) for rule, pattern in PATTERNS.items()}
_TAG = re.compile(r"<[^>]*>")
_HEADING = re.compile(rb"<h[12]\b", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s+[|·•»«—–/-]+\s+|\s*[|»—]\s*|:\s+")


def find_soft_404(document: Document, snapshot: Snapshot) -> Verdict | None:
    """Return the verdict on a page that says it is not there, or None."""
    seen = _find_heading(document) or _find_notice(document, snapshot)
    return None if seen is None else Verdict(Kind.SOFT_404, Reason.SOFT_404, (seen,))


def _find_heading(document: Document) -> str | None:
    window = document.markup[:WINDOW]
    for place, text in _read_headings(document, window):
        rule = match_not_found(text)
        if rule is not None:
            is_about_it = count_words(window, MOST_WORDS) > MOST_WORDS
            return None if is_about_it else f"{rule}: {place} {text[:100]!r}"
    return None


def _find_notice(document: Document, snapshot: Snapshot) -> str | None:
    words = read_words(document.markup[:WINDOW], NOTICE_WORDS)
    if not 0 < len(words) <= NOTICE_WORDS or _HEADING.search(document.markup, 0, WINDOW):
        return None
    markup = b" ".join(words)
    is_as_received = document.has_byte_offsets
    text = decode_part(markup, snapshot.encoding) if is_as_received else markup.decode()
    found = NOTICE.search(html.unescape(text).lower())
    return f"notice: text {found[0][:100]!r}" if found else None


def match_not_found(heading: str) -> str | None:
    """Return the rule by which a heading, or a part of it, says "not found" and nothing else."""
    text = " ".join(heading.replace("\u2019", "'").lower().split())
    for part in (text, *_SEPARATOR.split(text)):
        stripped = part.strip(" .!?…:;()[]-")
        for rule, pattern in _COMPILED.items():
            if pattern.fullmatch(stripped):
                return rule
    return None


def _read_headings(document: Document, window: bytes) -> Iterator[tuple[str, str]]:
    """Yield the first title and the first heading of either rank with their text."""
    opened: dict[bytes, int] = {}
    seen: set[bytes] = set()
    for tag in iter_tags(window, b"title", b"h1", b"h2"):
        if tag.name in seen:
            continue
        if tag.content_end is not None:
            seen.add(tag.name)
            yield "title", _plain(document.decode_markup(tag.end, tag.content_end))
        elif not tag.is_end:
            opened[tag.name] = tag.end
        elif tag.name in opened:
            seen.add(tag.name)
            yield tag.name.decode(), _plain(document.decode_markup(opened[tag.name], tag.start))


def _plain(markup: str) -> str:
    return html.unescape(_TAG.sub(" ", markup[:2000]))
