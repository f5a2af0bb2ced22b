"""Where an element stands on a page: near its heading, or among what belongs to something else."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from crawler.document.document import Node
from crawler.document.text import inner_text, normalize_space
from crawler.extraction.lines import is_aside

MAX_CLIMB = 6
"""Steps from the heading up to the element that holds what is said of the same thing."""
_HEADINGS = etree.XPath("//h1")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_OTHERS_PROPERTIES = frozenset({"comment", "comments", "review", "reviews"})
_OTHERS = frozenset({"comment", "comments", "related", "recommended", "recommendations", "sidebar"})


def around_heading(root: Node) -> Iterator[Node]:
    """Yield what stands around the heading of a page that has one, the innermost first."""
    heading = _main_heading(root)
    if heading is not None:
        yield from islice(heading.iterancestors("div", "section", "main", "article"), MAX_CLIMB)


def _main_heading(root: Node) -> Node | None:
    """Return the one heading, or the only one that opens the title of the page."""
    headings = _HEADINGS(root)
    if len(headings) > 1:
        title = normalize_space(root.findtext(".//title") or "").casefold()
        said = ((each, inner_text(each).casefold()) for each in headings)
        headings = [each for each, text in said if text and title.startswith(text)]
    return headings[0] if len(headings) == 1 else None


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
