"""What happens to the rows of a cycle between admission and outcome, leasing apart.

Every write about a leased row carries its token; one that comes too late changes nothing.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from crawler.contracts.frontier import (
    Deferral,
    RowState,
)
from crawler.contracts.outcome import Outcome
from crawler.contracts.retry import Action
from crawler.ledger.captures import Filing, GroupSink, file_captures
from crawler.ledger.tables import (
    IS_LEASED,
    IS_OPEN,
    cycles,
    decisions,
    requests,
    shares,
)
from crawler.ledger.text import DECISION


def held(row: int, token: str) -> sa.ColumnElement[bool]:
    """The fence: true for the row only while this lease of it is in force."""
    return (requests.c.id == row) & (requests.c.lease_token == token) & IS_LEASED


def has_open_rows(conn: sa.Connection, cycle: int) -> bool:
    """Whether any row of the cycle is without an outcome."""
    query = sa.select(requests.c.id).where(IS_OPEN, requests.c.cycle == cycle)
    return conn.scalar(query.limit(1)) is not None


GIVEN_BACK: dict[str, Any] = {"owner": None, "lease_token": None, "lease_until": None}


def end_values(outcome: Outcome, now: float) -> dict[str, Any]:
    return GIVEN_BACK | {
        "state": RowState.DONE,
        "not_before": None,
        "ended_at": now,
        "reason": outcome.reason,
        "kind": outcome.kind,
        "detail": outcome.detail,
    }


def release(conn: sa.Connection, row: int, token: str) -> bool:
    """Give a row back unasked. False when the lease was no longer held."""
    statement = sa.update(requests).where(held(row, token))
    return conn.execute(statement.values(state=RowState.PENDING, **GIVEN_BACK)).rowcount > 0


def renew(conn: sa.Connection, owner: str, now: float, lease_seconds: float) -> int:
    """Extend the leases that *owner* still holds, and its shares; returns how many leases."""
    until = now + lease_seconds
    conn.execute(sa.update(shares).where(shares.c.owner == owner).values(expires_at=until))
    statement = sa.update(requests).where(IS_LEASED, requests.c.owner == owner)
    return conn.execute(statement.values(lease_until=until)).rowcount


def defer(conn: sa.Connection, deferral: Deferral, sink: GroupSink, now: float) -> bool:
    """Put a row off, with the reason on record. False when the lease was no longer held."""
    is_due = deferral.not_before <= now
    statement = sa.update(requests).where(held(deferral.row, deferral.token))
    changed = conn.execute(
        statement.values(
            state=RowState.PENDING if is_due else RowState.DEFERRED,
            not_before=None if is_due else deferral.not_before,
            attempts=deferral.attempts,
            deferrals=deferral.deferrals,
            spent_seconds=deferral.spent_seconds,
            **GIVEN_BACK,
        ).returning(requests.c.cycle)
    ).one_or_none()
    if changed is None:
        return False
    if deferral.capture:
        reason = deferral.decision.reason
        file_captures(
            conn, [Filing(deferral.capture, deferral.row, changed.cycle, None, reason)], sink
        )
    keep_decisions(conn, [(deferral.row, DECISION.dump(deferral.decision))], now)
    if deferral.decision.action is Action.RETRY:
        of_cycle = sa.update(cycles).where(cycles.c.id == changed.cycle)
        conn.execute(of_cycle.values(retries=cycles.c.retries + 1))
    return True


def count_retries(conn: sa.Connection, cycle: int) -> int:
    """Return how often a URL of the cycle was asked for again because of a failure."""
    return int(conn.execute(sa.select(cycles.c.retries).where(cycles.c.id == cycle)).scalar_one())


def keep_decisions(conn: sa.Connection, decided: Sequence[tuple[int, str]], now: float) -> None:
    if decided:
        conn.execute(
            sa.insert(decisions),
            [{"row_id": row, "decided_at": now, "decision": text} for row, text in decided],
        )
