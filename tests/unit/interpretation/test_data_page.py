import json
from typing import Any

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Evidence
from crawler.contracts.outcome import Reason, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.extraction.derivation import Derivation
from crawler.interpretation.page import interpret
from tests.unit.document.pages import make_snapshot
from tests.unit.sites.builders import parse, site_text

API = 'collect: {api: {rows: "$.items", id: "$.id", total: "$.total"}}'
PRODUCT = (
    'record: {type: product, reject: %s, fields: {name: "json:$.name", price: "json:$.cost.sum", '
    'url: "json:$.link"}}'
)
FEED = "collect: {feed: {gives: records}}"
CALENDAR = "collect: {calendar: start}"
URL = "https://garden.example/list"


def rules_of(collect: str, record: str = PRODUCT % "batch") -> Rules:
    return parse(site_text(collect=collect, record=record)).rules


def snapshot_of(body: str, rules: Rules) -> Snapshot:
    representation = rules.collect.start_representation
    assert representation is not None
    return make_snapshot(body, url=URL, page_kind=PageKind.LISTING, representation=representation)


def report_of(body: str, rules: Rules) -> PageReport:
    return interpret(snapshot_of(body, rules), rules)


def answer(*rows: dict[str, JsonValue], **more: JsonValue) -> str:
    return json.dumps({"items": list(rows), **more})


def feed(*items: str) -> str:
    inside = "".join(f"<item>{item}</item>" for item in items)
    return f'<rss version="2.0"><channel>{inside}</channel></rss>'


def reasons(report: PageReport) -> list[RejectReason]:
    return [rejection.reason for rejection in report.rejections]


ROW: dict[str, Any] = {"id": 7, "name": "Rake &amp; hoe", "cost": {"sum": "1.50"}, "link": "/r"}


def test_every_value_of_a_row_has_its_place_and_is_derived_from_there() -> None:
    rules = rules_of(API)
    body = answer(ROW)
    snapshot = snapshot_of(body, rules)

    (record,) = interpret(snapshot, rules).candidates

    kinds = {spec.name: spec.kind for spec in rules.record_type.fields}
    given = {name: field for name, field in record.fields.items() if field.value is not None}
    assert {name: field.value for name, field in given.items()} == {
        "name": "Rake & hoe",
        "price": 1.5,
        "url": "https://garden.example/r",
    }
    assert record.key == "7"
    for name, field in given.items():
        assert field.evidence is not None
        assert Derivation(snapshot).derive(kinds[name], field.evidence) == field.value
    evidence = given["price"].evidence
    assert isinstance(evidence, Evidence)
    assert evidence.locator == "$['items'][0]['cost']['sum'] 7"
    assert evidence.span is not None
    assert body.encode()[slice(*evidence.span)] == b'"1.50"'


def test_a_value_that_does_not_stand_at_its_place_is_not_derived() -> None:
    rules = rules_of(API)
    (record,) = report_of(answer(ROW), rules).candidates
    evidence = record.fields["name"].evidence
    kind = rules.record_type.fields[0].kind

    other = snapshot_of(answer({**ROW, "name": "Spade"}), rules)

    assert evidence is not None
    assert Derivation(other).derive(kind, evidence) is None


WITHOUT_TOTAL = API.replace(', total: "$.total"', "")
PAGES: dict[str, tuple[str, str, list[RejectReason], int]] = {
    "all rows": (API, answer(ROW, total=1), [], 1),
    "an empty list": (WITHOUT_TOTAL, answer(), [], 0),
    "an empty list, as its total says": (API, answer(total=0), [], 0),
    "fewer than the total": (
        API,
        answer(ROW, total=2),
        [RejectReason.INCOMPLETE_COLLECTION],
        0,
    ),
    "none of the total": (API, answer(total=2), [RejectReason.INCOMPLETE_COLLECTION], 0),
    "one id twice": (API, answer(ROW, ROW), [RejectReason.DUPLICATE_ID], 0),
    "a name missing": (API, answer(ROW, {"id": 8}), [RejectReason.REQUIRED_FIELD], 0),
    "a price below zero": (
        API,
        answer({**ROW, "cost": {"sum": "-1.50"}}),
        [RejectReason.INVALID_VALUE],
        0,
    ),
    "no JSON": (API, '{"items": nope}', [RejectReason.RECORD_STRUCTURE], 0),
}


@pytest.mark.parametrize(("collect", "body", "rejected", "count"), PAGES.values(), ids=PAGES)
def test_a_response_is_judged_as_a_whole(
    collect: str, body: str, rejected: list[RejectReason], count: int
) -> None:
    report = report_of(body, rules_of(collect))

    assert report.verdict.reason is Reason.ELIGIBLE
    assert (reasons(report), len(report.candidates)) == (rejected, count)


def test_one_bad_row_rejects_itself_alone_where_the_site_file_says_so() -> None:
    report = report_of(answer(ROW, {"id": 8}), rules_of(API, PRODUCT % "row"))

    assert ([c.key for c in report.candidates], reasons(report)) == (
        ["7"],
        [RejectReason.REQUIRED_FIELD],
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('{"error": {"message": "away"}}', Reason.INCOMPLETE_SNAPSHOT),
        ('{"items": [{"id": 7, "na', Reason.TRUNCATED),
    ],
)
def test_an_answer_that_is_none_is_no_usable_page(body: str, reason: Reason) -> None:
    report = report_of(body, rules_of(API))

    assert (report.verdict.reason, report.candidates) == (reason, ())


ARTICLE = "record: {type: article}"
ITEM = "<guid>a</guid><title>A</title><pubDate>Tue, 03 Mar 2026 09:05:00 EST</pubDate>"
ENTRIES: dict[str, tuple[list[str], list[RejectReason], list[str]]] = {
    "repeated word for word": ([ITEM, ITEM], [], ["a"]),
    "two under one id": (
        [ITEM, ITEM.replace("<title>A", "<title>B")],
        [RejectReason.DUPLICATE_ID],
        [],
    ),
    "without ids": (["<title>A</title>", "<title>B</title>"], [], [f"{URL}#A", f"{URL}#B"]),
    "one page for two": (
        [
            f"<guid isPermaLink='false'>{key}</guid><title>{key}</title><link>/x</link>"
            for key in "ab"
        ],
        [],
        ["a", "b"],
    ),
    "no entry": ([], [RejectReason.UNVERIFIED_EMPTY], []),
    "no such day": (
        [ITEM.replace("03 Mar", "30 Feb").replace("Tue", "Mon")],
        [RejectReason.INVALID_DATE],
        [],
    ),
}


@pytest.mark.parametrize(("items", "rejected", "keys"), ENTRIES.values(), ids=ENTRIES)
def test_entries_are_told_apart_by_their_ids(
    items: list[str], rejected: list[RejectReason], keys: list[str]
) -> None:
    report = report_of(feed(*items), rules_of(FEED, ARTICLE))

    assert (reasons(report), [record.key for record in report.candidates]) == (rejected, keys)


def test_a_date_of_a_feed_is_that_of_its_own_event() -> None:
    (record,) = report_of(feed(ITEM), rules_of(FEED, ARTICLE)).candidates

    assert record.values["published_at"] == "2026-03-03T09:05:00-05:00"
    assert record.values["modified_at"] is None


def test_a_feed_may_be_empty_where_the_site_file_says_so() -> None:
    rules = rules_of("collect: {feed: {gives: records, may_be_empty: true}}", ARTICLE)

    assert report_of(feed(), rules).rejections == ()


def test_entries_that_name_no_page_are_passed_over_unless_all_do_so() -> None:
    rules = rules_of("collect: {feed: start}", ARTICLE)

    some = report_of(feed("<link>/a</link>", "<title>B</title>"), rules)
    none = report_of(feed("<title>B</title>"), rules)

    assert ([link.url for link in some.links], some.notes) == (
        ["https://garden.example/a"],
        ("2 entries lead to 1 pages",),
    )
    assert reasons(none) == [RejectReason.UNVERIFIED_EMPTY]


def test_an_event_of_a_calendar_is_derived_from_its_lines() -> None:
    rules = rules_of(CALENDAR, "record: {type: event}")
    event = (
        "UID:e\nSUMMARY:Fair &amp; market\nDTSTART;VALUE=DATE:20260703\nDTEND;VALUE=DATE:20260705\n"
        "STATUS:TENTATIVE\nORGANIZER;CN=Guild:mailto:a@a.example\nURL:/fair"
    )
    snapshot = snapshot_of(
        f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{event}\nEND:VEVENT\nEND:VCALENDAR\n", rules
    )

    (record,) = interpret(snapshot, rules).candidates

    said = {name: value for name, value in record.values.items() if value is not None}
    assert (record.key, said) == (
        "e",
        {
            "name": "Fair & market",
            "starts_at": "2026-07-03",
            "ends_at": "2026-07-04",
            "status": "tentative",
            "organizer": "Guild",
            "url": "https://garden.example/fair",
        },
    )
    evidence = record.fields["ends_at"].evidence
    assert evidence is not None
    assert (evidence.locator, evidence.raw) == (
        "$['VEVENT'][0]['DTEND'] e",
        "DTEND;VALUE=DATE:20260705",
    )
    assert Derivation(snapshot).derive(rules.record_type.fields[2].kind, evidence) == "2026-07-04"


def test_a_page_names_its_feed_and_that_is_all_it_is_for() -> None:
    rules = rules_of("collect: {feed: auto}", ARTICLE)
    named = make_snapshot(
        '<link rel="alternate" type="application/rss+xml" href="/f"><p>Hello there',
        page_kind=PageKind.LISTING,
    )
    silent = make_snapshot("<p>Hello there", page_kind=PageKind.LISTING)

    assert [link.url for link in interpret(named, rules).links] == ["https://example.com/f"]
    assert reasons(interpret(silent, rules)) == [RejectReason.UNVERIFIED_EMPTY]
