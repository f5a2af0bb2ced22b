"""How a record looks to those who use it: flat values, then where they came from."""

from dataclasses import asdict
from typing import Any

from crawler.contracts.record import Record, Status

RESERVED = ("evidence", "provenance")
"""Names no field of a record type may have."""
PROVENANCE = (
    "site",
    "source_id",
    "type",
    "key",
    "version",
    "schema_version",
    "extractor_version",
    "rule_version",
    "capture_id",
    "snapshot_sha256",
    "observed_at",
    "url",
    "content_hash",
    "session",
)

STANDING = ("status", "cycle", "cycle_complete")
"""Stand behind the provenance of a record whose page is committed."""


def record_values(record: Record) -> dict[str, Any]:
    return {name: field.value for name, field in record.fields.items()}


def record_provenance(record: Record) -> dict[str, Any]:
    provenance = {name: getattr(record, name) for name in PROVENANCE}
    if record.standing is None:
        return provenance
    told = (record.standing.status, record.standing.cycle, record.standing.is_cycle_complete)
    return provenance | dict(zip(STANDING, told, strict=True))


def record_line(record: Record) -> dict[str, Any]:
    """Return one record for JSON Lines: its values, ``provenance`` and ``evidence`` by field."""
    return {
        **record_values(record),
        "provenance": record_provenance(record),
        "evidence": {
            name: asdict(field.evidence) if field.evidence else {"missing": field.missing}
            for name, field in record.fields.items()
        },
    }


def collection_document(records: list[Record]) -> dict[str, Any]:
    """Return the records of one snapshot as one document. *records* is not empty.

    ``vanished`` has the keys of those that have, where any has.
    """
    first = records[0]
    vanished = [
        record.key
        for record in records
        if record.standing and record.standing.status is Status.VANISHED
    ]
    return {
        "schema_version": first.schema_version,
        "source_id": first.source_id,
        "snapshot_sha256": first.snapshot_sha256,
        "observed_at": first.observed_at,
        "extractor_version": first.extractor_version,
        "records": [
            {**record_values(record), "evidence": record_line(record)["evidence"]}
            for record in records
        ],
        **({"vanished": vanished} if vanished else {}),
    }
