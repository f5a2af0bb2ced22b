"""Where an element stands on a page: near its heading, or among what belongs to something else."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from crawler.document.document import Node
from crawler.extraction.lines import is_aside

MAX_CLIMB = 6
"""Steps from the heading up to the element that holds what is said of the same thing."""
_HEADINGS = etree.XPath("//h1")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_OTHERS_PROPERTIES = frozenset({"comment", "comments", "review", "reviews"})
_OTHERS = frozenset({"comment", "comments", "related", "recommended", "recommendations", "sidebar"})


def around_heading(root: Node) -> Iterator[Node]:
    """Yield what stands around the heading of a page that has one, the innermost first."""
    headings = _HEADINGS(root)
    if len(headings) == 1:
        yield from islice(headings[0].iterancestors("div", "section", "main", "article"), MAX_CLIMB)


def is_elsewhere(element: Node) -> bool:
    """Whether the element stands around the content, or belongs to something else."""
    return is_aside(element) or any(
        not words_of(each).isdisjoint(_OTHERS)
        or not _OTHERS_PROPERTIES.isdisjoint(each.get("itemprop", "").split())
        for each in islice(element.iterancestors(), 12)
    )


def words_of(element: Node) -> frozenset[str]:
    """Return the words in the class names and the id of an element, in lower case."""
    names = f"{element.get('class', '')} {element.get('id', '')}"
    return frozenset(word.lower() for word in _WORD.findall(names))
