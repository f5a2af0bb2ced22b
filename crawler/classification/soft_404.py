"""Tell a page that says "not found" with status 200, from its title and first heading alone."""

import html
import re
from collections.abc import Iterator

from crawler.classification.page import count_words
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.document.scan import iter_tags

WINDOW = 64 * 1024
MOST_WORDS = 700
"""A page with more to read is about missing pages, not one of them."""

_THING = (
    r"(?:page|site|document|content|resource|file|article|item|product|event|job|listing|post|url"
    r"|vacancy)"
)
_GONE = (
    r"(?:(?:could |can)?not (?:be )?found|(?:can't|couldn't) be found|does(?: not|n't) exist"
    r"|(?:is )?(?:no longer|not) available|(?:has been|was) removed|(?:is )?missing)"
)
_REGRET = r"(?:(?:sorry|oops|uh[ -]?oh)[,.!]* )?"
_WANTED = r"(?: you (?:are|were) looking for| you requested)?"
PATTERNS = {
    "404": r"(?:http )?(?:error|fehler|erreur)?[ -]*\(?404\)?(?: error| page)?",
    "404-not-found": (
        r"(?:http )?(?:error )?\(?404\)?[ :,.(!-]*(?:error[ :,-]*)?"
        rf"(?:(?:the |this |that )?{_THING} )?(?:(?:could |can)?not (?:be )?found)"
    ),
    "thing-gone": (
        rf"{_REGRET}(?:this |the |that |your )?(?:requested )?{_THING}{_WANTED}(?: is)? {_GONE}"
    ),
    "cannot-find": (
        rf"{_REGRET}(?:we )?(?:could(?: not|n't)|can(?:not|'t| not)) (?:find|locate) "
        rf"(?:that|this|the|your) {_THING}(?: you.*)?"
    ),
    "not-found": r"not found|nothing (?:was )?found(?: here)?|nothing here",
    "de": r"(?:die )?(?:angeforderte )?seite (?:wurde )?(?:leider )?nicht gefunden",
    "fr": r"(?:cette |la )?page (?:introuvable|non trouv[ée]e|n'existe pas)",
    "es": r"p[áa]gina no encontrada",
    "it": r"pagina non trovata",
    "pt": r"p[áa]gina n[ãa]o encontrada",
    "nl": r"(?:de )?pagina (?:is )?niet gevonden",
    "pl": r"nie znaleziono strony|strona nie (?:istnieje|została znaleziona)",
    "ru": r"страница не найдена",
}
_COMPILED = {rule: re.compile(pattern) for rule, pattern in PATTERNS.items()}
_TAG = re.compile(r"<[^>]*>")
_SEPARATOR = re.compile(r"\s+[|·•»«—–-]+\s+|\s*[|»—]\s*|:\s+")  # noqa: RUF001  # title separators


def find_soft_404(document: Document, snapshot: Snapshot) -> Verdict | None:
    """Return the verdict on a page that says it is not there, or None."""
    window = document.markup[:WINDOW]
    for place, text in _read_headings(document, window):
        rule = match_not_found(text)
        if rule is not None:
            if count_words(snapshot.body[:WINDOW]) > MOST_WORDS:
                return None
            seen = f"{rule}: {place} {text[:100]!r}"
            return Verdict(Kind.SOFT_404, Reason.SOFT_404, (seen,))
    return None


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
    """Yield the first title and the first heading with their text."""
    open_heading: int | None = None
    for tag in iter_tags(window, b"title", b"h1"):
        if tag.name == b"title" and tag.content_end is not None:
            yield "title", _plain(document.decode_markup(tag.end, tag.content_end))
        elif tag.name == b"h1" and not tag.is_end:
            open_heading = tag.end
        elif tag.name == b"h1" and open_heading is not None:
            yield "h1", _plain(document.decode_markup(open_heading, tag.start))
            return


def _plain(markup: str) -> str:
    return html.unescape(_TAG.sub(" ", markup[:2000]))
