"""Which owners are alive: each holds a lock for as long as its process lives.

Beside a SQLite ledger that is a locked file, on PostgreSQL an advisory lock of a session. Both
vanish with the process, however it ends.
"""

import fcntl
import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from crawler.contracts.errors import StorageFailed

RETAKES, RETAKE_PAUSE = 5, 0.05
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class NameTaken(StorageFailed):
    """Another process lives under this name."""


class OwnerLock(Protocol):
    def acquire(self) -> None:
        """Raises NameTaken."""
        ...

    def keep(self) -> None:
        """Take it anew where it was lost behind our back. Raises NameTaken."""
        ...

    def release(self) -> None: ...

    def is_alive(self, owner: str) -> bool:
        """Whether the process of another owner still holds its lock."""
        ...


class FileLock:
    def __init__(self, folder: Path, owner: str) -> None:
        self._folder = folder
        self._path = self._path_of(owner)
        self._descriptor: int | None = None

    def acquire(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while self._descriptor is None:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not try_lock(descriptor, fcntl.LOCK_EX):
                os.close(descriptor)
                raise NameTaken(f"{self._path}: another process runs under this name")
            if os.fstat(descriptor).st_nlink:
                self._descriptor = descriptor
            else:  # Its last owner removed it after we had opened it: a lock on nothing.
                os.close(descriptor)

    def keep(self) -> None:
        if self._descriptor is not None and not os.fstat(self._descriptor).st_nlink:
            os.close(self._descriptor)  # The folder was cleared: whoever comes makes a new file.
            self._descriptor = None
        _take_again(self.acquire)

    def release(self) -> None:
        if self._descriptor is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def is_alive(self, owner: str) -> bool:
        path = self._path_of(owner)
        try:
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            # Shared, so that two processes testing at once do not take each other for the owner.
            is_free = try_lock(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)
        return not is_free

    def _path_of(self, owner: str) -> Path:
        if not _PLAIN_NAME.fullmatch(owner):
            raise ValueError(f"owner {owner!r} cannot name a file")
        return self._folder / f"{owner}.lock"


def try_lock(descriptor: int, kind: int) -> bool:
    """Lock a file as *kind* (``fcntl.LOCK_EX`` or ``LOCK_SH``) unless another process has it."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


_BACKEND = sa.func.pg_backend_pid()


def _take_again(acquire: Callable[[], None]) -> None:
    """Whoever looks whether the owner lives has a lock that nobody has, for a moment."""
    for _ in range(RETAKES - 1):
        try:
            return acquire()
        except NameTaken:
            time.sleep(RETAKE_PAUSE)
    return acquire()


class AdvisoryLock:
    def __init__(self, engine: sa.Engine, owner: str) -> None:
        self._engine = engine
        self._owner = owner
        self._connection: sa.Connection | None = None
        self._backend = 0
        """Process of the server that holds the lock, for as long as the connection lasts."""

    def acquire(self) -> None:
        connection = self._connect()
        taken = sa.func.pg_try_advisory_lock(lock_key(self._owner))
        is_taken, backend = connection.execute(sa.select(taken, _BACKEND)).one()
        if not is_taken:
            connection.close()
            raise NameTaken(f"another process runs as {self._owner}")
        self._connection, self._backend = connection, backend

    def keep(self) -> None:
        if not self._is_held():
            self.release()
            _take_again(self.acquire)

    def _is_held(self) -> bool:
        try:
            return self._connection is not None and (
                self._connection.scalar(sa.select(_BACKEND)) == self._backend
            )
        except sa.exc.DBAPIError:
            return False

    def release(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()  # ends the session, and its lock with it
            self._connection.close()
            self._connection = None

    def is_alive(self, owner: str) -> bool:
        key = lock_key(owner)
        with self._connect() as connection:
            is_free = connection.scalar(sa.select(sa.func.pg_try_advisory_lock(key)))
            if is_free:
                connection.execute(sa.select(sa.func.pg_advisory_unlock(key)))
        return not is_free

    def _connect(self) -> sa.Connection:
        return self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")


def lock_key(name: str) -> int:
    """Return the signed 64-bit number by which PostgreSQL knows a lock."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
