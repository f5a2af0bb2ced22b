"""Ledger and archive of a run, for a caller on an event loop."""

import asyncio
import os
import socket
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import TypeVar

from crawler.archive.writer import ArchiveWriter
from crawler.contracts.bound import LeftOut, Limits
from crawler.contracts.collection import Collection
from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import (
    CommitResult,
    Deferral,
    Escalation,
    Lease,
    LeasedRow,
    LeaseRequest,
    NewRow,
    Pace,
    PageCommit,
    Redirection,
    RedirectionResult,
    RunEnd,
    RunInfo,
    RunOpening,
)
from crawler.contracts.model import AnswerKey, ModelAnswer
from crawler.contracts.snapshot import Capture
from crawler.engine.clock import SteadyClock
from crawler.engine.data import DataFolder
from crawler.ledger.admitting import Admission, Batch
from crawler.ledger.gate import ScopeReader
from crawler.ledger.operations import (
    Admit,
    BumpBackoff,
    CloseRun,
    CommitPage,
    CoolScope,
    CountRetries,
    DeferRow,
    EscalateRow,
    FileCapture,
    FindAnswer,
    ForgiveScope,
    KeepAnswer,
    LeaseRows,
    OpenRun,
    Operation,
    RedirectRow,
    ReleaseRow,
    ReserveSend,
    TripScope,
)
from crawler.ledger.scopes import Trip
from crawler.ledger.sessions import SessionHold
from crawler.ledger.writer import LedgerWriter, close_failed_run

T = TypeVar("T")


class Store:
    """Every coroutine raises StorageFailed once ledger or archive cannot be written any more."""

    info: RunInfo
    """Set by ``open``."""

    def __init__(
        self, data: DataFolder, site: str, *, wait: float, lease_seconds: float, limits: Limits
    ) -> None:
        self.owner = f"{socket.gethostname()[:40]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.clock = SteadyClock()
        self._data = data
        self._site = site
        self._wait = wait
        self._lease_seconds = lease_seconds
        self._limits = limits
        self._gate: ScopeReader | None = None
        self._hold: SessionHold | None = None

    @property
    def has_peers(self) -> bool:
        return self._writer.has_peers

    @property
    def failure(self) -> StorageFailed | None:
        return self._writer.failure

    async def open(
        self, opening: RunOpening, on_failure: Callable[[StorageFailed], object]
    ) -> None:
        """Open everything and the run, or nothing; *on_failure* is called from another thread, once.

        Raises StorageFailed, LedgerVersionError, SessionBusy or SessionExpired.
        """
        loop = asyncio.get_running_loop()
        try:
            self._data.create()
            self._archive = ArchiveWriter(self._data.archive, self.owner, clock=self.clock)
        except OSError as error:
            raise StorageFailed(f"{self._data.path}: {error.strerror}") from error
        self._writer = LedgerWriter(
            self._data.url,
            self._archive,
            self.owner,
            self._site,
            clock=self.clock,
            wait=self._wait,
            lease_seconds=self._lease_seconds,
            deliver=loop.call_soon_threadsafe,
            on_failure=on_failure,
        )
        try:
            await loop.run_in_executor(None, self._writer.start)
            if opening.session is not None:
                hold = partial(SessionHold, self._data.url, self._site, wait=self._wait)
                self._hold = await loop.run_in_executor(None, hold, opening.session.name)
            self._gate = ScopeReader(self._data.url, wait=self._wait)
            self.info = await self._submit(OpenRun(opening, self._limits))
        except BaseException:
            await loop.run_in_executor(None, self._shut_down)
            raise

    async def close(
        self, end: RunEnd, counters: Mapping[str, int | str]
    ) -> tuple[Collection, ...] | None:
        """Close the run and everything opened.

        Returns the verdicts on the collections of a cycle that ends with it; None when the run's
        end could not be recorded.
        """
        collections: tuple[Collection, ...] | None = None
        with suppress(StorageFailed):
            collections = await self._submit(CloseRun(self.info.run, end, counters))
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._shut_down)
        if collections is None:
            close = partial(close_failed_run, self._data.url, self.info.run, counters)
            await loop.run_in_executor(None, close)
        return collections

    def _shut_down(self) -> None:
        self._writer.close()
        if self._gate is not None:
            self._gate.close()
        self._archive.close()
        if self._hold is not None:
            self._hold.release()

    async def lease(self, request: LeaseRequest) -> Lease:
        return await self._submit(LeaseRows(request))

    async def commit(self, commit: PageCommit) -> CommitResult:
        return await self._submit(CommitPage(commit, self._limits))

    async def defer(self, deferral: Deferral) -> bool:
        return await self._submit(DeferRow(deferral))

    async def count_retries(self) -> int:
        """Return the retries of this cycle so far."""
        return await self._submit(CountRetries(self.info.cycle))

    async def redirect(self, redirection: Redirection) -> RedirectionResult:
        return await self._submit(RedirectRow(redirection))

    async def escalate(self, escalation: Escalation) -> float | None:
        """Return until when the row is leased now; None when its lease was no longer held."""
        return await self._submit(EscalateRow(escalation))

    async def release(self, rows: Sequence[LeasedRow]) -> None:
        for pending in [self._submit(ReleaseRow(row.id, row.token)) for row in rows]:
            await pending

    async def admit(self, rows: Sequence[NewRow], left_out: LeftOut | None = None) -> Admission:
        batch = Batch(rows, left_out=left_out or {})
        return await self._submit(Admit(self.info.cycle, batch, self._limits))

    async def cool(self, scope: str, until: float) -> float:
        return await self._submit(CoolScope(scope, until))

    async def count_refusal(self, scope: str) -> int:
        """Return how many refusals without a usable Retry-After there were in a row, this one too."""
        return await self._submit(BumpBackoff(scope))

    async def forgive(self, scope: str) -> None:
        """Forget the refusals of a scope that has served a page."""
        await self._submit(ForgiveScope(scope))

    async def trip(self, trip: Trip) -> float:
        """Let nobody ask a scope that only refuses; returns until when."""
        return await self._submit(TripScope(trip))

    async def reserve_send(self, scope: str, pace: Pace, within: float) -> float:
        return await self._submit(ReserveSend(scope, pace, within))

    async def archive_auxiliary(self, capture: Capture) -> None:
        await self._submit(FileCapture(capture, self.info.cycle))

    async def find_answer(self, key: AnswerKey) -> ModelAnswer | None:
        return await self._submit(FindAnswer(key))

    async def keep_answer(self, answer: ModelAnswer) -> ModelAnswer:
        """Return, once it is durable, the answer that stands for its key."""
        return await self._submit(KeepAnswer(answer))

    async def read_cooling(self, scope: str) -> float:
        """Return the cool-down of *scope* as any worker last committed it."""
        assert self._gate is not None
        return await asyncio.to_thread(self._gate.read_not_before, scope)

    async def keep_session(self) -> None:
        """Make sure that the session is still this worker's. Raises SessionBusy besides."""
        assert self._hold is not None
        await asyncio.to_thread(self._hold.keep)

    def _submit(self, operation: Operation[T]) -> "asyncio.Future[T]":
        """Return a future of this loop: the writer settles a whole group on it in one go.

        ``asyncio.wrap_future`` would wake the loop once more for every page.
        """
        awaited: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.submit(operation).add_done_callback(partial(_settle, awaited))
        return awaited


def _settle(awaited: "asyncio.Future[T]", written: "Future[T]") -> None:
    if awaited.done():
        return
    error = written.exception()
    if error is None:
        awaited.set_result(written.result())
    else:
        awaited.set_exception(error)
