"""Publishing records: what a page's candidates become.

Callers hold the site's write lock (SQLite has one writer; ``writer`` takes an advisory lock on
PostgreSQL), so what is read here is still true when it is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from crawler.contracts.collection import ListedPage
from crawler.contracts.outcome import Outcome, RejectReason
from crawler.contracts.record import Candidate, Rejection
from crawler.ledger.chunks import CHUNK
from crawler.ledger.claims import NOTHING_HELD, Held, Ruling, rule_on
from crawler.ledger.tables import (
    ACCEPTED,
    UNCHANGED,
    observations,
    record_versions,
    records,
    rejections,
)
from crawler.ledger.text import FIELDS, REJECTION, hash_content, name_record, storable
from crawler.ledger.withdrawal import reject_loser, withdraw_claim


@dataclass(frozen=True, slots=True)
class Publication:
    """The candidates of one capture, on their way to becoming records."""

    site: str
    source_id: str
    cycle: int
    row: int
    capture_id: str
    digest: str
    observed_at: str
    url: str
    extractor_version: str
    rule_version: str
    candidates: tuple[Candidate, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    volatile: tuple[str, ...] = ()
    """Fields that make no new version."""
    outcome: Outcome | None = None
    """How the page ends under this reading; None where it has ended otherwise."""
    listing: ListedPage | None = None
    """What the page says of its collection under this reading."""


@dataclass(slots=True)
class Published:
    """What became of one publication."""

    accepted: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    rejected: int = 0
    version_of: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Claim:
    """One candidate of one publication, with what is derived from it once."""

    page: Publication
    candidate: Candidate
    position: int
    """Among the records of the page."""
    record: str
    key: str
    content_hash: str


@dataclass(slots=True)
class _Batch:
    """Rows to be written together, and what the ledger will hold after that."""

    held: dict[str, Held]
    known: frozenset[str]
    touched: dict[str, _Claim] = field(default_factory=dict)
    versions: list[dict[str, Any]] = field(default_factory=list)
    observations: list[dict[str, Any]] = field(default_factory=list)
    rejections: list[dict[str, Any]] = field(default_factory=list)


def publish(conn: sa.Connection, pages: Sequence[Publication], now: float) -> list[Published]:
    """Publish the candidates and keep the rejections of several pages, in their order."""
    claims = [[_claim(page, *placed) for placed in enumerate(page.candidates)] for page in pages]
    batch = _start_batch(conn, {claim.record for of_page in claims for claim in of_page})
    results = []
    for page, of_page in zip(pages, claims, strict=True):
        result = Published()
        for rejection in page.rejections:
            _reject(batch, page, rejection, result, now)
        for claim in of_page:
            if _needs_take_over(batch, claim):
                batch = _take_over(conn, batch, claim, now)
            _settle(batch, claim, result, now)
        results.append(result)
    _write(conn, batch)
    return results


def _claim(page: Publication, position: int, candidate: Candidate) -> _Claim:
    key = storable(candidate.key)
    name = name_record(page.site, candidate.type, key)
    return _Claim(
        page, candidate, position, name, key, hash_content(candidate.values, page.volatile)
    )


def _start_batch(conn: sa.Connection, names: set[str]) -> _Batch:
    held = read_held(conn, names)
    return _Batch(held=dict(held), known=frozenset(held))


def read_held(conn: sa.Connection, names: set[str]) -> Mapping[str, Held]:
    """Return what the ledger holds of each record in *names* that it knows."""
    ordered = sorted(names)
    return {
        name: Held(*held)
        for start in range(0, len(ordered), CHUNK)
        for name, *held in conn.execute(_HELD, {"names": ordered[start : start + CHUNK]})
    }


_IS_CURRENT = (record_versions.c.record == records.c.id) & (
    record_versions.c.version == records.c.current_version
)
_HELD = (
    sa.select(
        records.c.id,
        records.c.current_version,
        records.c.last_version,
        record_versions.c.content_hash,
        records.c.claim_cycle,
        records.c.claim_row,
    )
    .join_from(records, record_versions, _IS_CURRENT, isouter=True)
    .where(records.c.id.in_(sa.bindparam("names", expanding=True)))
)


def _ruling(batch: _Batch, claim: _Claim) -> Ruling:
    held = batch.held.get(claim.record, NOTHING_HELD)
    page = claim.page
    return rule_on(held, cycle=page.cycle, row=page.row, content_hash=claim.content_hash)


def _needs_take_over(batch: _Batch, claim: _Claim) -> bool:
    return _ruling(batch, claim) is Ruling.TAKE_OVER


def _settle(batch: _Batch, claim: _Claim, result: Published, now: float) -> None:
    ruling = _ruling(batch, claim)
    if ruling is Ruling.DUPLICATE:
        _reject(batch, claim.page, _duplicate(batch, claim), result, now)
    elif ruling is Ruling.PUBLISH:
        held = batch.held.get(claim.record, NOTHING_HELD)
        version = held.last + 1
        batch.versions.append(_describe_version(claim, version, now))
        _observe(batch, claim, version, ACCEPTED)
        result.accepted.append(claim.candidate.key)
        result.version_of[claim.candidate.key] = version
    elif ruling is Ruling.UNCHANGED:
        version = batch.held[claim.record].current or 0
        _observe(batch, claim, version, UNCHANGED)
        result.unchanged.append(claim.candidate.key)
        result.version_of[claim.candidate.key] = version


def _duplicate(batch: _Batch, claim: _Claim) -> Rejection:
    holder = batch.held[claim.record].claim_row
    detail = (
        "twice on this page" if holder == claim.page.row else f"row {holder} of this cycle has it"
    )
    return Rejection(RejectReason.DUPLICATE_ID, detail, candidate=claim.candidate)


def _observe(batch: _Batch, claim: _Claim, version: int, status: str) -> None:
    page = claim.page
    last = max(version, batch.held.get(claim.record, NOTHING_HELD).last)
    batch.held[claim.record] = Held(version, last, claim.content_hash, page.cycle, page.row)
    batch.touched[claim.record] = claim
    batch.observations.append(
        {
            "cycle": page.cycle,
            "record": claim.record,
            "row_id": page.row,
            "capture_id": page.capture_id,
            "version": version,
            "status": status,
            "observed_at": page.observed_at,
        }
    )


def _describe_version(claim: _Claim, version: int, now: float) -> dict[str, Any]:
    page = claim.page
    return {
        "record": claim.record,
        "version": version,
        "capture_id": page.capture_id,
        "digest": page.digest,
        "content_hash": claim.content_hash,
        "extractor_version": page.extractor_version,
        "rule_version": page.rule_version,
        "schema_version": claim.candidate.schema_version,
        "observed_at": page.observed_at,
        "url": page.url,
        "fields": FIELDS.dump(claim.candidate.fields),
        "position": claim.position,
        "created_at": now,
    }


def _reject(
    batch: _Batch, page: Publication, rejection: Rejection, result: Published, now: float
) -> None:
    batch.rejections.append(describe_rejection(page, rejection, now))
    result.rejected += 1


def describe_rejection(page: Publication, rejection: Rejection, now: float) -> dict[str, Any]:
    return {
        "cycle": page.cycle,
        "row_id": page.row,
        "capture_id": page.capture_id or None,
        "reason": rejection.reason,
        "rejection": REJECTION.dump(rejection),
        "rule_version": page.rule_version,
        "extractor_version": page.extractor_version,
        "rejected_at": now,
    }


def _take_over(conn: sa.Connection, batch: _Batch, claim: _Claim, now: float) -> _Batch:
    """Reject the record of the row that has it now; returns a batch that knows of it."""
    _write(conn, batch)
    reject_loser(conn, claim.record, claim.page.cycle, claim.page.row, now)
    withdraw_claim(conn, claim.record, claim.page.cycle, successor_hash=claim.content_hash)
    return _start_batch(conn, set(batch.held) | {claim.record})


def _write(conn: sa.Connection, batch: _Batch) -> None:
    fresh = [claim for name, claim in batch.touched.items() if name not in batch.known]
    if fresh:
        conn.execute(sa.insert(records), [_describe_record(batch, claim) for claim in fresh])
    _update_records(conn, {n: batch.held[n] for n in batch.touched if n in batch.known})
    for table, rows in (
        (record_versions, batch.versions),
        (observations, batch.observations),
        (rejections, batch.rejections),
    ):
        if rows:
            conn.execute(sa.insert(table), rows)


def _describe_record(batch: _Batch, claim: _Claim) -> dict[str, Any]:
    held = batch.held[claim.record]
    return {
        "id": claim.record,
        "site": claim.page.site,
        "source_id": claim.page.source_id,
        "type": claim.candidate.type,
        "key": claim.key,
        "current_version": held.current,
        "last_version": held.last,
        "claim_cycle": held.claim_cycle,
        "claim_row": held.claim_row,
    }


def _update_records(conn: sa.Connection, held: Mapping[str, Held]) -> None:
    if held:
        statement = sa.update(records).where(records.c.id == sa.bindparam("name"))
        changes = [
            {
                "name": name,
                "current_version": record.current,
                "last_version": record.last,
                "claim_cycle": record.claim_cycle,
                "claim_row": record.claim_row,
            }
            for name, record in held.items()
        ]
        conn.execute(statement, changes)
