import json
from typing import Any

import pytest
from pydantic import JsonValue

from crawler.contracts.page import Link
from crawler.contracts.site.collect import ApiSource, CalendarSource, Collect, FeedSource
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.entry import count_expected, find_entry_links, with_parameter
from crawler.document.open_data import open_data
from tests.unit.document.pages import make_snapshot

URL = "https://api.example/items"


def links_of(body: str, collect: Collect, url: str = URL) -> list[Link]:
    representation = collect.start_representation or Representation.HTML
    snapshot = make_snapshot(body, url=url, representation=representation)
    return list(find_entry_links(open_data(snapshot, collect), collect, url))


def next_of(answer: JsonValue, url: str = URL, **api: Any) -> str | None:
    """Return the one link of a response whose rows are records."""
    links = links_of(json.dumps(answer), Collect(api=ApiSource(rows="$.items", **api)), url)
    assert all(link.representation is Representation.JSON for link in links)
    return links[0].url if links else None


ROWS: list[JsonValue] = [{"a": 1}, {"a": 2}]
NEXT: dict[str, tuple[dict[str, Any], str, dict[str, Any], str | None]] = {
    "address": ({"next": "/items?p=2"}, URL, {"next": "$.next"}, "https://api.example/items?p=2"),
    "no address": ({"next": None}, URL, {"next": "$.next"}, None),
    "empty address": ({"next": ""}, URL, {"next": "$.next"}, None),
    "false": ({"next": False}, URL, {"next": "$.next"}, None),
    "the same address": ({"next": "/items"}, URL, {"next": "$.next"}, None),
    "another scheme": ({"next": "javascript:a()"}, URL, {"next": "$.next"}, None),
    "token": ({"c": "a b&c"}, URL, {"next": "$.c", "param": "cursor"}, f"{URL}?cursor=a+b%26c"),
    "number as token": ({"c": 7}, f"{URL}?c=6&d", {"next": "$.c", "param": "c"}, f"{URL}?d&c=7"),
    "first page": ({}, URL, {"param": "page"}, f"{URL}?page=2"),
    "later page": ({}, f"{URL}?page=7&q=%20", {"param": "page"}, f"{URL}?q=%20&page=8"),
    "page counted from 0": ({}, URL, {"param": "page", "first": 0}, f"{URL}?page=1"),
    "rows": ({}, f"{URL}?o=4", {"param": "o", "count_by": "rows"}, f"{URL}?o=6"),
    "name in brackets": (
        {},
        f"{URL}?page%5Boffset%5D=2",
        {"param": "page[offset]", "count_by": "rows"},
        f"{URL}?page%5Boffset%5D=4",
    ),
    "no number": ({}, f"{URL}?page=x", {"param": "page"}, None),
    "total reached": ({"n": 2}, URL, {"param": "page", "total": "$.n"}, None),
    "total not reached": ({"n": 3}, URL, {"param": "page", "total": "$.n"}, f"{URL}?page=2"),
    "total of rows reached": (
        {"n": "6"},
        f"{URL}?o=4",
        {"param": "o", "count_by": "rows", "total": "$.n"},
        None,
    ),
}


@pytest.mark.parametrize(("answer", "url", "api", "expected"), NEXT.values(), ids=NEXT)
def test_the_next_page_is_the_one_that_the_api_would_give(
    answer: dict[str, Any], url: str, api: dict[str, Any], expected: str | None
) -> None:
    assert next_of({"items": ROWS, **answer}, url, **api) == expected


def test_counting_ends_with_a_page_of_nothing() -> None:
    assert next_of({"items": []}, f"{URL}?page=3", param="page") is None


def test_rows_lead_to_the_pages_they_name() -> None:
    rows = [{"u": "/a"}, {"u": "/a#b"}, {"u": 7}, {}, {"u": "https://other.example/c"}]
    collect = Collect(api=ApiSource(rows="$", url="$.u"))

    links = links_of(json.dumps(rows), collect)

    assert [(link.url, link.page_kind, link.representation) for link in links] == [
        ("https://api.example/a", PageKind.DETAIL, None),
        ("https://other.example/c", PageKind.DETAIL, None),
    ]


def test_entries_that_are_records_lead_nowhere() -> None:
    feed = '<rss version="2.0"><channel><item><link>/a</link></item></channel></rss>'

    assert links_of(feed, Collect(feed=FeedSource(gives="records"))) == []
    assert [link.url for link in links_of(feed, Collect(feed=FeedSource()))] == [
        "https://api.example/a"
    ]


def test_events_lead_to_the_pages_they_name() -> None:
    body = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nURL:/a\nEND:VEVENT\nEND:VCALENDAR"

    links = links_of(body, Collect(calendar=CalendarSource(gives="pages")))

    assert [link.url for link in links] == ["https://api.example/a"]


@pytest.mark.parametrize("follows", [True, False])
def test_a_paged_feed_is_followed_only_when_that_is_asked_for(*, follows: bool) -> None:
    body = '{"version": "https://jsonfeed.org/version/1.1", "next_url": "?p=2", "items": []}'

    links = links_of(body, Collect(feed=FeedSource(follow_next=follows)))

    assert [link.url for link in links] == ([f"{URL}?p=2"] if follows else [])


@pytest.mark.parametrize(
    ("total", "expected"),
    [(12, 12), ("12", 12), ("1-10 of 1,200", 1200), (True, None), (-1, None), ([1], None)],
)
def test_the_total_is_a_count_or_nothing(total: JsonValue, expected: int | None) -> None:
    collect = Collect(api=ApiSource(rows="$.items", total="$.n"))
    body = json.dumps({"items": [], "n": total})
    data = open_data(make_snapshot(body, representation=Representation.JSON), collect)

    assert count_expected(data, collect) == expected


def test_only_one_parameter_changes() -> None:
    assert with_parameter("https://a.example/?x=%2F&p=1&y", "p", "2") == (
        "https://a.example/?x=%2F&y&p=2"
    )
