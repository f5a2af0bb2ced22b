"""Scrapy's view of the frontier: requests come from leased rows and go back as continuations."""

import logging
from typing import Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred as TwistedDeferred

from crawler.contracts.frontier import Escalation, LeasedRow
from crawler.contracts.meta import ROW
from crawler.engine.continuations import Continuations
from crawler.engine.requests import UnstorableRequest
from crawler.engine.row_tasks import RowTasks
from crawler.engine.run import Run
from crawler.engine.supply import Supply
from crawler.engine.waiting import Waiting

logger = logging.getLogger(__name__)


class FrontierScheduler(BaseScheduler):
    """Stat: ``scheduler/unstorable``."""

    def __init__(self, crawler: Crawler, run: Run) -> None:
        self._run = run
        self._frontier = run.frontier
        self._stats = crawler.stats
        self._tasks = RowTasks(run)
        self._waiting = Waiting(run.frontier, self._tasks, on_return=self._look_again)
        self._supply = Supply(crawler, run, self._waiting, self._tasks)
        self._continuations = Continuations(crawler, run, self._waiting, self._supply, self._tasks)
        run.scopes.on_cool = self._waiting.give_back_cooling

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
        self._supply.stop()
        self._waiting.drop_all()
        await self._tasks.finish()

    def has_pending_requests(self) -> bool:
        return not self._supply.is_over

    def next_request(self) -> Request | None:
        if self._run.is_ending:
            self._run.closing.proceed()
            return None
        now = self._run.now()
        request = self._waiting.pop(now, self._supply.is_open)
        self._supply.refill(now)
        if request is None:
            self._supply.alarm.set(self._waiting.next_time(now))
        elif self._continuations.postpone_overdue(request, now):
            return None
        return request

    def enqueue_request(self, request: Request) -> bool:
        row = request.meta.get(ROW)
        if not isinstance(row, LeasedRow):
            self._tasks.spawn(self._admit(request))
            return True
        held = self._frontier.in_hand.get(row.id)
        if held is None or held.token != row.token:
            logger.warning("a request for a row that is not in hand was dropped: %s", request.url)
            return False
        self._continuations.accept(request, row)
        return True

    def can_retain(self, size: int) -> bool:
        """Tell whether a response of *size* bytes may wait here to be rendered."""
        return self._waiting.can_retain(size)

    def render(self, row: LeasedRow, escalation: Escalation) -> None:
        self._continuations.render(row, escalation)

    def notice(self, *, has_new_rows: bool) -> None:
        """A page was committed: rows it led to, or the end of the cycle, may be waiting."""
        if has_new_rows or not self._frontier.in_hand:
            self._supply.look_again()
        else:
            self._supply.wake()

    def _look_again(self) -> None:
        self._supply.look_again()

    async def _admit(self, request: Request) -> None:
        try:
            self._run.tally.note_left_out(await self._frontier.admit(request, self._run.spider))
        except UnstorableRequest as error:
            logger.error("not admitted: %s", error)
            self._stats.inc_value("scheduler/unstorable")
        self._supply.look_again()
