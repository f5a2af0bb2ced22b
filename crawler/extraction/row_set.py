"""The rows of a page that are elements, and what stands in each; all of it read when first asked for."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from crawler.contracts.evidence import Source
from crawler.document.document import Document, Node
from crawler.extraction.columns import cells_of, read_heads, table_around
from crawler.extraction.items import Item
from crawler.extraction.lines import Lines
from crawler.extraction.metadata import Metadata
from crawler.extraction.selectors import NodeMatch
from crawler.extraction.shown import find_shown


class RowSet:
    """Rows of one page."""

    def __init__(self, rows: Sequence[Node], document: Document, metadata: Metadata) -> None:
        self._rows = frozenset(rows)
        self._document = document
        self._metadata = metadata
        self._items: dict[Source, Mapping[Node, Item]] = {}
        self._lines: Lines | None = None
        self._heads: dict[Node, tuple[str, ...]] = {}
        self._shown: dict[str, dict[Node, list[NodeMatch]]] = {}

    def around(self, node: Node) -> Node | None:
        """Return the row that *node* is or stands in."""
        return next((each for each in _chain(node) if each in self._rows), None)

    def item_of(self, row: Node, source: Source) -> Item | None:
        """Return the one item that the row holds, or that holds this row and no other."""
        if source not in self._items:
            self._items[source] = self._pair(self._metadata.items(source))
        return self._items[source].get(row)

    def _pair(self, items: Sequence[Item]) -> Mapping[Node, Item]:
        by_element = {item.origins[()]: item for item in items}
        ties: list[tuple[Node, Node]] = [
            (row, element) for element in by_element if (row := self.around(element)) is not None
        ]
        inner = {element for _, element in ties}
        for row in self._rows if len(inner) < len(by_element) else ():
            outer = next((each for each in _chain(row) if each in by_element), None)
            if outer is not None and outer not in inner:
                ties.append((row, outer))
        return {row: by_element[element] for row, element in _sole(ties)}

    def columns_of(self, row: Node) -> Sequence[tuple[str, Node]]:
        """Return the cells of a table row, each with what its column is called."""
        table = table_around(row)
        if table is None or row is next(table.iter("tr")):
            return ()
        if table not in self._heads:
            self._heads[table] = read_heads(table)
        heads, cells = self._heads[table], cells_of(row)
        return list(zip(heads, cells, strict=True)) if len(heads) == len(cells) else ()

    def shown_in(self, row: Node, name: str) -> Sequence[NodeMatch]:
        """Return what elements of the row show, of what the page shows by this name."""
        if name not in self._shown:
            by_row = self._shown[name] = defaultdict(list)
            for match in find_shown(self._document, name):
                around = None if match.node is None else self.around(match.node)
                if around is not None:
                    by_row[around].append(match)
        return self._shown[name].get(row, ())

    def lines_of(self, row: Node) -> Lines:
        """Return the lines of a row; those of the last one are kept, as fields are read row by row."""
        if self._lines is None or self._lines.row is not row:
            self._lines = self._metadata.lines.within(row)
        return self._lines


def _chain(node: Node) -> Iterator[Node]:
    yield node
    yield from node.iterancestors()


def _sole(ties: Sequence[tuple[Node, Node]]) -> Iterator[tuple[Node, Node]]:
    """Yield the pairs of which neither side is part of another."""
    of_row, of_item = defaultdict(set), defaultdict(set)
    for row, item in ties:
        of_row[row].add(item)
        of_item[item].add(row)
    return (tie for tie in ties if len(of_row[tie[0]]) == len(of_item[tie[1]]) == 1)
