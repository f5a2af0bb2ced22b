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
from crawler.document.text import inner_text
from crawler.extraction.lines import is_aside
from crawler.extraction.selectors import NodeMatch

MAX_CANDIDATES = 200
MAX_PRICE = 40
"""Characters of a price with its sign."""
MAX_CLIMB = 6
"""Steps from the heading up to the element that holds the price too."""
_TIMES = etree.XPath("//time")
_ITEMPROPS = etree.XPath("//*[@itemprop]")
_LINKS = etree.XPath("//a[@href]")
_CLASSES = etree.XPath("descendant-or-self::*[@class]")
_HEADINGS = etree.XPath("//h1")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_OTHERS = frozenset({"comment", "comments", "related", "recommended", "recommendations", "sidebar"})
_CHANGED = re.compile(
    r"\b(?:updat|modif|edited|revis|aktualis|mis à jour|actualiz|aggiorn|bijgewerkt|uppdater)",
    re.IGNORECASE,
)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor|auteur|autore|byline|contributors?)/[^/?#]+/?$", re.IGNORECASE
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
    """One thing that pages show; without one of the ``markers`` in the source it is not there."""

    markers: tuple[str, ...]
    """In lower case."""
    find: Callable[[Document, Node], Iterable[NodeMatch]]


def is_shown(lowered: str, name: str) -> bool:
    """Whether the source, in lower case, may hold it at all: a search that spares a parse."""
    return any(marker in lowered for marker in SHOWN[name].markers)


def find_shown(document: Document, name: str) -> list[NodeMatch]:
    """Return the candidates for what a rule calls *name*."""
    root = document.root
    return [] if root is None else list(islice(SHOWN[name].find(document, root), MAX_CANDIDATES))


def _published(document: Document, root: Node) -> list[NodeMatch]:
    if named := _with_itemprop("datePublished")(document, root):
        return named
    times = [time for time in _content_times(root) if not _is_change(time)]
    marked = [time for time in times if "pubdate" in time.attrib or _has_class(time, "published")]
    return [_read(document, time, "datetime") for time in marked or times]


def _modified(document: Document, root: Node) -> list[NodeMatch]:
    if named := _with_itemprop("dateModified")(document, root):
        return named
    return [_read(document, time, "datetime") for time in _content_times(root) if _is_change(time)]


def _times(document: Document, root: Node) -> list[NodeMatch]:
    return [_read(document, time, "datetime") for time in _content_times(root)]


def _content_times(root: Node) -> Iterator[Node]:
    return (time for time in _TIMES(root) if not _is_elsewhere(time))


def _is_change(time: Node) -> bool:
    """Whether the element, or the words right around it, say that something was changed then."""
    parent = time.getparent()
    before = "" if parent is None else (parent.text or "")
    previous = time.getprevious()
    near = "" if previous is None else f"{previous.text or ''} {previous.tail or ''}"
    return _CHANGED.search(f"{time.get('class', '')} {before} {near}"[-200:]) is not None


def _authors(document: Document, root: Node) -> list[NodeMatch]:
    named = [
        element
        for element in _ITEMPROPS(root)
        if "name" in element.get("itemprop", "").split() and _is_within(element, "author")
    ]
    marked = named or _content_links(root, lambda link: "author" in link.get("rel", "").split())
    if not marked:
        marked = _content_links(root, lambda link: _AUTHOR_PAGE.search(link.get("href", "")))
        if len({link.get("href") for link in marked}) > 1:
            return []
    found = (_read(document, element, "content") for element in marked)
    return [match for match in found if match.raw]


def _content_links(root: Node, is_wanted: Callable[[Node], object]) -> list[Node]:
    """Return the wanted links; where a link stands is asked last, for that costs most."""
    return [link for link in _LINKS(root) if is_wanted(link) and not _is_elsewhere(link)]


def _is_within(element: Node, name: str) -> bool:
    return any(name in each.get("itemprop", "").split() for each in element.iterancestors())


def _with_itemprop(name: str) -> Callable[[Document, Node], list[NodeMatch]]:
    """Return what finds an ``itemprop`` of this name, whatever item it is said of."""

    def find(document: Document, root: Node) -> list[NodeMatch]:
        return [
            _read(document, element, "content", "datetime", "href", "value")
            for element in _ITEMPROPS(root)
            if name in element.get("itemprop", "").split() and not _is_elsewhere(element)
        ]

    return find


def _prices(document: Document, root: Node) -> list[NodeMatch]:
    if named := _with_itemprop("price")(document, root):
        return named
    for around in _around_heading(root):
        found = [element for element in _CLASSES(around) if _is_price(element)]
        outer = {each for element in found for each in element.iterancestors()}
        innermost = [element for element in found if element not in outer]
        if innermost:
            return [_read(document, element) for element in innermost]
    return []


def _around_heading(root: Node) -> Iterator[Node]:
    headings = _HEADINGS(root)
    if len(headings) == 1:
        yield from islice(headings[0].iterancestors("div", "section", "main", "article"), MAX_CLIMB)


def _is_price(element: Node) -> bool:
    words = _words(element)
    if words.isdisjoint(_PRICES) or not words.isdisjoint(_NO_PRICES) or _is_elsewhere(element):
        return False
    if any(each.tag in _STRUCK for each in (element, *element.iterancestors())):
        return False
    if any(not _words(each).isdisjoint(_NO_PRICES) for each in islice(element.iterancestors(), 2)):
        return False
    text = inner_text(element)
    return (
        len(text) <= MAX_PRICE and _MONEY.search(text) is not None and bool(re.search(r"\d", text))
    )


def _is_elsewhere(element: Node) -> bool:
    """Whether the element stands around the content, or belongs to something else."""
    return is_aside(element) or any(
        not _words(each).isdisjoint(_OTHERS) for each in islice(element.iterancestors(), 12)
    )


def _words(element: Node) -> frozenset[str]:
    names = f"{element.get('class', '')} {element.get('id', '')}"
    return frozenset(word.lower() for word in _WORD.findall(names))


def _has_class(element: Node, name: str) -> bool:
    return name in element.get("class", "").split()


def _read(document: Document, element: Node, *attributes: str) -> NodeMatch:
    path = document.path_of(element)
    for name in attributes:
        if value := element.get(name, "").strip():
            return NodeMatch(f"{path}/@{name}", value, is_attribute=True)
    return NodeMatch(path, document.text_of(element))


_DATES = ("datepublished", "datemodified")
SHOWN: dict[str, Shown] = {
    "published": Shown(("<time", *_DATES), _published),
    "modified": Shown(("<time", *_DATES), _modified),
    "time": Shown(("<time",), _times),
    "author": Shown(("author", "/autor/", "/auteur/", "/autore/", "/byline/"), _authors),
    "price": Shown(tuple(sorted(_PRICES)), _prices),
} | {
    name: Shown((prop.lower(),), _with_itemprop(prop))
    for name, prop in {
        "currency": "priceCurrency",
        "availability": "availability",
        "sku": "sku",
        "gtin": "gtin13",
        "rating": "ratingValue",
        "review count": "reviewCount",
        "starts": "startDate",
        "ends": "endDate",
    }.items()
}
