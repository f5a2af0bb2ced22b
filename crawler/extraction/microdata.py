"""Microdata (HTML, 5): ``itemscope``, ``itemprop``, ``itemref``."""

from collections.abc import Sequence

from lxml import etree

from crawler.contracts.evidence import Source
from crawler.document.document import Node
from crawler.extraction.items import Syntax, strip_vocabulary

MAX_REFERENCES = 50
ATTRIBUTES = {
    "a": "href",
    "area": "href",
    "audio": "src",
    "data": "value",
    "embed": "src",
    "iframe": "src",
    "input": "value",
    "link": "href",
    "meta": "content",
    "meter": "value",
    "object": "data",
    "source": "src",
    "time": "datetime",
    "track": "src",
    "video": "src",
}
STRAY = ("href", "datetime")
"""Attributes that mean nothing on other elements: they are there for who reads the property."""
_BY_ID = etree.XPath("//*[@id=$name]")


def _is_item(element: Node) -> bool:
    return "itemscope" in element.attrib


def _types_of(element: Node) -> tuple[str, ...]:
    names = map(strip_vocabulary, element.get("itemtype", "").split())
    return tuple(name for name in names if name)


def _names_of(element: Node) -> tuple[str, ...]:
    names = map(strip_vocabulary, element.get("itemprop", "").split())
    return tuple(dict.fromkeys(name for name in names if name))


def _attribute_of(element: Node) -> str | None:
    """Return where the value stands; ``content`` is written on any element, standard or not."""
    if "content" in element.attrib:
        return "content"
    if element.tag == "img":
        return image_attribute(element)
    attribute = ATTRIBUTES.get(str(element.tag))
    names = STRAY if attribute is None else (attribute,)
    return next((name for name in names if name in element.attrib), None)


def image_attribute(element: Node) -> str | None:
    """Return the attribute with the address: a picture that loads late has a stand-in in src."""
    is_real = not element.get("src", "data:").startswith("data:")
    names = ("src",) if is_real else ("data-src", "data-original", "data-lazy-src", "src")
    return next((name for name in names if name in element.attrib), None)


def _roots_of(element: Node) -> Sequence[Node]:
    written = element.get("itemref", "").split()[:MAX_REFERENCES]
    names = filter(str.isprintable, written)  # libxml2 refuses to look for what is no XML
    found = [_BY_ID(element, name=name) for name in dict.fromkeys(names)]
    return (element, *(nodes[0] for nodes in found if nodes))


MICRODATA = Syntax(
    source=Source.MICRODATA,
    needed_for=lambda _: (b"schema",),
    marker_of=lambda types: (
        rf"schema\.org(?:/|&#x2f;|&#47;|&sol;)#?(?:{'|'.join(types).lower()})(?![a-z])"
    ),
    items=etree.XPath("//*[@itemscope][@itemtype]"),
    properties=etree.XPath("descendant::*[@itemprop]"),
    is_item=_is_item,
    types_of=_types_of,
    names_of=_names_of,
    id_of=lambda element: element.get("itemid"),
    attribute_of=_attribute_of,
    roots_of=_roots_of,
)
