"""Which JSON-LD nodes of a page describe a record of the wanted type.

On a page that holds several records, each node is one of its own; on a page about one thing, one of
them is the main node. Two nodes are never blended.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import JsonValue

from crawler.document.jsonpath import ELSEWHERE, JsonNode, Parts, is_reference, part_block
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
    blocks: Sequence[JsonLd] = ()
    """All blocks of the page."""

    def locate(self, parts: Parts) -> tuple[JsonLd, Parts]:
        """Return the block that a part of the node stands in, and its place there."""
        number, inner = part_block(parts)
        return (self.block if number is None else self.blocks[number]), inner

    @property
    def is_main_entity(self) -> bool:
        """It stands where another node says what it is about."""
        return any(isinstance(part, str) and part in MAIN for part in self.node.parts)


def find_entities(blocks: Sequence[JsonLd], schema_types: Sequence[str]) -> list[Entity]:
    """Return the nodes of these types in document order."""
    wanted = frozenset(map(str.lower, schema_types))
    found: list[Entity] = []
    tops = [block.value for block in blocks]
    for block in blocks:
        nodes = [JsonNode(block.value, parts, value, {}) for parts, value in _walk(block, wanted)]
        if not nodes:
            continue
        references = Ids(block.value, tops)
        found += [
            Entity(block, replace(node, references=references, elsewhere=tops), blocks)
            for node in nodes
        ]
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
    """Where the nodes of a page stand by their ``@id``: in the block itself, else in another.

    Looked for when one is first referred to.
    """

    def __init__(self, top: JsonValue, elsewhere: Sequence[JsonValue] = ()) -> None:
        self._top = top
        self._elsewhere = elsewhere

    @cached_property
    def _places(self) -> dict[str, Parts]:
        return index_ids(self._top)

    @cached_property
    def _other_places(self) -> dict[str, Parts]:
        others: dict[str, Parts] = {}
        for number, top in enumerate(self._elsewhere):
            for name, parts in index_ids(top).items():
                others.setdefault(name, (ELSEWHERE, number, *parts))
        return others

    def get(self, name: str, /) -> Parts | None:
        place = self._places.get(name)
        return self._other_places.get(name) if place is None else place


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
