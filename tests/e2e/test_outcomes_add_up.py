"""Every admitted URL ends in exactly one outcome, whatever redirects, duplicates or bugs do to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import Row, read_rows, read_versions
from tests.e2e.project import CHECKOUT, Finished, Project
from tests.e2e.server import Hit, Server, Step, page, redirect

pytestmark = pytest.mark.e2e

NOTHING_OPEN = {"pending": 0, "deferred": 0, "leased": 0}


def assert_adds_up(funnel: dict[str, Any]) -> None:
    assert funnel["admitted"] == sum(funnel["outcomes"].values()) + sum(funnel["open"].values())


# Redirects


def answer_self(hit: Hit) -> Step:
    """Set a cookie and redirect to the page itself, which is there for who has the cookie."""
    if "k=1" in hit.headers.get("cookie", ""):
        return board(article("self"))
    return Step(status=302, headers=(("Location", "/self"), ("Set-Cookie", "k=1")))


def refresh(to: str, body: str = "") -> Step:
    head = f'<head><meta content="0;url={to}" http-equiv="refresh"></head>'
    return page(f"<html>{head}<body>{body}</body></html>")


REDIRECTS: dict[str, tuple[str, int, str, tuple[tuple[str, int], ...]]] = {
    "/ok": ("eligible", 1, "/ok", ()),
    "/self": ("eligible", 2, "/self", (("/self", 302),)),
    "/to-seen": ("redirected_to_seen", 1, "/to-seen", (("/to-seen", 302),)),
    "/busy-way": ("redirected_to_seen", 1, "/busy-hop", (("/busy-way", 302), ("/busy-hop", 302))),
    "/frag": ("redirected_to_seen", 1, "/frag", (("/frag", 302),)),
    "/refresh-seen": ("redirected_to_seen", 1, "/refresh-seen", (("/refresh-seen", 200),)),
    "/refresh-new": ("eligible", 1, "/d", (("/refresh-new", 200),)),
    "/noscript": ("eligible", 1, "/noscript", ()),
    "/to-other-host": ("refused_scope", 1, "", (("/to-other-host", 302),)),
    "/to-file": ("refused_scope", 1, "/to-file", ()),
    "/to-data": ("refused_scope", 1, "/to-data", ()),
    "/to-script": ("refused_scope", 1, "/to-script", ()),
    "/to-malformed": ("refused_malformed", 1, "/to-malformed", ()),
    "/refresh-file": ("eligible", 1, "/refresh-file", ()),
    "/refresh-malformed": ("eligible", 1, "/refresh-malformed", ()),
    "/to-nowhere": ("http_status", 1, "/to-nowhere", ()),
    "/unchanged": ("not_modified", 1, "/unchanged", ()),
}
"""Reason, requests for the path itself, path where it ended, hops."""
PUBLISHED = ("ok", "self", "d", "noscript", "own", "odd")


@dataclass(frozen=True, slots=True)
class Redirected:
    server: Server
    other: Server
    hits: dict[str, int]
    rows: dict[str, Row]
    funnel: dict[str, Any]
    versions: dict[str, int]


@pytest.fixture(scope="module")
def redirected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redirected]:
    folder = tmp_path_factory.mktemp("redirects")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server, Server(host="127.0.0.2") as other:
        server.serve("/ok", board(article("ok")))
        server.compute("/self", answer_self)
        server.serve("/to-seen", redirect("/ok"))
        server.serve("/busy-way", redirect("/busy-hop"))
        server.serve("/busy-hop", page("<h1>Busy</h1>", 503), redirect("/ok"))
        server.serve("/frag", redirect("/ok#part2"))
        server.serve("/refresh-seen", refresh("/ok"))
        server.serve("/refresh-new", refresh("/d"))
        server.serve("/d", board(article("d")))
        hidden = '<noscript><meta http-equiv="refresh" content="0;URL=/js.html"></noscript>'
        server.serve("/noscript", page(f"<main>{article('noscript')}</main>{hidden}"))
        server.serve("/to-other-host", redirect(other.url("/books")))
        other.compute("/*", lambda hit: board(article(hit.path)))
        server.serve("/to-file", redirect("file:///etc/hostname"))
        server.serve("/to-data", redirect("data:text/html,x"))
        # What the page says is no document either: it is a redirect.
        server.serve(
            "/to-script", Step(board(article("no")).body, 302, (("Location", "javascript:1"),))
        )
        server.serve("/to-malformed", redirect("http://[::1"))
        server.serve("/refresh-file", refresh("file:///etc/x", article("own")))
        server.serve("/refresh-malformed", refresh("http://[::1", article("odd")))
        server.serve("/to-nowhere", Step(status=302))
        server.serve("/unchanged", Step(status=304, headers=(("Location", "/ok"),)))
        server.serve("/loop-a", redirect("/loop-b"))
        server.serve("/loop-b", redirect("/loop-a"))
        server.compute("/hop/*", lambda hit: redirect(f"/hop/{int(hit.path[5:]) + 1}"))
        starts = [*REDIRECTS, "/loop-a", "/hop/0"]
        # One at a time, so that /ok is there before anything leads to it.
        write_bulletins(project, server, *starts, access={"concurrency": 1})
        assert project.scrapy("crawl", "bulletins").code == 0
        yield Redirected(
            server,
            other,
            {target: server.hits(target) for target in (*starts, "/loop-b", "/d", "/js.html")},
            read_rows(project.data, "bulletins"),
            project.outcomes("bulletins"),
            read_versions(project.data, "bulletins"),
        )


@pytest.mark.parametrize("target", REDIRECTS)
def test_each_redirect_ends_in_one_outcome(redirected: Redirected, target: str) -> None:
    reason, requests, final, hops = REDIRECTS[target]
    row = redirected.rows[target]

    assert (row.state, row.reason) == ("done", reason)
    assert redirected.hits[target] == requests
    assert row.url.endswith(final)
    assert row.hops == hops


def test_redirects_add_up_and_publish_each_page_once(redirected: Redirected) -> None:
    funnel = redirected.funnel

    assert funnel["admitted"] == len(REDIRECTS) + 2
    assert funnel["open"] == NOTHING_OPEN
    assert_adds_up(funnel)
    assert redirected.versions == dict.fromkeys(PUBLISHED, 1)


def test_a_redirect_off_the_site_sends_nothing_there(redirected: Redirected) -> None:
    row = redirected.rows["/to-other-host"]

    assert redirected.other.log == ()
    assert "is not listed for the site" in (row.detail or "")
    assert row.statuses == (302,)


def test_a_refresh_for_visitors_without_scripts_is_not_followed(redirected: Redirected) -> None:
    assert redirected.hits["/js.html"] == 0


def test_two_pages_that_redirect_to_each_other_end(redirected: Redirected) -> None:
    row = redirected.rows["/loop-a"]

    assert row.state == "done"
    assert row.reason in {"http_status", "redirected_to_seen"}
    assert redirected.hits["/loop-a"] + redirected.hits["/loop-b"] <= 21


def test_a_chain_ends_after_twenty_hops(redirected: Redirected) -> None:
    row = redirected.rows["/hop/0"]

    assert (row.reason, len(row.hops)) == ("http_status", 20)
    assert "redirect limit" in (row.detail or "")
    assert sum(hit.path.startswith("/hop/") for hit in redirected.server.log) == 21


def test_a_page_found_again_through_a_retried_redirect_is_one_record(
    project: Project, server: Server
) -> None:
    server.serve("/a", board(article("x")))
    server.serve("/b", redirect("/c"))
    server.serve("/c", page("busy", 503), redirect("/a"))
    write_bulletins(project, server, "/a", "/b", access={"concurrency": 1})

    assert project.scrapy("crawl", "bulletins").code == 0

    assert (server.hits("/a"), server.hits("/b"), server.hits("/c")) == (1, 1, 2)
    row = read_rows(project.data, "bulletins")["/b"]
    assert (row.reason, row.statuses) == ("redirected_to_seen", (302, 503, 302))
    assert read_versions(project.data, "bulletins") == {"x": 1}


def test_a_rate_limit_behind_a_redirect_cools_the_host_that_said_so(
    project: Project, server: Server
) -> None:
    with Server(host="127.0.0.2") as limited:
        server.serve("/r", redirect(limited.url("/fail")))
        server.compute("/p/*", lambda hit: board(article(hit.path)))
        limited.serve("/fail", page("slow down", 429, retry_after="60"))
        pages = [f"/p/{number}" for number in range(5)]
        access = {
            "permit_private": [server.authority, limited.authority],
            "hosts": [limited.url("").rstrip("/")],
        }
        write_bulletins(project, server, "/r", *pages, access=access)

        finished = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 0})

        assert finished.code == 4, finished.stderr
        assert (server.hits("/r"), limited.hits("/fail")) == (1, 1)
    rows = read_rows(project.data, "bulletins")
    row = rows["/r"]
    assert (row.state, row.scope) == ("deferred", "127.0.0.2")
    assert (row.hops, row.statuses) == ((("/r", 302),), (302, 429))
    assert {rows[target].reason for target in pages} == {"eligible"}
    assert_adds_up(project.outcomes("bulletins"))


# Links


def test_duplicates_and_refused_links_are_counted(project: Project, server: Server) -> None:
    links = ["/p/1", "/p/2", "/p/1#again", "/p/2", "/list", "mailto:x@example.com"]
    links += ["http://127.0.0.9:1/far", "file:///etc/hostname", "javascript:void(0)"]
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    server.serve("/list", page(f"<ul>{anchors}</ul>"))
    server.compute("/p/*", lambda hit: board(article(hit.path)))
    write_bulletins(project, server, "/list", collect={"links": "ul a"})

    assert project.scrapy("crawl", "bulletins").code == 0

    funnel = project.outcomes("bulletins")
    assert funnel["outcomes"]["eligible"] == 3
    assert funnel["outcomes"]["refused_scope"] >= 1
    assert funnel["duplicates"] >= 1
    assert funnel["open"] == NOTHING_OPEN
    assert_adds_up(funnel)
    assert {hit.path for hit in server.log} == {"/robots.txt", "/list", "/p/1", "/p/2"}
    assert [server.hits(target) for target in ("/list", "/p/1", "/p/2")] == [1, 1, 1]


# Components that are not ours

PLUGIN = """\
from scrapy.exceptions import DropItem


class Raising:
    def process_item(self, item):
        if "bad" in str(item.final_url):
            raise RuntimeError("a bug of ours")
        return item


class Dropping(Raising):
    def process_item(self, item):
        if "bad" in str(item.final_url):
            raise DropItem("not wanted")
        return item


class RaisingAlways:
    def process_item(self, item):
        raise RuntimeError("a bug of ours")
"""


def crawl_with_plugin(project: Project, cls: str, monkeypatch: pytest.MonkeyPatch) -> Finished:
    folder = project.sites.parent / "plugin"
    folder.mkdir()
    (folder / "plugin_settings.py").write_text(
        "from crawler.settings import *\n"
        f'ITEM_PIPELINES = {{**ITEM_PIPELINES, "plugin.{cls}": 50}}\n'
    )
    (folder / "plugin.py").write_text(PLUGIN)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{CHECKOUT}")
    return project.scrapy("crawl", "bulletins", module="plugin_settings")


@pytest.mark.parametrize("cls", ["Raising", "Dropping"])
def test_an_item_that_a_pipeline_refuses_is_an_outcome_and_the_others_go_on(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch, cls: str
) -> None:
    server.compute("/*", lambda hit: board(article(hit.path)))
    server.serve("/robots.txt", page("", 404))
    write_bulletins(project, server, "/good-1", "/bad", "/good-2")

    finished = crawl_with_plugin(project, cls, monkeypatch)

    assert finished.code == 0, finished.stderr
    rows = read_rows(project.data, "bulletins")
    assert {target: row.reason for target, row in rows.items()} == {
        "/good-1": "eligible",
        "/bad": "internal_error",
        "/good-2": "eligible",
    }
    assert (rows["/bad"].trace or "").strip() != ""
    assert server.hits("/bad") == 1
    assert_adds_up(project.outcomes("bulletins"))


def test_a_run_in_which_every_item_raises_has_failed(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.compute("/*", lambda hit: board(article(hit.path)))
    server.serve("/robots.txt", page("", 404))
    write_bulletins(project, server, "/1", "/2")

    finished = crawl_with_plugin(project, "RaisingAlways", monkeypatch)

    assert finished.code == 1
    funnel = project.outcomes("bulletins")
    assert funnel["outcomes"] == {"internal_error": 2}
    assert_adds_up(funnel)
    assert (server.hits("/1"), server.hits("/2")) == (1, 1)


SPIDER = dedent("""\
    from crawler.spiders.site import SiteSpider
    from scrapy import Request


    class Handmade(SiteSpider):
        name = "handmade"
        site_file = "bulletins"

        def parse(self, response, **_):
            if "/bad" in response.url:
                raise RuntimeError("a bug of the spider")
            if response.url.endswith("/list"):
                yield response.follow("/page?n=1", self.parse_page, cb_kwargs={"n": 1})
                yield response.follow("/page?n=1", self.parse_page, cb_kwargs={"n": 1})
                yield Request(response.urljoin("/page?n=2"), self.parse_page, meta=response.meta)
            yield from super().parse(response)

        def parse_page(self, response, n=2):
            assert response.url.endswith(f"n={n}"), response.url
            yield from super().parse(response)
""")


def test_a_hand_written_spider_adds_up_too(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.compute("/*", lambda hit: board(article(hit.target)))
    server.serve("/robots.txt", page("", 404))
    write_bulletins(project, server, "/list", "/bad", "/silent")
    folder = project.sites.parent / "spiders"
    folder.mkdir()
    (folder / "handmade.py").write_text(SPIDER)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{CHECKOUT}")

    finished = project.scrapy("crawl", "handmade", settings={"SPIDER_MODULES": "handmade"})

    assert finished.code == 0, finished.stderr
    funnel = project.outcomes("bulletins")
    assert funnel["outcomes"] == {"eligible": 4, "internal_error": 1}
    assert funnel["duplicates"] == 1
    assert_adds_up(funnel)
    row = read_rows(project.data, "bulletins")["/bad"]
    assert (row.reason, row.statuses) == ("internal_error", (200,))
    assert "a bug of the spider" in (row.trace or "")
    hits = [server.hits(target) for target in ("/list", "/bad", "/page?n=1", "/page?n=2")]
    assert hits == [1, 1, 1, 1]


SILENT_SPIDER = dedent("""\
    from crawler.spiders.site import SiteSpider


    class Silent(SiteSpider):
        name = "silent"
        site_file = "bulletins"

        def parse(self, response, **_):
            if "/bad" not in response.url:
                yield from super().parse(response)
""")


def test_a_callback_that_yields_nothing_leaves_no_page_without_an_outcome(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.compute("/*", lambda hit: board(article(hit.target)))
    server.serve("/robots.txt", page("", 404))
    write_bulletins(project, server, "/good", "/bad")
    folder = project.sites.parent / "spiders"
    folder.mkdir()
    (folder / "silent.py").write_text(SILENT_SPIDER)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{CHECKOUT}")

    finished = project.scrapy("crawl", "silent", settings={"SPIDER_MODULES": "silent"}, timeout=20)

    assert finished.code == 0, finished.stderr
    rows = read_rows(project.data, "bulletins")
    assert {target: row.reason for target, row in rows.items()} == {
        "/good": "eligible",
        "/bad": "internal_error",
    }
    assert server.hits("/bad") == 1
