"""A table as a grid in which every value stands under its header."""

from collections.abc import Iterator

from crawler.extraction.content.node import Node

MAX_COLUMNS = 100
MAX_CELLS = 50_000
_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_CELLS = frozenset({"td", "th"})
_BLOCKS_IN_CELL = frozenset({"table", "pre", "h1", "h2", "h3", "ul", "ol", "form", "article"})
Row = list[Node | None]


def rows_of(table: Node) -> list[Node]:
    rows: list[Node] = []
    for child in table.children:
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in _GROUPS:
            rows.extend(each for each in child.children if each.tag == "tr")
    return rows


def is_data(table: Node) -> bool:
    """Whether a table holds data: rows of short cells; else it only arranges blocks of a page."""
    if table.get("role") in {"presentation", "none"}:
        return False
    rows = rows_of(table)
    cells = [cell for row in rows for cell in row.children if cell.tag in _CELLS]
    if not cells or max(sum(1 for _ in row.children) for row in rows) < 2:
        return False
    if any(each.tag == "th" for each in cells) or _has_caption(table):
        return not _nests_table(table)
    return not any(
        each.tag in _BLOCKS_IN_CELL for cell in cells for each in cell.walk() if each is not cell
    )


def _has_caption(table: Node) -> bool:
    return any(each.tag == "caption" for each in table.children)


def _nests_table(table: Node) -> bool:
    return any(each.tag == "table" for each in table.walk() if each is not table)


def grid_of(table: Node) -> list[Row]:
    """Return rows of equal width; a cell that spans several places stands in the first of them."""
    grid: list[Row] = []
    pending: dict[int, int] = {}  # column -> rows that a cell above still covers
    count = 0
    for row in rows_of(table):
        placed = _place(row, pending)
        count += len(placed)
        if count > MAX_CELLS:
            break
        grid.append(placed)
    width = max((len(row) for row in grid), default=0)
    return [row + [None] * (width - len(row)) for row in grid]


def _place(row: Node, pending: dict[int, int]) -> Row:
    placed: Row = []

    def skip_covered() -> None:
        while pending.get(len(placed), 0) > 0:
            pending[len(placed)] -= 1
            placed.append(None)

    for cell in _cells(row):
        skip_covered()
        down = _span(cell, "rowspan") - 1
        for offset in range(_span(cell, "colspan")):
            if len(placed) >= MAX_COLUMNS:
                break
            pending[len(placed)] = down
            placed.append(None if offset else cell)
    skip_covered()
    return placed


def _cells(row: Node) -> Iterator[Node]:
    return (cell for cell in row.children if cell.tag in _CELLS)


def _span(cell: Node, name: str) -> int:
    text = cell.get(name).strip()
    return min(max(1, int(text)), MAX_COLUMNS) if text.isdecimal() and len(text) < 6 else 1
