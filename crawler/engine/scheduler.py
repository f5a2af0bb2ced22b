"""Scrapy's view of the frontier: requests come from leased rows and go back as continuations."""

import asyncio
import logging
import math
from collections.abc import Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred as TwistedDeferred

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import Deferral, Escalation, Lease, LeasedRow, RunEnd
from crawler.contracts.item import Retained, diagnostic_capture
from crawler.contracts.meta import DEFERRAL, OBSERVATION, RETAINED, ROW
from crawler.engine.alarm import Alarm
from crawler.engine.ready import ReadyQueue
from crawler.engine.requests import (
    UnstorableRequest,
    as_admitted,
    build_request,
    continue_as,
    follow_redirect,
)
from crawler.engine.run import Run
from crawler.engine.sign_in import SignInWatch

if TYPE_CHECKING:
    from crawler.engine.downloader import ScopedDownloader

logger = logging.getLogger(__name__)

LONG_DELAY = 0.1
"""Above this many seconds between requests, a row is leased only when its turn is near."""
BATCH = 64
LOW_WATER = 24
PATIENCE = 0.9
"""Part of the delay that must lie between two requests of this worker, however late they are: less
than the whole, or what is a little late would never catch up with its plan."""
OVERDUE = 2
"""Delays after its planned moment at which a request needs a new one, unless it is alone."""
MOST_RETAINED = 32 * 2**20
"""Bytes of the responses that wait here to be rendered; what does not fit is fetched again."""
POLL_SECONDS = 1.0
"""How often a worker with nothing to do looks whether another one left it something."""


class FrontierScheduler(BaseScheduler):
    """Stats: ``scheduler/leased``, ``scheduler/continued``,
    ``scheduler/deferred``, ``scheduler/lost``, ``scheduler/unstorable``."""

    def __init__(self, crawler: Crawler, run: Run) -> None:
        self._crawler = crawler
        self._run = run
        self._frontier = run.frontier
        self._stats = crawler.stats
        self._scopes = run.scopes
        self._scopes.on_cool = self._give_back_cooling
        self._ready = ReadyQueue()
        self._first_lapse = math.inf
        self._slots: dict[str, int] = {}
        self._is_finished = False
        self._moving: set[int] = set()
        self._sign_in = SignInWatch(self._frontier.in_hand)
        self._suspects: set[int] = set()
        self._lease: asyncio.Task[None] | None = None
        self._next_lease_at = 0.0
        seconds = crawler.settings.getfloat("CLOSESPIDER_TIMEOUT")
        self._deadline = run.now() + seconds if seconds else math.inf
        self._alarm = Alarm(self.wake, run.now)
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        run = crawler.get_extension(Run)
        assert run is not None
        return cls(crawler, run)

    def open(self, spider: Spider) -> TwistedDeferred[None]:
        return deferred_from_coro(self._run.open(self))

    def close(self, reason: str) -> TwistedDeferred[None]:
        return deferred_from_coro(self._close())

    async def _close(self) -> None:
        self._is_finished = True
        self._alarm.cancel()
        self._ready.drain()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def has_pending_requests(self) -> bool:
        return not self._is_finished

    def next_request(self) -> Request | None:
        if self._run.is_ending:
            self._run.proceed_closing()
            return None
        now = self._run.now()
        self._give_back_lapsed(now)
        request = self._ready.pop(now, self._is_open, self._gap)
        self._refill(now)
        if request is None:
            self._alarm.set(self._ready.next_time(now))
        elif self._is_overdue(request.meta[ROW], now):
            self._spawn(self._take_turn(request, request.meta[ROW]))
            return None
        return request

    def _is_overdue(self, row: LeasedRow, now: float) -> bool:
        """Another process may have planned a request for this moment, and cannot know of ours."""
        delay = self._scopes.delay_of(row.scope)
        return delay > 0 and self._frontier.has_peers and now - row.send_at > OVERDUE * delay

    async def _take_turn(self, request: Request, row: LeasedRow) -> None:
        self._moving.add(row.id)
        try:
            send_at = await self._frontier.reserve_turn(row.scope)
        finally:
            self._moving.discard(row.id)
        self._push_again(request, replace(row, send_at=send_at))

    def _push_again(self, request: Request, row: LeasedRow) -> None:
        self._frontier.in_hand[row.id] = row
        request.meta[ROW] = row
        self._push(request, row)
        self.wake()

    def enqueue_request(self, request: Request) -> bool:
        row = request.meta.get(ROW)
        if not isinstance(row, LeasedRow):
            self._spawn(self._admit(request))
            return True
        held = self._frontier.in_hand.get(row.id)
        if held is None or held.token != row.token:
            logger.warning("a request for a row that is not in hand was dropped: %s", request.url)
            return False
        if isinstance(deferral := request.meta.pop(DEFERRAL, None), Deferral):
            self._stats.inc_value("scheduler/deferred")
            self._spawn(self._defer(deferral), row)
        else:
            self._stats.inc_value("scheduler/continued")
            if self._frontier.leads_to_sign_in(request.url):
                self._sign_in.note(row.id)
                self._give_back_held_back()
            self._spawn(self._redirect(request, row), row)
        return True

    def can_retain(self, size: int) -> bool:
        waiting = (request.meta.get(RETAINED) for request in self._ready)
        held = sum(len(retained.snapshot.body) for retained in waiting if retained)
        return held + size <= MOST_RETAINED

    def render(self, row: LeasedRow, escalation: Escalation) -> None:
        """Queue the continuation of a page that goes on to be rendered.

        One whose response is at hand waits for no turn: what was begun is finished first.
        """
        access, spider = self._run.site.config.access, self._run.spider
        request = build_request(row, access, spider, self._run.headers)
        if escalation.is_retained:
            missing = "; ".join(escalation.decision.evidence)
            request.meta[RETAINED] = Retained(escalation.capture.snapshot, missing)
        self._stats.inc_value("scheduler/continued")
        self._frontier.in_hand[row.id] = row
        self._push(request, row, 0.0 if escalation.is_retained else row.send_at)
        self.wake()

    def wake(self) -> None:
        """Let the engine ask for requests now rather than at its next heartbeat (5 s)."""
        slot = self._crawler.engine._slot if self._crawler.engine else None
        if slot is not None and slot.closing is None:
            slot.nextcall.schedule()

    def notice(self, *, has_new_rows: bool) -> None:
        """A page was committed: rows it led to, or the end of the cycle, may be waiting."""
        if has_new_rows or not self._frontier.in_hand:
            self._next_lease_at = 0.0
        self.wake()

    def _give_back_cooling(self, scope: str) -> None:
        """Give back what was leased of a scope that may not be sent to now."""
        requests = self._ready.drain(scope)
        if requests:
            self._spawn(self._frontier.release([request.meta[ROW] for request in requests]))

    def _give_back_held_back(self) -> None:
        if not self._sign_in.is_undecided():
            return
        held_back = self._ready.take(lambda request: self._sign_in.holds_back(request.meta[ROW].id))
        if held_back:
            self._spawn(self._frontier.release([request.meta[ROW] for request in held_back]))

    def _give_back_lapsed(self, now: float) -> None:
        """Send nothing whose lease ran out here, as while this process was stopped: another may
        have it by now. Where none has, it is leased again."""
        if now < self._first_lapse:
            return
        lapsed = self._ready.take(lambda request: request.meta[ROW].lease_until <= now)
        left = (request.meta[ROW].lease_until for request in self._ready)
        self._first_lapse = min(left, default=math.inf)
        if lapsed:
            self._spawn(self._give_back([request.meta[ROW] for request in lapsed]))

    async def _give_back(self, rows: list[LeasedRow]) -> None:
        await self._frontier.release(rows)
        self.notice(has_new_rows=True)

    def _gap(self, scope: str) -> float:
        return PATIENCE * self._scopes.delay_of(scope)

    def _is_open(self, scope: str) -> bool:
        downloader: ScopedDownloader = self._crawler.engine.downloader  # type: ignore[assignment]
        return downloader.in_flight[scope] < self._slots.get(scope, 1)

    def _refill(self, now: float) -> None:
        if self._lease is not None or self._is_finished or len(self._ready) >= self._enough():
            return
        if self._sign_in.is_undecided():
            return
        if now < self._next_lease_at:
            self._alarm.set(self._next_lease_at)
            return
        self._lease = self._spawn(self._take_lease())

    def _enough(self) -> int:
        if self._scopes.pace.delay >= LONG_DELAY:
            return 1
        return min(LOW_WATER, 2 * self._capacity())

    def _capacity(self) -> int:
        """What may be in flight at once: far more at hand would be kept from other processes."""
        return self._scopes.pace.concurrency * max(1, len(self._slots))

    async def _take_lease(self) -> None:
        try:
            downloader: ScopedDownloader = self._crawler.engine.downloader  # type: ignore[assignment]
            want = min(BATCH, 4 * self._capacity())
            lease = await self._frontier.lease(want, dict(downloader.in_flight))
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
            self._push(request, row)

    def _settle(self, lease: Lease) -> None:
        """Decide what an answer without rows means: finished, deferred, or look again later."""
        now = self._run.now()
        if lease.rows:
            self._next_lease_at = 0.0
            return
        self._next_lease_at = now + POLL_SECONDS
        if lease.next_due is not None:
            self._next_lease_at = min(max(lease.next_due, now + 0.01), now + POLL_SECONDS)
        if self._frontier.in_hand or len(self._ready):
            return
        if not lease.open_rows:
            self._is_finished = True
        elif lease.next_due is not None and self._is_too_late(lease, lease.next_due, now):
            self._run.end(RunEnd.DEFERRED)

    def _is_too_late(self, lease: Lease, next_due: float, now: float) -> bool:
        patience = self._scopes.patience
        is_far = next_due - now > patience.longest
        return is_far or next_due > self._deadline or patience.is_over(lease.slots, now, next_due)

    def _sweep(self) -> None:
        """End rows whose request is over, and was at the last look, without any report of it."""
        slot = self._crawler.engine._slot if self._crawler.engine else None
        requests = [*(slot.inprogress if slot else ()), *self._ready]
        at_work = {request.meta[ROW].id for request in requests if ROW in request.meta}
        idle = set(self._frontier.in_hand) - at_work - self._moving
        for row in idle & self._suspects:
            self._stats.inc_value("scheduler/lost")
            self._run.mishaps.report_lost(self._frontier.in_hand[row])
        self._suspects = idle - self._suspects

    async def _defer(self, deferral: Deferral) -> None:
        await self._frontier.defer(deferral)
        self._run.drop_observation(deferral.capture)
        self._next_lease_at = 0.0
        self.wake()

    async def _redirect(self, request: Request, row: LeasedRow) -> None:
        observation = request.meta.pop(OBSERVATION, None)
        status, elapsed = 0, 0.0
        if observation:
            status, elapsed = observation.snapshot.status, observation.elapsed_seconds
        target = request.replace(url=as_admitted(request.url))
        moved = follow_redirect(target, status, self._frontier.scope_of(target.url), elapsed)
        result = await self._frontier.redirect(target, moved, observation, self._run.now())
        self._run.drop_observation(diagnostic_capture(observation) if observation else None)
        if result.is_fenced or result.is_seen:
            self._frontier.finish(row.id, row.token)
            self.notice(has_new_rows=False)
            return
        self._frontier.in_hand[row.id] = moved
        continue_as(target, moved, self._run.site.config.access)
        # Nothing else is sent before a decisive one, so it takes the turn that was planned next.
        is_decisive = self._sign_in.is_led(row.id)
        self._push(target, moved, send_at=row.send_at if is_decisive else result.send_at)
        self.wake()

    def _push(self, request: Request, row: LeasedRow, send_at: float | None = None) -> None:
        self._first_lapse = min(self._first_lapse, row.lease_until)
        self._ready.push(request, row.scope, row.send_at if send_at is None else send_at)
        self._give_back_held_back()

    async def _admit(self, request: Request) -> None:
        try:
            self._run.tally.note_left_out(await self._frontier.admit(request, self._run.spider))
        except UnstorableRequest as error:
            logger.error("not admitted: %s", error)
            self._stats.inc_value("scheduler/unstorable")
        self.notice(has_new_rows=True)

    def _spawn(
        self, work: Coroutine[Any, Any, None], row: LeasedRow | None = None
    ) -> asyncio.Task[None]:
        """Run *work* beside the engine; *row* is the one that it moves, if it moves one."""
        if row is not None:
            self._moving.add(row.id)
        task = asyncio.get_running_loop().create_task(self._guard(work, row))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guard(self, work: Coroutine[Any, Any, None], row: LeasedRow | None) -> None:
        """No error may travel into Scrapy, where nobody waits for it and a row would be lost."""
        try:
            await work
        except StorageFailed:
            logger.debug("dropped: storage has failed and the run is ending")
        except Exception as error:
            if row is None:
                logger.exception("a bug in the scheduler ends the run")
                self._run.end(RunEnd.FAILED)
            else:
                self._run.mishaps.report_bug(row, error)
        finally:
            if row is not None:
                self._moving.discard(row.id)
