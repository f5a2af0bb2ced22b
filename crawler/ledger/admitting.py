"""Admission: what pages lead to becomes rows of a cycle, as far as its bounds go."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from crawler.admission.room import Admitted, Room
from crawler.contracts.bound import UNLIMITED, LeftOut, Limits, Trail
from crawler.contracts.frontier import NewRow, RowState
from crawler.contracts.outcome import Reason
from crawler.contracts.snapshot import PageKind
from crawler.ledger.chunks import in_chunks
from crawler.ledger.readings import end_unchanged
from crawler.ledger.scopes import register_scopes
from crawler.ledger.tables import aliases, cycles, left_out, requests
from crawler.ledger.text import HEADERS


@dataclass(frozen=True, slots=True)
class Admission:
    admitted: int = 0
    duplicates: int = 0
    left_out: LeftOut = field(default_factory=dict)
    ended: Mapping[Reason, int] = field(default_factory=dict)
    """Of those admitted: born with their end."""


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
        Admission(
            len(each.rows),
            each.duplicates,
            _add(batch.left_out, each.left_out),
            Counter(row.refused.reason for row in each.rows if row.refused),
        )
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
    return {
        shape: count
        for some in in_chunks(shapes)
        for shape, count in conn.execute(query, {"names": some})
    }


def _find_known(conn: sa.Connection, cycle: int, fingerprints: Collection[str]) -> set[str]:
    names: sa.BindParameter[str] = sa.bindparam("names", expanding=True)
    queries = [
        sa.select(table.c.fingerprint).where(
            table.c.cycle == sa.bindparam("cycle"), table.c.fingerprint.in_(names)
        )
        for table in (requests, aliases)
    ]
    return {
        name
        for some in in_chunks(fingerprints)
        for query in queries
        for name in conn.scalars(query, {"cycle": cycle, "names": some})
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
        if batch.row is not None
    ]
    if rows:
        conn.execute(sa.insert(left_out), rows)
    for batch, result in zip(batches, results, strict=True):
        if batch.row is None:
            _keep_left_out_of_no_page(conn, cycle, result.left_out)


def _keep_left_out_of_no_page(conn: sa.Connection, cycle: int, found: LeftOut) -> None:
    """One row for each bound: a hand-written spider yields requests one by one, without end."""
    for bound, links in sorted(found.items()):
        known = (
            left_out.c.row_id.is_(None),
            left_out.c.cycle + 0 == cycle,  # Read by its row, which hardly any lacks.
            left_out.c.bound == bound.value,
        )
        added = sa.update(left_out).where(*known).values(links=left_out.c.links + links)
        if not conn.execute(added).rowcount:
            values = {"cycle": cycle, "row_id": None, "bound": bound, "links": links}
            conn.execute(sa.insert(left_out), values)


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
