"""Where an element stands on a page: near its heading, or among what belongs to something else."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from crawler.document.document import Document, Node
from crawler.document.kept import keep_if_short
from crawler.document.text import inner_text
from crawler.extraction.lines import is_aside

MAX_CLIMB = 6
"""Steps from the heading up to the element that holds what is said of the same thing."""
MAX_ELEMENTS = 3_000
_HEADINGS = etree.XPath("//h1")
_NAMING = tuple(re.compile(rb"%b\s*=\s*[\"']?([^\"'>]+)" % name) for name in (b"class", b"id"))
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_OTHERS_PROPERTIES = frozenset({"comment", "comments", "review", "reviews"})
_OTHERS = frozenset({"comment", "comments", "related", "recommended", "recommendations", "sidebar"})


def around_heading(document: Document) -> Iterator[Node]:
    """Yield what stands around the heading of a page that has one, the innermost first."""
    heading = _main_heading(document)
    if heading is not None:
        yield from islice(heading.iterancestors("div", "section", "main", "article"), MAX_CLIMB)


def _main_heading(document: Document) -> Node | None:
    """Return the one heading, or the only one that opens the title of the page."""
    is_written = any(tag.name == b"h1" for tag in document.outline)
    headings = document.query(_HEADINGS) if is_written else []
    if len(headings) > 1:
        title = document.title.casefold()
        said = ((each, inner_text(each).casefold()) for each in headings)
        headings = [each for each, text in said if text and title.startswith(text)]
    return headings[0] if len(headings) == 1 else None


def near_heading(document: Document) -> Iterator[list[Node]]:
    """Yield what stands around the heading of a page, the nearest first, and each element once."""
    seen: set[Node] = set()
    for around in around_heading(document):
        more = [each for each in islice(around.iterdescendants(), MAX_ELEMENTS) if each not in seen]
        seen.update(more)
        yield more


def is_elsewhere(element: Node) -> bool:
    """Whether the element stands around the content, or belongs to something else."""
    return is_aside(element) or any(
        not words_of(each).isdisjoint(_OTHERS)
        or not _OTHERS_PROPERTIES.isdisjoint(each.get("itemprop", "").split())
        for each in islice(element.iterancestors(), 12)
    )


def read_names(document: Document) -> frozenset[str]:
    """Return the words in all class names and ids of a page, among others; needs no parse."""
    names = {
        document.bare[found.start(1) : found.end(1)]
        for pattern in _NAMING
        for found in pattern.finditer(document.lowered)
    }
    return frozenset().union(*(_words_in(each.decode("latin-1")) for each in names))


def words_of(element: Node) -> frozenset[str]:
    """Return the words in the class names and the id of an element, in lower case."""
    return _words_in(f"{element.get('class', '')} {element.get('id', '')}")


@keep_if_short(8192)
def _words_in(names: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(names))
