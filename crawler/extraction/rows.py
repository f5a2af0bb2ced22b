"""The JSON-LD objects of a page that holds several records: which are rows, or belong to one.

A row that is an element has at most one object of its own: the one in a script inside of it, else
the one whose address it links to, else the one whose name it shows. What two rows or two objects
have in common tells nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import TypeAlias
from urllib.parse import urljoin

from pydantic import JsonValue

from crawler.document.document import Document, Node
from crawler.document.jsonpath import JsonMatch, JsonNode, select
from crawler.document.ldjson import is_ld_json_type
from crawler.document.text import HEADINGS, inner_text
from crawler.extraction.entities import Entity, Ids
from crawler.extraction.jsonld import JsonLd
from crawler.extraction.main_entity import addresses_of, bare_address, name_of

Keys: TypeAlias = Sequence[AbstractSet[object]]
"""What rows or objects are known by, one set for each."""
MAX_NAMES = 50
"""Links and headings of one row that are looked at."""


def find_row_entities(blocks: Sequence[JsonLd], path: str) -> list[Entity]:
    """Return the objects that *path* leads to, in document order.

    It begins at the top of a block; where it leads nowhere from there, at each member of a list or
    of an ``@graph``. Raises BadPathError.
    """
    found: list[Entity] = []
    for block in blocks:
        references = Ids(block.value)
        for starts in _starts(block.value):
            nodes = [JsonNode(block.value, each.parts, each.value, references) for each in starts]
            matches = [match for node in nodes for match in select(path, node)]
            places = {match.parts: match for match in matches if isinstance(match.value, dict)}
            found += [
                Entity(block, JsonNode(block.value, match.parts, match.value, references))
                for match in places.values()
            ]
            if places:
                break
    return found


def _starts(top: JsonValue) -> Iterator[list[JsonMatch]]:
    whole = [JsonMatch((), top)]
    yield whole
    members = _members(whole[0]) if isinstance(top, list) else whole
    yield members
    yield [
        inner
        for member in members
        if isinstance(member.value, dict)
        for inner in _members(JsonMatch((*member.parts, "@graph"), member.value.get("@graph")))
    ]


def _members(match: JsonMatch) -> list[JsonMatch]:
    entries = match.value if isinstance(match.value, list) else []
    return [JsonMatch((*match.parts, index), entry) for index, entry in enumerate(entries)]


def pair_rows(
    document: Document, rows: Sequence[Node], entities: Sequence[Entity]
) -> dict[Node, Entity]:
    """Return the object of each row that has one."""
    paired: dict[Node, Entity] = {}
    open_rows, left = list(rows), list(entities)
    for read_keys in TIES:
        if not open_rows or not left:
            break
        found = _pair(*read_keys(document, open_rows, left))
        paired |= {open_rows[row]: left[entity] for row, entity in found.items()}
        open_rows = [row for number, row in enumerate(open_rows) if number not in found]
        taken = set(found.values())
        left = [entity for number, entity in enumerate(left) if number not in taken]
    return paired


def _pair(of_rows: Keys, of_entities: Keys) -> dict[int, int]:
    """Return the numbers of rows and objects that share a key which no other of either has."""
    rows, entities = _sole_owners(of_rows), _sole_owners(of_entities)
    ties = {(rows[key], entities[key]) for key in rows.keys() & entities.keys()}
    by_row, by_entity = (Counter(tie[side] for tie in ties) for side in (0, 1))
    return {row: entity for row, entity in ties if by_row[row] == by_entity[entity] == 1}


def _sole_owners(keys: Keys) -> dict[object, int]:
    owners: dict[object, set[int]] = defaultdict(set)
    for number, own in enumerate(keys):
        for key in own:
            owners[key].add(number)
    return {key: min(numbers) for key, numbers in owners.items() if len(numbers) == 1}


def _by_script(
    document: Document, rows: Sequence[Node], entities: Sequence[Entity]
) -> tuple[Keys, Keys]:
    scripts = [
        each for each in document.css("script") if is_ld_json_type(str(each.get("type", "")))
    ]
    if len(scripts) != len(document.ld_json_blocks()):
        return [], []  # the scan and the parser disagree about which is which
    numbers = {script: number for number, script in enumerate(scripts)}
    return (
        [{numbers[each] for each in row.iter("script") if each in numbers} for row in rows],
        [{entity.block.index} for entity in entities],
    )


def _by_address(
    document: Document, rows: Sequence[Node], entities: Sequence[Entity]
) -> tuple[Keys, Keys]:
    def read(references: Iterable[str]) -> set[str]:
        found = (bare_address(urljoin(document.base_url, each)) for each in references)
        return {*found} - {bare_address(document.url)}

    return (
        [read(str(link.get("href", "")).strip() for link in _links(row)) for row in rows],
        [read(addresses_of(entity)) for entity in entities],
    )


def _by_name(
    _document: Document, rows: Sequence[Node], entities: Sequence[Entity]
) -> tuple[Keys, Keys]:
    return (
        [{inner_text(each).casefold() for each in (*_headings(row), *_links(row))} for row in rows],
        [{name} if (name := name_of(entity.node.value)) else set() for entity in entities],
    )


def _links(row: Node) -> Iterator[Node]:
    return islice(row.iter("a"), MAX_NAMES)


def _headings(row: Node) -> Iterator[Node]:
    return islice(row.iter(*HEADINGS), MAX_NAMES)


TIES: tuple[Callable[..., tuple[Keys, Keys]], ...] = (_by_script, _by_address, _by_name)
"""Strongest first."""
