"""Records that an agent may use, and candidates that it may not."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from crawler.contracts.record import Record, Rejection, Standing, Status
from crawler.ledger.tables import (
    ACCEPTED,
    AnyRow,
    captures,
    cycles,
    disappearances,
    observations,
    record_versions,
    records,
    rejections,
    requests,
)
from crawler.ledger.text import FIELDS, REJECTION

STREAM: dict[str, Any] = {"yield_per": 500}
"""Rows kept in memory at once."""


@dataclass(frozen=True, slots=True)
class StoredRejection:
    """A rejection of the site's latest cycle, with where it was read."""

    site: str
    row: int
    url: str
    capture_id: str | None
    snapshot_sha256: str | None
    observed_at: str | None
    rule_version: str
    extractor_version: str
    rejection: Rejection


@dataclass(frozen=True, slots=True)
class LastSeen:
    """When a record was last observed: what its freshness is computed from."""

    site: str
    type: str
    key: str
    observed_at: str
    row: int


def iterate_records(
    conn: sa.Connection, site: str | None = None, *, row: int | None = None
) -> Iterator[Record]:
    """Yield the current version of each accepted record; those of one snapshot follow each other.

    Ordered by site, then by the row they were read from, then as on the page. ``observed_at`` is
    that of the version, see ``iterate_last_seen``.
    """
    query = _select_records().order_by(
        records.c.site, captures.c.row_id, captures.c.id, record_versions.c.position
    )
    if site is not None:
        query = query.where(records.c.site == site)
    if row is not None:
        claim = observations.c.record == records.c.id
        query = query.join(observations, claim).where(observations.c.row_id == row)
    for found in conn.execute(query.execution_options(**STREAM)):
        yield _read_record(found)


def _select_records() -> sa.Select[Any]:
    current = (record_versions.c.record == records.c.id) & (
        record_versions.c.version == records.c.current_version
    )
    seen = observations.alias()
    is_last = (seen.c.record == records.c.id) & (
        seen.c.cycle == _of_record(observations, sa.func.max)
    )
    missing = _of_record(disappearances, sa.func.max)
    said = cycles.alias()
    return (
        sa.select(
            records.c.site,
            records.c.source_id,
            records.c.type,
            records.c.key,
            captures.c.session,
            record_versions,
            seen.c.cycle.label("seen"),
            seen.c.status,
            _of_record(observations, sa.func.min).label("first_seen"),
            missing.label("missing"),
            said.c.number.label("cycle_number"),
            said.c.complete.label("cycle_complete"),
        )
        .join_from(records, record_versions, current)
        .join(captures, captures.c.capture_id == record_versions.c.capture_id)
        .join(seen, is_last, isouter=True)
        .join(said, said.c.id == _later(seen.c.cycle, missing), isouter=True)
    )


def _of_record(
    table: sa.Table, choose: Callable[[sa.Column[int]], sa.ColumnElement[int]]
) -> sa.ScalarSelect[int]:
    """Return the first or last cycle that *table* names a record in."""
    query = sa.select(choose(table.c.cycle)).where(table.c.record == records.c.id)
    return query.correlate(records).scalar_subquery()


def _later(seen: sa.ColumnElement[int], missing: sa.ColumnElement[int]) -> sa.Case[int]:
    return sa.case((missing > seen, missing), else_=seen)


def _read_standing(row: AnyRow) -> Standing | None:
    """Return None for a record whose only observation was taken back by other rules."""
    if row.seen is None:
        return None
    is_complete = None if row.cycle_complete is None else bool(row.cycle_complete)
    return Standing(_decide_status(row), row.cycle_number, is_complete)


def _decide_status(row: AnyRow) -> Status:
    if row.missing is not None and row.missing > row.seen:
        return Status.VANISHED
    if row.status != ACCEPTED:
        return Status.UNCHANGED
    return Status.NEW if row.first_seen == row.seen else Status.CHANGED


def _read_record(row: AnyRow) -> Record:
    return Record(
        site=row.site,
        source_id=row.source_id,
        type=row.type,
        key=row.key,
        version=row.version,
        schema_version=row.schema_version,
        extractor_version=row.extractor_version,
        rule_version=row.rule_version,
        capture_id=row.capture_id,
        snapshot_sha256=row.digest,
        observed_at=row.observed_at,
        url=row.url,
        content_hash=row.content_hash,
        session=row.session or None,
        fields=FIELDS.load(row.fields),
        standing=_read_standing(row),
    )


def iterate_last_seen(conn: sa.Connection, site: str) -> Iterator[LastSeen]:
    """Yield when each current record was last observed, as a new version or unchanged."""
    seen = (observations.c.record == records.c.id) & (observations.c.cycle == records.c.claim_cycle)
    query = (
        sa.select(
            records.c.site,
            records.c.type,
            records.c.key,
            observations.c.observed_at,
            observations.c.row_id,
        )
        .join_from(records, observations, seen)
        .where(records.c.site == site, records.c.current_version.is_not(None))
        .order_by(records.c.type, records.c.key)
    )
    for found in conn.execute(query.execution_options(**STREAM)):
        yield LastSeen(*found)


def iterate_rejections(
    conn: sa.Connection, site: str | None = None, *, row: int | None = None
) -> Iterator[StoredRejection]:
    """Yield the rejections of each site's latest cycle, in row order."""
    latest = sa.select(sa.func.max(cycles.c.id)).group_by(cycles.c.site)
    query = (
        sa.select(
            rejections,
            cycles.c.site,
            requests.c.url,
            captures.c.digest,
            captures.c.observed_at,
        )
        .join_from(rejections, cycles, cycles.c.id == rejections.c.cycle)
        .join(requests, requests.c.id == rejections.c.row_id)
        .join(captures, captures.c.capture_id == rejections.c.capture_id, isouter=True)
        .order_by(cycles.c.site, rejections.c.row_id, rejections.c.id)
    )
    if row is not None:
        query = query.where(rejections.c.row_id == row)
    else:
        query = query.where(rejections.c.cycle.in_(latest))
    if site is not None:
        query = query.where(cycles.c.site == site)
    for found in conn.execute(query.execution_options(**STREAM)):
        yield _read_rejection(found)


def _read_rejection(row: AnyRow) -> StoredRejection:
    return StoredRejection(
        site=row.site,
        row=row.row_id,
        url=row.url,
        capture_id=row.capture_id,
        snapshot_sha256=row.digest,
        observed_at=row.observed_at,
        rule_version=row.rule_version,
        extractor_version=row.extractor_version,
        rejection=REJECTION.load(row.rejection),
    )
