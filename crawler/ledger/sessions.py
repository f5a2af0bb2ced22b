"""Named sessions: who has one now, and which of them a site has refused."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from crawler.contracts.errors import CrawlerError, SessionBusy, SessionExpired
from crawler.contracts.frontier import PageCommit, RowState, RunOpening
from crawler.contracts.outcome import Reason
from crawler.contracts.session import SessionUse
from crawler.ledger.database import DEFAULT_WAIT, make_lock, open_ledger, upsert
from crawler.ledger.failures import OPENING_ERRORS, storage_failed
from crawler.ledger.frontier import GIVEN_BACK
from crawler.ledger.locks import NameTaken, lock_key
from crawler.ledger.redirects import AS_REQUESTED
from crawler.ledger.tables import (
    IS_LEASED,
    IS_OPEN,
    IS_SESSION_EXPIRED,
    aliases,
    expired_sessions,
    requests,
)

REOPENED = 1
"""How often in a cycle a page is asked for again that has ended a session: one that always asks to
sign in must not end each one that comes.
"""


class SessionHold:
    """A session in the hands of one worker, until it lets go or its process ends in any way."""

    def __init__(self, url: str, site: str, session: str, *, wait: float = DEFAULT_WAIT) -> None:
        """Raises SessionBusy, StorageFailed or LedgerVersionError."""
        self._engine = open_ledger(url, wait=wait)
        name = f"session {site} {session}"
        # A lock's name may become that of a file, where two names of 100 letters have no place.
        self._lock = make_lock(self._engine, f"session-{lock_key(name) & (2**64 - 1):016x}")
        self._busy = (
            f"{site}: another worker has the session {session!r}; it belongs to one at a time, "
            "so run this crawl when that one has ended"
        )
        self._turn = threading.Lock()
        self._is_over = False
        try:
            self._take(self._lock.acquire)
        except CrawlerError:
            self._engine.dispose()
            raise

    def keep(self) -> None:
        """Make sure of it before it is used: a lock goes with its connection, and says nothing.

        Takes it anew where nobody else has. Raises SessionBusy or StorageFailed.
        """
        with self._turn:
            if self._is_over:
                return  # Nobody waits for this request any more.
            self._take(self._lock.keep)

    def _take(self, take: Callable[[], None]) -> None:
        try:
            take()
        except NameTaken as error:
            raise SessionBusy(self._busy) from error
        except OPENING_ERRORS as error:
            raise storage_failed(error) from error

    def release(self) -> None:
        with self._turn:
            self._is_over = True
            self._lock.release()
            self._engine.dispose()


def refuse_expired(conn: sa.Connection, opening: RunOpening) -> None:
    """Raise SessionExpired for a session that the site has refused before."""
    session = opening.session
    if session is None:
        return
    known = sa.select(expired_sessions.c.fingerprint).where(
        expired_sessions.c.site == opening.site, expired_sessions.c.name == session.name
    )
    if conn.scalar(known) == session.fingerprint:
        raise SessionExpired(f"{opening.site}: the site has refused the session {session.name!r}")


def note_expired(conn: sa.Connection, commits: Sequence[PageCommit], now: float) -> None:
    """Remember the sessions that pages were refused with, in the transaction of those pages."""
    refused: dict[tuple[str, str], str] = {
        (commit.site, commit.session.name): commit.session.fingerprint
        for commit in commits
        if commit.session and commit.outcome.reason is Reason.SESSION_EXPIRED
    }
    for (site, name), fingerprint in refused.items():
        values = {"fingerprint": fingerprint, "expired_at": now}
        statement = upsert(conn, expired_sessions).on_conflict_do_update(
            index_elements=["site", "name"], set_=values
        )
        conn.execute(statement, {"site": site, "name": name, **values})


def reopen_expired(conn: sa.Connection, cycle: int, session: SessionUse | None) -> None:
    """Let pages that an earlier session did not open be asked for again with this one.

    Pages that were on their way, as to sign in, begin anew.
    """
    if session is None:
        return
    is_on_its_way = IS_OPEN & (requests.c.cycle == cycle) & (requests.c.redirects != "[]")
    _begin_anew(conn, is_on_its_way & ~IS_LEASED, _ANEW)
    _begin_anew(conn, _can_reopen(cycle), _as_admitted())


def _begin_anew(
    conn: sa.Connection, which: sa.ColumnElement[bool], values: Mapping[str, Any]
) -> None:
    """Where redirects had led the rows, any other row may be led."""
    rows = sa.select(requests.c.id).where(which)
    conn.execute(sa.delete(aliases).where(aliases.c.row_id.in_(rows)))
    conn.execute(sa.update(requests).where(which).values(values))


def has_expired_rows(conn: sa.Connection, cycle: int) -> bool:
    """Whether the next session may bring pages that this cycle has not."""
    query = sa.select(requests.c.id).where(_can_reopen(cycle)).limit(1)
    return conn.scalar(query) is not None


def _can_reopen(cycle: int) -> sa.ColumnElement[bool]:
    return IS_SESSION_EXPIRED & (requests.c.cycle == cycle) & (requests.c.reopened < REOPENED)


_ANEW = {**AS_REQUESTED, "redirects": "[]"}


def _as_admitted() -> dict[str, object]:
    ended = dict.fromkeys(("ended_at", "reason", "kind", "detail", "trace", "report"))
    return {
        **GIVEN_BACK,
        **_ANEW,
        **ended,
        "state": RowState.PENDING,
        "attempts": 0,
        "spent_seconds": 0,
        "reopened": requests.c.reopened + 1,
    }
