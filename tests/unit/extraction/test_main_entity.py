import pytest
from pydantic import JsonValue

from crawler.document.document import Document
from crawler.extraction.entities import Entity, find_entities
from crawler.extraction.jsonld import JsonLd
from crawler.extraction.main_entity import FIRST, PageIdentity, choose_main
from tests.unit.document.pages import make_snapshot

MAIN: dict[str, tuple[dict[str, JsonValue], bool]] = {
    "url": ({"url": "https://example.com/p/2"}, True),
    "relative url": ({"url": "/p/2"}, True),
    "slash, scheme and www": ({"url": "http://www.example.com/p/2/"}, True),
    "id with fragment": ({"@id": "https://example.com/p/2#event"}, True),
    "main entity of page": ({"mainEntityOfPage": {"@id": "https://example.com/p/2"}}, True),
    "main entity of page as text": ({"mainEntityOfPage": "https://example.com/p/2"}, True),
    "canonical address": ({"url": "https://example.com/canonical"}, True),
    "title": ({"name": "Garden Jazz"}, True),
    "headline in the title, entities and case": ({"headline": "garden  &#74;azz"}, True),
    "heading": ({"name": "Late Show"}, True),
    "another page": ({"url": "https://example.com/p/22"}, False),
    "another host": ({"url": "https://example.org/p/2"}, False),
    "inside the title": ({"name": "Jazz"}, False),
    "part of the heading": ({"name": "Late"}, False),
    "no address": ({"url": True}, False),
}
PAGE = (
    "<title>Garden Jazz | Example</title><link rel=canonical href=/canonical>"
    "<h1>Late  <b>show</b></h1>"
)


def identity(body: str = PAGE) -> PageIdentity:
    snapshot = make_snapshot(body, url="https://example.com/p/2")
    return PageIdentity(snapshot, Document(snapshot))


def entities(value: JsonValue) -> list[Entity]:
    return find_entities([JsonLd(0, (0, 0), value)], ["Event"])


@pytest.mark.parametrize(("node", "is_main"), MAIN.values(), ids=MAIN)
def test_the_main_node_is_chosen_by_evidence_else_it_is_the_first(
    node: dict[str, JsonValue], is_main: bool
) -> None:
    first, second = nodes = entities(
        [{"@type": "Event", "url": "/p/1"}, {"@type": "Event", **node}]
    )

    chosen = choose_main(nodes, identity())

    assert chosen is not None
    assert chosen[0] is (second if is_main else first)
    assert (chosen[1] == FIRST) is not is_main


def test_a_node_that_another_calls_its_main_entity_comes_before_one_with_the_title() -> None:
    value: JsonValue = [
        {"@type": "Event", "name": "Garden Jazz"},
        {"@type": "WebPage", "mainEntity": {"@type": "Event", "name": "Other"}},
    ]

    chosen = choose_main(entities(value), identity())

    assert chosen is not None
    assert chosen[0].node.parts == (1, "mainEntity")
    assert chosen[1] == "the page names it as its main entity"


def test_several_that_pass_a_test_are_told_apart_by_the_next() -> None:
    value: JsonValue = [
        {"@type": "Event", "url": "/p/2", "name": "Day"},
        {"@type": "Event", "url": "/p/2", "name": "Late Show"},
    ]

    chosen = choose_main(entities(value), identity())

    assert chosen is not None
    assert chosen[0].node.parts == (1,)
    assert chosen[1].startswith("its address is that of the page; ")


def test_a_page_without_nodes_has_no_main_node() -> None:
    assert choose_main(entities([]), identity()) is None


def test_one_node_needs_no_evidence_and_no_parse() -> None:
    snapshot = make_snapshot(PAGE)
    document = Document(snapshot)

    chosen = choose_main(entities({"@type": "Event"}), PageIdentity(snapshot, document))

    assert chosen is not None
    assert not document.is_parsed
