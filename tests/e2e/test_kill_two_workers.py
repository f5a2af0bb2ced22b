"""Two processes share a site; one of them is killed, and the other loses and repeats nothing.

Runs as many rounds as ROUNDS says over as many pages as PAGES says, see ``test_kill``.
"""

import os
import random

import pytest

from tests.e2e.catalogue import SITE, build_catalogue, publish, write_site_file
from tests.e2e.invariants import NOTHING, check_all, count_refetches, read_committed
from tests.e2e.processes import Crawl, Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Server

ROUNDS = int(os.environ.get("ROUNDS", "3"))
PAGES = int(os.environ.get("PAGES", "120"))
SEED = int(os.environ.get("SEED", "1"))
CONCURRENCY = 4
MOST_LOST = 20
"""Pages that a process has fetched and not committed: those in flight, and those interpreted."""
TO_START = 20.0
TO_END = 45.0
"""Seconds; less than a lease of a minute, so that nobody waits for one of the dead."""

pytestmark = pytest.mark.e2e


def test_one_of_two_processes_is_killed_and_the_other_ends_the_crawl(
    project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(PAGES)
    publish(server, catalogue)
    write_site_file(project, server, catalogue, concurrency=CONCURRENCY)
    chance = random.Random(SEED)
    committed = NOTHING
    pair = [start_worker(crawls, name) for name in ("worker-0a", "worker-0b")]

    for number in range(1, ROUNDS + 1):
        wait_for_work(pair, server, chance, len(committed.outcomes), number)
        chance.shuffle(pair)
        pair.pop().kill()
        before, committed = committed, read_committed(project.data)
        assert before.is_kept_by(committed)
        if number < ROUNDS:
            pair.append(start_worker(crawls, f"worker-{number}"))

    assert pair[0].wait(TO_END) == 0
    assert committed.is_kept_by(read_committed(project.data))
    check_all(project.data, server, catalogue)
    assert count_refetches(server, catalogue) <= ROUNDS * MOST_LOST


def start_worker(crawls: Crawls, name: str) -> Crawl:
    return crawls.start(SITE, {"USER_AGENT": name})


def wait_for_work(
    pair: list[Crawl], server: Server, chance: random.Random, done: int, number: int
) -> None:
    """Let both come to work, then a part of what is left be done, then a moment pass."""
    asked = len(server.log)
    share = (PAGES - done) // (ROUNDS - number + 2)
    assert wait_until(lambda: len(server.log) >= asked + share, TO_START)
    wait_until(lambda: not all(worker.is_running for worker in pair), chance.uniform(0, 0.1))
    assert all(worker.is_running for worker in pair)
