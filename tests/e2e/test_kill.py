"""A crawl that is killed again and again ends as if it had not been.

In the suite it is killed a few times in a small site. The whole run, a few minutes long, is

    KILLS=50 PAGES=300 SEED=1 python -m pytest -s tests/e2e/test_kill.py

which prints how often what happened. SEED decides the moments, as far as the machine lets it.
"""

import os
import random
import statistics
from collections.abc import Iterator, Sequence
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
OPENINGS = max(3, KILLS // 4)
START_UP = 1.0
"""Seconds; a kill at start-up falls within them."""
TO_END = 60.0
ORPHANS_END = 20.0

pytestmark = pytest.mark.e2e


@pytest.fixture
def crawls(project: Project) -> Iterator[Crawls]:
    """Interpreters of their own: they are killed while they start, too, and that is measured."""
    with Crawls(project) as started:
        yield started


@dataclass(frozen=True, slots=True)
class Moment:
    """Kill after so many requests of this process, and then so many seconds."""

    requests: int
    seconds: float
    is_in_write: bool = False
    """First wait until the archive grows: what is appended then is not on record yet."""


@dataclass(slots=True)
class Figures:
    kills_at_start: int = 0
    kills_at_work: int = 0
    to_first_request: list[float] = field(default_factory=list)
    refetched: int = 0
    unindexed: int = 0
    torn: int = 0

    @property
    def kills(self) -> int:
        return self.kills_at_start + self.kills_at_work

    def __str__(self) -> str:
        times = sorted(self.to_first_request)
        return (
            f"{self.kills_at_start} kills before the first request, {self.kills_at_work} after; "
            f"{self.refetched} pages fetched again; {self.unindexed} captures archived and not "
            f"committed, {self.torn} torn; first request after {times[0]:.2f} s at best, "
            f"{statistics.median(times):.2f} s median, {times[-1]:.2f} s at worst"
        )


@pytest.mark.slow
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
        moment = choose_moment(chance, open_pages, left)
        if not kill_at(moment, crawls, project, server, figures):
            break
        before, committed = committed, read_committed(project.data)
        assert before.is_kept_by(committed)
    else:
        asked = len(server.log)
        last = crawls.start(SITE)
        assert last.wait(TO_END) == 0
        figures.to_first_request.append(server.log[asked].at - last.started_at)

    assert figures.kills >= KILLS * 3 // 4
    assert committed.is_kept_by(read_committed(project.data))
    report = check_all(project.data, server, catalogue)
    figures.refetched = count_refetches(server, catalogue)
    figures.unindexed = sum(file.unindexed for file in report.files)
    figures.torn = sum(file.torn is not None for file in report.files)
    print(figures)


@pytest.mark.parametrize("seed", range(OPENINGS))
def test_a_crawl_killed_while_it_creates_its_ledger_can_begin_again(
    seed: int, project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(8)
    publish(server, catalogue)
    write_site_file(project, server, catalogue)
    first = crawls.start(SITE)
    assert wait_until((project.data / "ledger.db").exists, TO_END)
    wait_until(lambda: False, random.Random(seed).uniform(0, 0.05))

    first.kill()
    assert wait_until(lambda: not first.list_session(), ORPHANS_END), "page workers live on"

    assert crawls.start(SITE).wait(TO_END) == 0
    check_all(project.data, server, catalogue)


def choose_moment(chance: random.Random, open_pages: int, kills_left: int) -> Moment:
    """A fourth of the kills hits the start, a fourth a write, and all are spread over the pages."""
    kind = chance.randrange(4)
    if kind == 0:
        return Moment(0, chance.uniform(0, START_UP))
    most = max(1, 2 * open_pages // (kills_left + 2))
    if kind == 1:
        return Moment(chance.randint(1, most), chance.uniform(0, 0.01), is_in_write=True)
    return Moment(chance.randint(1, most), chance.uniform(0, 0.08))


def kill_at(
    moment: Moment, crawls: Crawls, project: Project, server: Server, figures: Figures
) -> bool:
    """Return False when the crawl was at its end before it could be killed."""
    asked = len(server.log)
    crawl = crawls.start(SITE)
    is_due = wait_until(
        lambda: len(server.log) >= asked + moment.requests or not crawl.is_running, TO_END
    )
    assert is_due
    if moment.is_in_write:
        size = measure_archive(project)
        wait_until(lambda: measure_archive(project) > size or not crawl.is_running, 1.0)
    wait_until(lambda: not crawl.is_running, moment.seconds)
    if not crawl.is_running:
        assert crawl.wait(0) == 0
        return False
    crawl.kill()
    assert wait_until(lambda: not crawl.list_session(), ORPHANS_END), "page workers live on"
    note_first_request(figures, crawl, server.log[asked:])
    return True


def measure_archive(project: Project) -> int:
    return sum(file.stat().st_size for file in project.data.glob("archive/*"))


def note_first_request(figures: Figures, crawl: Crawl, hits: Sequence[Hit]) -> None:
    figures.kills_at_work += bool(hits)
    figures.kills_at_start += not hits
    if hits:
        figures.to_first_request.append(hits[0].at - crawl.started_at)
