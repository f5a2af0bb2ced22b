"""The lines of a page as a reader sees them, each with the element that it stands in."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from lxml import etree

from crawler.document.document import Document, Node
from crawler.document.text import BLOCKS, inner_text, join_pieces, normalize_space, opening, walk

MAX_LINES = 20_000
_PASSAGES = etree.XPath(
    "(.//text()[string-length() > 100 and normalize-space()]"
    "[not(parent::script or parent::style or parent::textarea)])[position() < 4]"
)
"""What is too long to be a part of a form to be filled in, up to three of them."""
VOID = frozenset({"br", "hr"})
ASIDE = frozenset({"nav", "footer", "aside", "form", "button", "select"})
"""Elements around what a page is about."""


class Line(NamedTuple):
    """One line; ``element`` is the nearest one that begins lines of its own."""

    text: str
    element: Node


class Lines:
    """The lines of a page, or of a row of it; found by what they open with, which needs no parse."""

    def __init__(self, document: Document, row: Node | None = None) -> None:
        self._document = document
        self.row = row

    def within(self, row: Node) -> "Lines":
        return Lines(self._document, row)

    @cached_property
    def all(self) -> tuple[Line, ...]:
        """In document order."""
        around = self._document.root if self.row is None else self.row
        return () if around is None else tuple(islice(_lines(around), MAX_LINES))

    def find(self, openings: frozenset[str]) -> Sequence[int]:
        """Return which lines open with one of these, as ``opening`` gives them."""
        words = {each.partition(" ")[0] for each in openings}  # a tag may part it from the second
        if self._document.openings.isdisjoint(openings | words):
            return ()
        return sorted(number for each in openings for number in self._numbers.get(each, ()))

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, line in enumerate(self.all):
            numbers.setdefault(opening(line.text), []).append(number)
        return numbers


def _lines(root: Node) -> Iterator[Line]:
    blocks: list[Node] = [root]
    pieces: list[str] = []
    for element, is_start, piece in walk(root):
        tag = element.tag
        if tag in BLOCKS:
            if pieces and (text := normalize_space(join_pieces(pieces))):
                yield Line(text, blocks[-1])
            pieces = []
            if is_start and tag not in VOID:
                blocks.append(element)
            elif blocks[-1] is element and len(blocks) > 1:
                blocks.pop()
        if piece and (pieces or not piece.isspace()):
            pieces.append(piece)
    if text := normalize_space(join_pieces(pieces)):
        yield Line(text, root)


def read_row(element: Node) -> str:
    """Return the text of an entry on one line; elements without white space between them are
    apart, for an amount and its unit are often columns of their own."""
    pieces: list[str] = []
    for each, is_start, text in walk(element):
        is_apart = each.tag in BLOCKS or (
            not is_start and not each.tail and each is not element and each.getnext() is not None
        )
        pieces.append(f"{' ' if is_apart else ''}{text or ''}")
    return normalize_space(join_pieces(pieces))


def is_aside(element: Node, row: Node | None = None) -> bool:
    """Whether the element is part of what stands around the content of every page, or of its *row*."""
    for each in (element, *element.iterancestors()):
        if each is row:
            return False
        if each.tag in ASIDE and not (each.tag == "form" and _is_around_page(each)):
            return True
    return False


def _is_around_page(form: Node) -> bool:
    """Whether a form is what some servers put around all that a page shows."""
    return next(form.iter("h1"), None) is not None or len(_PASSAGES(form)) == 3


def locate_line(document: Document, line: Line, skipped: int) -> str:
    """Return a locator of *line* without its first characters, for ``read_line_again``."""
    number = [each.text for each in _lines(line.element)].index(line.text) + 1
    return f"{document.path_of(line.element)}/line[{number}]/from[{skipped}]"


def read_line_again(document: Document, locator: str) -> str:
    """Return what stands at a locator of ``locate_line``, or at that of a whole element.

    Raises LookupError or ValueError.
    """
    path, is_part, place = locator.rpartition("/line[")
    path = path if is_part else locator
    number, _, skipped = place.removesuffix("]").partition("]/from[")
    found = document.xpath(path)
    if len(found) != 1 or not isinstance(found[0], etree._Element):
        raise LookupError(locator)
    if not is_part:
        return inner_text(found[0])
    lines = [line.text for line in _lines(found[0])]
    return lines[int(number) - 1][int(skipped) :].strip()
