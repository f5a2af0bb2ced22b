"""Two processes at one ledger share the work of a site, and what its server may be asked."""

import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_rows
from tests.e2e.project import Process, Project
from tests.e2e.server import Hit, Server, Step, page

pytestmark = pytest.mark.e2e

QUIET = {"LOG_LEVEL": "WARNING"}


def serve_site(server: Server, count: int, delay: float) -> None:
    """Serve a listing of *count* pages, each of which takes *delay* seconds."""
    server.serve("/list", page("".join(f'<a href="/p/{n}">x</a>' for n in range(count))))
    server.compute("/p/*", lambda hit: Step(board(article(hit.path)).body, delay=delay))


def run_together(project: Project, *names: str, **settings: object) -> list[Process]:
    """Start a crawl of each, wait for all, and return them."""
    crawls = [project.start("crawl", name, settings={**QUIET, **settings}) for name in names]
    for crawl in crawls:
        _, stderr = crawl.communicate(timeout=300)
        print(stderr)
    return crawls


def page_hits(server: Server) -> list[Hit]:
    return [hit for hit in server.log if hit.path.startswith("/p/")]


def most_within(seconds: float, times: list[float]) -> int:
    """Return the largest number of *times* in any stretch of so many *seconds*."""
    ordered = sorted(times)
    return max(bisect_right(ordered, at + seconds) - n for n, at in enumerate(ordered))


@dataclass(slots=True)
class Machine:
    longest_stall: float = 0.0
    """Seconds for which it let a process wait that was due."""


@pytest.fixture
def machine() -> Iterator[Machine]:
    watched, is_over = Machine(), threading.Event()

    def watch() -> None:
        while not is_over.is_set():
            began = time.monotonic()
            time.sleep(0.01)
            stall = time.monotonic() - began - 0.01
            watched.longest_stall = max(watched.longest_stall, stall)

    thread = threading.Thread(target=watch)
    thread.start()
    yield watched
    is_over.set()
    thread.join()


def assert_paced(times: list[float], delay: float, machine: Machine) -> None:
    """The rate holds from first to last, and no stretch of it is a burst.

    Two processes cannot see what the other one sends late, so neighbours may come closer than
    *delay*; what they cannot do is follow each other. What was due while the machine let them wait
    comes at once.
    """
    late = 4 + machine.longest_stall / delay
    assert max(times) - min(times) >= (len(times) - 1.5) * delay
    assert most_within(5 * delay, times) <= 5 + late
    assert most_within(20 * delay, times) <= 20 + late


def test_two_crawls_of_a_site_fetch_no_page_twice_and_keep_its_concurrency(
    project: Project, server: Server
) -> None:
    serve_site(server, 100, delay=0.1)
    access = {"concurrency": 3}
    write_bulletins(project, server, "/list", collect={"links": "a"}, access=access)

    crawls = run_together(project, "bulletins", "bulletins")

    assert [crawl.returncode for crawl in crawls] == [0, 0]
    counts = Counter(hit.path for hit in page_hits(server))
    assert len(counts) == 100
    assert max(counts.values()) == 1
    assert server.hits("/list") == 1
    assert server.most_in_flight <= 3
    funnel = project.outcomes("bulletins")
    assert (funnel["cycle"], funnel["outcomes"]) == (1, {"eligible": 101})
    assert funnel["records"]["accepted"] == 100


def test_two_crawls_of_a_site_keep_its_pace(
    project: Project, server: Server, machine: Machine
) -> None:
    serve_site(server, 100, delay=0.0)
    access = {"delay": 0.05, "concurrency": 4}
    write_bulletins(project, server, "/list", collect={"links": "a"}, access=access)

    crawls = run_together(project, "bulletins", "bulletins")

    assert [crawl.returncode for crawl in crawls] == [0, 0]
    hits = page_hits(server)
    assert len(hits) == 100
    assert_paced([hit.at for hit in hits], 0.05, machine)


def test_one_crawl_keeps_its_pace(project: Project, server: Server, machine: Machine) -> None:
    serve_site(server, 40, delay=0.0)
    access = {"delay": 0.05, "concurrency": 4}
    write_bulletins(project, server, "/list", collect={"links": "a"}, access=access)

    assert project.scrapy("crawl", "bulletins").code == 0

    times = [hit.at for hit in server.log]
    assert len(times) == 42
    assert_paced(times, 0.05, machine)
    assert most_within(0.04, times) <= 2 + machine.longest_stall / 0.05


def test_two_sites_of_one_scope_share_its_pace(project: Project, machine: Machine) -> None:
    access = {"scope": "shared", "delay": 0.05}
    with Server() as first, Server(host="127.0.0.2") as second:
        for name, server in (("first", first), ("second", second)):
            serve_site(server, 40, delay=0.0)
            permit = {**access, "permit_private": [server.authority]}
            write_bulletins(
                project, server, "/list", name=name, collect={"links": "a"}, access=permit
            )

        crawls = run_together(project, "first", "second")

        assert [crawl.returncode for crawl in crawls] == [0, 0]
        times = sorted(hit.at for server in (first, second) for hit in server.log)
    assert len(times) == 84
    assert_paced(times, 0.05, machine)


def test_a_cool_down_that_one_site_is_told_of_holds_for_the_other(
    project: Project, machine: Machine
) -> None:
    access = {"scope": "shared", "delay": 0.02}
    with Server() as first, Server(host="127.0.0.2") as second:
        for name, server in (("first", first), ("second", second)):
            serve_site(server, 60, delay=0.0)
            permit = {**access, "permit_private": [server.authority]}
            write_bulletins(
                project, server, "/list", name=name, collect={"links": "a"}, access=permit
            )
        limited_at = limit_after(first, second, seconds=3)

        crawls = run_together(project, "first", "second")

        assert [crawl.returncode for crawl in crawls] == [0, 0]
        (limited,) = limited_at
        times = sorted(hit.at for server in (first, second) for hit in server.log)
        assert first.hits("/p/30") == 2
    # What was on its way when the answer came is not called back.
    on_its_way = 0.1 + 3 * machine.longest_stall
    early = [at - limited for at in times if on_its_way < at - limited < 3]
    assert early == []
    assert min(at for at in times if at - limited >= 3) - limited < 3 + 20
    for name in ("first", "second"):
        rows = read_rows(project.data, name).values()
        assert {row.reason for row in rows} == {"eligible"}


def limit_after(first: Server, second: Server, seconds: int) -> list[float]:
    """Have /p/30 of *first* answer 429 once, as soon as *second* is being crawled, too.

    Returns a list to which the time of that answer will be added.
    """
    limited_at: list[float] = []

    def answer(hit: Hit) -> Step:
        if limited_at:
            return board(article(hit.path))
        deadline = time.monotonic() + 10
        while not page_hits(second) and time.monotonic() < deadline:
            time.sleep(0.01)
        limited_at.append(time.monotonic())
        return page("slow down", 429, retry_after=str(seconds))

    first.compute("/p/30", answer)
    return limited_at
