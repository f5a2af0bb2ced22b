"""What is shown of a page, line by line, with the elements that each piece of a line stands in."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from crawler.document.text import BLOCKS
from crawler.extraction.content.inline import clean
from crawler.extraction.content.node import Element, Node

_SPACES = re.compile(r"\s+")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Line:
    """The text of one block. ``pieces`` are (offset of the first character, element), ascending."""

    text: str
    pieces: tuple[tuple[int, Element], ...]

    def element_at(self, start: int, end: int) -> Element:
        """Return the innermost element that holds all characters from *start* to *end*."""
        ends = (*(offset for offset, _ in self.pieces[1:]), len(self.text))
        touched = [
            element
            for (offset, element), stop in zip(self.pieces, ends, strict=True)
            if offset < end and stop > start
        ]
        return _common_ancestor(touched)


def show(text: str) -> str:
    """Return *text* as a line shows it: spaces collapsed, what no reader sees left out."""
    return _SPACES.sub(" ", clean(_CONTROLS.sub("", text)))


def read_lines(nodes: Iterable[Node]) -> tuple[Line, ...]:
    """Return the lines of some parts of a page, in order; empty ones are left out."""
    lines: list[Line] = []
    for node in nodes:
        pieces: list[tuple[str, Element]] = []
        for text, element in _walk(node):
            if text is None:
                lines += _join(pieces)
                pieces = []
            else:
                pieces.append((text, element))
        lines += _join(pieces)
    return tuple(lines)


def _walk(top: Node) -> Iterator[tuple[str | None, Element]]:
    """Yield texts with the element directly around them, and None wherever a line ends."""
    stack: list[tuple[Node | str | None, Node]] = [(top, top)]
    while stack:
        part, around = stack.pop()
        if part is None or isinstance(part, str):
            yield part, around.element
        elif part.is_removed:
            yield " ", around.element
        else:
            inside: list[tuple[Node | str | None, Node]] = [(each, part) for each in part.parts]
            if part.tag in BLOCKS:
                inside = [(None, part), *inside, (None, part)]
            stack.extend(reversed(inside))


def _join(pieces: Iterable[tuple[str, Element]]) -> Iterator[Line]:
    written = ""
    places: list[tuple[int, Element]] = []
    for text, element in pieces:
        shown = show(text)
        if not written or written.endswith(" "):
            shown = shown.lstrip(" ")
        if shown:
            places.append((len(written), element))
            written += shown
    if written.strip():
        yield Line(written.rstrip(), tuple(places))


def _common_ancestor(elements: list[Element]) -> Element:
    first, *others = elements
    shared = [first, *first.iterancestors()]
    for other in others:
        around = {other, *other.iterancestors()}
        shared = [element for element in shared if element in around]
    return shared[0]
