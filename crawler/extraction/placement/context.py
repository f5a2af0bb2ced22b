"""The words around a value in its line, and the label beside it."""

import re
from collections.abc import Iterator
from itertools import islice

from crawler.document.document import Node
from crawler.document.text import BLOCKS, inner_text, normalize_space

MAX_WORDS = 80
MAX_SIBLINGS = 30
MAX_LABEL = 40
LABELS = frozenset({"dt", "th", "label"})
_NUMBER = re.compile(r"\d(?:[\d.,' ]*\d)?")


def words_around(node: Node) -> tuple[str, str, str]:
    """Return the text of *node*, and what stands before and behind its first number.

    Both reach to the next number, or to the end of the block; where the block begins with the
    value, the label beside it stands in.
    """
    own = inner_text(node)[: 4 * MAX_WORDS]
    number = _NUMBER.search(own)
    start, end = number.span() if number else (0, len(own))
    before = _last_words(" ".join([*_texts_before(node), own[:start]]))
    behind = _first_words(f"{own[end:]} {_text_behind(node)}")
    if not before.strip(" :-\u2013$€£"):
        before = _label_beside(node) + before
    return own, before, behind


def words_around_passage(node: Node, line: str, start: int, end: int) -> tuple[str, str, str]:
    """Return the same of a passage of a line, which *node* is the innermost element around."""
    own = line[start:end]
    number = _NUMBER.search(own)
    first, last = number.span() if number else (0, len(own))
    before, behind = _last_words(line[: start + first]), _first_words(line[start + last :])
    if not before.strip(" :-\u2013$€£"):
        before = _label_beside(node) + before
    return own, before, behind


def _texts_before(node: Node) -> list[str]:
    """Return the texts of the block before *node*, in document order."""
    pieces: list[str] = []
    for element in _up_to_block(node):
        for sibling in islice(element.itersiblings(preceding=True), MAX_SIBLINGS):
            pieces.append(f"{_seen(sibling)} {sibling.tail or ''}")
            if sum(map(len, pieces)) > 4 * MAX_WORDS:
                return list(reversed(pieces))
        parent = element.getparent()
        pieces.append((parent.text or "") if parent is not None else "")
    return list(reversed(pieces))


def _text_behind(node: Node) -> str:
    pieces: list[str] = []
    for element in _up_to_block(node):
        pieces.append(element.tail or "")
        for sibling in islice(element.itersiblings(), MAX_SIBLINGS):
            pieces.append(f"{_seen(sibling)} {sibling.tail or ''}")
            if sum(map(len, pieces)) > MAX_WORDS:
                return " ".join(pieces)
    return " ".join(pieces)


def _up_to_block(node: Node) -> Iterator[Node]:
    """Yield *node* and what it stands in, below the nearest block."""
    element: Node | None = node
    while element is not None and element.tag not in BLOCKS and element.tag not in {"body", "html"}:
        yield element
        element = element.getparent()


def _seen(element: Node) -> str:
    return inner_text(element)[: 4 * MAX_WORDS] if isinstance(element.tag, str) else ""


def _last_words(text: str) -> str:
    numbers = list(_NUMBER.finditer(text))
    rest = text[numbers[-1].end() :] if numbers else text
    return _spaced(rest)[-MAX_WORDS:]


def _first_words(text: str) -> str:
    number = _NUMBER.search(text)
    return _spaced(text[: number.start()] if number else text)[:MAX_WORDS]


def _spaced(text: str) -> str:
    """Collapse white space, and keep what there is at the ends."""
    return f"{' ' if text[:1].isspace() else ''}{normalize_space(text)} "


def _label_beside(node: Node) -> str:
    """Return the label of the block of *node*: a ``<dt>``, a header cell, or words with a colon."""
    element: Node | None = node
    for _ in range(3):
        element, label = _step_back(element)
        text = inner_text(label)[: MAX_LABEL + 1] if label is not None else ""
        if element is not None and label is not None and text:
            is_label = label.tag in LABELS or (element.tag == "td" and label.tag == "td")
            is_short = len(text) <= MAX_LABEL and not _NUMBER.search(text)
            return f"{text} " if is_short and (is_label or text.endswith(":")) else ""
        element = label
    return ""


def _step_back(element: Node | None) -> tuple[Node | None, Node | None]:
    """Return the nearest of *element* and what it stands in that has a sibling before it, and that."""
    while element is not None:
        sibling = next(
            (each for each in element.itersiblings(preceding=True) if _is_tag(each)), None
        )
        if sibling is not None:
            return element, sibling
        element = element.getparent()
    return None, None


def _is_tag(element: Node) -> bool:
    return isinstance(element.tag, str)
