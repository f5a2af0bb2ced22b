"""Giving out rows: the scope first, then the head of its queue.

A lease costs the same at a million rows as at a thousand.
"""

import math
import secrets
from dataclasses import dataclass, replace

import sqlalchemy as sa

from crawler.contracts.frontier import Lease, LeasedRow, LeaseRequest
from crawler.contracts.snapshot import PageKind, Representation
from crawler.ledger.frontier import has_open_rows
from crawler.ledger.lease_statements import (
    FIRST_DEFERRED,
    HEAD,
    HELD_ELSEWHERE,
    HOLDING,
    PEERS,
    SCOPES,
    TAKE,
    WAKE_DEFERRED,
)
from crawler.ledger.pacing import plan_sends
from crawler.ledger.reclaim import SOLO_AFTER
from crawler.ledger.scopes import advance_pace, due_for_planning
from crawler.ledger.shares import share_slots
from crawler.ledger.tables import AnyRow
from crawler.ledger.text import HEADERS, HOPS

POLL = 0.5
"""Seconds until an owner that gets nothing of what is pending looks again."""
PEER_POLL = 1.0
"""Seconds until an owner looks again for rows that others hold now."""


@dataclass(frozen=True, slots=True)
class _Scope:
    name: str
    next_at: float
    not_before: float
    trips: int
    head: int | None
    """How often its first pending row was interrupted; None when none is pending."""

    @property
    def is_solo(self) -> bool:
        return self.head is not None and self.head >= SOLO_AFTER


@dataclass(frozen=True, slots=True)
class _Holding:
    """What this owner has leased already."""

    scopes: frozenset[str]
    rows: int
    has_solo: bool


def lease(conn: sa.Connection, request: LeaseRequest, now: float, lease_seconds: float) -> Lease:
    """Give an owner rows to send, within pace, cool-down and its share of the concurrency."""
    conn.execute(WAKE_DEFERRED, {"of_cycle": request.cycle, "now": now})
    holding = _find_holding(conn, request.owner)
    known = _find_scopes(conn, request.cycle)
    wanted = {scope.name for scope in known if scope.head is not None} | holding.scopes
    slots = share_slots(conn, request, wanted, now + lease_seconds)
    ready = _find_ready(known, slots, holding, now)
    rows, next_at = _lease_rows(conn, request, ready, now, now + lease_seconds)
    left = [_look_again(conn, request.cycle, scope, next_at) for scope in known]
    return Lease(
        rows=tuple(rows),
        slots=slots,
        open_rows=has_open_rows(conn, request.cycle),
        next_due=_find_next_due(conn, request, left, now, is_empty=not rows),
        has_peers=has_peers(conn, request.owner),
        tripped=frozenset(scope.name for scope in known if scope.trips),
    )


def has_peers(conn: sa.Connection, owner: str) -> bool:
    return conn.scalar(PEERS, {"by_owner": owner}) is not None


def _find_holding(conn: sa.Connection, owner: str) -> _Holding:
    found = conn.execute(HOLDING, {"by_owner": owner}).all()
    return _Holding(
        scopes=frozenset(scope for scope, _, _ in found),
        rows=sum(count for _, count, _ in found),
        has_solo=any(interrupted >= SOLO_AFTER for _, _, interrupted in found),
    )


def _find_scopes(conn: sa.Connection, cycle: int) -> list[_Scope]:
    """Return the scopes of a cycle, the one that waited longest first."""
    rows = conn.execute(SCOPES, {"of_cycle": cycle}).all()
    found = [_Scope(*row, _probe_head(conn, cycle, row.scope)) for row in rows]
    return sorted(found, key=lambda scope: scope.next_at)


def _probe_head(conn: sa.Connection, cycle: int, scope: str) -> int | None:
    return conn.scalar(HEAD, {"of_cycle": cycle, "of_scope": scope})


def _find_ready(
    known: list[_Scope], slots: dict[str, int], holding: _Holding, now: float
) -> list[_Scope]:
    """Return the scopes to take rows from.

    A row that was interrupted often goes alone, so that one more crash says for sure which page is
    to blame: nothing is given beside it, and it waits until the owner holds nothing else.
    """
    if holding.has_solo:
        return []
    ready = [
        scope
        for scope in known
        if scope.head is not None
        and slots[scope.name] > 0
        and scope.not_before <= now
        and not (scope.trips and scope.name in holding.scopes)
    ]
    solo = next((scope for scope in ready if scope.is_solo), None)
    if solo is None:
        return ready
    return [] if holding.rows else [solo]


def _lease_rows(
    conn: sa.Connection, request: LeaseRequest, ready: list[_Scope], now: float, until: float
) -> tuple[list[LeasedRow], dict[str, float]]:
    """Return the rows, and the new ``next_at`` of the scopes they are of."""
    leased: list[LeasedRow] = []
    next_at: dict[str, float] = {}
    for index, scope in enumerate(ready):
        fair = math.ceil((request.want - len(leased)) / (len(ready) - index))
        want = min(1, request.want) if scope.is_solo or scope.trips else fair
        delay = request.delay_of(scope.name)
        sends = plan_sends(now=now, next_at=scope.next_at, delay=delay, want=want)
        found = _take_rows(conn, request, scope.name, len(sends.at), until)
        leased += [_read_row(row, at) for row, at in zip(found, sends.at, strict=False)]
        if found:
            next_at[scope.name] = sends.at[len(found) - 1] + delay
    advance_pace(conn, next_at)
    return leased, next_at


def _look_again(
    conn: sa.Connection, cycle: int, scope: _Scope, next_at: dict[str, float]
) -> _Scope:
    """Return a scope as it is once rows were taken: as it was, unless they were of it."""
    if scope.name not in next_at:
        return scope
    head = _probe_head(conn, cycle, scope.name)
    return replace(scope, next_at=next_at[scope.name], head=head)


def _take_rows(
    conn: sa.Connection, request: LeaseRequest, scope: str, count: int, until: float
) -> list[AnyRow]:
    if not count:
        return []
    taken = {
        "of_cycle": request.cycle,
        "of_scope": scope,
        "by_owner": request.owner,
        "count": count,
        "token": secrets.token_hex(8),
        "until": until,
    }
    found = conn.execute(TAKE, taken).all()
    return sorted(found, key=lambda row: (-row.interrupted, -row.priority, row.id))


def _read_row(row: AnyRow, send_at: float) -> LeasedRow:
    return LeasedRow(
        id=row.id,
        token=row.lease_token,
        url=row.url,
        requested_url=row.requested_url,
        fingerprint=row.fingerprint,
        scope=row.scope,
        page_kind=PageKind(row.page_kind),
        representation=Representation(row.representation),
        method=row.method,
        body=row.body,
        headers=() if row.headers == "[]" else HEADERS.load(row.headers),
        callback=row.callback,
        cb_kwargs=row.cb_kwargs,
        priority=row.priority,
        depth=row.depth,
        attempts=row.attempts,
        deferrals=row.deferrals,
        spent_seconds=row.spent_seconds,
        redirects=() if row.redirects == "[]" else HOPS.load(row.redirects),
        send_at=send_at,
        lease_until=row.lease_until,
        listed=row.listed,
        barren=row.barren,
    )


def _find_next_due(
    conn: sa.Connection,
    request: LeaseRequest,
    known: list[_Scope],
    now: float,
    *,
    is_empty: bool,
) -> float | None:
    # Who wanted rows and got none though some are pending lacks a slot, or waits to be alone.
    soonest = now + POLL if is_empty and request.want else now
    due = [
        max(scope.not_before, due_for_planning(scope.next_at), soonest)
        for scope in known
        if scope.head is not None
    ]
    first_deferred = conn.scalar(FIRST_DEFERRED, {"of_cycle": request.cycle})
    if first_deferred is not None:
        due.append(first_deferred)
    if not due and is_empty and _is_held_elsewhere(conn, request):
        due.append(now + PEER_POLL)
    return min(due, default=None)


def _is_held_elsewhere(conn: sa.Connection, request: LeaseRequest) -> bool:
    taken = {"of_cycle": request.cycle, "by_owner": request.owner}
    return conn.scalar(HELD_ELSEWHERE, taken) is not None
