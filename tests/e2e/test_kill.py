"""A crawl that is killed again and again ends as if it had not been.

In the suite it is killed a few times in a small site. The whole run, several minutes long, is

    KILLS=50 PAGES=300 SEED=1 python -m pytest -s tests/e2e/test_kill.py

which prints, with ``-s``, how often what happened. SEED decides the moments, as far as the machine
lets it.
"""

import os
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tests.e2e.catalogue import SITE, build_catalogue, publish, write_site_file
from tests.e2e.invariants import (
    NOTHING,
    check_all,
    count_refetches,
    read_committed,
)
from tests.e2e.processes import Crawl, Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server

KILLS = int(os.environ.get("KILLS", "8"))
PAGES = int(os.environ.get("PAGES", "120"))
SEED = int(os.environ.get("SEED", "1"))
START_UP = 1.0
"""Seconds; a kill at start-up falls within them."""
TO_END = 60.0
ORPHANS_END = 2.0

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Moment:
    """Kill after so many requests of this process, and then so many seconds."""

    requests: int
    seconds: float


@dataclass(slots=True)
class Figures:
    kills_at_start: int = 0
    kills_at_work: int = 0
    to_first_request: list[float] = field(default_factory=list)
    refetched: int = 0

    def __str__(self) -> str:
        times = sorted(self.to_first_request)
        return (
            f"{self.kills_at_start} kills before the first request, {self.kills_at_work} after; "
            f"{self.refetched} pages fetched again; first request after {times[0]:.2f} s at best, "
            f"{statistics.median(times):.2f} s median, {times[-1]:.2f} s at worst"
        )


def test_a_crawl_killed_at_random_moments_loses_and_doubles_nothing(
    project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(PAGES)
    publish(server, catalogue)
    write_site_file(project, server, catalogue)
    chance = random.Random(SEED)
    figures = Figures()
    committed = NOTHING

    for left in range(KILLS, 0, -1):
        open_pages = len(catalogue.outcomes) - len(committed.outcomes)
        kill_at(choose_moment(chance, open_pages, left), crawls, server, figures)
        before, committed = committed, read_committed(project.data)
        assert before.is_kept_by(committed)
    asked = len(server.log)
    crawl = crawls.start(SITE)
    assert crawl.wait(TO_END) == 0
    figures.to_first_request.append(server.log[asked].at - crawl.started_at)

    assert committed.is_kept_by(read_committed(project.data))
    check_all(project.data, server, catalogue)
    figures.refetched = count_refetches(server, catalogue)
    print(figures)


def choose_moment(chance: random.Random, open_pages: int, kills_left: int) -> Moment:
    """Every fourth kill hits the start; the others spread over the pages that are left."""
    if chance.random() < 0.25:
        return Moment(0, chance.uniform(0, START_UP))
    most = max(1, 2 * open_pages // kills_left)
    return Moment(chance.randint(1, most), chance.uniform(0, 0.08))


def kill_at(moment: Moment, crawls: Crawls, server: Server, figures: Figures) -> None:
    asked = len(server.log)
    crawl = crawls.start(SITE)
    is_due = wait_until(
        lambda: len(server.log) >= asked + moment.requests or not crawl.is_running, TO_END
    )
    assert is_due
    wait_until(lambda: not crawl.is_running, moment.seconds)
    assert crawl.is_running, "it ended by itself"
    crawl.kill()
    assert wait_until(lambda: not crawl.list_session(), ORPHANS_END), "page workers live on"
    note_first_request(figures, crawl, server.log[asked:])


def note_first_request(figures: Figures, crawl: Crawl, hits: Sequence[Hit]) -> None:
    figures.kills_at_work += bool(hits)
    figures.kills_at_start += not hits
    if hits:
        figures.to_first_request.append(hits[0].at - crawl.started_at)
