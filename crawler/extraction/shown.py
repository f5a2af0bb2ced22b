# ruff: noqa: RUF001 - Cyrillic on purpose
"""What elements of HTML say of a page without any vocabulary: times, bylines, prices.

Each finder returns every candidate; where they disagree, the field stays ambiguous. What stands
around the content (navigation, asides, comments, other things to see) is never a candidate.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from crawler.document.document import Document, Node
from crawler.document.text import inner_text, short_text
from crawler.extraction.bylines import find_byline
from crawler.extraction.event_times import find_calendar_times, find_pair
from crawler.extraction.selectors import NodeMatch
from crawler.extraction.shop_signs import RATED, STOCK, find_rating, find_review_count, find_stock
from crawler.extraction.surroundings import around_heading, is_elsewhere, words_of

MAX_CANDIDATES = 1_000
MAX_AUTHORS = 6
"""Whoever names more of them lists those of other posts or comments."""
MAX_BYLINE = 100
"""Characters beside the time of a publication: who wrote it, where it is filed."""
MAX_BESIDE_IN_LINK = 30
"""Characters beside a time in a link that still leads to the page itself."""
MIN_SENTENCE = 4
"""Words that make a sentence with a full stop behind them."""
MAX_PRICE = 40
"""Characters of a price with its sign."""
_TIMES = etree.XPath("//time")
_ITEMPROPS = etree.XPath("//*[@itemprop]")
_LINKS = etree.XPath("//a[@href]")
_CLASSES = etree.XPath("descendant-or-self::*[@class]")
_CHANGED = re.compile(
    r"\b(?:updat|modif|edited|revis|aktualis|mis à jour|actualiz|aggiorn|bijgewerkt|uppdater)",
    re.IGNORECASE,
)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor|auteur|autore|byline|contributors?)/(?:\d+/)?[^/?#]+/?$", re.IGNORECASE
)
_MAY_BE_NAME = re.compile(
    r"(?!\d)(?!read more\b|more\b|view |see all\b|all posts\b).+", re.IGNORECASE
)
_MONEY = re.compile(
    r"[$€£¥₹₩₽₺₴฿₫₪₱₦]|\b[A-Z]{3}\b|\b(?:kr|zł|Kč|Ft|lei|Rs|руб|грн)",
    re.IGNORECASE,
)
_PRICES = frozenset({"price", "prices", "preis", "prix", "precio", "prezzo", "prijs", "cena"})
_NO_PRICES = frozenset(
    [
        "old",
        "was",
        "regular",
        "list",
        "compare",
        "original",
        "shipping",
        "strike",
        "crossed",
        "range",
        "save",
        "saving",
        "savings",
        "discount",
        "cart",
        "total",
        "unit",
        "per",
        "installment",
        "installments",
        "before",
        "previous",
        "rrp",
        "msrp",
        "from",
        "label",
        "note",
        "filter",
        "sort",
        "min",
        "max",
        "delivery",
        "tax",
        "vat",
        "points",
        "subscription",
    ]
)
_STRUCK = frozenset({"del", "s", "strike"})


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that pages show: not without one of the ``markers`` in the source, or an element that
    one of the ``names`` is in the class or id of."""

    markers: tuple[str, ...]
    """In lower case."""
    find: Callable[[Document], list[NodeMatch]]
    names: frozenset[str] = frozenset()


def find_shown(document: Document, name: str) -> list[NodeMatch]:
    """Return the candidates for what a rule calls *name*."""
    return SHOWN[name].find(document)[:MAX_CANDIDATES]


def _published(document: Document) -> list[NodeMatch]:
    if named := _with_itemprop("datePublished")(document):
        return named
    times = [
        time
        for time in _content_times(document)
        if not _is_change(time) and not _is_in_sentence(time)
    ]
    marked = [time for time in times if "pubdate" in time.attrib or _has_class(time, "published")]
    return _read_each(document, marked or times, "datetime")


def _modified(document: Document) -> list[NodeMatch]:
    if named := _with_itemprop("dateModified")(document):
        return named
    return _read_each(document, filter(_is_change, _content_times(document)), "datetime")


def _times(document: Document) -> list[NodeMatch]:
    times = (time for time in _content_times(document) if not _is_of_text(time))
    return _read_each(document, times, "datetime")


def _content_times(document: Document) -> Iterator[Node]:
    return (time for time in document.query(_TIMES) if not is_elsewhere(time))


def _is_in_sentence(time: Node) -> bool:
    """Whether a time is one that the text speaks of, or that of what a link leads to."""
    link = next(time.iterancestors("a"), None)
    if link is not None and _beside(time, link, MAX_BESIDE_IN_LINK) is None:
        return True
    around = next(time.iterancestors("p", "li", "td", "dd", "blockquote"), None)
    rest = "" if around is None else _beside(time, around, MAX_BYLINE)
    return rest is None or (rest.endswith(".") and len(rest.split()) >= MIN_SENTENCE)


def _beside(time: Node, around: Node, most: int) -> str | None:
    """Return what else an element says; None for more, for it may hold the whole page."""
    said = inner_text(time)
    text = short_text(around, len(said) + most + len("  "))
    rest = None if text is None else text.replace(said, "", 1).strip()
    return None if rest is None or len(rest) > most else rest


def _is_change(time: Node) -> bool:
    """Whether the element, or the words right around it, say that something was changed then."""
    parent = time.getparent()
    before = "" if parent is None else (parent.text or "")
    previous = time.getprevious()
    near = "" if previous is None else f"{previous.text or ''} {previous.tail or ''}"
    return _CHANGED.search(f"{time.get('class', '')} {before} {near}"[-200:]) is not None


def _authors(document: Document) -> list[NodeMatch]:
    named = [
        element
        for element in _itemprops(document)
        if "name" in element.get("itemprop", "").split() and _is_within(element, "author")
    ]
    marked = named or _content_links(document, lambda link: "author" in link.get("rel", "").split())
    if not marked:
        marked = _content_links(document, lambda link: _AUTHOR_PAGE.search(link.get("href", "")))
        if len({link.get("href") for link in marked}) > 1:
            return []
    if not marked:
        return find_byline(document)
    found = _read_each(document, marked, "content")
    names = {match.raw for match in found if _MAY_BE_NAME.fullmatch(match.raw)}
    if len(names) > MAX_AUTHORS:
        return []
    return [match for match in found if match.raw in names]


def _content_links(document: Document, is_wanted: Callable[[Node], object]) -> list[Node]:
    """Return the wanted links; where a link stands is asked last, for that costs most."""
    return [link for link in document.query(_LINKS) if is_wanted(link) and not is_elsewhere(link)]


def _itemprops(document: Document) -> list[Node]:
    return document.query(_ITEMPROPS) if document.holds(b"itemprop") else []


def _is_within(element: Node, name: str) -> bool:
    return any(name in each.get("itemprop", "").split() for each in element.iterancestors())


def _event_times(name: str, side: int) -> Callable[[Document], list[NodeMatch]]:
    """Return what finds the beginning (*side* 0) or the end (1) of an event."""
    named = _with_itemprop(name)

    def find(document: Document) -> list[NodeMatch]:
        found = named(document) or find_calendar_times(document, side)
        if found:
            return found
        times = [time for time in _content_times(document) if not _is_of_text(time)]
        return find_pair(document, times, side)

    return find


def _is_of_text(time: Node) -> bool:
    """Whether a time is that of a publication or a change."""
    return "pubdate" in time.attrib or _has_class(time, "published") or _is_change(time)


def _or(
    name: str, find: Callable[[Document], list[NodeMatch]]
) -> Callable[[Document], list[NodeMatch]]:
    """Return what finds an ``itemprop`` of this name, else what *find* does."""
    named = _with_itemprop(name)
    return lambda document: named(document) or find(document)


def _with_itemprop(name: str) -> Callable[[Document], list[NodeMatch]]:
    """Return what finds an ``itemprop`` of this name, whatever item it is said of."""

    def find(document: Document) -> list[NodeMatch]:
        found = (
            element
            for element in _itemprops(document)
            if name in element.get("itemprop", "").split() and not is_elsewhere(element)
        )
        return _read_each(document, found, "content", "datetime", "href", "value")

    return find


def _prices(document: Document) -> list[NodeMatch]:
    if named := _with_itemprop("price")(document):
        return named
    levels = list(around_heading(document))
    prices = [each for each in _CLASSES(levels[-1]) if _is_price(each)] if levels else []
    for around in levels if prices else []:
        found = [each for each in prices if around in {each, *each.iterancestors()}]
        outer = {each for element in found for each in element.iterancestors()}
        innermost = [element for element in found if element not in outer]
        if innermost:
            return _read_each(document, innermost)
    return []


def _is_price(element: Node) -> bool:
    words = words_of(element)
    if words.isdisjoint(_PRICES) or not words.isdisjoint(_NO_PRICES) or is_elsewhere(element):
        return False
    if any(each.tag in _STRUCK for each in (element, *element.iterancestors())):
        return False
    if any(
        not words_of(each).isdisjoint(_NO_PRICES) for each in islice(element.iterancestors(), 2)
    ):
        return False
    text = short_text(element, MAX_PRICE) or ""
    return _MONEY.search(text) is not None and bool(re.search(r"\d", text))


def _has_class(element: Node, name: str) -> bool:
    return name in element.get("class", "").split()


def _read_each(document: Document, elements: Iterable[Node], *attributes: str) -> list[NodeMatch]:
    """Read no more than counts: the path of each element takes a look at all before it."""
    return [_read(document, each, *attributes) for each in islice(elements, MAX_CANDIDATES)]


def _read(document: Document, element: Node, *attributes: str) -> NodeMatch:
    path = document.path_of(element)
    for name in attributes:
        if value := element.get(name, "").strip():
            return NodeMatch(f"{path}/@{name}", value, is_attribute=True, node=element)
    return NodeMatch(path, document.text_of(element), node=element)


_DATES = ("datepublished", "datemodified")
_CALENDARS = ("<time", "calendar", "outlook.", "atc_date")
SHOWN: dict[str, Shown] = {
    "published": Shown(("<time", *_DATES), _published),
    "modified": Shown(("<time", *_DATES), _modified),
    "time": Shown(("<time",), _times),
    "author": Shown(("author", "byline", "/autor/", "/auteur/", "/autore/", "/byline/"), _authors),
    "price": Shown(("itemprop",), _prices, _PRICES),
    "starts": Shown(("startdate", *_CALENDARS), _event_times("startDate", 0)),
    "ends": Shown(("enddate", *_CALENDARS), _event_times("endDate", 1)),
    "availability": Shown(("itemprop",), _or("availability", find_stock), STOCK),
    "rating": Shown(("itemprop",), _or("ratingValue", find_rating), RATED),
    "review count": Shown(("itemprop",), _or("reviewCount", find_review_count), RATED),
} | {
    name: Shown((prop.lower(),), _with_itemprop(prop))
    for name, prop in {
        "currency": "priceCurrency",
        "sku": "sku",
        "gtin": "gtin13",
    }.items()
}
