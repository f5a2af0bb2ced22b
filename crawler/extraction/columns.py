"""What the cells of a table row are called: the header cells of their columns."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from crawler.document.document import Node
from crawler.document.text import inner_text

MAX_CELLS = 100
_REACHES_DOWN = etree.XPath("boolean(.//*[@rowspan and @rowspan != '1'])")
"""Whether a cell shifts those of the rows below, so that their places do not tell their columns."""


def table_around(row: Node) -> Node | None:
    """Return the table that an element is a row of; None for another element."""
    return next(row.iterancestors("table"), None) if row.tag == "tr" else None


def read_heads(table: Node) -> tuple[str, ...]:
    """Return what the columns are called; empty where no row of header cells opens the table."""
    first = next(table.iter("tr"), None)
    heads = [] if first is None or _REACHES_DOWN(table) else cells_of(first)
    is_head = all(each.tag == "th" for each in heads) or (
        first is not None and next(first.iterancestors("thead", "table"), table).tag == "thead"
    )
    return tuple(map(inner_text, heads)) if is_head else ()


def cells_of(row: Node) -> list[Node]:
    """Return the cells of a row; none where one is wider than its column."""
    cells = list(islice(_cells(row), MAX_CELLS))
    return [] if any(each.get("colspan", "1") != "1" for each in cells) else cells


def _cells(row: Node) -> Iterator[Node]:
    return (each for each in row if each.tag in {"td", "th"})
