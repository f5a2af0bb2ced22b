"""How many items a listing says it has."""

import re
from collections.abc import Iterable

from pydantic import JsonValue

from crawler.discovery.more_words import OF, PAGE
from crawler.document.document import Document
from crawler.document.loaded import find_loaded_place

MAX_TEXT = 500
_NUMBER = r"\d{1,3}(?:[,.'\u00a0\u202f ]\d{3})+(?!\d)|\d{1,9}"
_EVERY_NUMBER = re.compile(_NUMBER)
_TOTAL = re.compile(
    rf"(?:\b(?:of|von|de|sur|di|van|av|af|out of|z|iz|\u0438\u0437)|/)\s*(?P<total>{_NUMBER})"
    rf"|(?P<before>{_NUMBER})\s*[\u4ef6\u6761]\u4e2d",
    re.IGNORECASE,
)
_PARTS = re.compile(
    rf"\b(?:{PAGE})\.?\s*(?:{_NUMBER})(?:\s*(?:{OF}|/)\s*(?:{_NUMBER}))?", re.IGNORECASE
)
"""Which part of the listing it is, of how many."""
_NOT_EXACT = re.compile(
    r"(?:\b(?:over|more than|around|approx(?:imately)?\.?|nearly|almost|\u00fcber|mehr als|etwa|plus de|environ"
    rf"|m\u00e1s de)|[~\u2248>])\s*(?:{_NUMBER})|(?:{_NUMBER})\s*\+",
    re.IGNORECASE,
)


def read_expected_count(document: Document, selector: str) -> int | None:
    """Return the number in the element, or the one that was loaded; None without one, or where several could be meant.

    Of ``Showing 1-24 of 96`` the number behind *of* counts. Raises BadSelectorError or BadPathError.
    """
    place = find_loaded_place(selector)
    if place is not None:
        return _agree(map(_count_in, document.loaded.find_values(place)))
    nodes = document.css(selector)
    return parse_count(document.text_of(nodes[0])[:MAX_TEXT]) if nodes else None


def parse_count(text: str) -> int | None:
    """Return the number of all items; None where none is stated, or one that is not exact."""
    if _NOT_EXACT.search(text):
        return None
    text = _PARTS.sub(" ", text)
    total = _TOTAL.search(text)
    if total:
        return _whole(total["total"] or total["before"])
    return _agree(_whole(number) for number in _EVERY_NUMBER.findall(text))


def _count_in(value: JsonValue) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    return parse_count(value[:MAX_TEXT]) if isinstance(value, str) else None


def _agree(numbers: Iterable[int | None]) -> int | None:
    """Return the number that all of them are, as far as they are known."""
    different = set(numbers) - {None}
    return different.pop() if len(different) == 1 else None


def _whole(number: str) -> int:
    return int(re.sub(r"\D", "", number))
