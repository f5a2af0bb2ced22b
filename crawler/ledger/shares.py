"""Dividing a scope's concurrency among the owners that ask it."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import sqlalchemy as sa

from crawler.contracts.frontier import LeaseRequest
from crawler.ledger.database import upsert
from crawler.ledger.pacing import Share, find_part, grant_slots
from crawler.ledger.tables import shares


def share_slots(
    conn: sa.Connection, request: LeaseRequest, scopes: AbstractSet[str], until: float
) -> dict[str, int]:
    """Settle this owner's share of each scope that it asks or is about to ask.

    Returns what it may have in flight from now on, which is less than it holds while it gives up
    slots to a peer.
    """
    wanted = scopes | {name for name, count in request.in_flight.items() if count}
    held = _read_shares(conn, request.owner, wanted)
    slots = {name: _grant(request, name, held.get(name, {})) for name in sorted(wanted)}
    _write_shares(conn, request, slots, held, until)
    ceiling = request.pace.concurrency
    return {
        name: min(count, find_part(ceiling, _others(request, held.get(name, {}))))
        for name, count in slots.items()
    }


_Shares = Mapping[str, Mapping[str, Share]]


def _read_shares(conn: sa.Connection, owner: str, wanted: AbstractSet[str]) -> _Shares:
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
