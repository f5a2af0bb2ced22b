"""The lines of a page as a reader sees them, each with the element that it stands in."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from crawler.document.document import Document, Node
from crawler.document.text import BLOCKS, UNSEEN, join_pieces, normalize_space, text_behind

MAX_LINES = 20_000
VOID = frozenset({"br", "hr"})
ASIDE = frozenset({"nav", "footer", "aside", "form", "button", "select"})
"""Elements around what a page is about."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line; ``element`` is the nearest one that begins lines of its own."""

    text: str
    element: Node


def read_page_lines(document: Document) -> tuple[Line, ...]:
    """Return the lines of the page in document order."""
    return () if document.root is None else read_lines(document.root)


def read_lines(element: Node) -> tuple[Line, ...]:
    """Return the lines of one element."""
    return tuple(islice(_lines(element), MAX_LINES))


def _lines(root: Node) -> Iterator[Line]:
    blocks: list[Node] = [root]
    pieces: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        tag = element.tag
        if tag in BLOCKS:
            if pieces and (text := normalize_space(join_pieces(pieces))):
                yield Line(text, blocks[-1])
            pieces = []
            _follow(blocks, element, event)
        is_unseen = event == "start" and tag in UNSEEN
        piece = element.text if event == "start" else text_behind(element)
        if piece and not is_unseen:
            pieces.append(piece)
    if text := normalize_space(join_pieces(pieces)):
        yield Line(text, root)


def _follow(blocks: list[Node], element: Node, event: str) -> None:
    """Keep the elements that are open; the root stays."""
    if event == "start" and element.tag not in VOID:
        blocks.append(element)
    elif event == "end" and len(blocks) > 1 and blocks[-1] is element:
        blocks.pop()


def read_row(element: Node) -> str:
    """Return the text of an entry on one line; elements without white space between them are
    apart, for an amount and its unit are often columns of their own."""
    pieces: list[str] = []
    for event, each in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            pieces += [
                " " if each.tag in BLOCKS else "",
                "" if each.tag in UNSEEN else each.text or "",
            ]
        elif each is not element:
            is_apart = each.tag in BLOCKS or (not each.tail and each.getnext() is not None)
            pieces.append(f"{' ' if is_apart else ''}{each.tail or ''}")
    return normalize_space("".join(pieces))


def is_aside(element: Node, row: Node | None = None) -> bool:
    """Whether the element is part of what stands around the content of every page, or of its *row*."""
    for each in (element, *element.iterancestors()):
        if each is row:
            return False
        if each.tag in ASIDE:
            return True
    return False


def locate_line(document: Document, line: Line, skipped: int) -> str:
    """Return a locator of *line* without its first characters, for ``read_line_again``."""
    number = [each.text for each in _lines(line.element)].index(line.text) + 1
    return f"{document.path_of(line.element)}/line[{number}]/from[{skipped}]"


def read_line_again(document: Document, locator: str) -> str:
    """Return what stands at a locator of ``locate_line``. Raises LookupError or ValueError."""
    path, _, place = locator.rpartition("/line[")
    number, _, skipped = place.removesuffix("]").partition("]/from[")
    found = document.xpath(path)
    if len(found) != 1 or not isinstance(found[0], etree._Element):
        raise LookupError(locator)
    lines = [line.text for line in _lines(found[0])]
    return lines[int(number) - 1][int(skipped) :].strip()
