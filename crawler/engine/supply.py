"""Takes rows from the frontier when too few are at hand, and sees when there are none left."""

import asyncio
import math
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler

from crawler.contracts.frontier import Lease, LeasedRow, RunEnd
from crawler.contracts.meta import ROW
from crawler.engine.alarm import Alarm
from crawler.engine.requests import build_request
from crawler.engine.row_tasks import RowTasks
from crawler.engine.run import Run
from crawler.engine.waiting import Waiting

if TYPE_CHECKING:
    from crawler.engine.downloader import ScopedDownloader

LONG_DELAY = 0.1
"""Above this many seconds between requests, a row is leased only when its turn is near."""
BATCH = 64
LOW_WATER = 24
POLL_SECONDS = 1.0
"""How often a worker with nothing to do looks whether another one left it something."""


class Supply:
    """Setting: CLOSESPIDER_TIMEOUT. Stats: ``scheduler/leased``, ``scheduler/lost``."""

    def __init__(self, crawler: Crawler, run: Run, waiting: Waiting, tasks: RowTasks) -> None:
        self._crawler = crawler
        self._run = run
        self._stats = crawler.stats
        self._frontier, self._scopes = run.frontier, run.scopes
        self._waiting = waiting
        self._tasks = tasks
        self._slots: dict[str, int] = {}
        self._suspects: set[int] = set()
        self._lease: asyncio.Task[None] | None = None
        self._next_lease_at = 0.0
        seconds = crawler.settings.getfloat("CLOSESPIDER_TIMEOUT")
        self._deadline = run.now() + seconds if seconds else math.inf
        self.alarm = Alarm(self.wake, run.now)
        self.is_over = False
        """The cycle has no open row left, or the spider is closed."""

    def is_open(self, scope: str) -> bool:
        """Whether one more request may be in flight to *scope*."""
        return self._downloader.in_flight[scope] < self._slots.get(scope, 1)

    def wake(self) -> None:
        """Let the engine ask for requests now rather than at its next heartbeat (5 s)."""
        slot = self._crawler.engine._slot if self._crawler.engine else None
        if slot is not None and slot.closing is None:
            slot.nextcall.schedule()

    def look_again(self) -> None:
        """There may be rows to lease that were not there at the last look."""
        self._next_lease_at = 0.0
        self.wake()

    def stop(self) -> None:
        self.is_over = True
        self.alarm.cancel()

    def refill(self, now: float) -> None:
        if self._lease is not None or self.is_over or len(self._waiting) >= self._enough():
            return
        if self._waiting.sign_in.is_undecided():
            return
        if now < self._next_lease_at:
            self.alarm.set(self._next_lease_at)
            return
        self._lease = self._tasks.spawn(self._take_lease())

    @property
    def _downloader(self) -> "ScopedDownloader":
        return self._crawler.engine.downloader  # type: ignore[return-value]

    def _enough(self) -> int:
        if self._scopes.pace.delay >= LONG_DELAY:
            return 1
        return min(LOW_WATER, 2 * self._capacity())

    def _capacity(self) -> int:
        """What may be in flight at once: far more at hand would be kept from other processes."""
        return self._scopes.pace.concurrency * max(1, len(self._slots))

    async def _take_lease(self) -> None:
        try:
            want = min(BATCH, 4 * self._capacity())
            lease = await self._frontier.lease(want, dict(self._downloader.in_flight))
        finally:
            self._lease = None
        self._stats.inc_value("scheduler/leased", len(lease.rows))
        self._slots.update(lease.slots)
        for row in lease.rows:
            self._queue(row)
        self._sweep()
        self._settle(lease)
        self.wake()

    def _queue(self, row: LeasedRow) -> None:
        """A row that no request can be made of, as for want of its callback, ends alone."""
        try:
            access, spider = self._run.site.config.access, self._run.spider
            request = build_request(row, access, spider, self._run.headers)
        except (AttributeError, ValueError, TypeError) as error:
            self._run.mishaps.report_bug(row, error)
        else:
            self._waiting.push(request, row)

    def _settle(self, lease: Lease) -> None:
        """Decide what an answer without rows means: finished, deferred, or look again later."""
        now = self._run.now()
        self._next_lease_at = decide_next_look(lease, now)
        if lease.rows or self._frontier.in_hand or len(self._waiting):
            return
        if not lease.open_rows:
            self.is_over = True
        elif lease.next_due is not None and self._is_too_late(lease, lease.next_due, now):
            self._run.end(RunEnd.DEFERRED)

    def _is_too_late(self, lease: Lease, next_due: float, now: float) -> bool:
        patience = self._scopes.patience
        is_far = next_due - now > patience.longest
        return is_far or next_due > self._deadline or patience.is_over(lease.slots, now, next_due)

    def _sweep(self) -> None:
        """End rows whose request is over, and was at the last look, without any report of it."""
        slot = self._crawler.engine._slot if self._crawler.engine else None
        requests = [*(slot.inprogress if slot else ()), *self._waiting]
        at_work = {request.meta[ROW].id for request in requests if ROW in request.meta}
        idle = set(self._frontier.in_hand) - at_work - self._tasks.moving
        for row in idle & self._suspects:
            self._stats.inc_value("scheduler/lost")
            self._run.mishaps.report_lost(self._frontier.in_hand[row])
        self._suspects = idle - self._suspects


def decide_next_look(lease: Lease, now: float) -> float:
    """Return from when on more rows are asked for: at once where there were some."""
    if lease.rows:
        return 0.0
    if lease.next_due is None:
        return now + POLL_SECONDS
    return min(max(lease.next_due, now + 0.01), now + POLL_SECONDS)
