"""Whether a product can be bought, and what its buyers say of it, near the heading of its page."""

import re
from collections.abc import Iterator

from crawler.document.document import Document, Node
from crawler.document.text import short_text
from crawler.extraction.fields.reading import Context
from crawler.extraction.fields.tokens import read_availability
from crawler.extraction.selectors import NodeMatch
from crawler.extraction.surroundings import is_elsewhere, near_heading, words_of

MAX_TEXT = 80
STOCK = frozenset({"stock", "availability", "inventory", "instock", "verfuegbarkeit"})
RATED = frozenset({"rating", "ratings", "star", "stars", "review", "reviews"})
"""Words in the names of an element that may say it."""
_READ_ALOUD = ("aria-label", "title")
_WITH_COUNT = r"\d[.,]\d{1,2}\s*(?:\(\d[\d.,]*\)|stars? out of \d[\d.,]* (?:reviews|ratings))"
_OF_FIVE = re.compile(
    r"(?:(?:rated|rating:?|bewertung:?|note:?)\s*)?\d[.,]\d{1,2}\s*(?:stars?\s*)?"
    r"(?:/|out of|of|von|sur|su|de|av|van)\s*(?:5|10)\b(?:\s*(?:stars?|sternen?|étoiles)\b)?.{0,40}"
    rf"|{_WITH_COUNT}",
    re.IGNORECASE,
)
_REVIEWS = re.compile(
    r"\(?\s*\d[\d.,' ]{0,9}\s*(?:(?:customer|global|verified)\s+)?(?:reviews?|ratings?|bewertungen|avis"
    r"|opiniones|recensioni|valutazioni|beoordelingen|recensioner|omdömen|opinii)\s*\)?"
    rf"|{_WITH_COUNT}",
    re.IGNORECASE,
)
_PLAIN = Context("", has_entities=False, is_machine_written=False)


def find_stock(document: Document) -> list[NodeMatch]:
    """Return what elements that are named after the stock say, where it is a known word."""
    for near in _said_near_heading(document, STOCK):
        known = [each for each in near if isinstance(read_availability(each.raw, _PLAIN), str)]
        if known:
            return known
    return []


def find_rating(document: Document) -> list[NodeMatch]:
    """Return what says so many of so many stars."""
    return _find(document, _OF_FIVE)


def find_review_count(document: Document) -> list[NodeMatch]:
    """Return what says a number of reviews, and nothing else."""
    return _find(document, _REVIEWS)


def _find(document: Document, form: re.Pattern[str]) -> list[NodeMatch]:
    near = _said_near_heading(document, RATED)
    found = ([each for each in said if form.fullmatch(each.raw)] for said in near)
    return next(filter(None, found), [])


def _said_near_heading(document: Document, names: frozenset[str]) -> Iterator[list[NodeMatch]]:
    for elements in near_heading(document):
        named = (each for each in elements if not words_of(each).isdisjoint(names))
        yield [match for each in named if not is_elsewhere(each) for match in _said(document, each)]


def _said(document: Document, element: Node) -> Iterator[NodeMatch]:
    for name in _READ_ALOUD:
        value = str(element.get(name, "")).strip()
        if 0 < len(value) <= MAX_TEXT:
            yield NodeMatch(f"{document.path_of(element)}/@{name}", value, is_attribute=True)
    text = short_text(element, MAX_TEXT)
    if text:
        yield NodeMatch(document.path_of(element), text)
