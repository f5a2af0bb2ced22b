"""Feeds, calendars and JSON APIs from the first request to the record, and again without a server."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.e2e.ledger import read_rows, read_versions
from tests.e2e.processes import Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step, page

pytestmark = pytest.mark.e2e

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Access denied</title><link>/</link>
<item><guid isPermaLink="false">n-1</guid><title>Bridge &lt;b&gt;open&lt;/b&gt; &amp;amp; lit</title>
<link>/news/1</link><pubDate>Tue, 03 Mar 2026 09:05:00 EST</pubDate><description>In short.</description></item>
<item><guid isPermaLink="false">n-2</guid><title>Pool shut</title><link>/news/2#top</link>
<pubDate>Wed, 04 Mar 2026 10:00:00 +0100</pubDate></item>
<item><guid isPermaLink="false">n-3</guid><title>Nowhere to read on</title>
<pubDate>Thu, 05 Mar 2026 10:00:00 GMT</pubDate></item>
</channel></rss>"""
ICS = """BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:m-1@town.example\r
SUMMARY:Council meets\\, in publi\r
 c\r
DTSTART;TZID=America/New_York:20260303T180000\r
DURATION:PT1H30M\r
LOCATION:Town hall\r
STATUS:CONFIRMED\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:m-2@town.example\r
SUMMARY:Fair\r
DTSTART;VALUE=DATE:20260704\r
DTEND;VALUE=DATE:20260706\r
STATUS:CANCELLED\r
END:VEVENT\r
END:VCALENDAR\r
"""
PER_PAGE = 3
ITEMS = 8
ARTICLE = '<script type="application/ld+json">{}</script><h1>{}</h1>'


def story(number: int) -> Step:
    node = {"@type": "NewsArticle", "headline": f"Story {number}", "datePublished": "2026-03-03"}
    return page(ARTICLE.format(json.dumps(node), f"Story {number}"))


def data(text: str, content_type: str) -> Step:
    return Step(text.encode(), headers=(("Content-Type", content_type),))


def items(hit: Hit) -> Step:
    """Answer one page of the API, in order of the numbers; behind the last one with nothing."""
    number = int(parse_qs(urlsplit(hit.target).query).get("page", ["1"])[0])
    first = (number - 1) * PER_PAGE
    rows = [
        {"sku": f"p-{n}", "title": f"Tool {n}", "price": {"amount": n + 0.5, "currency": "EUR"}}
        for n in range(first, min(first + PER_PAGE, ITEMS))
    ]
    answer = {"total": ITEMS, "items": rows}
    return Step(json.dumps(answer).encode(), headers=(("Content-Type", "application/json"),))


SCRIPTS: dict[str, Any] = {
    "/feed.xml": (data(RSS, "text/html"),),
    "/home": (
        page('<link rel="alternate" type="application/rss+xml" href="/feed.xml"><p>Welcome home'),
    ),
    "/news/1": (story(1),),
    "/news/2": (story(2),),
    "/town.ics": (data(ICS, "text/calendar; charset=iso-8859-1"),),
    "/api/items": items,
    "/api/down": (data('{"error": {"message": "backend away"}}', "application/json"),),
    "/api/none": (data('{"total": 0, "items": []}', "application/json"),),
    "/api/short": (data('{"total": 5, "items": [{"sku": "a"}]}', "application/json"),),
    "/api/cut": (data('{"items": [{"sku": "a", "title": "T', "application/json"),),
    "/login.xml": (page("<title>Log in</title><form><input type=password name=p></form>"),),
}
PRODUCT = {
    "type": "product",
    "fields": {
        "name": "json:$.title",
        "price": "json:$.price.amount",
        "currency": "json:$.price.currency",
        "sku": "json:$.sku",
    },
}
API: dict[str, Any] = {"rows": "$.items[*]", "id": "$.sku", "total": "$.total"}
SITES: dict[str, dict[str, Any]] = {
    "pages-of-feed": {
        "start": ["/feed.xml"],
        "collect": {"feed": "start"},
        "record": {"type": "article"},
    },
    "found-feed": {"start": ["/home"], "collect": {"feed": "auto"}, "record": {"type": "article"}},
    "entries": {
        "start": ["/feed.xml", "/login.xml"],
        "collect": {"feed": {"gives": "records"}},
        "record": {"type": "article"},
    },
    "calendar": {
        "start": ["/town.ics"],
        "collect": {"calendar": "start"},
        "record": {"type": "event"},
    },
    "api": {
        "start": ["/api/items"],
        "collect": {"api": {**API, "param": "page"}},
        "record": PRODUCT,
    },
    "troubled": {
        "start": ["/api/down", "/api/none", "/api/short", "/api/cut"],
        "collect": {"api": API},
        "access": {"budget": {"attempts": 1}},
        "record": PRODUCT,
    },
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, Any]]:
    """A project in which every site was crawled, and what each of them asked for."""
    folder = tmp_path_factory.mktemp("data-sources")
    project = Project(sites=folder / "sites", data=folder / "data")
    project.sites.mkdir()
    asked: dict[str, list[str]] = {}
    with Server(SCRIPTS) as server:
        for name, sections in SITES.items():
            project.write_site(name, server, **sections)
        for name in SITES:
            before = len(server.log)
            finished = project.scrapy("crawl", name)
            assert finished.code == 0, finished.stderr
            asked[name] = sorted(hit.target for hit in server.log[before:])
    return project, asked


def reasons(project: Project, site: str) -> dict[str, tuple[str | None, tuple[str, ...]]]:
    rows = read_rows(project.data, site)
    return {target: (row.reason, row.rejections) for target, row in rows.items()}


def values(project: Project, site: str, *names: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(line.get(name) for name in names) for line in project.records(site))


def test_the_entries_of_a_feed_lead_to_pages(crawled: tuple[Project, dict[str, Any]]) -> None:
    project, asked = crawled

    assert asked["pages-of-feed"] == ["/feed.xml", "/news/1", "/news/2", "/robots.txt"]
    assert {
        target: reason for target, (reason, _) in reasons(project, "pages-of-feed").items()
    } == (dict.fromkeys(("/feed.xml", "/news/1", "/news/2"), "eligible"))
    assert len(read_versions(project.data, "pages-of-feed")) == 2


def test_a_page_names_the_feed_that_leads_to_pages(
    crawled: tuple[Project, dict[str, Any]],
) -> None:
    project, asked = crawled

    assert asked["found-feed"] == ["/feed.xml", "/home", "/news/1", "/news/2", "/robots.txt"]
    assert len(read_versions(project.data, "found-feed")) == 2


def test_the_entries_of_a_feed_are_records(crawled: tuple[Project, dict[str, Any]]) -> None:
    project, asked = crawled

    assert asked["entries"] == ["/feed.xml", "/login.xml", "/robots.txt"]
    assert reasons(project, "entries")["/login.xml"] == ("authorization_review", ())
    assert values(project, "entries", "headline", "published_at", "modified_at") == [
        ("Bridge open & lit", "2026-03-03T09:05:00-05:00", None),
        ("Nowhere to read on", "2026-03-05T10:00:00Z", None),
        ("Pool shut", "2026-03-04T10:00:00+01:00", None),
    ]
    assert set(read_versions(project.data, "entries")) == {"n-1", "n-2", "n-3"}


def test_the_events_of_a_calendar_are_records(crawled: tuple[Project, dict[str, Any]]) -> None:
    project, _ = crawled

    assert values(project, "calendar", "name", "starts_at", "ends_at", "status") == [
        (
            "Council meets, in public",
            "2026-03-03T18:00:00-05:00",
            "2026-03-03T19:30:00-05:00",
            "scheduled",
        ),
        ("Fair", "2026-07-04", "2026-07-05", "cancelled"),
    ]
    assert set(read_versions(project.data, "calendar")) == {
        "m-1@town.example",
        "m-2@town.example",
    }


def test_an_api_is_read_page_by_page_to_its_end(crawled: tuple[Project, dict[str, Any]]) -> None:
    project, asked = crawled

    pages = [f"/api/items?page={number}" for number in (2, 3, 4)]
    assert asked["api"] == ["/api/items", *pages, "/robots.txt"]
    [collection] = project.collections("api")["collections"]
    assert collection["complete"] is True
    assert (collection["pages"], collection["items"], collection["expected"]) == (4, ITEMS, ITEMS)
    assert values(project, "api", "name", "price", "currency") == [
        (f"Tool {n}", n + 0.5, "EUR") for n in range(ITEMS)
    ]


def test_an_answer_that_is_none_says_why(crawled: tuple[Project, dict[str, Any]]) -> None:
    project, _ = crawled

    assert reasons(project, "troubled") == {
        "/api/down": ("incomplete_snapshot", ()),
        "/api/none": ("eligible", ()),
        "/api/short": ("eligible", ("incomplete_collection",)),
        "/api/cut": ("truncated", ()),
    }
    detail = read_rows(project.data, "troubled")["/api/down"].detail
    assert detail is not None
    assert "backend away" in detail


@pytest.mark.parametrize("site", ["pages-of-feed", "entries", "calendar", "api"])
def test_what_is_read_again_without_the_server_differs_in_nothing(
    crawled: tuple[Project, dict[str, Any]], site: str
) -> None:
    project, _ = crawled

    [told] = project.scrapy("replay", site, "--json").json

    assert (told["failures"], told["differences"]) == ([], [])


def test_a_saved_calendar_is_read_without_a_site_file(project: Project, tmp_path: Path) -> None:
    saved = tmp_path / "town.ics"
    saved.write_text(ICS, newline="")

    finished = project.scrapy("extract", str(saved), "--url", "https://town.example/town.ics")

    [line] = finished.lines
    assert line["problems"] == []
    assert [record["key"] for record in line["records"]] == [
        "m-1@town.example",
        "m-2@town.example",
    ]
    start, end = line["evidence"]["starts_at"]["span"]
    assert ICS.encode()[start:end] == b"DTSTART;TZID=America/New_York:20260303T180000"


def test_a_crawl_of_an_api_that_is_killed_loses_and_doubles_nothing(
    project: Project, server: Server, crawls: Crawls
) -> None:
    server.compute("/api/items", lambda hit: replace(items(hit), delay=0.2))
    project.write_site("api", server, **SITES["api"])
    crawl = crawls.start("api")
    assert wait_until(lambda: any("page=2" in hit.target for hit in server.log), 30)
    crawl.kill()

    finished = project.scrapy("crawl", "api")

    assert finished.code == 0, finished.stderr
    assert values(project, "api", "name") == [(f"Tool {n}",) for n in range(ITEMS)]
    assert set(read_versions(project.data, "api").values()) == {1}
