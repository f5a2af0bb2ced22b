"""Which errors mean that the storage failed, and which only that one operation was wrong."""

import sqlite3

import sqlalchemy as sa

from crawler.contracts.errors import StorageFailed

OPENING_ERRORS = (sa.exc.DBAPIError, sqlite3.Error, OSError)
"""What opening a database raises; SQLAlchemy does not translate errors of its own connect hooks."""
_DEADLOCKS = frozenset({"40P01", "40001"})
"""SQLSTATE of a deadlock and of a serialisation failure: PostgreSQL undid the transaction."""


def is_storage_failure(error: BaseException) -> bool:
    """Whether nothing further can be written: locked, full, unreachable, damaged."""
    if isinstance(error, OSError | sa.exc.OperationalError | sa.exc.InterfaceError):
        return True
    # The bare class is how sqlite3 reports a damaged file.
    return type(error) is sa.exc.DatabaseError or isinstance(error, sa.exc.InternalError)


def is_contention(error: sa.exc.DBAPIError) -> bool:
    """Whether the same transaction may succeed when it is tried again."""
    return getattr(error.orig, "sqlstate", None) in _DEADLOCKS


def storage_failed(error: BaseException) -> StorageFailed:
    if isinstance(error, StorageFailed):
        return error
    origin = getattr(error, "orig", None) or error
    failure = StorageFailed(f"{type(origin).__name__}: {origin}".partition("\n")[0])
    failure.__cause__ = error
    return failure
