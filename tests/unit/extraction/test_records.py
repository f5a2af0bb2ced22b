import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing, Source
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind
from crawler.document.document import Document
from crawler.extraction.records import extract
from tests.unit.document.pages import (
    NOTICE,
    PRODUCT,
    ld_json,
    make_bulletins,
    make_rules,
    make_snapshot,
)
from tests.unit.extraction.reading import evidence, only, read

SITE_RULES = {"name": ("css:h1",), "price": ("css:.price::text",)}


def with_rules(**fields: tuple[str, ...]) -> Rules:
    return make_rules(PRODUCT, RecordRules(type="product", fields=fields))


PAGES: dict[str, tuple[str, dict[str, JsonValue]]] = {
    "CDATA whose end is escaped": (
        ld_json(
            '\n// <![CDATA[\n{"@context":"https://schema.org","@type":"Product","name":"Lamp",'
            '"offers":{"@type":"Offer","price":"19.00","priceCurrency":"GBP"}}\n// ]]&gt;\n'
        ),
        {"name": "Lamp", "price": 19, "currency": "GBP"},
    ),
    "whole body escaped": (
        ld_json(
            "{&quot;@type&quot;:&quot;Product&quot;,&quot;name&quot;:&quot;Mug &amp;amp; Saucer&quot;}"
        ),
        {"name": "Mug & Saucer"},
    ),
    "broken sibling": (
        ld_json("{broken", {"@type": "Product", "name": "Chair"}),
        {"name": "Chair"},
    ),
    "behind </html>": (
        "<html><body><h1>Feta</h1></body></html>" + ld_json({"@type": "Product", "name": "Feta"}),
        {"name": "Feta"},
    ),
    "raw control characters": (
        ld_json('{"@type":"Product","name":"Phone\n\tX"}'),
        {"name": "Phone X"},
    ),
    "members that are no objects": (
        ld_json(
            {"@graph": [{"@type": "WebPage"}, False, None, "x", {"@type": "Product", "name": "A"}]}
        ),
        {"name": "A"},
    ),
    "references in a graph": (
        ld_json(
            {
                "@graph": [
                    {"@type": "WebPage", "@id": "#w", "primaryImageOfPage": {"@id": "#i"}},
                    {"@type": "ImageObject", "@id": "#i", "url": "https://example.com/a.jpg"},
                    {"@type": "Product", "@id": "#p", "name": "A", "image": {"@id": "#i"}},
                ]
            }
        ),
        {"name": "A", "image": "https://example.com/a.jpg"},
    ),
    "references in a list": (
        ld_json(
            [
                {"@type": "Product", "name": "A", "image": [{"@id": "#i"}]},
                {"@id": "#i", "url": "https://example.com/a.jpg"},
            ]
        ),
        {"image": "https://example.com/a.jpg"},
    ),
    "reference to nothing": (
        ld_json({"@type": "Product", "name": "A", "image": {"@id": "#i"}}),
        {"image": None},
    ),
    "list of types": (ld_json({"@type": ["Product", "Thing"], "name": "A"}), {"name": "A"}),
    "entities in a value": (
        ld_json({"@type": "Product", "name": "Salt &amp; Pepper &#8211; 2 pack"}),
        {"name": "Salt & Pepper \u2013 2 pack"},
    ),
    "several of the type": (
        ld_json(
            [
                {"@type": "Product", "name": "Related", "url": "/p/2", "offers": {"price": "99"}},
                {"@type": "Product", "name": "Main", "url": "/p/1", "sku": 1},
            ]
        ),
        {"name": "Main", "price": None, "url": "https://example.com/p/1"},
    ),
    "offers that agree": (
        ld_json({"@type": "Product", "name": "A", "offers": [{"price": 1}, {"price": "1.00"}]}),
        {"price": 1},
    ),
    "keywords": (
        ld_json({"@type": "Product", "name": "A", "keywords": ["a", "b"]}),
        {"tags": ["a", "b"]},
    ),
    "false for nothing": (
        ld_json({"@type": "Product", "name": "A", "image": False}),
        {"image": None},
    ),
    "relative address with base": (
        '<base href="https://cdn.example.com/z/">'
        + ld_json({"@type": "Product", "name": "A", "image": "x.jpg"}),
        {"image": "https://cdn.example.com/z/x.jpg"},
    ),
}


@pytest.mark.parametrize(("body", "values"), PAGES.values(), ids=PAGES)
def test_json_ld_gives_the_values_of_the_main_entity(
    body: str, values: dict[str, JsonValue]
) -> None:
    candidate = only(read(body))

    assert {name: candidate.values[name] for name in values} == values


def test_a_page_read_from_json_ld_never_becomes_a_tree() -> None:
    product = {"@type": "Product", "name": "A", "offers": {"price": 1}, "image": "a.jpg"}
    snapshot = make_snapshot(ld_json(product))
    document = Document(snapshot)

    extract(document, snapshot, make_rules())

    assert not document.is_parsed


def test_json_ld_evidence_leads_to_the_block_and_keeps_what_stood_there() -> None:
    body = ld_json('{"@type":"Product","name":"Salt &amp; Pepper"};').encode()

    found = evidence(only(read(body)), "name")

    assert found.locator == "0:$['name']"
    assert found.raw == "Salt &amp; Pepper"
    assert found.rule == "jsonld:$.name"
    assert found.span is not None
    assert body[slice(*found.span)].startswith(b'{"@type"')
    assert found.repairs == ("trailing semicolon dropped",)


def test_node_evidence_has_a_path_and_the_reason_why_it_has_no_span() -> None:
    found = evidence(only(read("<h1>A  <b>lamp</b></h1>", with_rules(**SITE_RULES))), "name")

    assert (found.source, found.locator, found.raw) == (Source.CSS, "/html/body/h1", "A lamp")
    assert found.span is None
    assert found.span_reason


def test_rules_of_the_site_replace_those_of_the_type_and_stand_in_order() -> None:
    body = ld_json({"@type": "Product", "name": "From JSON-LD"}) + "<h2></h2><h3>From h3</h3>"

    candidate = only(read(body, with_rules(name=("css:h2", "css:h3", "jsonld:$.name"))))

    assert candidate.values["name"] == "From h3"


def test_the_next_source_is_asked_only_when_the_one_before_has_nothing() -> None:
    body = ld_json({"@type": "Product", "offers": {"price": ""}}) + "<h1>A</h1><i class=price>5</i>"

    candidate = only(read(body))

    assert candidate.values["name"] == "A"
    assert candidate.values["price"] == 5
    assert evidence(candidate, "price").rule == "css:.price::text"


LACKS: dict[str, tuple[object, Missing]] = {
    "null": ({"releaseDate": None}, Missing.ABSENT),
    "empty": ({"releaseDate": " "}, Missing.ABSENT),
    "empty list": ({"releaseDate": []}, Missing.ABSENT),
    "no such key": ({}, Missing.NOT_FOUND),
    "several values": ({"releaseDate": ["2026-01-01", "2026-01-02"]}, Missing.AMBIGUOUS),
}


@pytest.mark.parametrize(("extra", "missing"), LACKS.values(), ids=LACKS)
def test_a_missing_value_says_which_of_three_things_it_is(
    extra: dict[str, JsonValue], missing: Missing
) -> None:
    candidate = only(read(ld_json({"@type": "Product", "name": "A", **extra})))

    assert candidate.fields["released"].value is None
    assert candidate.fields["released"].missing is missing


def test_several_values_are_a_problem_only_where_the_site_file_promised_one() -> None:
    body = "<h1>A</h1><i class=price>5</i><i class=price>6</i>"

    ((_, by_default),) = read(body).records
    ((_, (by_site,)),) = read(body, with_rules(**SITE_RULES)).records

    assert by_default == ()
    assert by_site.reason is RejectReason.AMBIGUOUS_FIELD


EVENT = RecordType(
    "event",
    "event.v1",
    ("Event",),
    ("url",),
    (
        FieldSpec("price_min", FieldKind.NUMBER, rules=("jsonld:$.offers.price",)),
        FieldSpec("price_max", FieldKind.NUMBER, rules=("jsonld:$.offers.price",)),
        FieldSpec("venue", rules=("jsonld:$.location.name", "jsonld:$.location")),
        FieldSpec("address", rules=("jsonld:$.location.address",)),
        FieldSpec("online", FieldKind.URL, rules=("jsonld:$.location.url",)),
    ),
)
GBP, EUR = {"priceCurrency": "GBP"}, {"priceCurrency": "EUR"}
EVENTS: dict[str, tuple[dict[str, JsonValue], dict[str, JsonValue]]] = {
    "prices in one currency": (
        {"offers": [{"price": "20", **GBP}, {"price": "5", **GBP}]},
        {"price_min": 5, "price_max": 20},
    ),
    "prices in two currencies": (
        {"offers": [{"price": "20", **GBP}, {"price": "5", **EUR}]},
        {"price_min": None, "price_max": None},
    ),
    "online event as a place of nulls": (
        {
            "location": {
                "@type": "Place",
                "name": "Online event",
                "address": {"streetAddress": None, "addressCountry": ""},
                "geo": {"latitude": None},
            }
        },
        {"venue": "Online event", "address": None},
    ),
    "virtual and real place": (
        {
            "location": [
                {"@type": "VirtualLocation", "url": "https://example.com/live"},
                {"@type": "Place", "name": "Hall A", "address": "1 Main St"},
            ]
        },
        {"venue": "Hall A", "address": "1 Main St", "online": "https://example.com/live"},
    ),
    "place as text": ({"location": "Hall B"}, {"venue": "Hall B", "address": None}),
}


@pytest.mark.parametrize(("node", "values"), EVENTS.values(), ids=EVENTS)
def test_events_are_read_from_every_form_of_offers_and_location(
    node: dict[str, JsonValue], values: dict[str, JsonValue]
) -> None:
    candidate = only(read(ld_json({"@type": "Event", **node}), make_rules(EVENT)))

    assert {name: candidate.values[name] for name in values} == values


def test_the_address_of_an_online_event_is_absent() -> None:
    body = ld_json({"@type": "Event", "location": {"address": {"streetAddress": None}}})

    assert only(read(body, make_rules(EVENT))).fields["address"].missing is Missing.ABSENT


TWO = ld_json([{"@type": "Product", "name": "A", "url": "/a"}, {"@type": "Product", "name": "B"}])


def test_on_a_listing_every_node_is_a_record_of_its_own() -> None:
    extracted = read(TWO + "<h1>C</h1><i class=price>5</i>", page_kind=PageKind.LISTING)

    first, second = (candidate for candidate, _ in extracted.records)
    assert [first.values["name"], second.values["name"]] == ["A", "B"]
    assert first.key == "https://example.com/a"
    assert second.key == "https://example.com/p/1#B"
    assert second.fields["price"].missing is Missing.NOT_FOUND


def test_on_a_page_about_one_thing_the_others_are_left_alone_and_counted() -> None:
    extracted = read(TWO)

    assert only(extracted).values["name"] == "A"
    assert extracted.left_alone == 1
    assert any("left alone" in note for note in extracted.notes)


def test_a_page_with_nothing_but_its_address_holds_no_record() -> None:
    assert read("<p>text</p>").records == ()


def test_broken_blocks_are_noted_with_their_place() -> None:
    extracted = read(ld_json("{broken", {"@type": "Product", "name": "A"}))

    assert extracted.notes[0].startswith("JSON-LD block 0 (bytes ")


def test_rows_are_read_each_for_itself() -> None:
    row = '<article data-id="{0}" data-published="2026-09-10"><h2>{0}</h2></article>'

    extracted = read(row.format("a") + row.format("b"), make_bulletins())

    assert [candidate.key for candidate, _ in extracted.records] == ["a", "b"]
    assert [candidate.values["title"] for candidate, _ in extracted.records] == ["a", "b"]
    assert len(extracted.rows) == 2


def test_a_rule_that_cannot_be_used_is_a_problem_and_no_exception() -> None:
    rules = make_rules(NOTICE, RecordRules(type="notice", fields={"title": ("xpath://h1[",)}))

    extracted = read("<h1>A</h1>", rules)

    assert extracted.records == ()
