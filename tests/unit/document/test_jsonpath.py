import pytest
from pydantic import JsonValue

from crawler.document.jsonpath import (
    BadPathError,
    JsonNode,
    format_locator,
    parse_locator,
    select,
    value_at,
)

EVENT: JsonValue = {
    "name": "x",
    "offers": [{"price": 1}, {"price": 2}],
    "place": {"name": "Hall", "address": {"street": "1 Main"}},
    "it's": {"a\nb": 1},
    "where": [
        {"@type": "https://schema.org/VirtualLocation", "name": "Stream"},
        {"@type": ["http://schema.org/Place", "Hall"], "name": "Hall"},
        "Hall B",
    ],
    "stage": {"@type": "Place", "name": "Barn"},
    "image": {"@id": "#i"},
    "lost": {"@id": "#gone"},
    "loop": {"@id": "#a"},
}
TOP: JsonValue = [
    EVENT,
    {"@id": "#i", "url": "a.jpg"},
    {"@id": "#a", "next": {"@id": "#a"}},
]
NODE = JsonNode(TOP, (0,), EVENT, {"#i": (1,), "#a": (2,)})

PATHS: dict[str, tuple[str, list[tuple[str, JsonValue]]]] = {
    "name": ("$.name", [("$[0]['name']", "x")]),
    "brackets": ("$['name']", [("$[0]['name']", "x")]),
    "index": ("$.offers[1].price", [("$[0]['offers'][1]['price']", 2)]),
    "list where an object was expected": (
        "$.offers.price",
        [("$[0]['offers'][0]['price']", 1), ("$[0]['offers'][1]['price']", 2)],
    ),
    "every element": (
        "$.offers[*].price",
        [("$[0]['offers'][0]['price']", 1), ("$[0]['offers'][1]['price']", 2)],
    ),
    "nested": ("$.place.address.street", [("$[0]['place']['address']['street']", "1 Main")]),
    "missing": ("$.nothing.at.all", []),
    "index out of range": ("$.offers[9]", []),
    "name of a string": ("$.name.first", []),
    "reference": ("$.image.url", [("$[1]['url']", "a.jpg")]),
    "reference to nothing": ("$.lost", [("$[0]['lost']", None)]),
    "reference as a value": ("$.image", [("$[1]", {"@id": "#i", "url": "a.jpg"})]),
    "descent": (
        "$..price",
        [("$[0]['offers'][0]['price']", 1), ("$[0]['offers'][1]['price']", 2)],
    ),
    "filter": (
        "$.offers[?@.price > 1].price",
        [("$[0]['offers'][1]['price']", 2)],
    ),
    "union": (
        "$.place['name','address']",
        [("$[0]['place']['name']", "Hall"), ("$[0]['place']['address']", {"street": "1 Main"})],
    ),
    "union of what is not all there": (
        "$.offers['price', 'stock']",
        [("$[0]['offers'][0]['price']", 1), ("$[0]['offers'][1]['price']", 2)],
    ),
    "type in a list": (
        "$.where[?@['@type']=='Place'].name",
        [("$[0]['where'][1]['name']", "Hall")],
    ),
    "other types in a list": (
        "$.where[?@['@type']!='Place'].name",
        [("$[0]['where'][0]['name']", "Stream")],
    ),
    "type of one object": (
        "$.stage[?@['@type']=='Place'].name",
        [("$[0]['stage']['name']", "Barn")],
    ),
    "another type of one object": ("$.stage[?@['@type']!='Place'].name", []),
    "no type at all": ("$.place[?@['@type']!='Place'].name", [("$[0]['place']['name']", "Hall")]),
    "slice": ("$.offers[-1:].price", [("$[0]['offers'][1]['price']", 2)]),
    "escaped name": ("$[\"it's\"]['a\\nb']", [("$[0]['it\\'s']['a\\nb']", 1)]),
}


@pytest.mark.parametrize(("path", "expected"), PATHS.values(), ids=PATHS)
def test_path_selects_values_with_normalised_locators(
    path: str, expected: list[tuple[str, JsonValue]]
) -> None:
    found = [(format_locator(match.parts), match.value) for match in select(path, NODE)]

    assert found == expected


@pytest.mark.parametrize(("path", "expected"), PATHS.values(), ids=PATHS)
def test_locator_leads_back_to_the_value(path: str, expected: list[tuple[str, JsonValue]]) -> None:
    assert [
        format_locator(match.parts)
        for match in select(path, NODE)
        if match.value not in (value_at(TOP, match.parts), None)
    ] == []
    assert all(format_locator(parse_locator(locator)) == locator for locator, _ in expected)


def test_references_that_lead_round_in_a_circle_end() -> None:
    (match,) = select("$.loop.next.next.next.next.next.next", NODE)

    assert match.parts == (2,)


def test_two_references_to_each_other_are_nothing() -> None:
    top: JsonValue = [{"x": {"@id": "a"}}, {"@id": "b"}, {"@id": "a"}]
    node = JsonNode(top, (0,), {"x": {"@id": "a"}}, {"a": (1,), "b": (2,)})

    assert [match.value for match in select("$.x", node)] == [None]


HELD: dict[str, tuple[JsonValue, str, list[tuple[str, JsonValue]]]] = {
    "list": (
        {"a": {"@list": [1, 2]}},
        "$.a[*]",
        [("$['a']['@list'][0]", 1), ("$['a']['@list'][1]", 2)],
    ),
    "set": ({"a": {"@set": [{"b": 1}]}}, "$.a.b", [("$['a']['@set'][0]['b']", 1)]),
    "set as a value": ({"a": {"@set": ["x"]}}, "$.a", [("$['a']['@set']", ["x"])]),
    "reference with a type": (
        {"a": {"@type": "T", "@id": "#x"}, "c": {"@id": "#x", "b": 1}},
        "$.a.b",
        [("$['c']['b']", 1)],
    ),
    "name with a type": (
        {"a": {"@type": "WebPage", "@id": "/p"}},
        "$.a",
        [("$['a']", {"@type": "WebPage", "@id": "/p"})],
    ),
    "name of schema.org": (
        {"a": {"@id": "https://schema.org/InStock"}},
        "$.a",
        [("$['a']", {"@id": "https://schema.org/InStock"})],
    ),
}


@pytest.mark.parametrize(("top", "path", "matches"), HELD.values(), ids=HELD)
def test_what_only_holds_or_names_a_value_is_opened(
    top: JsonValue, path: str, matches: list[tuple[str, JsonValue]]
) -> None:
    found = select(path, JsonNode(top, (), top, {"#x": ("c",)}))

    assert [(format_locator(match.parts), match.value) for match in found] == matches


@pytest.mark.parametrize("path", ["$.", "$[", "name", "$.a b", "$..", "$[?"])
def test_a_path_that_cannot_be_read_is_refused(path: str) -> None:
    with pytest.raises(BadPathError):
        select(path, NODE)


@pytest.mark.parametrize("locator", ["", "a", "$.a", "$['a", "$[x]", "$['a']b"])
def test_only_a_normalised_path_is_a_locator(locator: str) -> None:
    with pytest.raises(BadPathError):
        parse_locator(locator)
