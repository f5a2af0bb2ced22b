"""The one thread that writes: operations in, ordered group commits out.

What is submitted within a few milliseconds shares a transaction (see ``session``). The first error
of the storage fails its group, everything that waits, and everything submitted later.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import RunEnd
from crawler.contracts.ports import CaptureSink, Clock
from crawler.ledger.database import DEFAULT_WAIT, make_lock, open_ledger
from crawler.ledger.failures import OPENING_ERRORS, storage_failed
from crawler.ledger.operations import Operation
from crawler.ledger.runs import close_run
from crawler.ledger.session import Identity, Raised, Session

T = TypeVar("T")
Deliver = Callable[[Callable[[], None]], object]
MAX_GROUP = 256


@dataclass(frozen=True, slots=True)
class _Pending:
    operation: Operation[Any]
    future: Future[Any]


def _call(deliver: Callable[[], None]) -> None:
    deliver()


class LedgerWriter:
    """Applies operations in the order of their submission.

    *deliver* is handed a function that resolves the futures of a whole group; an event loop's
    ``call_soon_threadsafe`` makes that one wake-up per group. *on_failure* is called once, from
    the writer's thread, with the first storage error, before any future fails.
    """

    def __init__(
        self,
        url: str,
        sink: CaptureSink,
        owner: str,
        site: str,
        *,
        clock: Clock = time.time,
        wait: float = DEFAULT_WAIT,
        group_seconds: float = 0.04,
        lease_seconds: float = 60.0,
        deliver: Deliver = _call,
        on_failure: Callable[[StorageFailed], object] | None = None,
    ) -> None:
        self._url, self._sink, self._clock, self._wait = url, sink, clock, wait
        self._identity = Identity(owner, site, lease_seconds)
        self._group_seconds = group_seconds
        self._deliver, self._on_failure = deliver, on_failure
        self._queue: SimpleQueue[_Pending | None] = SimpleQueue()
        self._hurry = threading.Event()
        self._gate = threading.Lock()
        self._is_closed = False
        self._failure: StorageFailed | None = None
        self._session: Session | None = None
        self._thread: threading.Thread | None = None

    @property
    def has_peers(self) -> bool:
        """Whether another process may have written: then a cool-down must be read before a send."""
        return self._session is not None and self._session.has_peers

    @property
    def failure(self) -> StorageFailed | None:
        return self._failure

    def start(self) -> None:
        """Open the ledger and begin. Raises StorageFailed or LedgerVersionError."""
        engine = open_ledger(self._url, wait=self._wait)
        lock = make_lock(engine, self._identity.owner)
        try:
            self._session = Session(engine, lock, self._sink, self._identity, self._clock)
        except (*OPENING_ERRORS, StorageFailed) as error:
            engine.dispose()
            raise storage_failed(error) from error
        self._thread = threading.Thread(
            target=self._run, args=(self._session,), name="ledger-writer", daemon=True
        )
        self._thread.start()

    def submit(self, operation: Operation[T]) -> Future[T]:
        """Queue one operation; its future fails with StorageFailed once the storage has failed."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # what is queued is written: it cannot be cancelled
        with self._gate:
            if self._is_closed or self._failure:
                future.set_exception(self._failure or StorageFailed("the ledger is closed"))
                return future
            self._queue.put(_Pending(operation, future))
        if operation.is_urgent:
            self._hurry.set()
        return future

    def close(self) -> None:
        """Write what is queued, and stop. May be called twice, and after a failure."""
        with self._gate:
            if self._is_closed:
                return
            self._is_closed = True
            self._queue.put(None)
        self._hurry.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, session: Session) -> None:
        group: list[_Pending] = []
        try:
            for group in self._groups(session):
                self._commit_group(session, group)
        except BaseException as error:  # noqa: BLE001 - nobody may wait for a future in vain
            self._fail(storage_failed(error), group)
        finally:
            session.close()

    def _groups(self, session: Session) -> Iterator[list[_Pending]]:
        """Yield groups to commit, empty ones when leases are to be renewed, until closed."""
        is_open = True
        while is_open:
            try:
                # After a failure there is nothing to renew any more.
                patience = None if self._failure else session.seconds_to_renewal()
                first = self._queue.get(timeout=patience)
            except Empty:
                yield []
                continue
            is_open, group = self._collect(first)
            yield group

    def _collect(self, first: _Pending | None) -> tuple[bool, list[_Pending]]:
        if first is not None and not first.operation.is_urgent:
            self._hurry.wait(self._group_seconds)
        self._hurry.clear()
        group: list[_Pending] = []
        pending = first
        while pending is not None:
            group.append(pending)
            if len(group) >= MAX_GROUP or self._queue.empty():
                return True, group
            pending = self._queue.get()
        return False, group

    def _commit_group(self, session: Session, group: list[_Pending]) -> None:
        if self._failure:
            self._fail(self._failure, group)
            return
        try:
            results = session.commit([pending.operation for pending in group])
        except Exception as error:  # noqa: BLE001 - whatever it was, the group is not written
            self._fail(storage_failed(error), group)
            return
        self._resolve([(pending.future, r) for pending, r in zip(group, results, strict=True)])

    def _resolve(self, resolved: list[tuple[Future[Any], Any]]) -> None:
        def settle() -> None:
            for future, result in resolved:
                if future.done():
                    continue
                if isinstance(result, Raised):
                    future.set_exception(result.error)
                else:
                    future.set_result(result)

        if not resolved:
            return
        try:
            self._deliver(settle)
        except RuntimeError:  # the event loop is closed: nobody is left to be woken
            settle()

    def _fail(self, failure: StorageFailed, group: list[_Pending]) -> None:
        with self._gate:
            is_first = self._failure is None
            self._failure = self._failure or failure
        if is_first and self._on_failure:
            self._on_failure(failure)
        waiting = [*group, *self._drain()]
        self._resolve([(pending.future, Raised(failure)) for pending in waiting])

    def _drain(self) -> Iterator[_Pending]:
        with suppress(Empty):
            while True:
                pending = self._queue.get_nowait()
                if pending is None:
                    self._queue.put(None)
                    return
                yield pending


def close_failed_run(
    url: str, run: str, counters: Mapping[str, Any], *, clock: Clock = time.time, wait: float = 0.5
) -> bool:
    """Try to record that a run ended because its storage failed; False when that fails too.

    Without the record the run counts as died, and its rows as interrupted.
    """
    try:
        engine = open_ledger(url, wait=wait)
        try:
            with engine.begin() as conn:
                close_run(conn, run, RunEnd.STORAGE_FAILED, clock(), counters)
        finally:
            engine.dispose()
    except (*OPENING_ERRORS, StorageFailed):
        return False
    return True
