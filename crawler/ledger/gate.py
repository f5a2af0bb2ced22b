"""Reading a cool-down just before a send, beside the writer and without its lock."""

import threading

import sqlalchemy as sa

from crawler.ledger.database import DEFAULT_WAIT, open_for_reading
from crawler.ledger.failures import OPENING_ERRORS, storage_failed
from crawler.ledger.tables import scopes

_NOT_BEFORE = sa.select(scopes.c.not_before).where(scopes.c.scope == sa.bindparam("scope"))


class ScopeReader:
    """Safe to call from several threads; its calls wait for each other, never for a writer."""

    def __init__(self, url: str, *, wait: float = DEFAULT_WAIT) -> None:
        """Raises StorageFailed when there is no ledger to read."""
        self._engine = open_for_reading(url, wait=wait)
        self._conn = self._engine.connect()
        self._lock = threading.Lock()

    def read_not_before(self, scope: str) -> float:
        """Return the end of the scope's cool-down, 0 when there was none. Raises StorageFailed."""
        try:
            with self._lock, self._conn.begin():  # a transaction each: the next sees later commits
                return float(self._conn.scalar(_NOT_BEFORE, {"scope": scope}) or 0.0)
        except OPENING_ERRORS as error:
            raise storage_failed(error) from error

    def close(self) -> None:
        with self._lock:
            self._conn.close()
            self._engine.dispose()
