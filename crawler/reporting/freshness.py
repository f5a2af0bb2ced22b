"""Accepted records, parted at the moment of reading into those still fresh and those gone stale."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Record, Rejection
from crawler.ledger.queries.records import (
    LastSeen,
    StoredRejection,
    iterate_last_seen,
    iterate_records,
)
from crawler.validation.freshness import is_stale

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Freshness:
    """Seconds for which a site's observations may be used, and the moment that counts as now."""

    limits: Mapping[str, float | None]
    now: float


def iterate_fresh(conn: "Connection", site: str | None, freshness: Freshness) -> Iterator[Record]:
    """Yield the accepted records that may be used now."""
    seen = _read_last_seen(conn, freshness)
    for record in iterate_records(conn, site):
        if not _is_stale(record, seen, freshness):
            yield record


def iterate_stale(
    conn: "Connection", site: str | None, freshness: Freshness
) -> Iterator[StoredRejection]:
    """Yield the accepted records that may not, as rejections."""
    seen = _read_last_seen(conn, freshness)
    for record in iterate_records(conn, site):
        if _is_stale(record, seen, freshness):
            yield _reject(record, seen[_name(record)])


def _read_last_seen(
    conn: "Connection", freshness: Freshness
) -> dict[tuple[str, str, str], LastSeen]:
    limited = [site for site, limit in freshness.limits.items() if limit is not None]
    return {
        (seen.site, seen.type, seen.key): seen
        for site in limited
        for seen in iterate_last_seen(conn, site)
    }


def _name(record: Record) -> tuple[str, str, str]:
    return (record.site, record.type, record.key)


def _is_stale(
    record: Record, seen: Mapping[tuple[str, str, str], LastSeen], freshness: Freshness
) -> bool:
    last = seen.get(_name(record))
    limit = freshness.limits.get(record.site)
    return last is not None and is_stale(last.observed_at, limit, freshness.now)


def _reject(record: Record, last: LastSeen) -> StoredRejection:
    return StoredRejection(
        site=record.site,
        row=last.row,
        url=record.url,
        capture_id=record.capture_id,
        snapshot_sha256=record.snapshot_sha256,
        observed_at=last.observed_at,
        rule_version=record.rule_version,
        extractor_version=record.extractor_version,
        rejection=Rejection(
            RejectReason.STALE,
            f"last observed {last.observed_at}",
            candidate=Candidate(record.type, record.key, record.schema_version, record.fields),
        ),
    )
