"""What rules find in objects: JSON-LD, items, the state of scripts, entries of feeds and responses."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from crawler.contracts.evidence import Source
from crawler.contracts.snapshot import PageKind, Representation
from crawler.document.data import Entry, locate
from crawler.document.jsonpath import (
    MAX_MATCHES,
    JsonMatch,
    JsonNode,
    format_locator,
    resolve,
    select,
)
from crawler.document.loaded import Response, read_loaded_place
from crawler.document.rows import root_of
from crawler.extraction.entities import Entity
from crawler.extraction.items import Item
from crawler.extraction.main_entity import name_of
from crawler.extraction.metadata import SYNTAXES
from crawler.extraction.place import Found, Place, write_raw

SOURCES = {
    Representation.FEED: Source.FEED,
    Representation.CALENDAR: Source.ICAL,
    Representation.JSON: Source.JSON,
}


def find_in_jsonld(place: Place, rule: str, path: str) -> list[Found]:
    return [] if place.entity is None else _find_in_entity(place, place.entity, rule, path)


def find_in_object(place: Place, rule: str, path: str) -> list[Found]:
    """All objects of the name are asked: where they differ, what they say is ambiguous."""
    if not place.is_whole_page or place.snapshot.page_kind is not PageKind.DETAIL:
        return []
    objects = place.metadata.named_objects
    return [found for each in objects for found in _find_in_entity(place, each, rule, path)]


def _find_in_entity(place: Place, entity: Entity, rule: str, path: str) -> list[Found]:
    return [_found_part(place, entity, match, rule) for match in _select_entries(path, entity.node)]


def _found_part(place: Place, entity: Entity, match: JsonMatch, rule: str) -> Found:
    block, parts = entity.locate(match.parts)
    return Found(
        match.value,
        place.evidence(
            block.source,
            f"{block.label}:{format_locator(parts)}",
            write_raw(match.value),
            rule,
            span=block.span,
            repairs=block.repairs,
        ),
        is_machine_written=True,
        part=(entity.node, match.parts),
    )


def find_in_microdata(place: Place, rule: str, path: str) -> list[Found]:
    return _find_in_item(place, Source.MICRODATA, rule, path)


def find_in_rdfa(place: Place, rule: str, path: str) -> list[Found]:
    return _find_in_item(place, Source.RDFA, rule, path)


def find_in_microformats(place: Place, rule: str, path: str) -> list[Found]:
    return _find_in_item(place, Source.MICROFORMATS, rule, path)


def find_in_plugin(place: Place, rule: str, path: str) -> list[Found]:
    return _find_in_item(place, Source.PLUGIN, rule, path)


def _find_in_item(place: Place, source: Source, rule: str, path: str) -> list[Found]:
    item = _item_of(place, source)
    if item is None:
        return []
    matches = _select_entries(path, item.node)
    return [
        _found_property(place, item, match, rule)
        for match in matches
        if match.parts in item.origins
    ]


def _item_of(place: Place, source: Source) -> Item | None:
    """Return the item that speaks of the same thing as the JSON-LD node, where there is one."""
    if place.item is not None:
        return place.item if place.item.source is source else None
    item = _only_item(place, source)
    if item is None or place.entity is None:
        return item
    names = {name_of(place.entity.node.value), name_of(item.node.value)} - {""}
    return item if len(names) == 1 else None


def _only_item(place: Place, source: Source) -> Item | None:
    if place.row is not None and place.rows is not None:
        return place.rows.item_of(place.row, source)
    return place.metadata.main_item(source) if place.is_whole_page else None


def _found_property(place: Place, item: Item, match: JsonMatch, rule: str) -> Found:
    element = item.origins[match.parts]
    syntax = SYNTAXES[item.source]
    attribute = None if syntax.is_item(element) else syntax.attribute_of(element)
    is_attribute = attribute is not None and not isinstance(match.value, dict)
    path = place.document.path_of(element)
    if syntax.is_item(element) and isinstance(match.value, str):
        path += "/text()"  # an item that is called what its text says
    return Found(
        match.value,
        place.evidence(
            item.source,
            f"{path}/@{attribute}" if is_attribute else path,
            write_raw(match.value),
            rule,
        ),
        is_machine_written=is_attribute,
        part=(item.node, match.parts),
        node=element,
    )


def find_in_state(place: Place, rule: str, expression: str) -> list[Found]:
    name, _, path = expression.partition(":")
    state = place.metadata.state(name) if place.is_whole_page else None
    if state is None:
        return []
    node = JsonNode(state.value, (), state.value, {})
    return [
        Found(
            match.value,
            place.evidence(
                Source.STATE,
                f"{name}:{format_locator(match.parts)}",
                write_raw(match.value),
                rule,
                span=state.span,
                repairs=state.repairs,
            ),
            is_machine_written=True,
        )
        for match in _select_entries(path, node)
    ]


def find_in_feed(place: Place, rule: str, name: str) -> list[Found]:
    return _find_in_entry(place, Source.FEED, rule, f"$.{name}")


def find_in_calendar(place: Place, rule: str, name: str) -> list[Found]:
    return _find_in_entry(place, Source.ICAL, rule, f"$['{name}']")


def find_in_json(place: Place, rule: str, path: str) -> list[Found]:
    return _find_in_entry(place, Source.JSON, rule, path)


def _find_in_entry(place: Place, source: Source, rule: str, path: str) -> list[Found]:
    data, entry = place.data, place.entry
    origin = place.response or place.snapshot
    if data is None or entry is None or SOURCES[origin.representation] is not source:
        return []
    return [
        Found(
            match.value,
            place.evidence(
                source,
                locate(match.parts, entry.id),
                data.raws.get(match.parts) or write_raw(match.value),
                rule,
                span=data.spans.get(match.parts),
                repairs=data.repairs,
            ),
            is_machine_written=True,
            part=(entry.node, match.parts),
        )
        for match in _select_entries(path, entry.node)
    ]


def find_in_loaded(place: Place, rule: str, expression: str) -> list[Found]:
    """All responses that fit are asked: where they differ, what they say is ambiguous."""
    if not place.is_whole_page:
        return []
    wanted = read_loaded_place(expression)
    found: list[Found] = []
    for response in place.document.loaded.choose(wanted.pattern):
        if response.data.flaw is None:
            found += find_in_json(_inside(place, response), rule, wanted.path)
        else:
            place.metadata.note(f"{response.snapshot.final_url}: {response.data.problem}")
    return found


def _inside(place: Place, response: Response) -> Place:
    entry = Entry(root_of(response.data.top), "", place.base_url)
    return replace(place, response=response.snapshot, data=response.data, entry=entry)


def _select_entries(path: str, node: JsonNode) -> Iterator[JsonMatch]:
    return islice(_entries(select(path, node), node), MAX_MATCHES)


def _entries(matches: Iterable[JsonMatch], node: JsonNode) -> Iterator[JsonMatch]:
    """Take a list apart; an empty one is a place with nothing in it."""
    for match in matches:
        if isinstance(match.value, list) and match.value:
            inner = (
                resolve(JsonMatch((*match.parts, index), item), node)
                for index, item in enumerate(match.value)
            )
            yield from _entries(inner, node)
        else:
            yield replace(match, value=None) if match.value == [] else match
