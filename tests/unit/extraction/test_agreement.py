"""Two sources that mean the same agree, however they write it."""

import pytest
from pydantic import JsonValue

from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.site.record import RecordRules
from crawler.extraction.agreement import agree
from crawler.interpretation.page import interpret
from tests.unit.document.pages import make_rules, make_snapshot

SAME: list[tuple[FieldKind, JsonValue, JsonValue]] = [
    (FieldKind.PRICE, 10, 10.0),
    (FieldKind.CURRENCY, "EUR", "eur"),
    (FieldKind.TEXT, "Red  Shoe", "red shoe"),
    (FieldKind.URL, "https://www.a.example/x/", "http://a.example/x#top"),
    (FieldKind.DATE, "2026-05", "2026-05-03"),
    (FieldKind.DATE, "2026-05-03", "2026-05-03T10:00:00"),
    (FieldKind.DATE, "2026-05-03", "2026-05-02T23:00:00Z"),
    (FieldKind.DATE, "2026-05-03T10:00:00Z", "2026-05-03T12:00:00+02:00"),
    (FieldKind.DATE, "2026-05-03T10:00:00Z", "2026-05-03T12:00:00"),
    (FieldKind.DATE, "2026-05-03T10:00:00", "2026-05-03T10:00:30"),
]
OTHER: list[tuple[FieldKind, JsonValue, JsonValue]] = [
    (FieldKind.PRICE, 10, 12),
    (FieldKind.CURRENCY, "EUR", "USD"),
    (FieldKind.URL, "https://a.example/x", "https://a.example/y"),
    (FieldKind.DATE, "2026-05", "2026-06-03"),
    (FieldKind.DATE, "2026-05-03", "2026-05-05T10:00:00Z"),
    (FieldKind.DATE, "2026-05-03T10:00:00", "2026-05-03T19:00:00"),
]


@pytest.mark.parametrize(("kind", "one", "other"), SAME)
def test_what_means_the_same_agrees(kind: FieldKind, one: JsonValue, other: JsonValue) -> None:
    assert agree(kind, one, other)
    assert agree(kind, other, one)


@pytest.mark.parametrize(("kind", "one", "other"), OTHER)
def test_what_does_not_disagrees(kind: FieldKind, one: JsonValue, other: JsonValue) -> None:
    assert not agree(kind, one, other)
    assert not agree(kind, other, one)


ITEM = RecordType(
    name="item",
    schema_version="item.v1",
    schema_types=("Product",),
    key=("name",),
    fields=(
        FieldSpec("name", is_required=True, rules=("jsonld:$.name",)),
        FieldSpec("price", FieldKind.PRICE, rules=("jsonld:$.price", "opengraph:og:price:amount")),
    ),
)
PAGE = (
    '<meta property="og:price:amount" content="{}"><script type="application/ld+json">'
    '{{"@type":"Product","name":"A","price":"10.00"}}</script><b class=price>{}</b>'
)


def read(tag: str, shown: str, **record: object) -> PageReport:
    rules = RecordRules.model_validate({"type": "item", **record})
    return interpret(make_snapshot(PAGE.format(tag, shown)), make_rules(ITEM, rules))


def test_sources_that_disagree_make_a_case_with_both_values_and_their_evidence() -> None:
    (rejection,) = read("12", "").rejections

    assert rejection.reason is RejectReason.DISAGREEMENT
    assert [field.value for field in rejection.values] == [10, 12]
    assert [field.evidence and field.evidence.source for field in rejection.values] == [
        "jsonld",
        "opengraph",
    ]


LISTED = {"price": ("jsonld:$.price", "css:.price")}


def test_a_selector_listed_behind_is_a_second_source() -> None:
    assert [each.reason for each in read("10", "$12", fields=LISTED).rejections] == [
        RejectReason.DISAGREEMENT
    ]


@pytest.mark.parametrize(
    ("tag", "shown", "record"),
    [
        ("10", "", {}),
        ("", "", {}),
        ("12", "", {"compare": ()}),
        ("12", "", {"compare": ("name",)}),
        ("12", "$10.00", {"fields": LISTED}),
        (
            "12",
            "$10.00",
            {"fields": {"price": ("css:.price", "css:script", "xpath://meta/@content")}},
        ),
    ],
    ids=["the same", "one source", "none compared", "another", "not listed", "selectors only"],
)
def test_no_case_without_two_sources_that_differ(
    tag: str, shown: str, record: dict[str, object]
) -> None:
    report = read(tag, shown, **record)

    assert [candidate.values["price"] for candidate in report.candidates] == [10]
