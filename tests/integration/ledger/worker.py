"""A process that works on a ledger, for tests that kill, stop and watch one.

``python -m tests.integration.ledger.worker URL OWNER MODE``: ``crawl`` works until the frontier is
empty, ``hold`` leases three rows and commits them; both go on when they read a line. The names in
``DEATHS`` commit three pages and die on the way. Prints one JSON line for each thing it did.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from crawler.contracts.frontier import LeasedRow, LeaseRequest, Pace, RunEnd, RunInfo
from crawler.contracts.snapshot import Capture, Location, Snapshot
from crawler.ledger.operations import CloseRun, CommitPage, LeaseRows, OpenRun
from crawler.ledger.writer import LedgerWriter
from tests.integration.ledger.builders import (
    SITE,
    MemorySink,
    make_candidate,
    make_commit,
    make_opening,
)

ROWS = 60
PACE = Pace(delay=0.01, concurrency=3)
TRANSFER = 0.05
LEASE_SECONDS = 1.0
WAIT = 20.0


@dataclass(frozen=True)
class Sent:
    row: int
    planned: float
    started: float
    ended: float


def crawl(writer: LedgerWriter, run: RunInfo, owner: str) -> None:
    """Send rows as the frontier allows; a request in transfer is a moment at which it ends."""
    ready: list[LeasedRow] = []
    flying: list[tuple[float, float, LeasedRow]] = []
    while True:
        now = time.time()
        ended = [entry for entry in flying if entry[1] <= now]
        flying = [entry for entry in flying if entry[1] > now]
        for started, end, row in ended:
            report(Sent(row.id, row.send_at, started, end))
            commit(writer, run, row)
        in_flight = {"site.example": len(flying)}
        request = LeaseRequest(run.cycle, owner, 4 - len(ready), PACE, in_flight)
        lease = writer.submit(LeaseRows(request)).result(WAIT)
        ready += lease.rows
        while ready and len(flying) < lease.slots.get("site.example", 0):
            if ready[0].send_at > time.time():
                break
            started = time.time()
            flying.append((started, started + TRANSFER, ready.pop(0)))
        if not lease.open_rows:
            return
        time.sleep(0.005)


def commit(writer: LedgerWriter, run: RunInfo, row: LeasedRow) -> bool:
    page = make_commit(run, row, make_candidate(f"n{row.id}"))
    return not writer.submit(CommitPage(page)).result(WAIT).is_fenced


def lease_three(writer: LedgerWriter, run: RunInfo, owner: str) -> list[LeasedRow]:
    request = LeaseRequest(run.cycle, owner, 3, Pace(0.0, 3))
    return list(writer.submit(LeaseRows(request)).result(WAIT).rows)


DEATHS = {"append": 1, "before sync": 0, "after sync": 0, "after commit": 1}
"""Steps at which a writer may die, with the pages that are written by then. The first page is
committed alone, and only the second one's append is the deadly one."""


class MortalSink(MemorySink):
    """Dies at one step of writing a group."""

    def __init__(self, death: str) -> None:
        super().__init__()
        self._death = death

    def append(self, capture: Capture, *, refers_to: Snapshot | None = None) -> Location:
        self._die_at("append", is_now=len(self.appended) == 1)
        return super().append(capture, refers_to=refers_to)

    def sync(self) -> None:
        self._die_at("before sync")
        super().sync()
        self._die_at("after sync")

    def deliver(self, settle: Callable[[], None]) -> None:
        self._die_at("after commit", is_now=bool(self.appended))
        settle()

    def _die_at(self, step: str, *, is_now: bool = True) -> None:
        if step == self._death and is_now:
            os.kill(os.getpid(), signal.SIGKILL)


def report(value: Any) -> None:
    print(json.dumps(asdict(value) if isinstance(value, Sent) else value), flush=True)


def main(url: str, owner: str, mode: str) -> None:
    sink = MortalSink(mode)
    writer = LedgerWriter(
        url,
        sink,
        owner,
        SITE,
        group_seconds=0.005,
        lease_seconds=LEASE_SECONDS,
        deliver=sink.deliver,
    )
    writer.start()
    run = writer.submit(OpenRun(make_opening(owner, rows=ROWS))).result(WAIT)
    if mode == "crawl":
        report("ready")
        sys.stdin.readline()
        crawl(writer, run, owner)
    else:
        rows = lease_three(writer, run, owner)
        report([row.id for row in rows])
        sys.stdin.readline()
        report([commit(writer, run, row) for row in rows])
    writer.submit(CloseRun(run.run, RunEnd.FINISHED)).result(WAIT)
    writer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
