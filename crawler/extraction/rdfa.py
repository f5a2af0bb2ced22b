"""RDFa Lite 1.1 with the ``rel`` of its older sister, for the names of schema.org only."""

import re

from lxml import etree

from crawler.contracts.evidence import Source
from crawler.document.document import Node
from crawler.extraction.context import SCHEMA
from crawler.extraction.items import MAX_NAMES, Syntax, strip_vocabulary
from crawler.extraction.microdata import image_attribute

MAX_TOKENS = 20
ATTRIBUTES = ("content", "href", "src", "resource", "datetime")


def _is_item(element: Node) -> bool:
    return "typeof" in element.attrib


def _resolve(element: Node, attribute: str) -> tuple[str, ...]:
    tokens = element.get(attribute, "").split()[:MAX_TOKENS]
    names = (_name(token, element) for token in tokens)
    return tuple(dict.fromkeys(name for name in names if name))


def _name(token: str, element: Node) -> str | None:
    if ":" not in token:
        return token if _has_schema_vocabulary(element) else None
    prefix, _, name = token.partition(":")
    if prefix == "schema" or SCHEMA.match(token):
        return strip_vocabulary(token)
    return name if _is_schema_prefix(prefix, element) else None


def _has_schema_vocabulary(element: Node) -> bool:
    vocabulary = _inherited(element, "vocab")
    return vocabulary is not None and SCHEMA.match(vocabulary.rstrip("/") + "/") is not None


def _is_schema_prefix(prefix: str, element: Node) -> bool:
    declared = _inherited(element, "prefix") or ""
    pattern = rf"(?:^|\s){re.escape(prefix)}:\s+https?://(?:www\.)?schema\.org/"
    return re.search(pattern, declared) is not None


def _inherited(element: Node, attribute: str) -> str | None:
    node: Node | None = element
    while node is not None:
        if attribute in node.attrib:
            return node.get(attribute)
        node = node.getparent()
    return None


def _names_of(element: Node) -> tuple[str, ...]:
    return _resolve(element, "property") or _resolve(element, "rel")


def _attribute_of(element: Node) -> str | None:
    if element.tag == "img" and "content" not in element.attrib:
        return image_attribute(element)
    return next((name for name in ATTRIBUTES if name in element.attrib), None)


def _marker_of(types: tuple[str, ...]) -> str:
    either = "|".join(types).lower()
    return rf"typeof\s*=\s*[\"']?[^\"'>]{{0,{MAX_NAMES}}}(?<![a-z])(?:{either})(?![a-z])"


RDFA = Syntax(
    source=Source.RDFA,
    needed_for=lambda _: (b"schema",),
    marker_of=_marker_of,
    items=etree.XPath("//*[@typeof]"),
    properties=etree.XPath("descendant::*[@property or @rel]"),
    is_item=_is_item,
    types_of=lambda element: _resolve(element, "typeof"),
    names_of=_names_of,
    id_of=lambda element: element.get("resource") or element.get("about"),
    attribute_of=_attribute_of,
    roots_of=lambda element: (element,),
)
