"""Taking back the rows of owners that died or stalled.

A page is to blame for a death only when nothing else was in work: rows interrupted often are
leased alone (see ``leasing``), and only a death during such a lease counts as a crash of the page.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from crawler.contracts.frontier import RowState
from crawler.contracts.outcome import Outcome, Reason
from crawler.ledger.frontier import GIVEN_BACK, end_values
from crawler.ledger.tables import DIED, IS_LEASED, owners, requests, runs, shares

SOLO_AFTER = 3
"""Interruptions after which a row is leased alone."""
QUARANTINE_AFTER = 8
"""Crashes, with that page alone to blame, after which it is not asked for again."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """A leased row whose owner is gone or late."""

    id: int
    owner: str
    interrupted: int
    crashes: int


def reclaim(conn: sa.Connection, owner: str, now: float, is_alive: Callable[[str], bool]) -> int:
    """Make rows of dead owners and of outdated leases pending again; returns how many."""
    dead = [name for name in _open_owners(conn, owner) if not is_alive(name)]
    orphaned = _find_lost(conn, requests.c.owner.in_(dead)) if dead else []
    _give_back(conn, orphaned, now, is_death=True)
    _bury(conn, dead, now)
    late = _find_lost(conn, requests.c.lease_until < now)
    _give_back(conn, late, now, is_death=False)
    conn.execute(sa.delete(shares).where(shares.c.expires_at < now))
    return len(orphaned) + len(late)


def _open_owners(conn: sa.Connection, owner: str) -> list[str]:
    query = sa.select(owners.c.owner).where(owners.c.closed_at.is_(None), owners.c.owner != owner)
    return list(conn.scalars(query))


def _find_lost(conn: sa.Connection, is_lost: sa.ColumnElement[bool]) -> list[_Lost]:
    query = sa.select(requests.c.id, requests.c.owner, requests.c.interrupted, requests.c.crashes)
    locked = query.where(IS_LEASED, is_lost).with_for_update(skip_locked=True)
    return [_Lost(*found) for found in conn.execute(locked)]


def _give_back(conn: sa.Connection, lost: Sequence[_Lost], now: float, *, is_death: bool) -> None:
    if not lost:
        return
    held_by = Counter(row.owner for row in lost)
    changes = [
        _judge(row, now, is_alone=is_death and held_by[row.owner] == 1) | {"row": row.id}
        for row in lost
    ]
    for quarantined in (False, True):
        group = [c for c in changes if (c["state"] is RowState.DONE) is quarantined]
        _update_rows(conn, group)


def _judge(row: _Lost, now: float, *, is_alone: bool) -> dict[str, Any]:
    is_blamed = is_alone and row.interrupted >= SOLO_AFTER
    crashes = row.crashes + is_blamed
    counts = {"interrupted": row.interrupted + 1, "crashes": crashes}
    if crashes < QUARANTINE_AFTER:
        return GIVEN_BACK | {"state": RowState.PENDING} | counts
    detail = f"{crashes} processes in a row died with this page alone in work"
    return end_values(Outcome(Reason.QUARANTINED, detail=detail), now) | counts


def _update_rows(conn: sa.Connection, changes: list[dict[str, Any]]) -> None:
    if changes:
        names = changes[0].keys() - {"row"}
        statement = sa.update(requests).where(requests.c.id == sa.bindparam("row"))
        conn.execute(
            statement.values({name: sa.bindparam(f"new_{name}") for name in names}),
            [
                {"row": change["row"]} | {f"new_{name}": change[name] for name in names}
                for change in changes
            ],
        )


def _bury(conn: sa.Connection, dead: Sequence[str], now: float) -> None:
    if not dead:
        return
    conn.execute(sa.update(owners).where(owners.c.owner.in_(dead)).values(closed_at=now))
    conn.execute(sa.delete(shares).where(shares.c.owner.in_(dead)))
    is_running = runs.c.owner.in_(dead) & runs.c.ended_at.is_(None)
    conn.execute(sa.update(runs).where(is_running).values(ended_at=now, ended_as=DIED))
