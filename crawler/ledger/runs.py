"""Runs and the cycles they work on.

A cycle is one pass over a site. A run continues the open one; it opens a new one, seeds included
in the same transaction, when there is none, when the open one is finished or too old.
"""

import uuid
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from crawler.contracts.bound import UNLIMITED, Limits
from crawler.contracts.collection import Collection
from crawler.contracts.frontier import RowState, RunEnd, RunInfo, RunOpening
from crawler.contracts.outcome import Reason
from crawler.ledger.admitting import admit, count_rows
from crawler.ledger.database import upsert
from crawler.ledger.frontier import GIVEN_BACK, has_open_rows
from crawler.ledger.judging import judge_cycle
from crawler.ledger.needs import read_needs
from crawler.ledger.redirects import AS_REQUESTED
from crawler.ledger.scopes import register_scopes
from crawler.ledger.sessions import has_expired_rows, refuse_expired, reopen_expired
from crawler.ledger.tables import (
    DEFERRED,
    IS_LEASED,
    IS_OPEN,
    AnyRow,
    cycles,
    owners,
    requests,
    runs,
    shares,
)
from crawler.ledger.text import canonical_json

_CARRIED = (
    "fingerprint",
    "requested_url",
    "callback",
    "cb_kwargs",
    "priority",
    "depth",
    "shape",
    "listed",
    "barren",
    "page_kind",
    "representation",
)


def open_run(
    conn: sa.Connection, opening: RunOpening, now: float, *, limits: Limits = UNLIMITED
) -> RunInfo:
    """Start a run of a site on its open cycle, or on a new one."""
    refuse_expired(conn, opening)
    _register_owner(conn, opening.owner, now)
    found = _find_open_cycle(conn, opening.site)
    if found is not None:
        reopen_expired(conn, found.id, opening.session)
    if found is not None and not _is_over(conn, found, opening, now):
        return _record_run(conn, opening, now, found.id, found.number, is_new=False)
    if found is not None:
        _close_cycle(conn, found.id, now)
    cycle, number = _open_cycle(conn, opening.site, now)
    admit(conn, cycle, opening.seeds, now, limits=limits)
    if found is not None:
        _carry_over(conn, found.id, cycle, now)
    if not conn.scalar(sa.select(cycles.c.admitted).where(cycles.c.id == cycle)):
        raise ValueError(f"{opening.site}: a cycle cannot open without a URL")
    return _record_run(conn, opening, now, cycle, number, is_new=True)


def close_run(
    conn: sa.Connection, run: str, end: RunEnd, now: float, counters: Mapping[str, Any]
) -> tuple[Collection, ...]:
    """End a run: its rows go back to the frontier, its shares to its peers.

    Returns the verdicts on the cycle's collections, when the cycle ends with it.
    """
    query = sa.select(runs.c.owner, runs.c.cycle).where(runs.c.run == run)
    owner, cycle = conn.execute(query).one()
    is_mine = IS_LEASED & (requests.c.owner == owner)
    conn.execute(sa.update(requests).where(is_mine).values(state=RowState.PENDING, **GIVEN_BACK))
    conn.execute(sa.delete(shares).where(shares.c.owner == owner))
    conn.execute(sa.update(owners).where(owners.c.owner == owner).values(closed_at=now))
    conn.execute(
        sa.update(runs)
        .where(runs.c.run == run)
        .values(ended_at=now, ended_as=end, counters=canonical_json(dict(counters)))
    )
    is_waiting = has_open_rows(conn, cycle) or has_expired_rows(conn, cycle)
    return () if is_waiting else _close_cycle(conn, cycle, now)


def _register_owner(conn: sa.Connection, owner: str, now: float) -> None:
    statement = upsert(conn, owners).on_conflict_do_nothing()
    conn.execute(statement, {"owner": owner, "started_at": now})


def _find_open_cycle(conn: sa.Connection, site: str) -> AnyRow | None:
    query = sa.select(cycles.c.id, cycles.c.number, cycles.c.opened_at)
    is_open = (cycles.c.site == site) & cycles.c.closed_at.is_(None)
    return conn.execute(query.where(is_open).with_for_update()).one_or_none()


def _is_over(conn: sa.Connection, found: AnyRow, opening: RunOpening, now: float) -> bool:
    is_old = now - found.opened_at > opening.cycle_max_age
    return is_old or not has_open_rows(conn, found.id)


def _open_cycle(conn: sa.Connection, site: str, now: float) -> tuple[int, int]:
    last = conn.scalar(sa.select(sa.func.max(cycles.c.number)).where(cycles.c.site == site)) or 0
    statement = sa.insert(cycles).values(site=site, number=last + 1, opened_at=now)
    return int(conn.execute(statement.returning(cycles.c.id)).scalar_one()), last + 1


def _close_cycle(conn: sa.Connection, cycle: int, now: float) -> tuple[Collection, ...]:
    """End what is still open in a cycle, and the cycle; then judge its collections."""
    reason = sa.case(
        (requests.c.state == DEFERRED, Reason.DEFERRAL_EXPIRED.value),
        else_=Reason.CANCELLED.value,
    )
    conn.execute(
        sa.update(requests)
        .where(IS_OPEN, requests.c.cycle == cycle)
        .values(
            state=RowState.DONE,
            ended_at=now,
            reason=reason,
            detail="the cycle was closed",
            not_before=None,
            **GIVEN_BACK,
        )
    )
    conn.execute(sa.update(cycles).where(cycles.c.id == cycle).values(closed_at=now))
    return judge_cycle(conn, cycle)


def _carry_over(conn: sa.Connection, old: int, new: int, now: float) -> None:
    """Admit to a new cycle what the old one did not get to."""
    unfinished = (requests.c.cycle == old) & requests.c.reason.in_(
        [Reason.DEFERRAL_EXPIRED, Reason.CANCELLED]
    )
    columns = [requests.c[name] for name in _CARRIED]
    constants = {
        "cycle": sa.literal(new),
        **AS_REQUESTED,
        "state": sa.literal(RowState.PENDING.value),
        "admitted_at": sa.literal(now),
    }
    source = sa.select(*columns, *constants.values()).where(unfinished).order_by(requests.c.id)
    statement = upsert(conn, requests).from_select([*_CARRIED, *constants], source)
    conn.execute(statement.on_conflict_do_nothing())
    _adopt_scopes(conn, new)
    count_rows(conn, new)


def _adopt_scopes(conn: sa.Connection, cycle: int) -> None:
    query = sa.select(requests.c.scope).where(IS_OPEN, requests.c.cycle == cycle).distinct()
    names = list(conn.scalars(query))
    if names:
        register_scopes(conn, names, cycle)


def _record_run(
    conn: sa.Connection,
    opening: RunOpening,
    now: float,
    cycle: int,
    number: int,
    *,
    is_new: bool,
) -> RunInfo:
    run = uuid.uuid4().hex
    conn.execute(
        sa.insert(runs),
        {
            "run": run,
            "site": opening.site,
            "cycle": cycle,
            "owner": opening.owner,
            "started_at": now,
            "site_hash": opening.site_hash,
            "authorization_hash": opening.authorization_hash,
            "rule_version": opening.rule_version,
            "versions": opening.versions,
        },
    )
    return RunInfo(run, cycle, number, is_new, read_needs(conn, opening.site))
