"""Sitemaps as the way to pages: an index, a packed part, a list in text, robots files."""

import gzip
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.ledger import read_rows, read_versions
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step, page

pytestmark = pytest.mark.e2e

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
RECORD = {
    "type": "event",
    "fields": {"name": ["css:h1::text"], "starts_at": ["css:time::attr(datetime)"]},
}


def event(number: int) -> Step:
    words = f"<p>{'music ' * 200}"
    return page(f"<h1>Evening {number}</h1><time datetime=2027-01-0{number}>then</time>{words}")


def urlset(*paths: str) -> str:
    entries = "".join(f"<url><loc>\n {path} </loc></url>" for path in paths)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{NAMESPACE}">{entries}</urlset>'


def index(*paths: str) -> str:
    entries = "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in paths)
    return f'<sitemapindex xmlns="{NAMESPACE}">{entries}</sitemapindex>'


def another_index(at: Callable[[str], str], hit: Hit) -> bytes:
    """Name one more sitemap that names one more."""
    number = int(hit.target.rpartition("=")[2])
    return index(at(f"/loop?n={number + 1}")).encode()


def data(body: bytes, content_type: str) -> Step:
    return Step(body, headers=(("Content-Type", content_type),))


@pytest.fixture(scope="module")
def crawled(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Project, list[str], dict[str, str]]:
    """A project in which a site was crawled by its sitemaps, and what was asked for."""
    folder = tmp_path_factory.mktemp("sitemaps")
    project = Project(sites=folder / "sites", data=folder / "data")
    project.sites.mkdir()
    with Server({f"/events/{n}": (event(n),) for n in range(1, 8)}) as server:
        at = server.url
        names = ("/one.xml.gz", "/two.txt", "/login.xml", "/bomb.gz", "/i.xml", "/loop?n=1")
        parts = tuple(map(at, names))
        scripts = {
            "/robots.txt": f"User-agent: *\nDisallow: /events/7\nSitemap: {at('/i.xml')}\n",
            "/i.xml": index(*parts, "https://elsewhere.example/sitemap.xml"),
            "/two.txt": "\n".join(map(at, ("/events/3", "/events/4", "/about", "/events/7"))),
        }
        server.compute("/loop", lambda hit: data(another_index(at, hit), "text/xml"))
        for path, text in scripts.items():
            server.serve(path, data(text.encode(), "text/plain"))
        packed = urlset(at("/events/1"), at("/events/2#x"), at("/events/2?utm_source=a"))
        server.serve("/one.xml.gz", data(gzip.compress(packed.encode()), "application/x-gzip"))
        bomb = gzip.compress(b"<urlset>" + b" " * (60 << 20) + b"</urlset>")
        server.serve("/bomb.gz", data(bomb, "application/octet-stream"))
        form = "<title>Log in</title><form><input type=password name=p></form>"
        server.serve("/login.xml", page(form))
        collect = {"sitemap": "robots", "match": "/events/<int>"}
        project.write_site("hall", server, start=["/"], collect=collect, record=RECORD)

        finished = project.scrapy("crawl", "hall")

        assert finished.code == 0, finished.stderr
        asked = sorted(hit.target for hit in server.log)
    rows: dict[str, Any] = read_rows(project.data, "hall")
    return project, asked, {target: row.reason for target, row in rows.items()}


def test_pages_of_all_parts_are_collected_and_nothing_is_asked_for_twice(
    crawled: tuple[Project, list[str], dict[str, str]],
) -> None:
    project, asked, _ = crawled

    assert asked == [
        "/bomb.gz",
        "/events/1",
        "/events/2",
        "/events/3",
        "/events/4",
        "/i.xml",
        "/login.xml",
        "/loop?n=1",
        "/loop?n=2",
        "/one.xml.gz",
        "/robots.txt",
        "/two.txt",
    ]
    assert len(read_versions(project.data, "hall")) == 4
    assert project.collections("hall")["left_out"] == {"sitemap_depth": 1}


def test_a_note_tells_of_entries_that_no_pattern_fits(
    crawled: tuple[Project, list[str], dict[str, str]],
) -> None:
    project, _, _ = crawled
    captures = project.scrapy("snapshots", "hall", "--json").json
    [part] = {each["url"] for each in captures if each["url"].endswith("/two.txt")}

    told = project.scrapy("explain", part).stdout

    assert "  note       1 entries that match or exclude leaves out\n" in told


def test_what_is_no_sitemap_or_may_not_be_asked_for_ends_with_its_reason(
    crawled: tuple[Project, list[str], dict[str, str]],
) -> None:
    _, _, reasons = crawled

    odd = {target: reason for target, reason in reasons.items() if reason != "eligible"}
    assert odd == {
        "/bomb.gz": "too_large",
        "/login.xml": "authorization_review",
        "/events/7": "refused_robots",
        "/sitemap.xml": "refused_scope",  # of another host
    }


def test_sitemaps_read_again_without_the_server_differ_in_nothing(
    crawled: tuple[Project, list[str], dict[str, str]],
) -> None:
    project, _, _ = crawled

    [told] = project.scrapy("replay", "hall", "--json").json

    assert (told["failures"], told["differences"]) == ([], [])


def test_a_trusted_date_spares_a_page_and_keeps_its_record(
    project: Project, server: Server
) -> None:
    dates = {1: "2026-01-01", 2: "2099-01-01T00:00:00Z", 3: "soon"}
    entries = "".join(
        f"<url><loc>{server.url(f'/events/{n}')}</loc><lastmod>{date}</lastmod></url>"
        for n, date in dates.items()
    )
    server.serve("/s.xml", data(f"<urlset>{entries}</urlset>".encode(), "application/xml"))
    for number in dates:
        server.serve(f"/events/{number}", event(number))
    source = {"urls": [server.url("/s.xml")], "trust_lastmod": "7d"}
    project.write_site("hall", server, start=["/"], collect={"sitemap": source}, record=RECORD)

    for _ in range(2):
        finished = project.scrapy("crawl", "hall")
        assert finished.code == 0, finished.stderr

    assert [server.hits(f"/events/{number}") for number in dates] == [1, 2, 2]
    outcomes = project.outcomes("hall")
    assert outcomes["outcomes"] == {"eligible": 3, "not_modified": 1}
    assert ", 1 not_modified; " in finished.stderr.splitlines()[-1]
    assert project.collections("hall")["complete"]
    assert len(project.records("hall")) == 3
    told = project.scrapy("explain", server.url("/events/1")).stdout
    assert "not_modified (nothing came back): read at 20" in told
