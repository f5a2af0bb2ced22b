"""Elements that stand within a line, and which of them a layout keeps apart."""

import re
from itertools import islice

from lxml import etree

INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "br",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)

_ATTACHED = frozenset({"sub", "sup", "br", "wbr", "rt", "rp", "font"})
"""Parts of the word before them."""
_VERBATIM = frozenset({"pre", "code", "kbd", "samp", "tt"})
MAX_DEPTH = 20
"""Elements that are looked into, and out of, for a text and what it is part of."""
_SEPARATORS = frozenset("|•·")
_LABEL = re.compile(r"[^\W\d_]{2}:$")
_WORD = 3
"""Characters that an element holds at least, if it is to be a word and no initial or unit."""


def are_apart(before: etree._Element, after: etree._Element) -> bool:
    """Whether two inline neighbours with nothing between are words apart, as their style has it.

    Links are; other elements where a word ends and a capital or a number begins, as in
    ``<span>Publication Year</span><span>2013</span>``, and what stands beside a separator.
    """
    tags = {before.tag, after.tag}
    if tags & _ATTACHED:
        return False
    left, right = _edge(before, -1), _edge(after, 0)
    if _is_verbatim(before):
        return False
    if left.strip() in _SEPARATORS or right.strip() in _SEPARATORS:
        return True
    if not (left[-1:].isalnum() and right[:1].isalnum()):
        return False
    return tags == {"a"} or _begins_word(left, right)


def is_labelled(before: str, after: etree._Element) -> bool:
    """Whether an element is the value of the label right before it: ``Publisher:<span>Valve</span>``."""
    return (
        _LABEL.search(before) is not None
        and _edge(after, 0)[:1].isalnum()
        and after.tag not in _ATTACHED | _VERBATIM
        and not _is_verbatim(after)
    )


def _begins_word(left: str, right: str) -> bool:
    if len(left) < _WORD or len(right) < _WORD:
        return False
    if right[0].isupper():
        return not left[-1].isupper()
    return right[0].isdigit() and left[-1].islower()


def _edge(element: etree._Element, end: int) -> str:
    """Return the text at one end of an element; empty where something else stands there."""
    for _ in range(MAX_DEPTH):
        text = (element[-1].tail if len(element) else element.text) if end else element.text
        if text or not len(element):
            return text or ""
        element = element[end]
    return ""


def _is_verbatim(element: etree._Element) -> bool:
    return any(above.tag in _VERBATIM for above in islice(element.iterancestors(), MAX_DEPTH))
