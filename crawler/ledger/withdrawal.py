"""Taking a row's claim on a record back, when another row has the better one or rules changed.

A withdrawn version stays on record under its number, so that a number never comes to mean
something else than what was given out under it.
"""

from typing import Any

import sqlalchemy as sa

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Rejection
from crawler.ledger.tables import (
    ACCEPTED,
    AnyRow,
    observations,
    record_versions,
    records,
    rejections,
)
from crawler.ledger.text import FIELDS, REJECTION


def withdraw_claim(
    conn: sa.Connection, record: str, cycle: int, *, successor_hash: str | None
) -> None:
    """Undo what the cycle's observation of *record* did.

    When the successor has the same content, the version it published goes back too, to be
    published again under the same number with the successor's evidence.
    """
    claim = _read_claim(conn, record, cycle)
    if claim is None:
        return
    is_claim = (observations.c.cycle == cycle) & (observations.c.record == record)
    conn.execute(sa.delete(observations).where(is_claim))
    values: dict[str, Any] = {"claim_cycle": None, "claim_row": None}
    if claim.status == ACCEPTED:
        is_same = claim.content_hash == successor_hash and claim.version == claim.last_version
        _retire_version(conn, record, claim.version, is_reused=is_same)
        values["current_version"] = _find_predecessor(conn, record, claim.version)
        values["last_version"] = claim.last_version - is_same
    conn.execute(sa.update(records).where(records.c.id == record).values(values))


def reject_loser(conn: sa.Connection, record: str, cycle: int, winner: int, now: float) -> None:
    """Record that the row that has *record* in this cycle has it no longer, in favour of *winner*."""
    claim = _read_claim(conn, record, cycle)
    if claim is None:
        return
    candidate = Candidate(claim.type, claim.key, claim.schema_version, FIELDS.load(claim.fields))
    detail = f"row {winner} of this cycle has it"
    rejection = Rejection(RejectReason.DUPLICATE_ID, detail, candidate=candidate)
    conn.execute(
        sa.insert(rejections),
        {
            "cycle": cycle,
            "row_id": claim.row_id,
            "capture_id": claim.capture_id,
            "reason": rejection.reason,
            "rejection": REJECTION.dump(rejection),
            "rule_version": claim.rule_version,
            "extractor_version": claim.extractor_version,
            "rejected_at": now,
        },
    )


def _read_claim(conn: sa.Connection, record: str, cycle: int) -> AnyRow | None:
    version = (record_versions.c.record == observations.c.record) & (
        record_versions.c.version == observations.c.version
    )
    query = (
        sa.select(
            observations.c.row_id,
            observations.c.capture_id,
            observations.c.version,
            observations.c.status,
            records.c.type,
            records.c.key,
            records.c.last_version,
            record_versions.c.content_hash,
            record_versions.c.schema_version,
            record_versions.c.rule_version,
            record_versions.c.extractor_version,
            record_versions.c.fields,
        )
        .join_from(observations, record_versions, version)
        .join(records, records.c.id == observations.c.record)
        .where(observations.c.cycle == cycle, observations.c.record == record)
    )
    return conn.execute(query).one_or_none()


def _retire_version(conn: sa.Connection, record: str, version: int, *, is_reused: bool) -> None:
    is_version = (record_versions.c.record == record) & (record_versions.c.version == version)
    if is_reused:
        conn.execute(sa.delete(record_versions).where(is_version))
    else:
        conn.execute(sa.update(record_versions).where(is_version).values(withdrawn=1))


def _find_predecessor(conn: sa.Connection, record: str, version: int) -> int | None:
    query = sa.select(sa.func.max(record_versions.c.version)).where(
        record_versions.c.record == record,
        record_versions.c.version < version,
        record_versions.c.withdrawn == 0,
    )
    found: int | None = conn.scalar(query)
    return found
