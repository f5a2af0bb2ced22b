"""What happens to the rows of a cycle between admission and outcome, leasing apart.

Every write about a leased row carries its token; one that comes too late changes nothing.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from crawler.admission.room import Admitted, Room
from crawler.contracts.bound import UNLIMITED, LeftOut, Limits, Trail
from crawler.contracts.frontier import (
    Deferral,
    NewRow,
    RowState,
)
from crawler.contracts.outcome import Outcome
from crawler.contracts.retry import Action
from crawler.contracts.snapshot import PageKind
from crawler.ledger.captures import Filing, GroupSink, file_captures
from crawler.ledger.readings import end_unchanged
from crawler.ledger.scopes import register_scopes
from crawler.ledger.tables import (
    IS_LEASED,
    IS_OPEN,
    aliases,
    cycles,
    decisions,
    left_out,
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
    left_out: LeftOut = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one page leads to, or what comes from no page."""

    rows: Sequence[NewRow]
    row: int | None = None
    trail: Trail | None = None
    left_out: LeftOut = field(default_factory=dict)
    """By the page itself, before anything was offered."""


def admit(
    conn: sa.Connection,
    cycle: int,
    rows: Sequence[NewRow],
    now: float,
    *,
    limits: Limits = UNLIMITED,
) -> Admission:
    """Add *rows* to a cycle; what its limits leave out is counted."""
    return admit_each(conn, cycle, [Batch(rows)], now, limits=limits)[0]


def admit_each(
    conn: sa.Connection,
    cycle: int,
    batches: Sequence[Batch],
    now: float,
    *,
    limits: Limits = UNLIMITED,
) -> list[Admission]:
    """Admit the links of several pages in one go; returns one result for each page."""
    offered = [row for batch in batches for row in batch.rows]
    found = [Admitted((), 0, {}) for _ in batches]
    if offered:
        room = _read_room(conn, cycle, offered, limits)
        found = [
            room.admit(end_unchanged(conn, cycle, batch.rows), batch.trail) for batch in batches
        ]
        _insert_rows(conn, cycle, [row for each in found for row in each.rows], now)
        _count_admitted(conn, cycle, found)
    results = [
        Admission(len(each.rows), each.duplicates, _add(batch.left_out, each.left_out))
        for batch, each in zip(batches, found, strict=True)
    ]
    _keep_left_out(conn, cycle, batches, results)
    return results


def _read_room(conn: sa.Connection, cycle: int, offered: Sequence[NewRow], limits: Limits) -> Room:
    known = _find_known(conn, cycle, {row.fingerprint for row in offered})
    query = sa.select(cycles.c.admitted, cycles.c.listings).where(cycles.c.id == cycle)
    pages, listings = conn.execute(query).one()
    shapes = {row.shape for row in offered if row.shape}
    counts = _count_shapes(conn, cycle, shapes) if shapes else {}
    return Room(limits, known, pages=pages, listings=listings, shapes=counts)


def _count_shapes(conn: sa.Connection, cycle: int, shapes: Collection[str]) -> dict[str, int]:
    names: sa.BindParameter[str] = sa.bindparam("names", expanding=True)
    query = (
        sa.select(requests.c.shape, sa.func.count())
        .where(requests.c.cycle == cycle, requests.c.shape.in_(names))
        .group_by(requests.c.shape)
    )
    ordered = sorted(shapes)
    return {
        shape: count
        for start in range(0, len(ordered), CHUNK)
        for shape, count in conn.execute(query, {"names": ordered[start : start + CHUNK]})
    }


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


def _count_admitted(conn: sa.Connection, cycle: int, found: Sequence[Admitted]) -> None:
    fresh = [row for each in found for row in each.rows]
    listings = sum(row.page_kind is PageKind.LISTING for row in fresh)
    duplicates = sum(each.duplicates for each in found)
    conn.execute(
        sa.update(cycles)
        .where(cycles.c.id == cycle)
        .values(
            admitted=cycles.c.admitted + len(fresh),
            listings=cycles.c.listings + listings,
            duplicates=cycles.c.duplicates + duplicates,
        )
    )


def count_rows(conn: sa.Connection, cycle: int) -> None:
    """Note how many rows a cycle holds, whoever put them there."""
    of_cycle = sa.select(sa.func.count()).where(requests.c.cycle == cycle)
    is_listing = requests.c.page_kind == PageKind.LISTING.value
    conn.execute(
        sa.update(cycles)
        .where(cycles.c.id == cycle)
        .values(
            admitted=of_cycle.scalar_subquery(),
            listings=of_cycle.where(is_listing).scalar_subquery(),
        )
    )


def _add(one: LeftOut, other: LeftOut) -> LeftOut:
    return Counter(one) + Counter(other) if one or other else {}


def _keep_left_out(
    conn: sa.Connection, cycle: int, batches: Sequence[Batch], results: Sequence[Admission]
) -> None:
    rows = [
        {"cycle": cycle, "row_id": batch.row, "bound": bound, "links": links}
        for batch, result in zip(batches, results, strict=True)
        for bound, links in sorted(result.left_out.items())
    ]
    if rows:
        conn.execute(sa.insert(left_out), rows)


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
        "shape": row.shape,
        "listed": row.listed,
        "barren": row.barren,
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
