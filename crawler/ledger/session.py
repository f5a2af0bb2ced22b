"""One group of operations, one transaction.

The archive is synced before the transaction commits, so nothing is on record whose capture is not
durable. An operation that raises is undone alone; an error of the storage undoes the group.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from crawler.contracts.frontier import Lease
from crawler.contracts.ports import CaptureSink, Clock
from crawler.ledger.captures import GroupSink
from crawler.ledger.failures import OPENING_ERRORS, is_contention, is_storage_failure
from crawler.ledger.frontier import renew
from crawler.ledger.locks import OwnerLock, lock_key
from crawler.ledger.operations import CommitPage, Context, LeaseRows, Operation, commit_together

ATTEMPTS = 5
"""For a group that lost a deadlock on PostgreSQL; SQLite knows none."""
RECLAIM_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class Identity:
    """Who writes, and of which site."""

    owner: str
    site: str
    lease_seconds: float


@dataclass(frozen=True, slots=True)
class Raised:
    """In the place of an operation's result: what it raised."""

    error: Exception


class _Refused(Exception):
    """An operation of the group raised: the group is applied again, each operation for itself."""


class Session:
    """A connection that writes, held by one owner for one site. Used by one thread."""

    def __init__(
        self,
        engine: sa.Engine,
        lock: OwnerLock,
        sink: CaptureSink,
        identity: Identity,
        clock: Clock,
    ) -> None:
        """Raises StorageFailed when another process lives under this name."""
        lock.acquire()
        self._engine, self._lock, self._sink = engine, lock, sink
        self._owner, self._site = identity.owner, identity.site
        self._lease_seconds, self._clock = identity.lease_seconds, clock
        self._conn = engine.connect()
        self._is_shared = engine.dialect.name == "postgresql"
        self._data_version: int | None = None
        self._reclaimed_at = 0.0
        self._renewed_at = time.monotonic()
        self.has_peers = self._is_shared

    def close(self) -> None:
        with suppress(*OPENING_ERRORS):
            self._conn.close()
        with suppress(*OPENING_ERRORS):
            self._lock.release()
        self._engine.dispose()

    def seconds_to_renewal(self) -> float:
        return max(0.0, self._renewed_at + self._lease_seconds / 3 - time.monotonic())

    def commit(self, operations: Sequence[Operation[Any]]) -> list[Any]:
        """Return the result of each operation, or ``Raised``; what this raises fails them all."""
        results = self._apply_with_retries(operations)
        self._note_peers(results)
        return results

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
            self.has_peers = True
        self._data_version = version

    def _is_reclaim_due(self, operations: Sequence[Operation[Any]]) -> bool:
        """Whether rows of dead owners are to be looked for: only leases do, once a second."""
        is_leasing = any(isinstance(operation, LeaseRows) for operation in operations)
        if not is_leasing or time.monotonic() < self._reclaimed_at + RECLAIM_EVERY:
            return False
        self._reclaimed_at = time.monotonic()
        return True

    def _renew_leases(self, now: float) -> None:
        if self.seconds_to_renewal() == 0:
            self._lock.keep()
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
            return Raised(error)

    def _note_peers(self, results: Sequence[Any]) -> None:
        if not self._is_shared:
            for result in results:
                if isinstance(result, Lease):
                    self.has_peers = result.has_peers


def _runs(operations: Sequence[Operation[Any]]) -> Iterator[list[Operation[Any]]]:
    """Split a group into runs of operations that can be applied together."""

    def key(indexed: tuple[int, Operation[Any]]) -> object:
        index, operation = indexed
        if isinstance(operation, CommitPage):
            return (operation.commit.cycle, operation.limits)
        return index

    for _, run in groupby(enumerate(operations), key):
        yield [operation for _, operation in run]


def _apply_run(conn: sa.Connection, run: list[Operation[Any]], context: Context) -> Sequence[Any]:
    commits = [operation for operation in run if isinstance(operation, CommitPage)]
    if len(commits) == len(run):
        return commit_together(conn, commits, context)
    return [operation.apply(conn, context) for operation in run]
