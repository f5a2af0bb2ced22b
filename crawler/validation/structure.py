"""Rows that the source does not delimit: what a parser repaired in silence is no evidence."""

from collections import Counter
from collections.abc import Sequence

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Rejection
from crawler.document.document import Document, Node
from crawler.document.jsonpath import Parts, format_locator
from crawler.document.scan import iter_tags

OPTIONAL_END = frozenset(
    {"li", "dt", "dd", "p", "option", "optgroup", "tr", "td", "th", "tbody", "thead", "tfoot"}
)
"""Elements that HTML closes by itself (13.1.2.4)."""
GENERIC = frozenset({"div", "span"})
"""Elements of which a page has so many that a stray end tag says nothing of the rows."""


def find_broken_structure(document: Document, rows: Sequence[Node]) -> Rejection | None:
    """Return the rejection of a page whose rows are unclosed, or nested in each other."""
    if document.is_too_deep:
        detail = "too deep: the parser gave up, and what it read is a fragment"
        return Rejection(RejectReason.RECORD_STRUCTURE, detail)
    return _find_unclosed(document, rows) or _find_nested(document, rows)


def _find_nested(document: Document, rows: Sequence[Node]) -> Rejection | None:
    known = set(rows)
    for row in rows:
        parent = row.getparent()
        while parent is not None:
            if parent in known:
                detail = f"{document.path_of(row)} lies inside {document.path_of(parent)}"
                return Rejection(RejectReason.NESTED_RECORD, detail)
            parent = parent.getparent()
    return None


def find_nested_nodes(nodes: Sequence[tuple[int, Parts]]) -> Rejection | None:
    """Return the rejection of a page on which a JSON-LD object that is a row lies inside another.

    *nodes* are the block and the place of each.
    """
    known = set(nodes)
    for block, parts in nodes:
        outer = next(
            (parts[:end] for end in range(len(parts)) if (block, parts[:end]) in known), None
        )
        if outer is not None:
            detail = f"{block}:{format_locator(parts)} lies inside {format_locator(outer)}"
            return Rejection(RejectReason.NESTED_RECORD, detail[:300])
    return None


def _find_unclosed(document: Document, rows: Sequence[Node]) -> Rejection | None:
    for name in sorted({str(row.tag) for row in rows} - OPTIONAL_END):
        found = _find_unclosed_element(document, name, rows)
        if found is not None:
            return Rejection(RejectReason.RECORD_STRUCTURE, found)
    return None


def _find_unclosed_element(document: Document, name: str, rows: Sequence[Node]) -> str | None:
    unclosed, strays, count = _match_tags(document.markup, name)
    if strays and name not in GENERIC:
        return f"</{name}> at byte {strays[0]} ends nothing"
    if not unclosed:
        return None
    elements = document.css(name)
    if len(elements) != count:  # The scan and the parser disagree: only the sum is certain.
        return f"{len(unclosed)} of {count} <{name}> have no end tag"
    wanted = set(rows)
    broken = next((elements[index] for index in unclosed if elements[index] in wanted), None)
    return None if broken is None else f"{document.path_of(broken)} has no end tag"


def _match_tags(markup: bytes, name: str) -> tuple[list[int], list[int], int]:
    """Return the start tags without an end by number, end tags without a start by offset, and how
    many start tags there are.
    """
    open_tags: list[int] = []
    strays: list[int] = []
    counts: Counter[bool] = Counter()
    for tag in iter_tags(markup, name.encode()):
        if not tag.is_end:
            open_tags.append(counts[False])
        elif open_tags:
            open_tags.pop()
        else:
            strays.append(tag.start)
        counts[tag.is_end] += 1
    return open_tags, strays, counts[False]
