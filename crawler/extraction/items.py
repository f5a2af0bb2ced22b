"""Items that the elements of a page describe, as objects in the shape of JSON-LD.

Microdata and RDFa differ in how an element says that it is an item, a property or a value; how
these make a tree is the same. Every property remembers its element, so that a value has a place.
extruct gives no places, loses an item that is referenced before it begins, and takes a hundred
milliseconds for the RDFa of a page.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.document.document import Document, Node
from crawler.document.jsonpath import JsonNode, Parts
from crawler.document.text import block_text
from crawler.extraction.context import bare_name
from crawler.extraction.entities import CONTAINERS

MAX_ITEMS = 1_000
MAX_PROPERTIES = 5_000
MAX_VISITS = 200_000
"""Elements looked at for all items of a page: items inside each other share their elements."""
MAX_DEPTH = 8
"""Items inside each other."""
MAX_NAMES = 500
"""Characters of an attribute that are searched for a type: where quotation marks are missing, it might
go on to the end of the page, and so might each one after it."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """How one vocabulary of attributes speaks."""

    source: Source
    needed_for: Callable[[tuple[str, ...]], tuple[bytes, ...]]
    """What the source of an item of one of the types, in lower case, holds at least one of: a cheap search."""
    items: Callable[[Node], Sequence[Node]]
    properties: Callable[[Node], Sequence[Node]]
    """The elements below an item that name a property, those of other items included."""
    is_item: Callable[[Node], bool]
    types_of: Callable[[Node], tuple[str, ...]]
    names_of: Callable[[Node], tuple[str, ...]]
    id_of: Callable[[Node], str | None]
    attribute_of: Callable[[Node], str | None]
    """The attribute that holds the value; None for the text."""
    roots_of: Callable[[Node], Sequence[Node]]
    """The element itself, and others that it refers to as its own."""
    marker_of: Callable[[tuple[str, ...]], str] = lambda _: ""
    """Regular expression of lower-case markup that names one of the types: no match, no item. It begins
    with plain text, or costs as much as all the rest."""
    text_of: Callable[[Node], str] = block_text
    """The text of an element that is a value."""
    implies_name: bool = False
    """An item without a name is called what its text says."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item; ``origins`` leads from the place of each property to its element."""

    source: Source
    node: JsonNode
    origins: Mapping[Parts, Node]
    is_main_entity: bool = False
    """It is what another item, such as the page, says it is about."""


def find_items(document: Document, syntax: Syntax, schema_types: Sequence[str]) -> tuple[Item, ...]:
    """Return the items of these types that are part of no other, in document order."""
    wanted = frozenset(schema_types)
    if not wanted or not _may_hold_items(document, syntax, tuple(schema_types)):
        return ()
    root = document.root
    found: Sequence[Node] = () if root is None else syntax.items(root)
    chosen = (
        element
        for element in found
        if wanted.intersection(syntax.types_of(element))
        and set(syntax.names_of(element)) <= _CONTAINERS
    )
    visits = Visits()
    return tuple(_make_item(element, syntax, visits) for element in islice(chosen, MAX_ITEMS))


def read_element(element: Node, syntax: Syntax) -> JsonValue:
    """Return the value of a property: an object for an item, else text."""
    return _Builder(syntax, Visits()).value(element, (), ())


class Visits:
    """How many elements may still be looked at."""

    def __init__(self) -> None:
        self.left = MAX_VISITS


def _make_item(element: Node, syntax: Syntax, visits: Visits) -> Item:
    builder = _Builder(syntax, visits)
    value = builder.value(element, (), ())
    node = JsonNode(value, (), value, {})
    is_main = any(name.startswith("mainEntity") for name in syntax.names_of(element))
    return Item(syntax.source, node, builder.origins, is_main)


class _Builder:
    """Builds one tree, within bounds."""

    def __init__(self, syntax: Syntax, visits: Visits) -> None:
        self._syntax = syntax
        self._visits = visits
        self._left = MAX_PROPERTIES
        self.origins: dict[Parts, Node] = {}

    def value(self, element: Node, parts: Parts, outer: tuple[Node, ...]) -> JsonValue:
        self.origins[parts] = element
        if not self._syntax.is_item(element):
            return _read_plain(element, self._syntax)
        if element in outer or len(outer) >= MAX_DEPTH:
            return None
        return self._object(element, parts, (*outer, element))

    def _object(self, element: Node, parts: Parts, outer: tuple[Node, ...]) -> JsonValue:
        types, name = self._syntax.types_of(element), self._syntax.id_of(element)
        value: dict[str, JsonValue] = {"@type": list(types)} if types else {}
        if name:
            value["@id"] = name
        for key, elements in self._properties(element).items():
            place = (*parts, key)
            values = [
                self.value(each, place if len(elements) == 1 else (*place, index), outer)
                for index, each in enumerate(elements)
            ]
            value[key] = values[0] if len(values) == 1 else values
        if self._syntax.implies_name and "name" not in value and parts:
            value["name"] = block_text(element)
            self.origins[(*parts, "name")] = element
        return value

    def _properties(self, item: Node) -> dict[str, list[Node]]:
        named: dict[str, list[Node]] = {}
        for root in self._syntax.roots_of(item):
            for element in self._own(root, item):
                for name in self._syntax.names_of(element):
                    if self._left > 0:
                        self._left -= 1
                        named.setdefault(name, []).append(element)
        return named

    def _own(self, root: Node, item: Node) -> Iterator[Node]:
        """Yield the properties below *root* that no item in between owns."""
        if root is not item:
            yield root
            if self._syntax.is_item(root):
                return
        if self._visits.left <= 0:
            return
        for element in self._syntax.properties(root):
            self._visits.left -= 1
            if not self._has_item_between(element, root):
                yield element

    def _has_item_between(self, element: Node, root: Node) -> bool:
        parent = element.getparent()
        while parent is not None and parent is not root:
            if self._syntax.is_item(parent):
                return True
            parent = parent.getparent()
        return False


def _read_plain(element: Node, syntax: Syntax) -> JsonValue:
    """Return an attribute, the text by lines, or both for a link that says something."""
    attribute = syntax.attribute_of(element)
    if attribute is None:
        return syntax.text_of(element)
    value = element.get(attribute, "")
    if element.tag == "a" and attribute == "href" and (text := block_text(element)):
        return {"@id": value, "@value": text}
    return value


def strip_vocabulary(name: str) -> str | None:
    """Return a schema.org name without its prefix; None for a name of another vocabulary."""
    bare = bare_name(name)
    return None if ":" in bare or "/" in bare else bare


def _may_hold_items(document: Document, syntax: Syntax, types: tuple[str, ...]) -> bool:
    if not any(map(document.holds, syntax.needed_for(types))):
        return False
    return _marker(syntax, types).search(document.lowered) is not None


@lru_cache(maxsize=64)
def _marker(syntax: Syntax, types: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(syntax.marker_of(types).encode())


_CONTAINERS = frozenset(CONTAINERS)
