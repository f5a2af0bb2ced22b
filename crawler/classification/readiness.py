"""Tell a complete page from a half-loaded one."""

import re

from crawler.classification.visible_text import count_words, read_words
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.site.access import Ready
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document

NOTICE_WORDS = 40
WAITING = re.compile(
    r"(?:(?:loading|please wait|wird geladen|chargement|cargando|carregando|"
    r"caricamento|laden|загрузка|redirecting|読み込み中|加载中)"
    r"(?:[ .…,!-]+(?:page|app|application|data|content))?[ .…,!-]*)+"
)
NEEDS_SCRIPTS = re.compile(
    r"(?:you need to |please |must )?(?:enable|turn on|activate|requires?|"
    r"aktivieren sie|activer|activez|habilite|habilitar|abilita) (?:your "
    r"browser's )?(?:javascript|java script|js)\b|"
    r"without javascript|javascript (?:is (?:required|disabled|not enabled)|must be enabled|"
    r"is turned off|muss aktiviert)"
)
_NOSCRIPT = re.compile(rb"<noscript\b[^>]*>([^<]*(?:<(?!/noscript)[^<]*)*)", re.IGNORECASE)
ITEMS = (b"itemprop=", b"typeof=")
"""Microdata and RDFa."""
_MOUNT = re.compile(
    rb"<script|as=[\"\']script|id=[\"']?(?:root|app|__next|__nuxt|___gatsby)[\"' >]"
    rb"|<app-root",
    re.IGNORECASE,
)


def find_unready(document: Document, snapshot: Snapshot, ready: Ready) -> Verdict | None:
    """Return the verdict on a page that is not complete, or None.

    Without selectors in the site file a page must at least say something: text, or JSON-LD.
    """
    seen = (
        _find_missing(document, ready)
        or _find_unloaded(document, ready)
        or _find_unsettled(snapshot)
        or _find_silence(document, ready)
    )
    return as_incomplete(document, seen) if seen else None


def as_incomplete(document: Document, seen: str) -> Verdict:
    """Return the verdict on a page that lacks what *seen* says."""
    kind = Kind.SHELL if _MOUNT.search(document.markup) else Kind.EMPTY
    return Verdict(kind, Reason.INCOMPLETE_SNAPSHOT, (seen,))


def describe_readiness(document: Document, ready: Ready) -> tuple[str, ...]:
    """Return in words what showed that the page is complete; for a page that is."""
    counted = (*ready.present, *ready.count)
    return (
        *(f"{selector}: {len(document.css(selector))} present" for selector in counted),
        *(f"{selector}: absent" for selector in ready.absent),
        *(f"text {text!r}: present" for text in ready.text),
        *(f"{pattern}: {len(document.loaded.choose(pattern))} loaded" for pattern in ready.loaded),
    )


def _find_missing(document: Document, ready: Ready) -> str | None:
    for selector in ready.present:
        if not document.css(selector):
            return f"{selector} matches nothing"
    for selector in ready.absent:
        if document.css(selector):
            return f"{selector} is still there"
    for selector, least in ready.count.items():
        found = len(document.css(selector))
        if found < least:
            return f"{selector} matches {found} of {least}"
    return _find_missing_text(document, ready.text) if ready.text else None


def _find_unloaded(document: Document, ready: Ready) -> str | None:
    missing = (each for each in ready.loaded if not document.loaded.choose(each))
    return next((f"{each or 'JSON'}: nothing that fits was loaded" for each in missing), None)


def _find_missing_text(document: Document, texts: tuple[str, ...]) -> str | None:
    """Capitals are a matter of style sheets."""
    root = document.root
    shown = "" if root is None else _fold(document.text_of(root))
    missing = (text for text in texts if _fold(text) not in shown)
    return next((f"the text {text!r} is missing" for text in missing), None)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _find_unsettled(snapshot: Snapshot) -> str | None:
    """What only a running page could show, and did not; the browser wrote it down."""
    if "unsettled" not in snapshot.flags:
        return None
    return "; ".join(snapshot.readiness) or "not complete in time"


def _find_silence(document: Document, ready: Ready) -> str | None:
    if ready.present or ready.loaded or b"ld+json" in document.markup:
        return None
    words = read_words(document.markup, NOTICE_WORDS)
    if not words:
        return None if _speaks_to_others(document.markup) else "no text to read"
    if len(words) > NOTICE_WORDS or b"<script" not in document.markup.lower():
        return None
    text = b" ".join(words).decode("utf-8", "replace").lower()
    found = WAITING.fullmatch(text) or NEEDS_SCRIPTS.search(text)
    return f"nothing but {found[0][:100]!r}" if found else None


def _speaks_to_others(markup: bytes) -> bool:
    """Some pages say everything in a noscript element, and more than that scripts are needed; or
    in attributes that machines read, where there is no script that could say it to people.
    """
    source = markup.lower()
    if b"<script" not in source and any(item in source for item in ITEMS):
        return True
    parts = _NOSCRIPT.findall(markup)
    return any(count_words(part, NOTICE_WORDS) > NOTICE_WORDS for part in parts)
