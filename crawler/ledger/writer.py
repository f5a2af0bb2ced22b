"""The one thread that writes: operations in, ordered group commits out.

A group is applied in one transaction; the archive is synced before it commits, so nothing is on
record whose capture is not durable. An operation that raises is undone alone; an error of the
storage fails the whole group and everything after it.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import sqlalchemy as sa

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import Lease, RunEnd
from crawler.contracts.ports import CaptureSink, Clock
from crawler.ledger.captures import GroupSink
from crawler.ledger.database import DEFAULT_WAIT, make_lock, open_ledger
from crawler.ledger.failures import (
    OPENING_ERRORS,
    is_contention,
    is_storage_failure,
    storage_failed,
)
from crawler.ledger.frontier import renew
from crawler.ledger.locks import OwnerLock, lock_key
from crawler.ledger.operations import (
    CommitPage,
    Context,
    LeaseRows,
    Operation,
    commit_together,
)
from crawler.ledger.runs import close_run

T = TypeVar("T")
Deliver = Callable[[Callable[[], None]], object]
MAX_GROUP = 256
ATTEMPTS = 5
"""For a group that lost a deadlock on PostgreSQL; SQLite knows none."""
RECLAIM_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class _Pending:
    operation: Operation[Any]
    future: Future[Any]


class _Refused(Exception):
    """An operation of the group raised: the group is applied again, each operation for itself."""


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
        group_seconds: float = 0.015,
        lease_seconds: float = 60.0,
        deliver: Deliver = _call,
        on_failure: Callable[[StorageFailed], object] | None = None,
    ) -> None:
        self._url, self._sink, self._owner, self._site = url, sink, owner, site
        self._clock, self._wait = clock, wait
        self._group_seconds, self._lease_seconds = group_seconds, lease_seconds
        self._deliver, self._on_failure = deliver, on_failure
        self._queue: SimpleQueue[_Pending | None] = SimpleQueue()
        self._hurry = threading.Event()
        self._gate = threading.Lock()
        self._is_closed = False
        self._failure: StorageFailed | None = None
        self._has_peers = False
        self._data_version: int | None = None
        self._reclaimed_at = self._renewed_at = 0.0
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)

    @property
    def has_peers(self) -> bool:
        """Whether another process may have written: then a cool-down must be read before a send."""
        return self._has_peers

    @property
    def failure(self) -> StorageFailed | None:
        return self._failure

    def start(self) -> None:
        """Open the ledger and begin. Raises StorageFailed or LedgerVersionError."""
        self._engine = open_ledger(self._url, wait=self._wait)
        self._is_shared = self._engine.dialect.name == "postgresql"
        self._has_peers = self._is_shared
        self._lock: OwnerLock = make_lock(self._engine, self._owner)
        try:
            self._lock.acquire()
            self._conn = self._engine.connect()
        except (*OPENING_ERRORS, StorageFailed) as error:
            self._engine.dispose()
            raise storage_failed(error) from error
        self._renewed_at = time.monotonic()
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
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            for group in self._groups():
                self._commit_group(group)
        except BaseException as error:  # noqa: BLE001 - nobody may wait for a future in vain
            self._fail(storage_failed(error), [])
        finally:
            self._shut_down()

    def _shut_down(self) -> None:
        with suppress(*OPENING_ERRORS):
            self._conn.close()
        with suppress(*OPENING_ERRORS):
            self._lock.release()
        self._engine.dispose()

    def _groups(self) -> Iterator[list[_Pending]]:
        """Yield groups to commit, empty ones when leases are to be renewed, until closed."""
        is_open = True
        while is_open:
            try:
                first = self._queue.get(timeout=self._seconds_to_renewal())
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

    def _seconds_to_renewal(self) -> float | None:
        """Return None when there is nothing to renew any more."""
        if self._failure:
            return None
        return max(0.0, self._renewed_at + self._lease_seconds / 3 - time.monotonic())

    def _commit_group(self, group: list[_Pending]) -> None:
        if self._failure:
            self._fail(self._failure, group)
            return
        try:
            results = self._apply_with_retries([pending.operation for pending in group])
        except Exception as error:  # noqa: BLE001 - whatever it was, the group is not written
            self._fail(storage_failed(error), group)
            return
        self._note_peers(results)
        self._resolve([(pending.future, r) for pending, r in zip(group, results, strict=True)])

    def _apply_with_retries(self, operations: Sequence[Operation[Any]]) -> list[Any]:
        sink = GroupSink(self._sink)
        apply = self._apply_plainly
        for _ in range(ATTEMPTS - 1):
            try:
                return self._transact(operations, sink, apply)
            except _Refused:
                apply = self._apply_apart
            except sa.exc.DBAPIError as error:
                if not is_contention(error):
                    raise
        return self._transact(operations, sink, self._apply_apart)

    def _transact(
        self,
        operations: Sequence[Operation[Any]],
        sink: GroupSink,
        apply: Callable[[Sequence[Operation[Any]], Context], list[Any]],
    ) -> list[Any]:
        now = self._clock()
        with self._conn.begin():
            self._enter_site()
            self._renew_leases(now)
            context = Context(
                now=now,
                owner=self._owner,
                lease_seconds=self._lease_seconds,
                sink=sink,
                is_alive=self._lock.is_alive,
                is_reclaim_due=self._is_reclaim_due(operations),
            )
            results = apply(operations, context)
            sink.sync()
        return results

    def _enter_site(self) -> None:
        """Be the only writer of the site, and see whether others wrote since."""
        if self._is_shared:
            key = lock_key(f"site {self._site}")
            self._conn.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))
            return
        version = self._conn.exec_driver_sql("PRAGMA data_version").scalar_one()
        if self._data_version not in {None, version}:
            self._has_peers = True
        self._data_version = version

    def _is_reclaim_due(self, operations: Sequence[Operation[Any]]) -> bool:
        """Whether rows of dead owners are to be looked for: only leases do, once a second."""
        is_leasing = any(isinstance(operation, LeaseRows) for operation in operations)
        if not is_leasing or time.monotonic() < self._reclaimed_at + RECLAIM_EVERY:
            return False
        self._reclaimed_at = time.monotonic()
        return True

    def _renew_leases(self, now: float) -> None:
        if self._seconds_to_renewal() == 0:
            renew(self._conn, self._owner, now, self._lease_seconds)
            self._renewed_at = time.monotonic()

    def _apply_plainly(self, operations: Sequence[Operation[Any]], context: Context) -> list[Any]:
        try:
            return [
                result
                for run in _runs(operations)
                for result in _apply_run(self._conn, run, context)
            ]
        except Exception as error:
            if is_storage_failure(error):
                raise
            raise _Refused from error

    def _apply_apart(self, operations: Sequence[Operation[Any]], context: Context) -> list[Any]:
        return [self._apply_alone(operation, context) for operation in operations]

    def _apply_alone(self, operation: Operation[Any], context: Context) -> Any:
        try:
            with self._conn.begin_nested():
                return operation.apply(self._conn, context)
        except Exception as error:
            if is_storage_failure(error):
                raise
            return _Raised(error)

    def _note_peers(self, results: Sequence[Any]) -> None:
        if not self._is_shared:
            for result in results:
                if isinstance(result, Lease):
                    self._has_peers = result.has_peers

    def _resolve(self, resolved: list[tuple[Future[Any], Any]]) -> None:
        def settle() -> None:
            for future, result in resolved:
                if isinstance(result, _Raised):
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
        self._resolve([(pending.future, _Raised(failure)) for pending in waiting])

    def _drain(self) -> Iterator[_Pending]:
        with suppress(Empty):
            while True:
                pending = self._queue.get_nowait()
                if pending is None:
                    self._queue.put(None)
                    return
                yield pending


@dataclass(frozen=True, slots=True)
class _Raised:
    error: Exception


def _runs(operations: Sequence[Operation[Any]]) -> Iterator[list[Operation[Any]]]:
    """Split a group into runs of operations that can be applied together."""

    def key(indexed: tuple[int, Operation[Any]]) -> object:
        index, operation = indexed
        if isinstance(operation, CommitPage):
            return (operation.commit.cycle, operation.limit)
        return index

    for _, run in groupby(enumerate(operations), key):
        yield [operation for _, operation in run]


def _apply_run(conn: sa.Connection, run: list[Operation[Any]], context: Context) -> Sequence[Any]:
    commits = [operation for operation in run if isinstance(operation, CommitPage)]
    if len(commits) == len(run):
        return commit_together(conn, commits, context)
    return [operation.apply(conn, context) for operation in run]


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
