"""What a lease and a commit cost with a small and with a big frontier, by turns in one run.

``python -m tests.bench.bench_frontier [ROWS]`` prints milliseconds and their ratio.
"""

import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from crawler.contracts.frontier import LeasedRow, RunInfo
from crawler.ledger.admitting import admit
from crawler.ledger.database import ledger_url, open_ledger
from crawler.ledger.pages import commit_pages
from tests.integration.ledger.builders import (
    NOW,
    make_candidate,
    make_commit,
    make_rows,
    new_sink,
    start,
    take,
)

SMALL, BIG = 10_000, 1_000_000
ROUNDS = 60
BATCH = 50
CHUNK = 20_000


@dataclass(frozen=True)
class Frontier:
    engine: sa.Engine
    run: RunInfo

    def lease(self) -> tuple[float, tuple[LeasedRow, ...]]:
        started = time.perf_counter()
        with self.engine.begin() as conn:
            rows = take(conn, self.run, want=BATCH).rows
        return time.perf_counter() - started, rows

    def commit(self, rows: tuple[LeasedRow, ...]) -> float:
        pages = [make_commit(self.run, row, make_candidate(f"n{row.id}")) for row in rows]
        started = time.perf_counter()
        with self.engine.begin() as conn:
            commit_pages(conn, pages, new_sink(), NOW)
        return time.perf_counter() - started


def fill(folder: Path, count: int) -> Frontier:
    """Return a frontier of *count* pending rows."""
    engine = open_ledger(ledger_url(folder / str(count)))
    with engine.begin() as conn:
        run = start(conn)
    for offset in range(1, count, CHUNK):
        with engine.begin() as conn:
            rows = make_rows(min(CHUNK, count - offset), start=offset)
            admit(conn, run.cycle, rows, NOW)
    return Frontier(engine, run)


def measure(frontiers: dict[int, Frontier]) -> dict[int, tuple[list[float], list[float]]]:
    times: dict[int, tuple[list[float], list[float]]] = {count: ([], []) for count in frontiers}
    for _ in range(ROUNDS):
        for count, frontier in frontiers.items():
            leasing, rows = frontier.lease()
            times[count][0].append(leasing * 1000)
            times[count][1].append(frontier.commit(rows) * 1000)
    return times


def main(big: int = BIG) -> None:
    with tempfile.TemporaryDirectory() as folder:
        frontiers = {count: fill(Path(folder), count) for count in (SMALL, big)}
        times = measure(frontiers)
        for frontier in frontiers.values():
            frontier.engine.dispose()
    for step, name in enumerate(("lease", "commit")):
        small, large = (statistics.median(times[count][step]) for count in (SMALL, big))
        print(
            f"{name} of {BATCH} rows: {small:.2f} ms at {SMALL:,}, {large:.2f} ms at {big:,}, "
            f"ratio {large / small:.2f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
