import json

import pytest
from pydantic import JsonValue

from crawler.document.jsonpath import format_locator
from crawler.extraction.entities import find_entities, type_names
from crawler.extraction.jsonld import JsonLd


def find(value: JsonValue, *types: str) -> list[str]:
    blocks = [JsonLd(0, (0, 0), value)]
    return [format_locator(entity.node.parts) for entity in find_entities(blocks, types)]


TYPES: dict[str, tuple[JsonValue, set[str]]] = {
    "bare": ("Recipe", {"Recipe"}),
    "list": (["Recipe", "NewsArticle"], {"Recipe", "NewsArticle"}),
    "http": ("http://schema.org/Event", {"Event"}),
    "https": ("https://schema.org/Event", {"Event"}),
    "www": ("https://www.schema.org/Event", {"Event"}),
    "prefix": ("schema:Event", {"Event"}),
    "address with a slash behind": ("http://schema.org/Event/", {"Event"}),
    "address with a fragment": ("http://schema.org/#Event", {"Event"}),
    "address without scheme": (["//schema.org/Event", "schema.org/Offer"], {"Event", "Offer"}),
    "white space": (" Event\n", {"Event"}),
    "no text": ([None, 1, {"a": 1}], set()),
    "another vocabulary": ("https://example.com/Event", {"https://example.com/Event"}),
}


@pytest.mark.parametrize(("declared", "names"), TYPES.values(), ids=TYPES)
def test_types_are_named_without_prefix(declared: JsonValue, names: set[str]) -> None:
    assert type_names({"@type": declared}) == names


PLACES: dict[str, tuple[JsonValue, list[str]]] = {
    "top": ({"@type": "Event"}, ["$"]),
    "list in a list": ([[{"@type": "Event"}], {"@type": "Event"}], ["$[0][0]", "$[1]"]),
    "graph with members that are no objects": (
        {"@graph": [{"@type": "WebPage"}, False, None, "x", {"@type": "Event"}]},
        ["$['@graph'][4]"],
    ),
    "main entity": ({"@type": "WebPage", "mainEntity": {"@type": "Event"}}, ["$['mainEntity']"]),
    "item list": (
        {"@type": "ItemList", "itemListElement": [{"item": {"@type": "Event"}}]},
        ["$['itemListElement'][0]['item']"],
    ),
    "part of a found node": ({"@type": "Event", "hasPart": [{"@type": "Event"}]}, ["$"]),
    "related to another": ({"@type": "WebPage", "isRelatedTo": {"@type": "Event"}}, []),
    "in small letters": ({"@type": "event"}, ["$"]),
    "a longer name": ({"@type": "EventReservation"}, []),
}


@pytest.mark.parametrize(("value", "locators"), PLACES.values(), ids=PLACES)
def test_nodes_are_found_where_a_page_describes_its_items(
    value: JsonValue, locators: list[str]
) -> None:
    assert find(value, "Event") == locators


def test_a_wide_block_is_walked_without_recursion() -> None:
    value: JsonValue = json.loads("[" * 60 + '{"@type":"Event"}' + "]" * 60)

    assert len(find(value, "Event")) == 1
