"""Giving out rows: the scope first, then the head of its queue.

A lease costs the same at a million rows as at a thousand: every query here is a probe of a
partial index, and none counts.
"""

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from crawler.contracts.frontier import Lease, LeasedRow, LeaseRequest, RowState
from crawler.contracts.snapshot import PageKind, Representation
from crawler.ledger.database import upsert
from crawler.ledger.frontier import has_open_rows
from crawler.ledger.pacing import Share, find_part, grant_slots, plan_sends
from crawler.ledger.reclaim import SOLO_AFTER
from crawler.ledger.scopes import advance_pace, due_for_planning
from crawler.ledger.tables import (
    IS_DEFERRED,
    IS_LEASED,
    IS_PENDING,
    LEASE_ORDER,
    AnyRow,
    cycle_scopes,
    owners,
    requests,
    scopes,
    shares,
)
from crawler.ledger.text import HEADERS, HOPS

POLL = 0.5
"""Seconds until an owner without a slot looks again."""
PEER_POLL = 1.0
"""Seconds until an owner looks again for rows that others hold now."""


@dataclass(frozen=True, slots=True)
class _Scope:
    name: str
    next_at: float
    not_before: float
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
    _wake_deferred(conn, request.cycle, now)
    holding = _find_holding(conn, request.owner)
    known = _find_scopes(conn, request.cycle)
    slots = _share_slots(conn, request, known, holding, now + lease_seconds)
    ready = _find_ready(known, slots, holding, now)
    rows = _lease_rows(conn, request, ready, now, now + lease_seconds)
    return Lease(
        rows=tuple(rows),
        slots=slots,
        open_rows=has_open_rows(conn, request.cycle),
        next_due=_find_next_due(conn, request, slots, now, is_empty=not rows),
        has_peers=has_peers(conn, request.owner),
    )


def has_peers(conn: sa.Connection, owner: str) -> bool:
    others = sa.select(owners.c.owner).where(owners.c.owner != owner, owners.c.closed_at.is_(None))
    return conn.scalar(others.limit(1)) is not None


def _wake_deferred(conn: sa.Connection, cycle: int, now: float) -> None:
    is_due = (requests.c.cycle == cycle) & (requests.c.not_before <= now)
    statement = sa.update(requests).where(IS_DEFERRED, is_due)
    conn.execute(statement.values(state=RowState.PENDING, not_before=None))


def _find_holding(conn: sa.Connection, owner: str) -> _Holding:
    query = (
        sa.select(requests.c.scope, sa.func.count(), sa.func.max(requests.c.interrupted))
        .where(IS_LEASED, requests.c.owner == owner)
        .group_by(requests.c.scope)
    )
    found = conn.execute(query).all()
    return _Holding(
        scopes=frozenset(scope for scope, _, _ in found),
        rows=sum(count for _, count, _ in found),
        has_solo=any(interrupted >= SOLO_AFTER for _, _, interrupted in found),
    )


def _find_scopes(conn: sa.Connection, cycle: int) -> list[_Scope]:
    """Return the scopes of a cycle, the one that waited longest first."""
    query = (
        sa.select(scopes.c.scope, scopes.c.next_at, scopes.c.not_before)
        .join(cycle_scopes, cycle_scopes.c.scope == scopes.c.scope)
        .where(cycle_scopes.c.cycle == cycle)
        .order_by(scopes.c.scope)
        .with_for_update(of=scopes)
    )
    found = [_Scope(*row, _probe_head(conn, cycle, row.scope)) for row in conn.execute(query).all()]
    return sorted(found, key=lambda scope: scope.next_at)


def _probe_head(conn: sa.Connection, cycle: int, scope: str) -> int | None:
    query = sa.select(requests.c.interrupted).where(
        IS_PENDING, requests.c.cycle == cycle, requests.c.scope == scope
    )
    return conn.scalar(query.order_by(*LEASE_ORDER).limit(1))


def _share_slots(
    conn: sa.Connection,
    request: LeaseRequest,
    known: list[_Scope],
    holding: _Holding,
    until: float,
) -> dict[str, int]:
    """Settle this owner's share of each scope that it asks or is about to ask.

    Returns what it may have in flight from now on, which is less than it holds while it gives up
    slots to a peer.
    """
    wanted = {scope.name for scope in known if scope.head is not None}
    wanted |= holding.scopes | {name for name, count in request.in_flight.items() if count}
    held = _read_shares(conn, request.owner, wanted)
    slots = {name: _grant(request, name, held.get(name, {})) for name in sorted(wanted)}
    _write_shares(conn, request, slots, held, until)
    ceiling = request.pace.concurrency
    return {
        name: min(count, find_part(ceiling, _others(request, held.get(name, {}))))
        for name, count in slots.items()
    }


_Shares = Mapping[str, Mapping[str, Share]]


def _read_shares(conn: sa.Connection, owner: str, wanted: set[str]) -> _Shares:
    is_relevant = shares.c.scope.in_(sorted(wanted)) | (shares.c.owner == owner)
    found: dict[str, dict[str, Share]] = {}
    query = sa.select(shares.c.scope, shares.c.owner, shares.c.slots, shares.c.ceiling)
    for scope, holder, slots, ceiling in conn.execute(query.where(is_relevant)):
        found.setdefault(scope, {})[holder] = Share(slots, ceiling)
    return found


def _grant(request: LeaseRequest, scope: str, held: Mapping[str, Share]) -> int:
    return grant_slots(
        mine=held.get(request.owner),
        in_flight=request.in_flight.get(scope, 0),
        ceiling=request.pace.concurrency,
        others=_others(request, held),
    )


def _others(request: LeaseRequest, held: Mapping[str, Share]) -> tuple[Share, ...]:
    return tuple(share for owner, share in held.items() if owner != request.owner)


def _write_shares(
    conn: sa.Connection,
    request: LeaseRequest,
    slots: dict[str, int],
    held: _Shares,
    until: float,
) -> None:
    ceiling = request.pace.concurrency
    owned = {name: of[request.owner] for name, of in held.items() if request.owner in of}
    changed = [
        {
            "scope": name,
            "owner": request.owner,
            "slots": count,
            "ceiling": ceiling,
            "expires_at": until,
        }
        for name, count in slots.items()
        if owned.get(name) != Share(count, ceiling)
    ]
    if changed:
        insert = upsert(conn, shares)
        update = {name: insert.excluded[name] for name in ("slots", "ceiling", "expires_at")}
        statement = insert.on_conflict_do_update(index_elements=["scope", "owner"], set_=update)
        conn.execute(statement, changed)
    given_up = sorted(owned.keys() - slots.keys())
    if given_up:
        mine = (shares.c.owner == request.owner) & shares.c.scope.in_(given_up)
        conn.execute(sa.delete(shares).where(mine))


def _find_ready(
    known: list[_Scope], slots: dict[str, int], holding: _Holding, now: float
) -> list[_Scope]:
    """Return the scopes to take rows from.

    A row that was interrupted often goes alone, so that one more crash says for sure which page is
    to blame: nothing is given beside it, and it waits until the owner holds nothing else.
    """
    if holding.has_solo:
        return []
    ready = [s for s in known if s.head is not None and slots[s.name] > 0 and s.not_before <= now]
    solo = next((scope for scope in ready if scope.is_solo), None)
    if solo is None:
        return ready
    return [] if holding.rows else [solo]


def _lease_rows(
    conn: sa.Connection, request: LeaseRequest, ready: list[_Scope], now: float, until: float
) -> list[LeasedRow]:
    leased: list[LeasedRow] = []
    next_at: dict[str, float] = {}
    for index, scope in enumerate(ready):
        fair = math.ceil((request.want - len(leased)) / (len(ready) - index))
        want = min(1, request.want) if scope.is_solo else fair
        sends = plan_sends(now=now, next_at=scope.next_at, delay=request.pace.delay, want=want)
        found = _take_rows(conn, request, scope.name, len(sends.at), until)
        leased += [_read_row(row, at) for row, at in zip(found, sends.at, strict=False)]
        if found:
            next_at[scope.name] = sends.at[len(found) - 1] + request.pace.delay
    advance_pace(conn, next_at)
    return leased


_COLUMNS = [column for column in requests.c if column.name not in {"trace", "report", "detail"}]


def _take_rows(
    conn: sa.Connection, request: LeaseRequest, scope: str, count: int, until: float
) -> list[AnyRow]:
    if not count:
        return []
    head = (
        sa.select(requests.c.id)
        .where(IS_PENDING, requests.c.cycle == request.cycle, requests.c.scope == scope)
        .order_by(*LEASE_ORDER)
        .limit(count)
        .with_for_update(skip_locked=True)  # which SQLite ignores: there one transaction writes
    )
    statement = (
        sa.update(requests)
        .where(requests.c.id.in_(head))
        .values(
            state=RowState.LEASED,
            owner=request.owner,
            lease_token=secrets.token_hex(8),
            lease_until=until,
        )
        .returning(*_COLUMNS)
    )
    found = conn.execute(statement).all()
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
    )


def _find_next_due(
    conn: sa.Connection,
    request: LeaseRequest,
    slots: dict[str, int],
    now: float,
    *,
    is_empty: bool,
) -> float | None:
    due = [
        max(now, scope.not_before, due_for_planning(scope.next_at), polled)
        for scope in _find_scopes(conn, request.cycle)
        if scope.head is not None
        for polled in [now + POLL if is_empty and slots.get(scope.name, 0) == 0 else now]
    ]
    deferred = sa.select(sa.func.min(requests.c.not_before)).where(
        IS_DEFERRED, requests.c.cycle == request.cycle
    )
    first_deferred = conn.scalar(deferred)
    if first_deferred is not None:
        due.append(first_deferred)
    if not due and is_empty and _is_held_elsewhere(conn, request):
        due.append(now + PEER_POLL)
    return min(due, default=None)


def _is_held_elsewhere(conn: sa.Connection, request: LeaseRequest) -> bool:
    query = sa.select(requests.c.id).where(
        IS_LEASED, requests.c.cycle == request.cycle, requests.c.owner != request.owner
    )
    return conn.scalar(query.limit(1)) is not None
