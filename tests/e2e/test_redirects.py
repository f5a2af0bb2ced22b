"""What a redirect may cost, whom it is charged to and what it takes along."""

import sqlite3
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_rows
from tests.e2e.project import CHECKOUT, Project
from tests.e2e.server import Server, Step, page, redirect

pytestmark = pytest.mark.e2e


def slow_redirect(target: str, delay: float) -> Step:
    return Step(status=302, headers=(("Location", target),), delay=delay)


def test_slow_hops_use_up_the_time_of_their_url(project: Project, server: Server) -> None:
    server.compute("/hop/*", lambda hit: slow_redirect(f"/hop/{int(hit.path[5:]) + 1}", delay=0.6))
    write_bulletins(project, server, "/hop/0", access={"budget": {"seconds": 1.6}})

    assert project.scrapy("crawl", "bulletins").code == 0

    row = read_rows(project.data, "bulletins")["/hop/0"]
    assert (row.reason, len(row.hops)) == ("timeout_exhausted", 2)
    assert "budget.seconds is used up" in (row.detail or "")
    assert "redirect 3 not followed" in (row.detail or "")
    assert row.statuses == (302, 302, 302)
    assert 1.8 <= read_spent(project.data) < 6


def test_the_last_page_is_given_only_the_time_that_is_left(
    project: Project, server: Server
) -> None:
    server.serve("/a", slow_redirect("/b", delay=2))
    server.serve("/b", Step(delay=30))
    access = {"budget": {"seconds": 3.2, "attempts": 1}}
    write_bulletins(project, server, "/a", access=access)

    assert project.scrapy("crawl", "bulletins").code == 0

    assert read_rows(project.data, "bulletins")["/a"].reason == "timeout_exhausted"
    assert 3 <= read_spent(project.data) < 6


def test_a_page_is_charged_the_time_it_took(project: Project, server: Server) -> None:
    server.serve("/slow", Step(board(article("a")).body, delay=0.5))
    write_bulletins(project, server, "/slow")

    assert project.scrapy("crawl", "bulletins").code == 0

    assert 0.5 <= read_spent(project.data) < 5


def test_a_deferral_begins_no_new_count_of_hops(project: Project, server: Server) -> None:
    server.compute("/hop/*", lambda hit: redirect(f"/hop/{int(hit.path[5:]) + 1}"))
    server.serve("/hop/3", page("busy", 503), redirect("/hop/4"))
    write_bulletins(project, server, "/hop/0")

    settings = {"REDIRECT_MAX_TIMES": 4}
    assert project.scrapy("crawl", "bulletins", settings=settings).code == 0

    row = read_rows(project.data, "bulletins")["/hop/0"]
    assert (row.reason, len(row.hops)) == ("http_status", 4)
    assert "redirect limit: more than 4 hops" in (row.detail or "")


def test_one_robots_file_serves_every_spelling_of_a_host(project: Project, server: Server) -> None:
    port = server.authority.partition(":")[2]
    server.serve("/a", redirect(f"http://LOCALHOST:{port}/b"))
    server.serve("/c", redirect(f"http://localhost.:{port}/d"))
    server.serve("/b", board(article("b")))
    server.serve("/d", board(article("d")))
    access = {
        "hosts": [f"http://localhost:{port}"],
        "permit_private": [server.authority, f"localhost:{port}"],
    }
    write_bulletins(project, server, "/a", "/c", access=access)

    assert project.scrapy("crawl", "bulletins").code == 0

    rows = read_rows(project.data, "bulletins")
    assert {row.url for row in rows.values()} == {
        f"http://localhost:{port}/b",
        f"http://localhost:{port}/d",
    }
    hosts = {hit.headers["host"] for hit in server.log}
    assert hosts == {server.authority, f"localhost:{port}"}
    assert server.hits("/robots.txt") == 2


POSTING = dedent("""\
    from crawler.spiders.site import SiteSpider
    from scrapy import Request


    class Handmade(SiteSpider):
        name = "handmade"
        site_file = "bulletins"

        def parse(self, response, **_):
            if response.url.endswith("/list"):
                yield Request(
                    response.urljoin("/form"), method="POST", body="q=1",
                    headers={"X-Form": "1", "Content-Type": "text/plain"},
                )
                yield response.follow("/form", headers={"Authorization": "Basic c2VjcmV0"})
            if "/deep/" in response.url:
                number = int(response.url.rpartition("/")[2])
                yield response.follow(f"/deep/{number + 1}")
            yield from super().parse(response)
""")


def crawl_handmade(project: Project, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = project.sites.parent / "modules"
    folder.mkdir()
    (folder / "handmade.py").write_text(POSTING)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{CHECKOUT}")
    finished = project.scrapy("crawl", "handmade", settings={"SPIDER_MODULES": "handmade"})
    assert finished.code == 0, finished.stderr
    return finished.stderr


def test_a_post_that_became_a_get_is_retried_as_a_get_and_no_credential_is_kept(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("/list", board(article("list")))
    server.serve("/form", redirect("/result"))
    server.serve("/result", page("busy", 503), board(article("result")))
    write_bulletins(project, server, "/list")

    log = crawl_handmade(project, monkeypatch)

    asked = [hit for hit in server.log if hit.path == "/result"]
    assert [(hit.method, hit.body) for hit in asked] == [("GET", b""), ("GET", b"")]
    assert {hit.headers.get("x-form") for hit in asked} == {"1"}
    assert not any("authorization" in hit.headers for hit in server.log)
    assert "the header Authorization is a credential" in log
    assert b"c2VjcmV0" not in (project.data / "ledger.db").read_bytes()


def test_a_spider_is_not_followed_deeper_than_the_site_file_says(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.compute("/deep/*", lambda hit: board(article(hit.path)))
    write_bulletins(project, server, "/deep/0", collect={"max_depth": 2})

    log = crawl_handmade(project, monkeypatch)

    assert sorted(read_rows(project.data, "bulletins")) == ["/deep/0", "/deep/1", "/deep/2"]
    assert "'bounds/max_depth': 1" in log
    assert project.collections("bulletins")["left_out"] == {"max_depth": 1}


def read_spent(data: Path) -> float:
    """Return the seconds charged to the only row."""
    with closing(sqlite3.connect(f"file:{data}/ledger.db?mode=ro", uri=True)) as ledger:
        [(spent,)] = ledger.execute("SELECT spent_seconds FROM requests").fetchall()
    return float(spent)
