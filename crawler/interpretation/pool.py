"""Runs pages through worker processes and names what became of those that did not come back.

A page that hangs, eats its memory or kills its worker costs that page one rejection; the pages
waiting behind it are given to a fresh worker. Workers beside the first start when all are busy.
"""

import asyncio
import math
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import ValidationError

from crawler.contracts.errors import CrawlerError
from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.answer import report_of
from crawler.interpretation.child import Child
from crawler.interpretation.limits import DEFAULT_LIMITS, PoolLimits
from crawler.interpretation.protocol import HELLO, REPLY, RULES, Hello, Reply, frame, frame_snapshot

START_SECONDS = 60.0


class WorkerUnusable(CrawlerError):
    """A page worker could not be started or broke the protocol."""


@dataclass(slots=True, eq=False)
class _Job:
    snapshot: Snapshot
    answer: str | None
    future: asyncio.Future[Reply | RejectReason]


@dataclass(slots=True, eq=False)
class _Worker:
    hello: asyncio.Future[Hello]
    child: Child | None = None
    jobs: deque[_Job] = field(default_factory=deque)
    alarm: asyncio.TimerHandle | None = None
    has_timed_out: bool = False
    is_spent: bool = False
    """It answered its page and ends of its own accord: no page is to blame."""
    has_gone: bool = False

    def kill(self) -> None:
        if self.alarm:
            self.alarm.cancel()
        if self.child:
            self.child.kill()


class WorkerPool:
    """Page workers for one set of rules. Use from one event loop; ``close`` ends the processes."""

    def __init__(self, rules: Rules, limits: PoolLimits = DEFAULT_LIMITS) -> None:
        self._rules = frame(RULES.dump_json(rules))
        self._limits = limits
        self._workers: list[_Worker] = []
        self._newborn: _Worker | None = None
        self._room = asyncio.Semaphore(limits.workers * limits.queued)
        self._starting = asyncio.Lock()
        self._is_growing = False
        self._full_since = math.inf
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.network: str | None = None
        """How the workers are kept off the network; None before the first was started."""

    async def start(self) -> Hello:
        """Start the first worker ahead of the first page; returns how it is isolated."""
        return (await self._choose_worker()).hello.result()

    async def prepare(self) -> None:
        """Start it if it can be started: a worker that cannot is each page's to report."""
        with suppress(WorkerUnusable, OSError):
            await self.start()

    async def interpret(self, snapshot: Snapshot, answer: str | None = None) -> PageReport:
        """Return the report on *snapshot*; raises InterpretationBug or WorkerUnusable.

        *answer* is what a model said to the question of an earlier report on it.
        """
        async with self._room:
            job = _Job(snapshot, answer, asyncio.get_running_loop().create_future())
            self._give(job, await self._choose_worker())
            reply = await job.future
        return report_of(reply, self._limits)

    async def close(self) -> None:
        self._is_closed = True
        for worker in [*self._workers, self._newborn]:
            if worker is not None:
                worker.kill()
        while self._workers or self._tasks or self._newborn:
            await asyncio.sleep(0)
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _give(self, job: _Job, worker: _Worker) -> None:
        worker.jobs.append(job)
        if len(worker.jobs) == 1:
            self._set_alarm(worker)
        assert worker.child is not None
        worker.child.write(frame_snapshot(job.snapshot, job.answer))

    async def _choose_worker(self) -> _Worker:
        worker = self._find_worker()
        if worker is None:
            async with self._starting:
                return self._find_worker() or await self._start_worker()
        self._note_load(worker)
        if self._is_overrun() and not self._is_growing:
            self._is_growing = True
            self._spawn(self._grow())
        return worker

    def _note_load(self, least: _Worker) -> None:
        is_full = len(least.jobs) >= self._limits.queued
        now = asyncio.get_running_loop().time()
        self._full_since = min(self._full_since, now) if is_full else math.inf

    def _is_overrun(self) -> bool:
        lasted = asyncio.get_running_loop().time() - self._full_since
        return lasted >= self._limits.patience and len(self._workers) < self._limits.workers

    def _find_worker(self) -> _Worker | None:
        """Return the least busy worker."""
        return min(self._workers, key=lambda worker: len(worker.jobs), default=None)

    async def _grow(self) -> None:
        """Start one worker more, for which no page waits. If that fails, it is not tried again."""
        with suppress(WorkerUnusable):
            async with self._starting:
                await self._start_worker()
            self._is_growing = False

    async def _start_worker(self) -> _Worker:
        worker = self._newborn = _Worker(asyncio.get_running_loop().create_future())
        try:
            await self._bring_up(worker)
        except OSError as error:
            raise WorkerUnusable(f"a page worker did not start: {error!r}") from error
        finally:
            self._newborn = None
            if worker not in self._workers and worker.child:
                self._begin_burial(worker)
        return worker

    async def _bring_up(self, worker: _Worker) -> None:
        """Raises OSError when it cannot be started, or has ended before it could be used."""
        if not self._is_closed:
            worker.child = await Child.spawn(
                self._limits.memory,
                partial(self._receive, worker),
                partial(self._lose, worker),
            )
        if self._is_closed or worker.child is None:
            raise WorkerUnusable("the page workers have been closed")
        worker.child.write(self._rules)
        await asyncio.wait_for(worker.hello, START_SECONDS)
        if worker.has_gone:
            raise ConnectionError("it ended at once")
        self._workers.append(worker)

    def _receive(self, worker: _Worker, head: bytes) -> None:
        try:
            if not worker.hello.done():
                hello = HELLO.validate_json(head)
                self.network = hello.network
                worker.hello.set_result(hello)
                return
            reply = REPLY.validate_json(head)
        except ValidationError:
            worker.kill()
            return
        if not worker.jobs:
            worker.kill()
            return
        job = worker.jobs.popleft()
        worker.is_spent = reply.is_out_of_memory
        self._set_alarm(worker)
        if not job.future.done():
            job.future.set_result(reply)

    def _lose(self, worker: _Worker) -> None:
        worker.has_gone = True
        if not worker.hello.done():
            worker.hello.set_exception(ConnectionError("it ended before it was ready"))
        elif worker in self._workers:
            self._workers.remove(worker)
            self._begin_burial(worker)

    def _begin_burial(self, worker: _Worker) -> None:
        worker.hello.cancel()
        self._spawn(self._bury(worker))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _bury(self, worker: _Worker) -> None:
        """The page at the head is to blame; those behind it go to another worker."""
        worker.kill()
        assert worker.child is not None
        await worker.child.reap()
        jobs = worker.jobs
        if self._is_closed:
            for job in jobs:
                job.future.cancel()
            return
        if jobs and not worker.is_spent:
            _blame(jobs.popleft(), has_timed_out=worker.has_timed_out)
        for job in jobs:
            await self._give_again(job)

    async def _give_again(self, job: _Job) -> None:
        try:
            self._give(job, await self._choose_worker())
        except WorkerUnusable as error:
            if not job.future.done():
                job.future.set_exception(error)

    def _set_alarm(self, worker: _Worker) -> None:
        if worker.alarm:
            worker.alarm.cancel()
        worker.alarm = None
        if worker.jobs:
            loop = asyncio.get_running_loop()
            worker.alarm = loop.call_later(self._limits.seconds, _time_out, worker)


def _time_out(worker: _Worker) -> None:
    worker.has_timed_out = True
    worker.kill()


def _blame(job: _Job, *, has_timed_out: bool) -> None:
    reason = RejectReason.EXTRACTION_TIMEOUT if has_timed_out else RejectReason.EXTRACTION_CRASH
    if not job.future.done():
        job.future.set_result(reason)
