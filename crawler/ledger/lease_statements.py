"""The statements of a lease, made once: each is a probe of a partial index, and none counts."""

import sqlalchemy as sa

from crawler.contracts.frontier import RowState
from crawler.ledger.tables import (
    IS_DEFERRED,
    IS_LEASED,
    IS_PENDING,
    LEASE_ORDER,
    cycle_scopes,
    owners,
    requests,
    scopes,
)

_CYCLE: sa.BindParameter[int] = sa.bindparam("of_cycle", type_=sa.BigInteger)
_OWNER: sa.BindParameter[str] = sa.bindparam("by_owner", type_=sa.Text)
_SCOPE: sa.BindParameter[str] = sa.bindparam("of_scope", type_=sa.Text)
_NOW: sa.BindParameter[float] = sa.bindparam("now", type_=sa.Double)
_IN_CYCLE = requests.c.cycle == _CYCLE

WAKE_DEFERRED = (
    sa.update(requests)
    .where(IS_DEFERRED, _IN_CYCLE, requests.c.not_before <= _NOW)
    .values(state=RowState.PENDING, not_before=None)
)
"""Takes ``of_cycle`` and ``now``."""

FIRST_DEFERRED = sa.select(sa.func.min(requests.c.not_before)).where(IS_DEFERRED, _IN_CYCLE)
"""Takes ``of_cycle``."""

HOLDING = (
    sa.select(requests.c.scope, sa.func.count(), sa.func.max(requests.c.interrupted))
    .where(IS_LEASED, requests.c.owner == _OWNER)
    .group_by(requests.c.scope)
)
"""Takes ``by_owner``."""

HELD_ELSEWHERE = (
    sa.select(requests.c.id).where(IS_LEASED, _IN_CYCLE, requests.c.owner != _OWNER).limit(1)
)
"""Takes ``of_cycle`` and ``by_owner``."""

PEERS = (
    sa.select(owners.c.owner).where(owners.c.owner != _OWNER, owners.c.closed_at.is_(None)).limit(1)
)
"""Takes ``by_owner``."""

SCOPES = (
    sa.select(scopes.c.scope, scopes.c.next_at, scopes.c.not_before, scopes.c.trips)
    .join(cycle_scopes, cycle_scopes.c.scope == scopes.c.scope)
    .where(cycle_scopes.c.cycle == _CYCLE)
    .order_by(scopes.c.scope)
    .with_for_update(of=scopes)
)
"""Takes ``of_cycle``."""

_PENDING = (IS_PENDING, _IN_CYCLE, requests.c.scope == _SCOPE)

HEAD = sa.select(requests.c.interrupted).where(*_PENDING).order_by(*LEASE_ORDER).limit(1)
"""Takes ``of_cycle`` and ``of_scope``."""

_NEXT = (
    sa.select(requests.c.id)
    .where(*_PENDING)
    .order_by(*LEASE_ORDER)
    .limit(sa.bindparam("count", type_=sa.Integer))
    .with_for_update(skip_locked=True)  # which SQLite ignores: there one transaction writes
    # As a plain subquery PostgreSQL may run it for each row anew, and then leases them all.
    .cte("head")
)
_UNREAD = {
    *("requested_method", "requested_body", "requested_headers", "requested_scope"),
    *("trace", "report", "detail"),
}
TAKE = (
    sa.update(requests)
    .where(requests.c.id.in_(sa.select(_NEXT.c.id)))
    .values(
        state=RowState.LEASED,
        owner=_OWNER,
        lease_token=sa.bindparam("token", type_=sa.Text),
        lease_until=sa.bindparam("until", type_=sa.Double),
    )
    .returning(*(column for column in requests.c if column.name not in _UNREAD))
)
"""Takes ``of_cycle``, ``of_scope``, ``by_owner``, ``count``, ``token`` and ``until``."""
