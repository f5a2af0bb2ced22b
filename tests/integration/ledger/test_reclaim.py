import heapq
import random
from dataclasses import dataclass

import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import LeasedRow, Pace, RunEnd, RunInfo
from crawler.contracts.outcome import Reason
from crawler.ledger.database import open_ledger
from crawler.ledger.pages import commit_pages
from crawler.ledger.queries.funnel import list_runs, read_funnel
from crawler.ledger.reclaim import QUARANTINE_AFTER, SOLO_AFTER, reclaim
from crawler.ledger.runs import close_run
from crawler.ledger.tables import requests, shares
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_commit,
    make_row,
    new_sink,
    start,
    take,
)


def everyone_is_dead(owner: str) -> bool:
    return False


def everyone_lives(owner: str) -> bool:
    return True


def die_and_restart(conn: sa.Connection, owner: str, successor: str) -> RunInfo:
    reclaim(conn, successor, NOW, everyone_is_dead)
    return start(conn, successor, now=NOW + 1)


def test_rows_of_a_dead_owner_go_first_and_at_once(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(make_row(0), make_row(1), make_row(2, priority=9), make_row(3)))
        interrupted = take(conn, run, want=2).rows
        run = die_and_restart(conn, "a", "b")
        lease = take(conn, run, "b", want=3)

    assert [row.fingerprint for row in interrupted] == ["fp2", "fp0"]
    assert [row.fingerprint for row in lease.rows] == ["fp2", "fp0", "fp1"]
    assert [row.attempts for row in lease.rows] == [0, 0, 0]


def test_a_dead_owner_leaves_its_share_and_its_run_is_marked(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=9)
        take(conn, run, want=1, pace=Pace(0.0, 1))
        run = die_and_restart(conn, "a", "b")
        lease = take(conn, run, "b", want=1, pace=Pace(0.0, 1))
        runs = list_runs(conn, SITE)

    assert lease.rows
    assert not lease.has_peers
    assert [(entry.owner, entry.ended_as) for entry in runs] == [("a", "died"), ("b", None)]


def test_a_living_owner_keeps_its_rows_until_the_lease_ends(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        start(conn, "b")
        take(conn, run)
        assert reclaim(conn, "b", NOW + 60, everyone_lives) == 0
        assert reclaim(conn, "b", NOW + 60.1, everyone_lives) == 2
        assert reclaim(conn, "b", NOW + 60.1, everyone_lives) == 0
        stalled = conn.scalar(sa.select(sa.func.count()).select_from(shares))

    assert stalled == 0


def test_a_clean_stop_interrupts_nothing(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        take(conn, run)
        close_run(conn, run.run, RunEnd.STOPPED, NOW, {})
        again = start(conn, "b")
        counts = set(conn.scalars(sa.select(requests.c.interrupted)))
        lease = take(conn, again, "b")

    assert counts == {0}
    assert len(lease.rows) == 2


def test_a_row_interrupted_often_goes_alone(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=5)
        for number in range(SOLO_AFTER):
            take(conn, run, f"owner{number}" if number else "a", want=2)
            run = die_and_restart(conn, "", f"owner{number + 1}")
        owner = f"owner{SOLO_AFTER}"
        alone = take(conn, run, owner, want=4)
        nothing = take(conn, run, owner, want=4)
        commit_pages(conn, [make_commit(run, row) for row in alone.rows], new_sink(), NOW)
        second = take(conn, run, owner, want=4)
        commit_pages(conn, [make_commit(run, row) for row in second.rows], new_sink(), NOW)
        rest = take(conn, run, owner, want=4)

    assert [row.fingerprint for row in alone.rows] == ["fp0"]
    assert nothing.rows == ()
    assert nothing.next_due == NOW + 0.5
    assert nothing.open_rows
    assert [row.fingerprint for row in second.rows] == ["fp1"]
    assert [row.fingerprint for row in rest.rows] == ["fp2", "fp3", "fp4"]


def test_an_owner_finishes_what_it_has_before_it_gets_such_a_row(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=5)
        busy = take(conn, run, want=1)
        conn.execute(
            sa.update(requests)
            .where(requests.c.fingerprint == "fp3")
            .values(interrupted=SOLO_AFTER)
        )
        waiting = take(conn, run, want=4)
        commit_pages(conn, [make_commit(run, row) for row in busy.rows], new_sink(), NOW)
        alone = take(conn, run, want=4)

    assert waiting.rows == ()
    assert waiting.next_due == NOW + 0.5
    assert [row.fingerprint for row in alone.rows] == ["fp3"]


def test_a_page_that_kills_every_process_ends_quarantined(engine: sa.Engine) -> None:
    deaths = 0
    with engine.begin() as conn:
        run = start(conn, rows=20)
        owner = "a"
        while True:
            lease = take(conn, run, owner, want=4)
            poison = [row for row in lease.rows if row.fingerprint == "fp7"]
            if not poison and lease.rows:
                pages = [make_commit(run, row) for row in lease.rows]
                commit_pages(conn, pages, new_sink(), NOW)
            elif poison:
                deaths += 1
                owner = f"owner{deaths}"
                run = die_and_restart(conn, "", owner)
            else:
                break
        funnel = read_funnel(conn, SITE)
        detail = conn.scalar(
            sa.select(requests.c.detail).where(requests.c.reason == Reason.QUARANTINED)
        )

    assert funnel["outcomes"] == {"eligible": 19, "quarantined": 1}
    assert deaths == SOLO_AFTER + QUARANTINE_AFTER
    assert detail == f"{QUARANTINE_AFTER} processes in a row died with this page alone in work"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("concurrency", [2, 16])
def test_fifty_random_kills_quarantine_no_page(
    sqlite_url: str, seed: int, concurrency: int
) -> None:
    """300 pages, links found on the way; simulated time, the real ledger."""
    chance = random.Random(seed)
    engine = open_ledger(sqlite_url)
    lives = [chance.uniform(0.05, 1.2) for _ in range(50)] + [float("inf")]
    with engine.begin() as conn:
        for number, seconds in enumerate(lives):
            owner = f"owner{number}"
            reclaim(conn, owner, NOW, everyone_is_dead)
            life = Life(start(conn, owner, rows=1), owner, seconds, concurrency)
            if crawl(conn, life, chance):
                break
        funnel = read_funnel(conn, SITE)
    engine.dispose()

    assert number >= 5
    assert funnel["outcomes"] == {"eligible": 300}
    assert funnel["admitted"] == 300
    assert funnel["cycle"] == 1


@dataclass(frozen=True)
class Life:
    """One process, from its start until it is killed."""

    run: RunInfo
    owner: str
    seconds: float
    concurrency: int


def crawl(conn: sa.Connection, life: Life, chance: random.Random) -> bool:
    """Fetch pages until the simulated time is over; True when nothing is left."""
    clock, flying = 0.0, list[tuple[float, int, LeasedRow]]()
    while True:
        for row in take(conn, life.run, life.owner, want=life.concurrency - len(flying)).rows:
            heapq.heappush(flying, (clock + chance.uniform(0.05, 0.3), row.id, row))
        if not flying:
            return True
        clock, number, row = heapq.heappop(flying)
        if clock > life.seconds:
            return False
        targets = range(number * 3 - 2, min(number * 3 + 1, 300))
        links = tuple(make_row(target) for target in targets)
        commit_pages(conn, [make_commit(life.run, row, links=links)], new_sink(), NOW)
