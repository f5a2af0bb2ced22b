"""The part of a page that must be there when it is whole: its rows, or the links it leads by."""

import re

from crawler.classification.readiness import NOTICE_WORDS, as_incomplete
from crawler.contracts.outcome import Verdict
from crawler.contracts.rules import Rules
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind, Representation, Snapshot
from crawler.discovery.links import find_links
from crawler.document.document import Document, Node
from crawler.document.text import text_without

_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAY_HIDE = re.compile(rb"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def find_missing_region(
    document: Document, snapshot: Snapshot, rules: Rules, strange: Verdict | None
) -> Verdict | None:
    """Return the verdict on a served page that rendering may complete, or None.

    *strange* is why it is not taken for the document that was asked for: scripts may add what tells
    that. Fields are no region: a missing one never causes a request.
    """
    if strange is not None:
        return as_incomplete(document, "; ".join(strange.evidence))
    if _says_it_is_empty(document, rules):
        return None
    is_listing = snapshot.page_kind is PageKind.LISTING
    missing = (
        _find_missing_links(document, rules)
        if is_listing and rules.collect.leads_to_details
        else _find_missing_rows(document, rules) or _find_hidden_text(document)
    )
    return as_incomplete(document, missing) if missing else None


def may_be_rendered(snapshot: Snapshot, rules: Rules) -> bool:
    """The page came as it is served, and its site says that this may not be enough."""
    is_served = snapshot.representation is Representation.HTML
    return is_served and rules.fetched is not None and rules.fetched.of(snapshot.page_kind) == AUTO


def _says_it_is_empty(document: Document, rules: Rules) -> bool:
    empty = rules.collect.complete.empty
    return empty is not None and bool(document.css(empty))


def _find_missing_links(document: Document, rules: Rules) -> str | None:
    found = find_links(document, rules.collect).links
    if any(link.page_kind is PageKind.DETAIL for link in found):
        return None
    return f"{rules.collect.links or 'collect.match'} leads nowhere"


def _find_hidden_text(document: Document) -> str | None:
    """Some pages are served whole and hidden, until a script has shown what it wants to show."""
    if document.root is None or not _MAY_HIDE.search(document.markup):
        return None
    shown = len(text_without(document.root, _is_hidden).split())
    hidden = len(document.text_of(document.root).split()) - shown
    if hidden <= NOTICE_WORDS or hidden < 2 * shown:
        return None
    return f"{hidden} words are hidden until a script shows them, {shown} are not"


def _is_hidden(element: Node) -> bool:
    return bool(_HIDDEN.search(element.get("style") or ""))


def _find_missing_rows(document: Document, rules: Rules) -> str | None:
    if rules.collect.data_source is not None and rules.collect.data_source.find == AUTO:
        return None
    selector = rules.record.row_selector
    if selector is not None:
        return None if document.css(selector) else f"{selector} matches nothing"
    is_missing = rules.record.row_path is not None and b"ld+json" not in document.markup
    return f"no JSON-LD for {rules.record.each}" if is_missing else None
