"""Which JSON-LD nodes of a page describe a record of the wanted type.

On a page that holds several records, each node is one of its own; on a page about one thing, one of
them is the main node. Two nodes are never blended.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import JsonValue

from crawler.document.jsonpath import JsonNode, Parts, is_reference
from crawler.extraction.context import bare_name
from crawler.extraction.jsonld import JsonLd

CONTAINERS = (
    "@graph",
    "@list",
    "@set",
    "mainEntity",
    "mainEntityOfPage",
    "itemListElement",
    "item",
    "about",
    "event",
    "events",
    "hasPart",
)
"""Where a node that describes the page or its items may stand; elsewhere it is somebody else's."""
MAIN = frozenset({"mainEntity", "mainEntityOfPage"})
MAX_ENTITIES = 5_000


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of a wanted type, with the block it stands in."""

    block: JsonLd
    node: JsonNode

    @property
    def is_main_entity(self) -> bool:
        """It stands where another node says what it is about."""
        return any(isinstance(part, str) and part in MAIN for part in self.node.parts)


def find_entities(blocks: Sequence[JsonLd], schema_types: Sequence[str]) -> list[Entity]:
    """Return the nodes of these types in document order."""
    wanted = frozenset(map(str.lower, schema_types))
    found: list[Entity] = []
    for block in blocks:
        nodes = [JsonNode(block.value, parts, value, {}) for parts, value in _walk(block, wanted)]
        if not nodes:
            continue
        references = Ids(block.value)
        found += [Entity(block, replace(node, references=references)) for node in nodes]
        if len(found) > MAX_ENTITIES:
            break
    return found[:MAX_ENTITIES]


def type_names(value: JsonValue) -> frozenset[str]:
    """Return the types of a node without their schema.org prefix."""
    declared = value.get("@type") if isinstance(value, dict) else None
    names = declared if isinstance(declared, list) else [declared]
    return frozenset(bare_name(name) for name in names if isinstance(name, str))


def _walk(block: JsonLd, wanted: frozenset[str]) -> Iterator[tuple[Parts, JsonValue]]:
    """Visit containers in document order; what stands inside a found node belongs to it."""
    pending: list[tuple[Parts, JsonValue]] = [((), block.value)]
    while pending:
        parts, value = pending.pop()
        if isinstance(value, list):
            pending += reversed([((*parts, index), item) for index, item in enumerate(value)])
        elif isinstance(value, dict):
            if not wanted.isdisjoint(map(str.lower, type_names(value))):
                yield parts, value
            else:
                inner = [((*parts, key), value[key]) for key in value if key in CONTAINERS]
                pending += reversed(inner)


class Ids:
    """Where the nodes of a block stand by their ``@id``; looked for when one is first referred to."""

    def __init__(self, top: JsonValue) -> None:
        self._top = top

    @cached_property
    def _places(self) -> dict[str, Parts]:
        return index_ids(self._top)

    def get(self, name: str, /) -> Parts | None:
        return self._places.get(name)


def index_ids(top: JsonValue) -> dict[str, Parts]:
    """Return where each ``@id`` is described, not merely named; the first description counts."""
    places: dict[str, Parts] = {}
    pending: list[tuple[Parts, JsonValue]] = [((), top)]
    while pending:
        parts, value = pending.pop()
        if isinstance(value, list):
            pending += reversed([((*parts, index), item) for index, item in enumerate(value)])
        elif isinstance(value, dict):
            name = value.get("@id")
            if isinstance(name, str) and not is_reference(value):
                places.setdefault(name, parts)
            pending += reversed([((*parts, key), item) for key, item in value.items()])
    return places
