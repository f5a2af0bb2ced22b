"""Pace and cool-down of a scope, shared by every worker that asks it."""

import math
from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from crawler.admission.breaker import cool_down_seconds
from crawler.contracts.frontier import Pace
from crawler.ledger.database import upsert
from crawler.ledger.pacing import HORIZON
from crawler.ledger.tables import cycle_scopes, scopes


@dataclass(frozen=True, slots=True)
class ScopeState:
    next_at: float = 0.0
    """Pace: nothing more may be planned before."""
    not_before: float = 0.0
    """Cool-down: nothing may be sent before."""
    backoff: int = 0
    """Refusals in a row."""
    trips: int = 0
    """How often in a row the breaker opened: nothing was served since."""
    tripped_by: str | None = None


@dataclass(frozen=True, slots=True)
class Trip:
    """A scope's breaker opens; ``seconds`` is how long it stays open the first time."""

    scope: str
    seconds: float
    cause: str


def read_scope(conn: sa.Connection, scope: str) -> ScopeState:
    columns = [scopes.c[name] for name in ScopeState.__slots__]
    found = conn.execute(sa.select(*columns).where(scopes.c.scope == scope)).one_or_none()
    return ScopeState(*found) if found else ScopeState()


def cool_scope(conn: sa.Connection, scope: str, until: float) -> float:
    """Let nobody ask *scope* before *until*; returns the cool-down in force, the longest wins."""
    insert = upsert(conn, scopes)
    longest = sa.case(
        (scopes.c.not_before > insert.excluded.not_before, scopes.c.not_before),
        else_=insert.excluded.not_before,
    )
    statement = insert.on_conflict_do_update(index_elements=["scope"], set_={"not_before": longest})
    returning = statement.returning(scopes.c.not_before)
    return float(conn.execute(returning, {"scope": scope, "not_before": until}).scalar_one())


def bump_backoff(conn: sa.Connection, scope: str, now: float) -> int:
    """Count one more refusal; returns how many there were in a row.

    One that comes while the scope cools down is of the burst that another worker has counted.
    """
    insert = upsert(conn, scopes)
    is_counted = (scopes.c.not_before > now) & (scopes.c.backoff > 0)
    backoff = scopes.c.backoff + sa.case((is_counted, 0), else_=1)
    statement = insert.on_conflict_do_update(index_elements=["scope"], set_={"backoff": backoff})
    returning = statement.returning(scopes.c.backoff)
    return int(conn.execute(returning, {"scope": scope, "backoff": 1}).scalar_one())


def trip_scope(conn: sa.Connection, trip: Trip, now: float) -> float:
    """Let nobody ask a scope that only refuses; returns until when.

    A trip that comes while an earlier one holds is of the same refusals.
    """
    register_scopes(conn, [trip.scope])
    state = conn.execute(
        sa.select(scopes.c.not_before, scopes.c.trips)
        .where(scopes.c.scope == trip.scope)
        .with_for_update()
    ).one()
    if state.trips and state.not_before > now:
        return float(state.not_before)
    until = max(float(state.not_before), now + cool_down_seconds(trip.seconds, state.trips))
    change = sa.update(scopes).where(scopes.c.scope == trip.scope)
    conn.execute(change.values(not_before=until, trips=state.trips + 1, tripped_by=trip.cause))
    return until


def forgive_scope(conn: sa.Connection, scope: str) -> None:
    """Forget the refusals of a scope that has served a page."""
    is_raised = (scopes.c.scope == scope) & ((scopes.c.backoff > 0) | (scopes.c.trips > 0))
    conn.execute(sa.update(scopes).where(is_raised).values(backoff=0, trips=0, tripped_by=None))


def reserve_send(
    conn: sa.Connection, scope: str, pace: Pace, now: float, within: float = math.inf
) -> float:
    """Return when one more request may be sent to *scope*, and keep that moment free for it.

    A moment further away than *within* seconds is not kept.
    """
    register_scopes(conn, [scope])
    query = sa.select(scopes.c.next_at, scopes.c.not_before).where(scopes.c.scope == scope)
    next_at, not_before = conn.execute(query.with_for_update()).one()
    send_at = float(max(now, next_at, not_before))
    if pace.delay > 0 and send_at <= now + within:
        advance_pace(conn, {scope: send_at + pace.delay})
    return send_at


def advance_pace(conn: sa.Connection, next_at: dict[str, float]) -> None:
    if next_at:
        statement = sa.update(scopes).where(scopes.c.scope == sa.bindparam("name"))
        statement = statement.values(next_at=sa.bindparam("at"))
        conn.execute(statement, [{"name": name, "at": at} for name, at in next_at.items()])


def register_scopes(conn: sa.Connection, names: Collection[str], cycle: int | None = None) -> None:
    """Make sure that *names* have a row, and belong to *cycle* when it is given."""
    ordered = sorted(names)
    statement = upsert(conn, scopes).on_conflict_do_nothing()
    conn.execute(statement, [{"scope": name} for name in ordered])
    if cycle is not None:
        statement = upsert(conn, cycle_scopes).on_conflict_do_nothing()
        conn.execute(statement, [{"cycle": cycle, "scope": name} for name in ordered])


def due_for_planning(next_at: float) -> float:
    """Return when rows of a scope whose pace is used up to *next_at* may be given out again."""
    return next_at - HORIZON
