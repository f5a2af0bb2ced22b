"""Who wrote a page by its byline: a short line, named so by its element, that is a name."""

import re
from itertools import islice

from lxml import etree

from crawler.document.document import Document, Node
from crawler.document.text import short_text
from crawler.extraction.selectors import NodeMatch
from crawler.extraction.surroundings import is_elsewhere, words_of

MAX_ELEMENTS = 200
MAX_BYLINE = 80
_NAMED = etree.XPath(
    "//*[contains(@class, 'byline') or contains(@class, 'Byline') or contains(@class, 'author')"
    " or contains(@class, 'Author')]"
)
_BYLINES = frozenset({"byline", "author", "authors"})
_WORD = r"[^\W\d_a-z][\w.'\u2019-]*"
_NAME = rf"{_WORD}(?: (?:de|da|di|la|le|van|von|der|den|bin|al|and|und|et|{_WORD})){{0,5}}"
_BY = re.compile(
    rf"(?:(?i:(?:written |words |text |story )?by|von|par|por|door)):? (?P<name>{_NAME})"
)
_BARE = re.compile(rf"{_WORD}(?: (?:de|da|la|van|von|der|{_WORD})){{1,3}}")


def find_byline(document: Document) -> list[NodeMatch]:
    """Return the one name that all bylines of the page agree on."""
    found = [
        NodeMatch(document.path_of(element), text)
        for element in islice(document.query(_NAMED), MAX_ELEMENTS)
        if (text := short_text(element, MAX_BYLINE)) and _is_byline(element, text)
    ]
    names = {_name_in(match.raw) for match in found}
    return found if len(names) == 1 else []


def _is_byline(element: Node, text: str) -> bool:
    words = words_of(element)
    if words.isdisjoint(_BYLINES) or is_elsewhere(element):
        return False
    return _BY.fullmatch(text) is not None or ("name" in words and bool(_BARE.fullmatch(text)))


def _name_in(text: str) -> str:
    found = _BY.fullmatch(text)
    return (found["name"] if found else text).casefold()
