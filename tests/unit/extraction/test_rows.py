import json
from typing import Any

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Candidate
from crawler.contracts.rules import Rules
from crawler.contracts.site.collect import Collect, Complete
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import Extracted, extract
from crawler.interpretation.page import interpret
from tests.unit.document.pages import PRODUCT, ld_json, make_rules, make_snapshot

A: dict[str, Any] = {"@type": "Product", "name": "A", "offers": {"price": 1}}
B: dict[str, Any] = {"@type": "Product", "name": "B", "offers": {"price": 2}}


def rules_for(each: str, **fields: str) -> Rules:
    ruled: dict[str, tuple[str, ...]] = {name: (rule,) for name, rule in fields.items()}
    return make_rules(PRODUCT, RecordRules(type="product", each=each, fields=ruled))


def read(body: str, rules: Rules) -> Extracted:
    snapshot = make_snapshot(body, page_kind=PageKind.LISTING)
    return extract(Document(snapshot), snapshot, rules)


def values(extracted: Extracted, name: str) -> list[JsonValue]:
    return [candidate.values[name] for candidate, _ in extracted.records]


def listed(*items: JsonValue) -> dict[str, JsonValue]:
    entries: list[Any] = [{"@type": "ListItem", "item": item} for item in items]
    return {"@type": "ItemList", "itemListElement": entries}


OBJECTS: dict[str, tuple[str, JsonValue]] = {
    "items of a list": ("jsonld:$.itemListElement[*].item", listed(A, B)),
    "items of a list in a graph": (
        "jsonld:$.itemListElement[*].item",
        {"@graph": [{"@type": "WebPage"}, listed(A, B)]},
    ),
    "items of a list in a list": (
        "jsonld:$.itemListElement[*].item",
        [{"@type": "X"}, listed(A, B)],
    ),
    "members of a graph, named": ("jsonld:$['@graph'][*]", {"@graph": [A, B]}),
    "members of a list": ("jsonld:$[*]", [A, B]),
    "items that are described elsewhere": (
        "jsonld:$.itemListElement[*].item",
        {"@graph": [listed({"@id": "#b"}, {"@id": "#a"}), {"@id": "#b", **A}, {"@id": "#a", **B}]},
    ),
    "by a filter": (
        "jsonld:$['@graph'][?@['@type']=='Product']",
        {"@graph": [A, {"@type": "Person", "name": "C"}, B]},
    ),
    "addresses beside objects": (
        "jsonld:$.itemListElement[*].item",
        listed(A, "https://example.com/c", B),
    ),
    "types that are none of the record's": (
        "jsonld:$.dataset[*]",
        {"dataset": [{"name": "A", "offers": {"price": 1}}, {"name": "B", "offers": {"price": 2}}]},
    ),
}


@pytest.mark.parametrize(("each", "block"), OBJECTS.values(), ids=OBJECTS)
def test_every_object_that_the_path_leads_to_is_a_record(each: str, block: JsonValue) -> None:
    extracted = read(ld_json(block), rules_for(each))

    assert values(extracted, "name") == ["A", "B"]
    assert values(extracted, "price") == [1, 2]


def test_objects_of_several_blocks_are_records_and_a_repetition_is_none() -> None:
    body = ld_json(listed(A), "{broken", listed(A, B))

    extracted = read(body, rules_for("jsonld:$.itemListElement[*].item"))

    assert values(extracted, "name") == ["A", "B"]
    assert any(note.startswith("JSON-LD block 1 (bytes ") for note in extracted.notes)


def test_the_evidence_of_an_object_leads_to_its_block_and_back_to_the_value() -> None:
    body = ld_json({}, listed(A, B))
    snapshot = make_snapshot(body, page_kind=PageKind.LISTING)
    document = Document(snapshot)
    extracted = extract(document, snapshot, rules_for("jsonld:$.itemListElement[*].item"))

    _, (second, _) = extracted.records
    field = second.fields["price"]

    assert field.evidence is not None
    assert field.evidence.locator == "1:$['itemListElement'][1]['item']['offers']['price']"
    assert field.evidence.span is not None
    assert json.loads(body.encode()[slice(*field.evidence.span)]) == listed(A, B)
    kind = next(spec.kind for spec in PRODUCT.fields if spec.name == "price")
    assert Derivation(snapshot).derive(kind, field.evidence) == 2
    assert not document.is_parsed


def report_of(body: str, rules: Rules) -> PageReport:
    return interpret(make_snapshot(body, page_kind=PageKind.LISTING), rules)


def test_an_object_inside_another_one_rejects_the_page() -> None:
    report = report_of(ld_json([{**A, "isRelatedTo": B}]), rules_for("jsonld:$..[?@['@type']]"))

    (problem,) = report.rejections
    assert problem.reason is RejectReason.NESTED_RECORD
    assert problem.detail == "0:$[0]['isRelatedTo'] lies inside $[0]"


def test_a_path_that_leads_nowhere_is_an_empty_page_that_does_not_say_so() -> None:
    report = report_of(ld_json(A), rules_for("jsonld:$.itemListElement[*].item"))

    (problem,) = report.rejections
    assert problem.reason is RejectReason.UNVERIFIED_EMPTY


def test_fewer_objects_than_the_page_says_are_incomplete() -> None:
    rules = make_rules(
        PRODUCT,
        RecordRules(type="product", each="jsonld:$.itemListElement[*].item"),
        collect=Collect(complete=Complete(expected_count=".count")),
    )

    report = report_of(ld_json(listed(A, B)) + "<p class=count>3 products", rules)

    (problem,) = report.rejections
    assert problem.reason is RejectReason.INCOMPLETE_COLLECTION


def row(inner: str) -> str:
    return f"<li class=row>{inner}</li>"


def script(node: JsonValue) -> str:
    return f'<script type="application/ld+json">{json.dumps(node)}</script>'


ROWS: dict[str, tuple[str, list[JsonValue]]] = {
    "a script inside of each": (
        row(f"<h3>x</h3>{script(B)}") + row(f"<h3>x</h3>{script(A)}"),
        [2, 1],
    ),
    "an address that each links to": (
        ld_json([{**A, "url": "/a"}, {**B, "url": "https://www.example.com/b/"}])
        + row('<a href="/b#top">x</a>')
        + row('<a href="/">home</a><a href="/a">x</a>'),
        [2, 1],
    ),
    "the name that each shows": (
        ld_json([A, B]) + row("<h3>b</h3>") + row("<a href='/x'> A </a>"),
        [2, 1],
    ),
    "one row without": (ld_json(A) + row("<h3>A</h3>") + row("<h3>B</h3>"), [1, None]),
    "a name that two rows show": (
        ld_json([A, B]) + row("<h3>A</h3>") + row("<h3>A</h3>"),
        [None] * 2,
    ),
    "a name that two objects have": (
        ld_json([A, {**A, "offers": {"price": 3}}]) + row("<h3>A</h3>") + row("<h3>C</h3>"),
        [None, None],
    ),
    "an address that two rows link to": (
        ld_json([{**A, "url": "/shop"}]) + row('<a href="/shop">x</a>') * 2,
        [None, None],
    ),
    "a row that shows two names": (
        ld_json([A, B]) + row("<h3>A</h3><h3>B</h3>") + row("<h3>C</h3>"),
        [None, None],
    ),
    "several objects in one script": (
        row("<h3>x</h3>" + script([A, B])) + row("<h3>y</h3>"),
        [None, None],
    ),
    "the address of the page itself": (
        ld_json([{**A, "url": "/p/1"}]) + row('<a href="/p/1">x</a>') + row("<b>y</b>"),
        [None, None],
    ),
    "an object of another type": (
        ld_json({**A, "@type": "Event"}) + row("<h3>A</h3>") + row("<h3>B</h3>"),
        [None, None],
    ),
}


@pytest.mark.parametrize(("body", "prices"), ROWS.values(), ids=ROWS)
def test_a_row_has_the_object_that_only_it_can_mean(body: str, prices: list[JsonValue]) -> None:
    extracted = read(body, rules_for("li.row", price="jsonld:$.offers.price"))

    assert values(extracted, "price") == prices


def only_sources(candidate: Candidate, *names: str) -> list[Source | None]:
    found = (candidate.fields[name].evidence for name in names)
    return [each.source if each else None for each in found]


def test_a_row_is_read_by_selectors_and_by_its_object_together() -> None:
    body = ld_json([A, B]) + row("<h3>A</h3><i>9</i>") + row("<h3>C</h3><i>8</i>")
    rules = make_rules(
        PRODUCT,
        RecordRules(
            type="product",
            each="li.row",
            fields={"name": ("css:h3",), "price": ("jsonld:$.offers.price", "css:i")},
            compare=("price",),
        ),
    )

    (first, first_problems), (second, _) = read(body, rules).records

    assert (first.values["price"], second.values["price"]) == (1, 8)
    assert only_sources(first, "name", "price") == [Source.CSS, Source.JSONLD]
    assert [problem.reason for problem in first_problems] == [RejectReason.DISAGREEMENT]
