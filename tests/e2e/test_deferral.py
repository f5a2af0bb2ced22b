"""Servers that ask for patience: what they are owed, and where it ends."""

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_ends, read_rows
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step

pytestmark = pytest.mark.e2e

TARGETS = ("/a", "/b", "/c", "/d")


def test_a_burst_of_refusals_counts_as_one(project: Project, server: Server) -> None:
    for target in TARGETS:
        server.serve(target, Step(status=429, delay=0.5))
    write_bulletins(project, server, *TARGETS, access={"concurrency": 4})

    crawl = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 0})

    assert crawl.code == 4, crawl.stderr
    assert server.most_in_flight == 4
    rows = read_rows(project.data, "bulletins").values()
    moments = [row.not_before or 0.0 for row in rows]
    assert max(moments) - min(moments) < 0.1
    waits = [decision["wait_seconds"] for row in rows for decision in row.decisions]
    assert len(waits) == 4
    assert max(waits) == pytest.approx(30)
    assert {part for row in rows for d in row.decisions for part in d["evidence"]} == {
        "back-off level 0"
    }


def test_a_server_that_always_asks_to_wait_ends_the_run(project: Project, server: Server) -> None:
    server.serve("/a", Step(status=429, headers=(("Retry-After", "1"),)))
    write_bulletins(project, server, "/a")

    crawl = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 3}, timeout=30)

    assert crawl.code == 4, crawl.stderr
    assert server.hits("/a") == 5
    row = read_rows(project.data, "bulletins")["/a"]
    assert (row.state, row.attempts, row.deferrals) == ("deferred", 0, 5)
    assert row.not_before is not None
    assert read_ends(project.data) == ["deferred"]


def test_patience_begins_anew_with_every_page_that_comes(project: Project, server: Server) -> None:
    def refuse_every_second_request(hit: Hit) -> Step:
        if len([seen for seen in server.log if seen.path in TARGETS]) % 2:
            return Step(status=429, headers=(("Retry-After", "1"),))
        return board(article(hit.path))

    for target in TARGETS:
        server.compute(target, refuse_every_second_request)
    write_bulletins(project, server, *TARGETS, access={"concurrency": 1})

    crawl = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 1}, timeout=30)

    assert crawl.code == 0, crawl.stderr
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 4}


def test_the_retries_of_a_site_are_counted_over_its_pages(project: Project, server: Server) -> None:
    for target in TARGETS:
        server.serve(target, Step(status=502))
    access = {"concurrency": 1, "budget": {"retries": 2}}
    write_bulletins(project, server, *TARGETS, access=access)

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0, crawl.stderr
    assert sum(map(server.hits, TARGETS)) == len(TARGETS) + 2
    ends = [row.decisions[-1] for row in read_rows(project.data, "bulletins").values()]
    assert sorted(end["remaining_retries"] for end in ends if "site" in end["benefit"]) == [0, 0]


def test_a_wait_beyond_the_end_of_the_run_is_not_begun(project: Project, server: Server) -> None:
    server.serve("/a", Step(status=429, headers=(("Retry-After", "20"),)))
    write_bulletins(project, server, "/a")

    crawl = project.scrapy("crawl", "bulletins", settings={"CLOSESPIDER_TIMEOUT": 15}, timeout=12)

    assert crawl.code == 4, crawl.stderr
    assert read_ends(project.data) == ["deferred"]
