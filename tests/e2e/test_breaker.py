"""A scope that only refuses is left alone, by every later run too, until it serves a page."""

import time

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_ends
from tests.e2e.project import Project
from tests.e2e.server import Server, Step, page

pytestmark = pytest.mark.e2e

TARGETS = tuple(f"/{number}" for number in range(40))
CHALLENGE = page("<title>Just a moment...</title><form id='challenge-form'></form>", status=403)
ONE_AT_A_TIME = {"concurrency": 1}


def refuse_everything(server: Server) -> None:
    server.serve("/robots.txt", page("", status=404))
    server.serve("/*", CHALLENGE)


def test_a_scope_that_only_refuses_is_left_alone(project: Project, server: Server) -> None:
    refuse_everything(server)
    write_bulletins(project, server, *TARGETS, access=ONE_AT_A_TIME)
    settings = {"BREAKER_REFUSALS": 5, "BREAKER_COOL_DOWN": 300}

    first = project.scrapy("crawl", "bulletins", settings=settings)
    second = project.scrapy("crawl", "bulletins", settings=settings)

    assert (first.code, second.code) == (4, 4), first.stderr
    asked = [hit.path for hit in server.log if hit.path != "/robots.txt"]
    assert 5 <= len(asked) <= 7  # those on their way when the fifth was judged
    assert "5 pages in a row were refused, the last as challenge_review" in first.stderr
    assert project.outcomes("bulletins")["outcomes"] == {"challenge_review": len(asked)}
    assert read_ends(project.data) == ["deferred", "deferred"]
    left = project.scrapy("explain", server.url("/30"))
    assert "breaker    the scope is left alone until" in left.stdout


def test_then_one_page_is_tried_and_a_served_one_closes_the_breaker(
    project: Project, server: Server
) -> None:
    refuse_everything(server)
    write_bulletins(project, server, *TARGETS, access=ONE_AT_A_TIME)
    settings = {"BREAKER_REFUSALS": 3, "BREAKER_COOL_DOWN": 3, "DEFERRAL_MAX_WAIT": 0}

    project.scrapy("crawl", "bulletins", settings=settings)
    server.forget()
    time.sleep(3.1)  # for the breaker to be half open
    project.scrapy("crawl", "bulletins", settings=settings)
    tried = [hit.path for hit in server.log if hit.path in TARGETS]
    for target in TARGETS:
        server.serve(target, board(article(target)))
    last = project.scrapy("crawl", "bulletins", settings={**settings, "DEFERRAL_MAX_WAIT": 10})

    assert len(tried) == 1
    assert last.code == 0, last.stderr
    assert not any(project.outcomes("bulletins")["open"].values())
    assert "breaker" not in project.scrapy("explain", server.url("/30")).stdout


def test_refusals_between_served_pages_stop_nothing(project: Project, server: Server) -> None:
    for number, target in enumerate(TARGETS):
        server.serve(target, CHALLENGE if number % 3 else board(article(target)))
    write_bulletins(project, server, *TARGETS, access=ONE_AT_A_TIME)

    crawl = project.scrapy("crawl", "bulletins", settings={"BREAKER_REFUSALS": 3})

    assert crawl.code == 0, crawl.stderr
    assert not any(project.outcomes("bulletins")["open"].values())


def test_a_server_that_hangs_is_left_alone_as_well(project: Project, server: Server) -> None:
    server.serve("/robots.txt", page("", status=404))
    server.serve("/*", Step(delay=30))
    write_bulletins(project, server, *TARGETS, access={"timeout": 0.2, "budget": {"attempts": 1}})

    crawl = project.scrapy("crawl", "bulletins", settings={"BREAKER_REFUSALS": 5})

    assert crawl.code == 4, crawl.stderr
    assert len([hit for hit in server.log if hit.path in TARGETS]) < 15
