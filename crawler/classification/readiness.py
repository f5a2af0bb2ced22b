"""Tell a complete page from a half-loaded one."""

import re

from crawler.classification.visible_text import count_words, read_words
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.site import Ready
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
_MOUNT = re.compile(
    rb"<script|as=[\"\']script|id=[\"']?(?:root|app|__next|__nuxt|___gatsby)[\"' >]"
    rb"|<app-root",
    re.IGNORECASE,
)


def find_unready(document: Document, snapshot: Snapshot, ready: Ready) -> Verdict | None:
    """Return the verdict on a page that is not complete, or None.

    Without selectors in the site file a page must at least say something: text, or JSON-LD.
    """
    seen = _find_missing(document, ready) or _find_silence(document, ready)
    if seen is None:
        return None
    kind = Kind.SHELL if _MOUNT.search(document.markup) else Kind.EMPTY
    return Verdict(kind, Reason.INCOMPLETE_SNAPSHOT, (seen,))


def describe_readiness(document: Document, ready: Ready) -> tuple[str, ...]:
    """Return in words what showed that the page is complete; for a page that is."""
    present = (f"{selector}: {len(document.css(selector))} present" for selector in ready.present)
    return (*present, *(f"{selector}: absent" for selector in ready.absent))


def _find_missing(document: Document, ready: Ready) -> str | None:
    for selector in ready.present:
        if not document.css(selector):
            return f"{selector} matches nothing"
    for selector in ready.absent:
        if document.css(selector):
            return f"{selector} is still there"
    return None


def _find_silence(document: Document, ready: Ready) -> str | None:
    if ready.present or b"ld+json" in document.markup:
        return None
    words = read_words(document.markup, NOTICE_WORDS)
    if not words:
        return None if _speaks_without_scripts(document.markup) else "no text to read"
    if len(words) > NOTICE_WORDS or b"<script" not in document.markup.lower():
        return None
    text = b" ".join(words).decode("utf-8", "replace").lower()
    found = WAITING.fullmatch(text) or NEEDS_SCRIPTS.search(text)
    return f"nothing but {found[0][:100]!r}" if found else None


def _speaks_without_scripts(markup: bytes) -> bool:
    """Some pages say everything in a noscript element, and more than that scripts are needed."""
    parts = _NOSCRIPT.findall(markup)
    return any(count_words(part, NOTICE_WORDS) > NOTICE_WORDS for part in parts)
