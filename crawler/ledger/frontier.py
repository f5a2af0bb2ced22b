"""What happens to the rows of a cycle between admission and outcome, leasing apart.

Every write about a leased row carries its token; one that comes too late changes nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from crawler.contracts.frontier import (
    Deferral,
    NewRow,
    RowState,
)
from crawler.contracts.outcome import Outcome
from crawler.contracts.retry import Action
from crawler.ledger.captures import Filing, GroupSink, file_captures
from crawler.ledger.scopes import register_scopes
from crawler.ledger.tables import (
    IS_LEASED,
    IS_OPEN,
    aliases,
    cycles,
    decisions,
    requests,
    shares,
)
from crawler.ledger.text import DECISION, HEADERS

CHUNK = 500
"""Parameters of one IN list: well below SQLite's limit of 32,766 and good for its plan cache."""


@dataclass(frozen=True, slots=True)
class Admission:
    admitted: int = 0
    duplicates: int = 0


def admit(
    conn: sa.Connection,
    cycle: int,
    rows: Sequence[NewRow],
    now: float,
    *,
    limit: int | None = None,
) -> Admission:
    """Add *rows* to a cycle; those beyond *limit* rows in all are left out, and the cycle says so."""
    return admit_each(conn, cycle, [rows], now, limit=limit)[0]


def admit_each(
    conn: sa.Connection,
    cycle: int,
    batches: Sequence[Sequence[NewRow]],
    now: float,
    *,
    limit: int | None = None,
) -> list[Admission]:
    """Admit the links of several pages in one go; returns one result for each page."""
    if not any(batches):
        return [Admission() for _ in batches]
    seen = _find_known(conn, cycle, {row.fingerprint for batch in batches for row in batch})
    room = _find_room(conn, cycle, limit)
    fresh: list[NewRow] = []
    results = []
    is_cut = False
    for batch in batches:
        novel = _drop_seen(batch, seen)
        taken = novel if room is None else novel[: max(0, room - len(fresh))]
        is_cut |= len(taken) < len(novel)
        fresh.extend(taken)
        results.append(Admission(len(taken), len(batch) - len(novel)))
    _insert_rows(conn, cycle, fresh, now)
    duplicates = sum(result.duplicates for result in results)
    _count_admission(conn, cycle, Admission(len(fresh), duplicates), is_cut=is_cut)
    return results


def _drop_seen(batch: Iterable[NewRow], seen: set[str]) -> list[NewRow]:
    novel = []
    for row in batch:
        if row.fingerprint not in seen:
            seen.add(row.fingerprint)
            novel.append(row)
    return novel


def _find_known(conn: sa.Connection, cycle: int, fingerprints: Collection[str]) -> set[str]:
    names: sa.BindParameter[str] = sa.bindparam("names", expanding=True)
    queries = [
        sa.select(table.c.fingerprint).where(
            table.c.cycle == sa.bindparam("cycle"), table.c.fingerprint.in_(names)
        )
        for table in (requests, aliases)
    ]
    ordered = sorted(fingerprints)
    return {
        name
        for start in range(0, len(ordered), CHUNK)
        for query in queries
        for name in conn.scalars(query, {"cycle": cycle, "names": ordered[start : start + CHUNK]})
    }


def _find_room(conn: sa.Connection, cycle: int, limit: int | None) -> int | None:
    if limit is None:
        return None
    admitted = conn.scalar(sa.select(cycles.c.admitted).where(cycles.c.id == cycle))
    return max(0, limit - int(admitted or 0))


def _count_admission(conn: sa.Connection, cycle: int, added: Admission, *, is_cut: bool) -> None:
    values: dict[str, Any] = {
        "admitted": cycles.c.admitted + added.admitted,
        "duplicates": cycles.c.duplicates + added.duplicates,
    }
    if is_cut:
        values["limit_reached"] = 1
    conn.execute(sa.update(cycles).where(cycles.c.id == cycle).values(values))


def _insert_rows(conn: sa.Connection, cycle: int, rows: Sequence[NewRow], now: float) -> None:
    scopes = {row.scope for row in rows if row.refused is None}  # each costs every lease a probe
    if scopes:
        register_scopes(conn, scopes, cycle)
    if rows:
        conn.execute(sa.insert(requests), [_describe_row(cycle, row, now) for row in rows])


def _describe_row(cycle: int, row: NewRow, now: float) -> dict[str, Any]:
    refused = row.refused
    return {
        "cycle": cycle,
        "fingerprint": row.fingerprint,
        "scope": row.scope,
        "url": row.url,
        "requested_url": row.url,
        "method": row.method,
        "body": row.body,
        "headers": HEADERS.dump(row.headers) if row.headers else "[]",
        "callback": row.callback,
        "cb_kwargs": row.cb_kwargs,
        "priority": row.priority,
        "depth": row.depth,
        "page_kind": row.page_kind.value,
        "representation": row.representation.value,
        "state": RowState.DONE if refused else RowState.PENDING,
        "admitted_at": now,
        "ended_at": now if refused else None,
        "reason": refused.reason if refused else None,
        "kind": refused.kind if refused else None,
        "detail": refused.detail if refused else None,
    }


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
