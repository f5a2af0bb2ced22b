"""Where the URLs of a cycle went, and what runs there were."""

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from crawler.contracts.frontier import RowState
from crawler.ledger.tables import (
    ACCEPTED,
    UNCHANGED,
    AnyRow,
    cycles,
    disappearances,
    left_out,
    observations,
    rejections,
    requests,
    runs,
)

OPEN_STATES = (RowState.PENDING, RowState.DEFERRED, RowState.LEASED)


@dataclass(frozen=True, slots=True)
class RunEntry:
    run: str
    site: str
    cycle_number: int
    owner: str
    started_at: float
    ended_at: float | None
    ended_as: str | None
    """A ``RunEnd``, or ``died`` when the process vanished; None while it runs."""
    counters: dict[str, Any]
    site_hash: str
    authorization_hash: str
    rule_version: str
    versions: dict[str, Any]


def list_sites(conn: sa.Connection) -> list[str]:
    return list(conn.scalars(sa.select(cycles.c.site).distinct().order_by(cycles.c.site)))


def find_latest_cycle(conn: sa.Connection, site: str) -> int | None:
    """Return the primary key of the site's newest cycle."""
    query = sa.select(cycles.c.id).where(cycles.c.site == site)
    found: int | None = conn.scalar(query.order_by(cycles.c.number.desc()).limit(1))
    return found


def read_funnel(conn: sa.Connection, site: str) -> dict[str, Any]:
    """Return the funnel of the site's latest cycle; cycle 0 when it was never crawled."""
    query = sa.select(cycles).where(cycles.c.site == site).order_by(cycles.c.number.desc())
    cycle = conn.execute(query.limit(1)).one_or_none()
    states = _count(conn, requests.c.state, cycle)
    seen = _count(conn, observations.c.status, cycle)
    return {
        "site": site,
        "cycle": cycle.number if cycle else 0,
        "admitted": cycle.admitted if cycle else 0,
        "duplicates": cycle.duplicates if cycle else 0,
        "open": {state.value: states.get(state, 0) for state in OPEN_STATES},
        "outcomes": _count(conn, requests.c.reason, cycle),
        "records": {
            "accepted": seen.get(ACCEPTED, 0),
            "unchanged": seen.get(UNCHANGED, 0),
            "rejected": _count(conn, rejections.c.reason, cycle),
            **_count_vanished(conn, cycle),
        },
    }


def read_left_out(conn: sa.Connection, site: str) -> dict[str, int]:
    """Return how many links each bound left out of the site's latest cycle."""
    query = sa.select(left_out.c.bound, sa.func.sum(left_out.c.links))
    of_cycle = query.where(left_out.c.cycle == find_latest_cycle(conn, site))
    ordered = of_cycle.group_by(left_out.c.bound).order_by(left_out.c.bound)
    return {bound: int(links) for bound, links in conn.execute(ordered)}


def _count_vanished(conn: sa.Connection, cycle: AnyRow | None) -> dict[str, int]:
    """Return how many records have vanished as of the cycle, where any has."""
    query = sa.select(sa.func.count()).select_from(disappearances)
    count = conn.scalar(query.where(disappearances.c.cycle == cycle.id)) if cycle else 0
    return {"vanished": count} if count else {}


def _count(conn: sa.Connection, column: sa.Column[Any], cycle: AnyRow | None) -> dict[str, int]:
    """Return how many rows of the cycle there are for each value of *column*."""
    if cycle is None:
        return {}
    query = sa.select(column, sa.func.count()).where(
        column.table.c.cycle == cycle.id, column.is_not(None)
    )
    found = conn.execute(query.group_by(column).order_by(column)).all()
    return dict(map(tuple, found))


def list_runs(conn: sa.Connection, site: str) -> list[RunEntry]:
    query = (
        sa.select(runs, cycles.c.number)
        .join(cycles, cycles.c.id == runs.c.cycle)
        .where(runs.c.site == site)
        .order_by(runs.c.started_at, runs.c.run)
    )
    return [_read_run(row) for row in conn.execute(query)]


def _read_run(row: AnyRow) -> RunEntry:
    return RunEntry(
        run=row.run,
        site=row.site,
        cycle_number=row.number,
        owner=row.owner,
        started_at=row.started_at,
        ended_at=row.ended_at,
        ended_as=row.ended_as,
        counters=json.loads(row.counters),
        site_hash=row.site_hash,
        authorization_hash=row.authorization_hash,
        rule_version=row.rule_version,
        versions=json.loads(row.versions),
    )
