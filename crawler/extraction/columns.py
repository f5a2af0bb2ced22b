"""What the cells of a table row are called: the header cells of their columns."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from crawler.document.document import Node
from crawler.document.text import inner_text

MAX_CELLS = 100
_SPANS = etree.XPath(".//*[@rowspan and @rowspan != '1'] | .//*[@colspan and @colspan != '1']")
"""Cells that shift others, so that places in two rows do not tell that they share a column."""


def table_around(row: Node) -> Node | None:
    """Return the table that an element is a row of; None for another element."""
    return next(row.iterancestors("table"), None) if row.tag == "tr" else None


def read_heads(table: Node) -> tuple[str, ...]:
    """Return what the columns are called; empty where no row of header cells opens the table."""
    first = next(table.iter("tr"), None)
    heads = [] if first is None or _SPANS(table) else cells_of(first)
    is_head = all(each.tag == "th" for each in heads) or (
        first is not None and next(first.iterancestors("thead", "table"), table).tag == "thead"
    )
    return tuple(map(inner_text, heads)) if is_head else ()


def cells_of(row: Node) -> list[Node]:
    return list(islice(_cells(row), MAX_CELLS))


def _cells(row: Node) -> Iterator[Node]:
    return (each for each in row if each.tag in {"td", "th"})
