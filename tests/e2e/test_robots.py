"""A robots file that cannot be read allows nothing, and condemns nothing either."""

import gzip
import signal
import time
from itertools import pairwise

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_rows
from tests.e2e.processes import wait_until
from tests.e2e.project import Project
from tests.e2e.server import RESET, Server, Step, page, redirect

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    "failure", [Step(status=500), Step(status=503), RESET], ids=["500", "503", "reset"]
)
def test_an_unreadable_robots_file_defers_its_site(
    project: Project, server: Server, failure: Step
) -> None:
    server.serve("/robots.txt", failure)
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    crawl = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 0})

    assert crawl.code == 4
    assert server.hits("/bulletins") == 0
    assert server.hits("/robots.txt") == 2
    assert project.outcomes("bulletins")["open"] == {"pending": 0, "deferred": 1, "leased": 0}


def test_one_bad_moment_of_a_robots_file_costs_nothing(project: Project, server: Server) -> None:
    server.serve("/robots.txt", Step(status=503), page("User-agent: *\nDisallow: /other"))
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0
    assert server.hits("/bulletins") == 1
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 1}


def test_a_login_page_in_place_of_a_robots_file_allows_nothing(
    project: Project, server: Server
) -> None:
    server.serve("/robots.txt", page("<form action=/login><input type=password></form>"))
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    project.scrapy("crawl", "bulletins")

    assert server.hits("/bulletins") == 0
    assert project.outcomes("bulletins")["outcomes"] == {"refused_robots": 1}


def test_a_robots_file_on_a_host_that_is_not_listed_refuses_with_its_name(
    project: Project, server: Server
) -> None:
    elsewhere = server.url("/robots.txt").replace("127.0.0.1", "localhost")
    server.serve("/robots.txt", redirect(elsewhere))
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0, crawl.stderr
    row = read_rows(project.data, "bulletins")["/bulletins"]
    assert row.reason == "refused_robots"
    assert f"{elsewhere.removesuffix('/robots.txt')} is not listed" in (row.detail or "")
    assert server.hits("/robots.txt") == 1


LARGE = b"User-agent: *\nDisallow: /secret\n" + b"# padding that nobody reads\n" * 120_000
PLAIN = ("Content-Type", "text/plain")


@pytest.mark.parametrize(
    "answer",
    [
        Step(LARGE, headers=(PLAIN,)),
        Step(gzip.compress(LARGE), headers=(PLAIN, ("Content-Encoding", "gzip"))),
    ],
    ids=["as sent", "decoded"],
)
def test_of_a_robots_file_over_the_limit_the_beginning_counts(
    project: Project, server: Server, answer: Step
) -> None:
    server.serve("/robots.txt", answer)
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins", "/secret")

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0, crawl.stderr
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 1, "refused_robots": 1}
    assert server.hits("/secret") == 0


def test_a_robots_file_that_broke_off_is_asked_for_again(project: Project, server: Server) -> None:
    rules = b"User-agent: *\nDisallow: /secret\n"
    server.serve("/robots.txt", Step(rules, truncate=14), Step(rules))
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins", "/secret")

    project.scrapy("crawl", "bulletins")

    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 1, "refused_robots": 1}
    assert server.hits("/secret") == 0


TARGETS = ("/a", "/b", "/c", "/d")


def start_slow_crawl(project: Project, server: Server, delay: int) -> None:
    server.serve("/robots.txt", page(f"User-agent: *\nCrawl-delay: {delay}\nDisallow:"))
    for target in TARGETS:
        server.serve(target, board(article(target)))
    write_bulletins(project, server, *TARGETS, access={"concurrency": 4})


def hits(server: Server) -> list[float]:
    return [hit.at for hit in server.log if hit.path in TARGETS]


def test_a_run_whose_pages_wait_for_their_turn_stops_at_once(
    project: Project, server: Server
) -> None:
    start_slow_crawl(project, server, 30)

    with project.start("crawl", "bulletins", settings={"SHUTDOWN_WAIT": 1}) as process:
        assert wait_until(lambda: len(hits(server)) > 0, 20)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=25)  # a delay is 30 s, and three pages wait for theirs

    assert process.returncode == 5
    assert len(hits(server)) == 1
    assert project.outcomes("bulletins")["open"]["leased"] == 0
    left = [row for row in read_rows(project.data, "bulletins").values() if not row.reason]
    assert [(row.attempts, row.deferrals) for row in left] == [(0, 0)] * 3


def test_pages_that_waited_for_a_robots_file_keep_its_delay(
    project: Project, server: Server
) -> None:
    start_slow_crawl(project, server, 2)

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0, crawl.stderr
    times = hits(server)
    assert len(times) == len(TARGETS)
    assert all(later - earlier > 1.7 for earlier, later in pairwise(times))
    assert times[-1] - times[0] < 3 * 2 + 2
