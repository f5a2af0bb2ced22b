"""Rules of the site file that point at nodes: ``css:`` and ``xpath:``."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

from lxml import etree

from crawler.document.document import Document, Match, Node, owner_of
from crawler.document.text import inner_text

MAX_MATCHES = 1_000
MAX_ADDRESS = 10_000
_PART = re.compile(r"(?P<name>\w{1,40})\[(?P<index>\d)\]", re.ASCII)
_PSEUDO = re.compile(r"::(?:(?P<text>text)|attr\(\s*(?P<attribute>[^()\s]+)\s*\))\s*\Z")
_LOCATOR = re.compile(r"(?P<path>.*?)(?:/(?:@(?P<attribute>[^/]+)|(?P<text>text\(\))))?\Z")


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """The content of one element or attribute."""

    locator: str
    raw: str
    is_attribute: bool = False
    node: Node | None = field(default=None, compare=False)
    """The element, or the one whose text or attribute it is; None for a computed string."""
    line: str | None = field(default=None, compare=False)
    """The line of text that ends with it, where it is no more than a part of an element."""


@dataclass(frozen=True, slots=True)
class CssRule:
    """A CSS selector, and what is taken from each element: an attribute, own text or all text."""

    selector: str
    attribute: str | None
    is_own_text: bool


@lru_cache(maxsize=1024)
def parse_css_rule(rule: str) -> CssRule:
    pseudo = _PSEUDO.search(rule)
    if pseudo is None:
        return CssRule(rule, None, is_own_text=False)
    return CssRule(rule[: pseudo.start()], pseudo["attribute"], is_own_text=bool(pseudo["text"]))


def select_css(rule: str, document: Document, row: Node | None) -> list[NodeMatch]:
    """Return what a ``css:`` rule selects below *row*. Raises BadSelectorError."""
    parsed = parse_css_rule(rule)
    nodes = document.css(parsed.selector, row)[:MAX_MATCHES]
    if parsed.attribute:
        return [
            NodeMatch(
                f"{document.path_of(node)}/@{parsed.attribute}", value, is_attribute=True, node=node
            )
            for node in nodes
            if (value := node.get(parsed.attribute)) is not None
        ]
    if parsed.is_own_text:
        return [
            NodeMatch(f"{document.path_of(node)}/text()", document.own_text_of(node), node=node)
            for node in nodes
        ]
    return [NodeMatch(document.path_of(node), document.text_of(node), node=node) for node in nodes]


def select_xpath(rule: str, document: Document, row: Node | None) -> list[NodeMatch]:
    """Return what an ``xpath:`` rule selects from *row*. Raises BadSelectorError.

    The text nodes of one element are one match, as in ``css:…::text``.
    """
    found: dict[str, NodeMatch] = {}
    for match in document.xpath(rule, row)[:MAX_MATCHES]:
        read = _read(match, document, row)
        found.setdefault(read.locator, read)
    return list(found.values())


def read_again(
    locator: str, rule: str, document: Document, text_of: Callable[[Node], str] = inner_text
) -> str | None:
    """Return what stands at a locator now, an element by *text_of*; None when nothing does.

    *rule* is needed where an expression gave text of no single node, such as ``string(.//h2)``:
    the locator then is the row that it was evaluated on.
    """
    parts = _LOCATOR.fullmatch(locator)
    found = document.xpath(parts["path"]) if parts and parts["path"] else []
    node = found[0] if len(found) == 1 else None
    if parts is None or not isinstance(node, etree._Element):
        return None
    if parts["attribute"]:
        name, _, part = parts["attribute"].partition("?")
        value = node.get(name)
        return read_part(value, part) if part and value is not None else value
    if parts["text"]:
        return document.own_text_of(node)
    if rule.startswith("xpath:"):
        scalar = document.xpath(rule.removeprefix("xpath:"), node)
        if len(scalar) == 1 and not document.path_of(scalar[0]):
            return _format_scalar(scalar[0])
    return text_of(node)


def read_part(address: str, part: str) -> str | None:
    """Return a piece of a parameter of an address: ``dates[1]`` is the second between slashes."""
    found = _PART.fullmatch(part)
    if found is None or len(address) > MAX_ADDRESS:
        return None
    values = parse_qs(urlsplit(address).query, max_num_fields=100).get(found["name"], [""])
    pieces = values[0].split("/")
    index = int(found["index"])
    return pieces[index] if index < len(pieces) else None


def _read(match: Match, document: Document, row: Node | None) -> NodeMatch:
    if isinstance(match, etree._Element):
        return NodeMatch(document.path_of(match), document.text_of(match), node=match)
    locator = document.path_of(match)
    if not locator:
        context = document.root if row is None else row
        where = "" if context is None else document.path_of(context)
        return NodeMatch(where, _format_scalar(match))
    node = owner_of(match)
    if locator.endswith("/text()"):
        return NodeMatch(locator, document.own_text_of(node) if node is not None else "", node=node)
    return NodeMatch(locator, str(match), is_attribute=True, node=node)


def _format_scalar(value: Match) -> str:
    """Write a number as XPath does, without a fraction it has not."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
