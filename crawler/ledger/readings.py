"""When pages of a site were last read, to leave alone those that have not changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from crawler.contracts.frontier import FormerReading, NewRow
from crawler.contracts.outcome import Outcome, Reason
from crawler.ledger.chunks import in_chunks
from crawler.ledger.tables import captures, cycles, observations, requests, runs


def end_unchanged(conn: sa.Connection, cycle: int, rows: Sequence[NewRow]) -> list[NewRow]:
    """Return *rows*, of which those that need no further reading are born with their end."""
    wanted = {row.fingerprint: row.unless_read for row in rows if row.unless_read is not None}
    if not wanted:
        return list(rows)
    found = _find_readings(conn, cycle, wanted)
    return [_end_row(row, found.get(row.fingerprint)) for row in rows]


def _end_row(row: NewRow, read_at: datetime | None) -> NewRow:
    if read_at is None or row.refused is not None:
        return row
    detail = f"read at {read_at.isoformat()}; its sitemap names no change since"
    return replace(row, refused=Outcome(Reason.NOT_MODIFIED, detail=detail))


def _find_readings(
    conn: sa.Connection, cycle: int, wanted: Mapping[str, FormerReading]
) -> dict[str, datetime]:
    """Return when pages were last read as is wanted of each, by fingerprint."""
    since = min(reading.after for reading in wanted.values())
    found: dict[str, datetime] = {}
    for some in in_chunks(wanted):
        values = {"cycle": cycle, "since": since, "names": some}
        for name, observed_at, rule_version in conn.execute(_READINGS, values):
            moment, reading = datetime.fromisoformat(observed_at), wanted[name]
            if moment.timestamp() > reading.after and rule_version == reading.rule_version:
                found[name] = max(moment, found.get(name, moment))
    return found


def _select_readings() -> sa.Select[Any]:
    """Of former cycles that were open after a moment, the pages that gave records."""
    cycle = sa.bindparam("cycle", type_=sa.BigInteger)
    site = sa.select(cycles.c.site).where(cycles.c.id == cycle).scalar_subquery()
    former = sa.select(cycles.c.id).where(
        cycles.c.site == site,
        cycles.c.id != cycle,
        cycles.c.closed_at.is_(None) | (cycles.c.closed_at >= sa.bindparam("since")),
    )
    return (
        sa.select(requests.c.fingerprint, captures.c.observed_at, runs.c.rule_version)
        .join(captures, captures.c.row_id == requests.c.id)
        .join(runs, runs.c.run == captures.c.run)
        .where(
            requests.c.cycle.in_(former),
            requests.c.fingerprint.in_(sa.bindparam("names", expanding=True)),
            requests.c.reason == Reason.ELIGIBLE.value,
            captures.c.eligible == 1,
            sa.exists().where(observations.c.row_id == requests.c.id),
        )
    )


_READINGS = _select_readings()
