"""Where a quote stands in the lines of a page: as whole words and whole numbers, or not at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crawler.extraction.content.lines import Line, show
from crawler.extraction.content.node import Element

MAX_QUOTE = 2_000
MAX_PASSAGES = 50
_LETTER_BEFORE = re.compile(r"\w\Z")
_LETTER_AFTER = re.compile(r"\w")
_NUMBER_BEFORE = re.compile(r"(?:\w|\d[.,'\u2019:/]|(?:^|\s)[-+\u2212])\Z")
_NUMBER_AFTER = re.compile(r"\w|[.,'\u2019:/]\d|\s\d{3}(?!\d)|\s?[%\u2030]")
_GROUP = re.compile(r"\d{3}(?!\d)")
"""25 stands neither in 1,025 nor in 12:25, -25 or 25 %; 250 not in 1 250."""


@dataclass(frozen=True, slots=True)
class Passage:
    line: Line
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.line.text[self.start : self.end]

    @property
    def element(self) -> Element:
        return self.line.element_at(self.start, self.end)


def find_passages(quote: str, lines: Sequence[Line]) -> list[Passage]:
    """Return every place of *quote*; a line break in it matches nothing."""
    wanted = show(quote).strip()
    if not wanted or "\n" in quote.strip() or len(wanted) > MAX_QUOTE:
        return []
    found: list[Passage] = []
    for line in lines:
        found += (Passage(line, start, start + len(wanted)) for start in _find(wanted, line.text))
        if len(found) > MAX_PASSAGES:
            break
    return found


def _find(wanted: str, text: str) -> Iterator[int]:
    start = text.find(wanted)
    while start >= 0:
        if _stands_alone(text, start, start + len(wanted)):
            yield start
        start = text.find(wanted, start + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (_goes_on_before(text, start) or _goes_on_after(text, end))


def _goes_on_before(text: str, start: int) -> bool:
    before = text[max(0, start - 2) : start]
    if not text[start].isdigit():
        return text[start].isalpha() and _LETTER_BEFORE.search(before) is not None
    is_group = before[1:] == " " and before[0].isdigit() and _GROUP.match(text, start)
    return bool(is_group) or _NUMBER_BEFORE.search(before) is not None


def _goes_on_after(text: str, end: int) -> bool:
    if not text[end - 1].isdigit():
        return text[end - 1].isalpha() and _LETTER_AFTER.match(text, end) is not None
    return _NUMBER_AFTER.match(text, end) is not None
