import json
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.settings import Settings

from crawler.admission.decision import admission_policy
from crawler.contracts.frontier import FormerReading
from crawler.contracts.meta import ACCEPT_SHORT, ROW, SCOPE, SENT_AT
from crawler.contracts.outcome import Reason
from crawler.contracts.page import Link
from crawler.contracts.site.access import Access, Budget
from crawler.contracts.snapshot import Hop, PageKind, Representation
from crawler.engine.requests import (
    UnstorableRequest,
    as_admitted,
    build_request,
    continue_as,
    default_headers,
    follow_redirect,
    link_row,
    new_row,
    seed_rows,
)
from tests.unit.rows import make_leased_row
from tests.unit.sites.builders import parse, site_text

NOW = 1_788_220_800.0  # 2026-09-01
ROW_1 = make_leased_row("https://garden.example/now", requested_url="https://garden.example/")


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    def read(self: Spider, response: Any) -> Any:
        return function(self, response)

    return read


class Garden(Spider):
    name = "garden"

    def parse(self, response: Any, **_: Any) -> None: ...

    def read(self, response: Any) -> None: ...

    def fail(self, failure: Any) -> None: ...

    @wrapped
    def misnamed(self, response: Any) -> None: ...


SPIDER = Garden()


# Rows as requests


def test_a_row_becomes_a_request_that_carries_it() -> None:
    request = build_request(ROW_1, Access(), SPIDER, {})

    assert (request.url, request.method, request.body) == (ROW_1.url, "GET", b"")
    assert request.callback == SPIDER.parse
    assert request.errback == SPIDER.fail
    assert request.dont_filter
    assert request.meta[ROW] is ROW_1
    assert request.meta[SCOPE] == "garden.example"


def test_a_row_keeps_its_callback_with_arguments_its_body_and_its_headers() -> None:
    row = replace(
        ROW_1,
        method="POST",
        body=b"\x00q",
        callback="read",
        cb_kwargs='{"page": 2}',
        headers=(("X-A", "1"), ("X-A", "é"), ("Accept", "*/*")),
    )

    request = build_request(row, Access(), SPIDER, {})

    assert (request.method, request.body) == ("POST", b"\x00q")
    assert (request.callback, request.cb_kwargs) == (SPIDER.read, {"page": 2})
    assert len(request.headers.getlist("X-A")) == 2
    assert request.headers["Accept"] == b"*/*"


@pytest.mark.parametrize(("spent", "timeout"), [(0.0, 10.0), (25.0, 5.0), (29.9, 1.0), (99.0, 1.0)])
def test_a_request_gets_the_time_that_its_row_has_left(spent: float, timeout: float) -> None:
    access = Access(timeout=10.0, budget=Budget(seconds=30.0, bytes=1000))

    request = build_request(replace(ROW_1, spent_seconds=spent), access, SPIDER, {})

    assert request.meta["download_timeout"] == timeout
    assert request.meta["download_maxsize"] == 1000


@pytest.mark.parametrize("accepts", [True, False])
def test_a_site_file_says_whether_a_body_may_be_shorter_than_announced(accepts: bool) -> None:
    request = build_request(ROW_1, Access(accept_short=accepts), SPIDER, {})
    assert request.meta[ACCEPT_SHORT] is accepts


def test_a_redirect_moves_the_row_on_and_keeps_what_was_admitted() -> None:
    request = Request("https://garden.example/new", meta={ROW: ROW_1})

    moved = follow_redirect(request, 301, "other", 2.5)

    assert moved == replace(
        ROW_1,
        url="https://garden.example/new",
        scope="other",
        redirects=(Hop("https://garden.example/now", 301),),
        spent_seconds=2.5,
    )


def test_a_moved_row_is_asked_for_as_the_redirect_left_it() -> None:
    headers = (("X-Form", "1"), ("Content-Type", "text/plain"))
    row = replace(ROW_1, method="POST", body=b"q=1", headers=headers)
    followed = {"X-Form": "1", "Accept": "*/*", "Cookie": "k=1"}
    request = Request("https://garden.example/new", headers=followed, meta={ROW: row})

    moved = follow_redirect(request, 302, "other", 0.0)

    assert (moved.method, moved.body, moved.headers) == ("GET", b"", (("X-Form", "1"),))


def test_the_target_of_a_redirect_is_charged_to_its_own_scope_and_has_the_time_left() -> None:
    access = Access(timeout=10.0, budget=Budget(seconds=30.0, bytes=1000))
    moved = replace(ROW_1, scope="other", spent_seconds=27.0)
    meta = {ROW: ROW_1, SCOPE: "garden.example", SENT_AT: 1.0, "download_timeout": 10.0}

    request = continue_as(Request("https://other.example/", meta=meta), moved, access)

    assert request.meta == {ROW: moved, SCOPE: "other", "download_timeout": 3.0}


# Requests as rows


def test_a_request_of_a_spider_becomes_a_row_and_back() -> None:
    request = Request(
        "https://garden.example/a?b=1#c",
        method="POST",
        body=b"q=1",
        headers={"X-A": ["1", "2"]},
        callback=SPIDER.read,
        cb_kwargs={"page": 2, "tags": ["é"]},
        priority=7,
    )

    row = new_row(request, SPIDER, "garden.example", depth=3)

    assert (row.method, row.body, row.priority, row.depth) == ("POST", b"q=1", 7, 3)
    assert row.headers == (("X-A", "1"), ("X-A", "2"))
    assert (row.callback, json.loads(row.cb_kwargs)) == ("read", {"page": 2, "tags": ["é"]})
    assert row.refused is None


def test_a_request_without_a_callback_is_parsed_as_any_page() -> None:
    assert new_row(Request("https://garden.example/"), SPIDER, "s", 0).callback is None


def test_the_same_request_has_one_fingerprint_and_another_body_another() -> None:
    def name(url: str, body: bytes = b"") -> str:
        return new_row(Request(url, method="POST", body=body), SPIDER, "s", 0).fingerprint

    first = name("https://garden.example/a?b=1&c=2")
    assert first == name("https://GARDEN.example:443/a?c=2&b=1#top")
    assert first != name("https://garden.example/a?b=1&c=2", b"x")


CALLBACKS = {
    "lambda": lambda _: None,
    "function": wrapped,
    "partial": partial(SPIDER.read, None),
    "method of another spider": Garden().read,
    "method of another object": [].append,
    "method under the name of another": SPIDER.misnamed,
}


@pytest.mark.parametrize("callback", CALLBACKS.values(), ids=CALLBACKS)
def test_a_callback_that_lives_only_in_memory_is_refused(callback: Any) -> None:
    request = Request("https://garden.example/", callback=callback)

    with pytest.raises(UnstorableRequest, match="no method of the spider"):
        new_row(request, SPIDER, "s", 0)


def circular() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def nested() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


ARGUMENTS = {
    "object": object(),
    "set": {1},
    "bytes": b"x",
    "date": date(2026, 1, 1),
    "NaN": math.nan,
    "infinity": math.inf,
    "itself": circular(),
    "deep": nested(),
}


@pytest.mark.parametrize("value", ARGUMENTS.values(), ids=ARGUMENTS)
def test_an_argument_that_is_no_json_is_refused(value: Any) -> None:
    request = Request("https://garden.example/", callback=SPIDER.read, cb_kwargs={"v": value})

    with pytest.raises(UnstorableRequest, match="cb_kwargs"):
        new_row(request, SPIDER, "s", 0)


UNSTORABLE: dict[str, dict[str, Any]] = {
    "credential": {"headers": {"authorization": "Basic x"}},
    "Cookie": {"headers": {"Cookie": "k=1"}},
    "Proxy-Authorization": {"headers": {"Proxy-Authorization": "Basic x"}},
    "cookies=": {"cookies": {"k": "1"}},
    "errback": {"errback": SPIDER.read},
}


@pytest.mark.parametrize(("problem", "given"), UNSTORABLE.items(), ids=UNSTORABLE)
def test_neither_credentials_nor_a_foreign_errback_are_stored(
    problem: str, given: dict[str, Any]
) -> None:
    request = Request("https://garden.example/", **given)

    with pytest.raises(UnstorableRequest, match=problem):
        new_row(request, SPIDER, "s", 0)


def test_a_request_may_name_the_errback_that_every_row_has() -> None:
    request = Request("https://garden.example/", headers={"X-A": "1"}, errback=SPIDER.fail)

    assert new_row(request, SPIDER, "s", 0).headers == (("X-A", "1"),)


# URLs


ADMITTED = [
    ("HTTPS://Garden.Example/a", "https://garden.example/a"),
    ("https://garden.example:443/a", "https://garden.example/a"),
    ("https://garden.example:8443/a", "https://garden.example:8443/a"),
    ("https://garden.example", "https://garden.example/"),
    ("no url", "no url"),
]


@pytest.mark.parametrize(("url", "admitted"), ADMITTED)
def test_what_is_sent_is_what_admission_read(url: str, admitted: str) -> None:
    assert as_admitted(url) == admitted


def test_start_urls_are_listings_that_go_first() -> None:
    site = parse(site_text(start="start: [https://garden.example/events, https://garden.example]"))

    rows = seed_rows(site)

    assert [row.url for row in rows] == ["https://garden.example/events", "https://garden.example/"]
    assert {(row.page_kind, row.priority, row.depth, row.scope) for row in rows} == {
        (PageKind.LISTING, 1, 0, "garden.example")
    }


@pytest.mark.parametrize(
    ("trust", "since", "kind", "after"),
    [
        ("trust_lastmod: 7d", NOW - 3_600, PageKind.DETAIL, NOW - 3_600),
        ("trust_lastmod: 7d", NOW - 365 * 86_400, PageKind.DETAIL, NOW - 7 * 86_400),
        ("trust_lastmod: 7d", NOW + 3_600, PageKind.DETAIL, NOW + 3_600),
        ("trust_lastmod: 7d", None, PageKind.DETAIL, None),
        ("trust_lastmod: 7d", NOW - 3_600, PageKind.LISTING, None),
        ("may_be_empty: true", NOW - 3_600, PageKind.DETAIL, None),
    ],
    ids=["changed lately", "long ago", "in future", "no date", "a sitemap", "not trusted"],
)
def test_a_reading_stands_while_a_trusted_sitemap_says_so(
    trust: str, since: float | None, kind: PageKind, after: float | None
) -> None:
    site = parse(site_text(collect=f"collect: {{sitemap: {{urls: robots, {trust}}}}}"))
    link = Link("https://garden.example/e/1", kind, "sitemap", unchanged_since=since)

    row = link_row(link, site, admission_policy(site.config), depth=1, now=NOW)

    expected = None if after is None else FormerReading(after, site.rules.version)
    assert row.unless_read == expected


def test_shapes_are_named_where_they_are_bounded() -> None:
    link = Link("https://garden.example/e/1?day=2", PageKind.DETAIL, "a")

    shapes = []
    for collect in ("collect: {}", "collect: {max_per_shape: 5}"):
        site = parse(site_text(collect=collect))
        policy = admission_policy(site.config)
        shapes.append(link_row(link, site, policy, depth=1, now=NOW).shape)

    assert shapes == [None, "https://garden.example/e/<int>?day"]


@pytest.mark.parametrize(
    ("collect", "expected"),
    [
        ("{sitemap: robots}", ["/robots.txt"]),
        ('{sitemap: robots, match: "/e/*"}', ["/robots.txt"]),
        ("{sitemap: robots, links: a}", ["/events", "/robots.txt"]),
        ('{sitemap: ["https://garden.example/a.xml"], next: a}', ["/events", "/a.xml"]),
    ],
)
def test_a_sitemap_takes_the_place_of_start_pages_that_nothing_is_looked_for_on(
    collect: str, expected: list[str]
) -> None:
    rows = seed_rows(parse(site_text(collect=f"collect: {collect}")))

    assert [row.url.removeprefix("https://garden.example") for row in rows] == expected
    assert rows[-1].representation is Representation.SITEMAP
    assert rows[-1].page_kind is PageKind.LISTING
    assert dict(rows[-1].headers)["Accept"].startswith("application/xml")


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("https://garden.example/e/1", None),
        ("https://elsewhere.example/e/1", Reason.REFUSED_SCOPE),
        ("https://garden.example/e/list/e/list/e/list", Reason.REFUSED_TRAP),
        ("file:///etc/passwd", Reason.REFUSED_SCOPE),
        ("https://garden.example\\@127.0.0.1/", Reason.REFUSED_MALFORMED),
    ],
)
def test_a_link_is_born_with_its_refusal(url: str, refused: Reason | None) -> None:
    site = parse(site_text())
    policy = admission_policy(site.config)
    link = Link(url, PageKind.DETAIL, "a")

    row = link_row(link, site, policy, depth=2, now=NOW)

    assert (row.refused.reason if row.refused else None) == refused
    assert (row.page_kind, row.priority, row.depth) == (PageKind.DETAIL, 0, 2)


@pytest.mark.parametrize("days", [-1, 0, 1, 4, 40])
def test_no_address_is_made_of_the_date(days: int) -> None:  # DU06
    """Records of December that appear in January stand where they are listed."""
    site = parse(site_text())
    link = Link("https://garden.example/2026/12/31", PageKind.DETAIL, "a")
    new_year = 1_798_761_600.0

    row = link_row(link, site, admission_policy(site.config), depth=1, now=new_year + days * 86_400)

    assert (row.url, row.refused) == (link.url, None)


def test_every_request_carries_the_default_headers_and_its_own_replace_them() -> None:
    settings = Settings(
        {"USER_AGENT": "bot", "DEFAULT_REQUEST_HEADERS": {"Accept": "a", "X": None}}
    )
    defaults = default_headers(settings)
    row = replace(ROW_1, headers=(("accept", "b"), ("Accept", "c")))

    plain = build_request(ROW_1, Access(), SPIDER, defaults)
    own = build_request(row, Access(), SPIDER, defaults)

    assert dict(plain.headers.to_unicode_dict()) == {"User-Agent": "bot", "Accept": "a"}
    assert own.headers.getlist("Accept") == [b"b", b"c"]
    assert own.headers["User-Agent"] == b"bot"
