"""What stands beside a label or under a heading: where a page says what its markup does not."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from crawler.document.document import Document, Node
from crawler.document.kept import keep_if_short
from crawler.document.text import BLOCKS, inner_text, normalize_space, opening
from crawler.extraction.lines import Line, Lines, is_aside, locate_line, read_row
from crawler.extraction.selectors import NodeMatch
from crawler.extraction.vocabulary import LABELS

MAX_LABEL_LINE = 80
MAX_VALUE = 300
MAX_SECTIONS = 20
MAX_VALUES = 100
MAX_ENTRIES = 300
MAX_GAP = 8
"""Lines between a heading and the first entry under it: tools, tabs, a remark."""
MIN_ENTRIES = 2
MIN_LETTERS = 3
"""Mean of the letters in an entry."""
HEADINGS = {f"h{rank}": rank for rank in range(1, 7)}
ROWS = ("li", "tr", "dd", "p")
"""What an entry of a list is; the first that is there below a heading counts."""
_AMOUNT = re.compile(r"\W*[\d\u00bc-\u00be\u2150-\u215e]")
_EDGE = re.compile(r"^[\W_]+|(?:\s*\(\d+\))?[\W_]+$")
_FOR_WORDS = ("for", "für", "pour", "para", "per", "voor", "för", "til", "na")
_FOR = rf"(?:\s+(?:{'|'.join(_FOR_WORDS)}|\().{{1,60}})?"


@dataclass(frozen=True, slots=True)
class _Labels:
    whole: re.Pattern[str]
    """A line that is the label and says no more than whom it is for."""
    opening: re.Pattern[str]
    """The label with its colon, before a value in the same line."""
    starts: frozenset[str]
    """What a line with the label opens with."""


@lru_cache(maxsize=256)
def _labels(name: str) -> _Labels:
    words = [_fold(word) for word in LABELS.get(name.casefold(), (name,))]
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return _Labels(
        re.compile(rf"(?:{either}){_FOR}"),
        re.compile(rf"[\W_]*(?:{either})\s*(?:[:\uff1a]\s*|\s[-\u2013]\s+|(?=\d))", re.IGNORECASE),
        frozenset(opening(f"{word} {more}") for word in words for more in ("", *_FOR_WORDS)),
    )


_LIST_LABELS = ("ingredients", "instructions")


@keep_if_short(4096)
def _fold(text: str) -> str:
    return _EDGE.sub("", unicodedata.normalize("NFC", text).replace("\u2019", "'")).casefold()


def find_beside(document: Document, lines: Lines, name: str) -> list[NodeMatch]:
    """Return the values behind the label, in its line or in the next; each once."""
    labels = _labels(name)
    found: dict[str, NodeMatch] = {}
    for number in lines.find(labels.starts):
        place = _place_of_value(lines.all, number, labels)
        if place is None or is_aside(lines.all[number].element, lines.row):
            continue
        line, skipped = place
        value = line.text[skipped:].strip()
        if value not in found:  # Where a line stands takes as long as all its element holds.
            found[value] = _match(document, line, skipped, value)
        if len(found) == MAX_VALUES:
            break
    return list(found.values())


def find_in_columns(
    document: Document, columns: Sequence[tuple[str, Node]], name: str
) -> list[NodeMatch]:
    """Return the cells whose column has the label, as far as they say anything."""
    whole = _labels(name).whole
    found = [cell for head, cell in columns if whole.fullmatch(_fold(head))]
    return [
        NodeMatch(document.path_of(cell), text, node=cell, line=text)
        for cell in found
        if (text := inner_text(cell))
    ]


def is_long(line: Line) -> bool:
    return len(line.text) > MAX_LABEL_LINE + MAX_VALUE


def _place_of_value(lines: Sequence[Line], number: int, labels: _Labels) -> tuple[Line, int] | None:
    """Return the line that the value behind a label is the end of, and how many characters come first."""
    line = lines[number]
    if is_long(line):
        return None
    label = labels.opening.match(line.text)
    if label and line.text[label.end() :].strip():
        return line, label.end()
    if len(line.text) > MAX_LABEL_LINE or not labels.whole.fullmatch(_fold(line.text)):
        return None
    following = lines[number + 1] if number + 1 < len(lines) else None
    if following is None or len(following.text) > MAX_VALUE or not _are_near(line, following):
        return None
    return following, 0


def _match(document: Document, line: Line, skipped: int, value: str) -> NodeMatch:
    """Return a match whose node is the innermost element of the line that holds the value."""
    node = line.element
    while (inner := next((each for each in node if _holds(each, value)), None)) is not None:
        node = inner
    return NodeMatch(locate_line(document, line, skipped), value, node=node, line=line.text)


def _holds(element: Node, value: str) -> bool:
    is_inline = isinstance(element.tag, str) and element.tag not in BLOCKS
    return is_inline and value in inner_text(element)


def _are_near(line: Line, other: Line) -> bool:
    """Whether both stand in the same pair: siblings, cells of a row, or one step further apart."""
    around = {line.element, *islice(line.element.iterancestors(), 2)}
    return any(
        each in around for each in (other.element, *islice(other.element.iterancestors(), 2))
    )


def find_under(document: Document, lines: Lines, name: str) -> list[NodeMatch]:
    """Return the entries under the heading of this name that most amounts stand under.

    A post often goes through its ingredients, with remarks, before it lists them.
    """
    headings = islice(_headings(lines, name), MAX_SECTIONS)
    sections = (_entries_below(lines.all, number, name) for number in headings)
    found = [[(each, read_row(each)) for each in entries] for entries in sections if entries]
    best = max(found, key=_share_of_amounts, default=[])
    return [NodeMatch(document.path_of(entry), text) for entry, text in best]


def _headings(lines: Lines, name: str) -> Iterator[int]:
    labels = _labels(name)
    for number in lines.find(labels.starts):
        line = lines.all[number]
        if len(line.text) > MAX_LABEL_LINE or not labels.whole.fullmatch(_fold(line.text)):
            continue
        if not _leads_elsewhere(line.element) and not is_aside(line.element):
            yield number


def _share_of_amounts(rows: Sequence[tuple[Node, str]]) -> float:
    return sum(_AMOUNT.match(text) is not None for _, text in rows) / len(rows)


def _leads_elsewhere(element: Node) -> bool:
    """Whether the label is the text of a link: an entry of a table of contents."""
    return any(each.tag == "a" and each.get("href") for each in element.iter("a"))


def _entries_below(lines: Sequence[Line], number: int, name: str) -> list[Node]:
    section = list(_section(lines, number, name))
    for tag in ROWS:
        rows = list(dict.fromkeys(row for line in section if (row := _row(line, tag)) is not None))
        rows = [row for row in _innermost(rows) if not _is_link(row)][:MAX_ENTRIES]
        if len(rows) >= MIN_ENTRIES and _begins_soon(section, rows[0], tag) and _say_enough(rows):
            return rows
    return []


def _innermost(rows: Sequence[Node]) -> list[Node]:
    """Leave out the entries that other entries are part of."""
    around = {each for row in rows for each in row.iterancestors(*ROWS)}
    return [row for row in rows if row not in around]


def _say_enough(rows: Sequence[Node]) -> bool:
    """Whether the entries are more than the figures of a table."""
    letters = (sum(map(str.isalpha, "".join(row.itertext()))) for row in rows)
    return sum(letters) >= MIN_LETTERS * len(rows)


def _begins_soon(section: Sequence[Line], first: Node, tag: str) -> bool:
    return any(_row(line, tag) is first for line in section[:MAX_GAP])


def _section(lines: Sequence[Line], number: int, name: str) -> Iterator[Line]:
    """Yield the lines up to the next heading that is not below the label, or another label."""
    rank = _rank(lines[number].element)
    started = False
    for line in lines[number + 1 : number + 1 + 4 * MAX_ENTRIES]:
        own = _rank(line.element)
        if own and (own <= rank or (started and not rank)):
            return
        if _is_other_label(line, name):
            return
        if is_aside(line.element):
            continue
        started = started or line.element.tag in {"li", "tr", "dd"}
        if not own:
            yield line


def _is_other_label(line: Line, name: str) -> bool:
    if len(line.text) > MAX_LABEL_LINE:
        return False
    folded = _fold(line.text)
    others = (other for other in _LIST_LABELS if other != name)
    return any(_labels(other).whole.fullmatch(folded) for other in others)


def _rank(element: Node) -> int:
    """Return the rank of a heading, or of the one around the element; 0 for none."""
    for each in (element, *islice(element.iterancestors(), 1)):
        if isinstance(each.tag, str) and each.tag in HEADINGS:
            return HEADINGS[each.tag]
    return 0


def _row(line: Line, tag: str) -> Node | None:
    """Return the innermost entry around the line."""
    if line.element.tag == tag:
        return line.element
    return next(islice(line.element.iterancestors(tag), 1), None)


def _is_link(row: Node) -> bool:
    """Whether all that the entry says is the text of a link: a menu, or what else there is to read."""
    said = normalize_space("".join(row.itertext()))
    linked = normalize_space("".join(text for a in row.iter("a") for text in a.itertext()))
    return bool(linked) and len(linked) >= len(said)
