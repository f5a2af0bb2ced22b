"""Tell a complete page from a half-loaded one."""

from crawler.classification.page import has_visible_text
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.site import Ready
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document


def find_unready(document: Document, snapshot: Snapshot, ready: Ready) -> Verdict | None:
    """Return the verdict on a page that is not complete, or None.

    Without selectors in the site file a page must at least say something: text, or JSON-LD.
    """
    seen = _find_missing(document, ready) or _find_silence(document, ready)
    if seen is None:
        return None
    kind = Kind.SHELL if b"<script" in snapshot.body.lower() else Kind.EMPTY
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
    if ready.present or b"ld+json" in document.markup or has_visible_text(document.markup):
        return None
    return "no text to read"
