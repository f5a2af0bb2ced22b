"""Runs pages through worker processes and names what became of those that did not come back.

A page that hangs, eats its memory or kills its worker costs that page one rejection; the pages
waiting behind it are given to a fresh worker.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import ValidationError

from crawler.contracts.errors import CrawlerError
from crawler.contracts.outcome import ELIGIBLE, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.protocol import (
    HELLO,
    LENGTHS,
    MAX_HEAD,
    REPLY,
    RULES,
    Hello,
    Reply,
    frame,
    frame_snapshot,
)

START_SECONDS = 60.0
BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from crawler.interpretation.worker import main; main(int(sys.argv[2]))"
)
KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")


class WorkerUnusable(CrawlerError):
    """A page worker could not be started or broke the protocol."""


class InterpretationBug(CrawlerError):
    """Interpretation raised; carries the worker's trace."""

    def __init__(self, trace: str) -> None:
        super().__init__(trace.strip().splitlines()[-1] if trace.strip() else "no trace")
        self.trace = trace


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """What a page may cost."""

    workers: int = 1
    seconds: float = 10.0
    memory: int = 2**30
    queued: int = 8
    """Pages handed to one worker at a time; those behind the first wait in its pipe."""

    @staticmethod
    def default_workers() -> int:
        """One core is left to the crawl itself."""
        return max(1, (os.cpu_count() or 1) - 1)


@dataclass(slots=True, eq=False)
class _Job:
    snapshot: Snapshot
    future: asyncio.Future[Reply | RejectReason]


@dataclass(frozen=True, slots=True, eq=False)
class _Child:
    """A process and the socket that is its standard input and output.

    Not asyncio's own subprocess: its exit notice competes with Twisted's for SIGCHLD.
    """

    process: subprocess.Popen[bytes]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def kill(self) -> None:
        self.process.kill()
        self.writer.close()

    async def reap(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.process.wait)


@dataclass(slots=True, eq=False)
class _Worker:
    child: _Child
    hello: Hello
    jobs: deque[_Job] = field(default_factory=deque)
    alarm: asyncio.TimerHandle | None = None
    has_timed_out: bool = False


class WorkerPool:
    """Page workers for one set of rules. Use from one event loop; ``close`` ends the processes."""

    def __init__(self, rules: Rules, limits: PoolLimits = PoolLimits()) -> None:
        self._rules = frame(RULES.dump_json(rules))
        self._limits = limits
        self._workers: list[_Worker] = []
        self._room = asyncio.Semaphore(limits.workers * limits.queued)
        self._starting = asyncio.Lock()
        self._newborn: _Child | None = None
        self._readers: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def isolation(self) -> str | None:
        """How the workers are kept off the network; None before the first was started."""
        return self._workers[0].hello.network if self._workers else None

    async def start(self) -> Hello:
        """Start the first worker ahead of the first page."""
        return (await self._choose_worker()).hello

    async def prepare(self) -> None:
        """Start it if it can be started: a worker that cannot is each page's to report."""
        with suppress(WorkerUnusable, OSError):
            await self.start()

    async def interpret(self, snapshot: Snapshot) -> PageReport:
        """Return the report on *snapshot*; raises InterpretationBug or WorkerUnusable."""
        async with self._room:
            job = _Job(snapshot, asyncio.get_running_loop().create_future())
            await self._give(job)
            answer = await job.future
        return _report(answer, self._limits)

    async def close(self) -> None:
        self._is_closed = True
        if self._newborn:
            self._newborn.kill()
        for worker in self._workers:
            if worker.alarm:
                worker.alarm.cancel()
            worker.child.kill()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _give(self, job: _Job) -> None:
        worker = await self._choose_worker()
        worker.jobs.append(job)
        if len(worker.jobs) == 1:
            self._set_alarm(worker)
        worker.child.writer.write(frame_snapshot(job.snapshot))

    async def _choose_worker(self) -> _Worker:
        async with self._starting:
            idle = min(self._workers, key=lambda worker: len(worker.jobs), default=None)
            if idle is not None and (not idle.jobs or len(self._workers) >= self._limits.workers):
                return idle
            worker = await self._start_worker()
            self._workers.append(worker)
            return worker

    async def _start_worker(self) -> _Worker:
        if self._is_closed:
            raise WorkerUnusable("the page workers have been closed")
        child = self._newborn = await _spawn(self._limits.memory)
        try:
            child.writer.write(self._rules)
            head = await asyncio.wait_for(_read_head(child.reader), START_SECONDS)
            worker = _Worker(child, HELLO.validate_json(head))
        except (TimeoutError, EOFError, ValidationError, ConnectionError) as error:
            child.kill()
            await child.reap()
            raise WorkerUnusable(f"a page worker did not start: {error!r}") from error
        finally:
            self._newborn = None
        reader = asyncio.get_running_loop().create_task(self._read_replies(worker))
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)
        return worker

    async def _read_replies(self, worker: _Worker) -> None:
        try:
            while True:
                reply = REPLY.validate_json(await _read_head(worker.child.reader))
                job = worker.jobs.popleft()
                self._set_alarm(worker)
                if not job.future.done():
                    job.future.set_result(reply)
        except (EOFError, ConnectionError, ValidationError, IndexError):
            await self._bury(worker)

    async def _bury(self, worker: _Worker) -> None:
        """The page at the head is to blame; those behind it go to another worker."""
        self._workers.remove(worker)
        if worker.alarm:
            worker.alarm.cancel()
        worker.child.kill()
        await worker.child.reap()
        jobs = list(worker.jobs)
        if self._is_closed:
            for job in jobs:
                job.future.cancel()
            return
        if jobs:
            _blame(jobs[0], has_timed_out=worker.has_timed_out)
        for job in jobs[1:]:
            await self._give_again(job)

    async def _give_again(self, job: _Job) -> None:
        try:
            await self._give(job)
        except WorkerUnusable as error:
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
    worker.child.kill()


def _blame(job: _Job, *, has_timed_out: bool) -> None:
    reason = RejectReason.EXTRACTION_TIMEOUT if has_timed_out else RejectReason.EXTRACTION_CRASH
    if not job.future.done():
        job.future.set_result(reason)


async def _spawn(memory_limit: int) -> _Child:
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: ASYNC220 - returns once the process is forked
            [sys.executable, "-I", "-c", BOOT, json.dumps(sys.path), str(memory_limit)],
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            env={name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ},
        )
    reader, writer = await asyncio.open_connection(sock=ours, limit=1 << 20)
    return _Child(process, reader, writer)


async def _read_head(reader: asyncio.StreamReader) -> bytes:
    head, body = LENGTHS.unpack(await reader.readexactly(LENGTHS.size))
    if head > MAX_HEAD or body:
        raise EOFError("frame out of bounds")
    return await reader.readexactly(head)


def _report(answer: Reply | RejectReason, limits: PoolLimits) -> PageReport:
    if isinstance(answer, RejectReason):
        return _resource_report(answer, limits)
    if answer.is_out_of_memory:
        return _resource_report(RejectReason.EXTRACTION_CRASH, limits)
    if answer.report is None:
        raise InterpretationBug(answer.trace or "")
    return answer.report


def _resource_report(reason: RejectReason, limits: PoolLimits) -> PageReport:
    """The page was fetched well; only its interpretation ran out of time or memory."""
    detail = {
        RejectReason.EXTRACTION_TIMEOUT: f"no report within {limits.seconds:g} s",
        RejectReason.EXTRACTION_CRASH: f"the page worker ended (limit {limits.memory >> 20} MiB)",
    }[reason]
    return PageReport(verdict=ELIGIBLE, rejections=(Rejection(reason, detail),))
