"""Requests in hand that wait for their turn, and which of them are given back instead."""

import math
from collections.abc import Callable, Iterator

from scrapy import Request

from crawler.contracts.frontier import LeasedRow
from crawler.contracts.meta import RETAINED, ROW
from crawler.engine.frontier import Frontier
from crawler.engine.ready import ReadyQueue
from crawler.engine.row_tasks import RowTasks
from crawler.engine.sign_in import SignInWatch

PATIENCE = 0.9
"""Part of the delay that must lie between two requests of this worker, however late they are: less
than the whole, or what is a little late would never catch up with its plan."""
MOST_RETAINED = 32 * 2**20
"""Bytes of the responses that wait here to be rendered; what does not fit is fetched again."""


class Waiting:
    """*on_return* is called once rows were given back whose lease had run out."""

    def __init__(self, frontier: Frontier, tasks: RowTasks, on_return: Callable[[], None]) -> None:
        self._frontier = frontier
        self._tasks = tasks
        self._on_return = on_return
        self._ready = ReadyQueue()
        self._first_lapse = math.inf
        self.sign_in = SignInWatch(frontier.in_hand)

    def __len__(self) -> int:
        return len(self._ready)

    def __iter__(self) -> Iterator[Request]:
        return iter(self._ready)

    def push(self, request: Request, row: LeasedRow, send_at: float | None = None) -> None:
        """*send_at* is another moment than the row's own."""
        self._first_lapse = min(self._first_lapse, row.lease_until)
        self._ready.push(request, row.scope, row.send_at if send_at is None else send_at)
        self.give_back_held_back()

    def pop(self, now: float, is_open: Callable[[str], bool]) -> Request | None:
        self._give_back_lapsed(now)
        return self._ready.pop(now, is_open, self._gap)

    def next_time(self, now: float) -> float | None:
        return self._ready.next_time(now)

    def drop_all(self) -> None:
        self._ready.drain()

    def can_retain(self, size: int) -> bool:
        waiting = (request.meta.get(RETAINED) for request in self._ready)
        held = sum(len(retained.snapshot.body) for retained in waiting if retained)
        return held + size <= MOST_RETAINED

    def give_back_cooling(self, scope: str) -> None:
        """Give back what was leased of a scope that may not be sent to now."""
        self._release(self._ready.drain(scope))

    def give_back_held_back(self) -> None:
        """Give back what must not be sent before it is known whether the session still holds."""
        if self.sign_in.is_undecided():
            self._release(
                self._ready.take(lambda request: self.sign_in.holds_back(request.meta[ROW].id))
            )

    def _give_back_lapsed(self, now: float) -> None:
        """Send nothing whose lease ran out here, as while this process was stopped: another may
        have it by now. Where none has, it is leased again."""
        if now < self._first_lapse:
            return
        lapsed = self._ready.take(lambda request: request.meta[ROW].lease_until <= now)
        left = (request.meta[ROW].lease_until for request in self._ready)
        self._first_lapse = min(left, default=math.inf)
        if lapsed:
            self._tasks.spawn(self._return([request.meta[ROW] for request in lapsed]))

    async def _return(self, rows: list[LeasedRow]) -> None:
        await self._frontier.release(rows)
        self._on_return()

    def _release(self, requests: list[Request]) -> None:
        if requests:
            rows = [request.meta[ROW] for request in requests]
            self._tasks.spawn(self._frontier.release(rows))

    def _gap(self, scope: str) -> float:
        return PATIENCE * self._frontier.scopes.delay_of(scope)
