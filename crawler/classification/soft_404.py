"""Tell a page that says "not found" with status 200, from its title and first heading alone."""
# ruff: noqa: RUF001 - signs that look like Latin ones are meant

import html
import re
from collections.abc import Iterator

from crawler.classification.not_found_phrase import ABROAD
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
    r"|vacancy|object|story|link|file or directory|page or item|page or file|thing|content|video"
    r"|user|profile|account|ad|offer|recipe|book|category|topic|thread)"
)
_GONE = (
    r"(?:(?:was |is |could |can)?not (?:be )?found|(?:can't|cannot|couldn't) be (?:found|displayed)"
    r"|does(?: not|n't) exist|no longer exists|(?:is |are )?(?:no longer|not|isn't|currently "
    r"not) available(?: (?:right now|anymore|any more|any longer|at this time))?|(?:doesn't|does not) "
    r"seem to exist|isn't (?:available|here)(?: (?:right now|anymore|any more))?|(?:has been|was|may have been|might have been) "
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
    r"url|file|address)|nothing (?:was )?found(?: here)?|nothing here|whoops, our bad|"
    r"(?:the )?requested "
    r"(?:url|resource) was not found.{0,60}",
    "expired": (
        rf"{_REGRET}(?:this |the )?(?:job|job posting|position|vacancy|listing|"
        rf"advert|ad|offer|posting|event|deal)(?: posting| listing)?{_WANTED} "
        r"(?:(?:has )?(?:expired|been filled|closed|ended|been removed)|is (?:closed|"
        r"expired|over|no longer (?:active|accepting applications|open|listed|available)))"
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
    **ABROAD,
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
_ANY = re.compile("|".join(f"(?:{pattern})" for pattern in PATTERNS.values()))
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
        stripped = part.strip(" .!?…:;()[]-。！？，")
        if _ANY.fullmatch(stripped):
            return next(rule for rule, each in _COMPILED.items() if each.fullmatch(stripped))
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
