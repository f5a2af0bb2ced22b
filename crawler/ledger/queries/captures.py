"""The index of the archive."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from crawler.contracts.outcome import Reason
from crawler.contracts.snapshot import Location, PageKind, Representation
from crawler.ledger.queries.records import STREAM
from crawler.ledger.tables import AnyRow, captures, requests

SHORTEST_PREFIX = 8
_DIGEST = re.compile(rf"[0-9a-f]{{{SHORTEST_PREFIX},64}}")
_UUID = re.compile(r"(urn:uuid:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


@dataclass(frozen=True, slots=True)
class CaptureEntry:
    """What the ledger knows of one capture."""

    capture_id: str
    row: int | None
    cycle: int | None
    run: str
    site: str
    url: str
    final_url: str
    status: int
    kind: str | None
    reason: str | None
    is_eligible: bool
    digest: str
    location: Location
    refers_to: str | None
    """The capture that holds the body, where it is the same."""
    observed_at: str
    media_type: str
    representation: Representation
    page_kind: PageKind
    session: str
    """Name of the session that the request carried; empty for none."""


USABLE_STATUS = (200, 203)
READ_BY_INTERPRETATION = (
    Reason.INTERNAL_ERROR.value,
    Reason.INCOMPLETE_SNAPSHOT.value,
    Reason.REPRESENTATION_MISMATCH.value,
    Reason.WRONG_DOCUMENT.value,
    Reason.SOFT_404.value,
)
"""Ends that are drawn from the content of a page, by rules that may change."""


@dataclass(frozen=True, slots=True)
class PageToReplay:
    """A capture to read again, with what its row became when it was committed."""

    capture: CaptureEntry
    row: int
    cycle: int
    requested_url: str
    reason: str | None
    report: str | None
    """JSON summary of the page's report, see ``text.summarise_report``."""


def iterate_captures(
    conn: sa.Connection, site: str | None = None, *, row: int | None = None
) -> Iterator[CaptureEntry]:
    """Yield captures in the order in which they were committed."""
    query = sa.select(captures).order_by(captures.c.id)
    if site is not None:
        query = query.where(captures.c.site == site)
    if row is not None:
        query = query.where(captures.c.row_id == row)
    for found in conn.execute(query.execution_options(**STREAM)):
        yield _read_capture(found)


def find_captures(conn: sa.Connection, name: str, *, limit: int = 20) -> list[CaptureEntry]:
    """Return captures named by id, or by digest or the first eight or more digits of one.

    The newest comes first. An empty list for a name that is neither.
    """
    wanted = name.strip().strip("<>").lower()
    is_named = _match_name(wanted)
    if is_named is None:
        return []
    query = sa.select(captures).where(is_named).order_by(captures.c.id.desc()).limit(limit)
    return [_read_capture(found) for found in conn.execute(query)]


def _match_name(wanted: str) -> sa.ColumnElement[bool] | None:
    uuid = _UUID.fullmatch(wanted)
    if uuid:
        return captures.c.capture_id == f"urn:uuid:{uuid[2]}"
    if _DIGEST.fullmatch(wanted):
        return captures.c.digest.between(wanted, wanted + "g" if len(wanted) < 64 else wanted)
    return None


def iterate_locations(conn: sa.Connection) -> Iterator[tuple[str, str, Location]]:
    """Yield (capture id, digest, location) of every capture, for a check of the archive."""
    columns = (
        captures.c.capture_id,
        captures.c.digest,
        captures.c.file,
        captures.c.byte_offset,
        captures.c.byte_length,
    )
    query = sa.select(*columns).order_by(captures.c.file, captures.c.byte_offset)
    for capture_id, digest, *place in conn.execute(query.execution_options(**STREAM)):
        yield capture_id, digest, Location(*place)


def find_location(conn: sa.Connection, capture_id: str) -> Location | None:
    query = sa.select(captures.c.file, captures.c.byte_offset, captures.c.byte_length)
    found = conn.execute(query.where(captures.c.capture_id == capture_id)).one_or_none()
    return Location(*found) if found else None


def iterate_pages_to_replay(conn: sa.Connection, cycle: int) -> Iterator[PageToReplay]:
    """Yield the pages of a cycle that interpretation has read, in row order: the last capture of each.

    Those it found unusable, or had a bug on, are among them: under other rules, or once the bug is
    mended, they are read again instead of being fetched again.
    """
    # What was observed beside a page has no kind: it is read with the page, whatever became of that.
    is_content = (captures.c.eligible == 1) & captures.c.kind.is_not(None)
    is_doubtful = captures.c.status.in_(USABLE_STATUS) & requests.c.reason.in_(
        READ_BY_INTERPRETATION
    )
    last = (
        sa.select(sa.func.max(captures.c.id))
        .join(requests, requests.c.id == captures.c.row_id)
        .where(captures.c.cycle == cycle, is_content | is_doubtful)
        .group_by(captures.c.row_id)
    )
    query = (
        sa.select(
            captures,
            requests.c.requested_url,
            requests.c.reason.label("row_reason"),
            requests.c.report,
        )
        .join(requests, requests.c.id == captures.c.row_id)
        .where(captures.c.id.in_(last))
        .order_by(requests.c.id)
    )
    for found in conn.execute(query.execution_options(**STREAM)):
        yield PageToReplay(
            capture=_read_capture(found),
            row=found.row_id,
            cycle=found.cycle,
            requested_url=found.requested_url,
            reason=found.row_reason,
            report=found.report,
        )


def _read_capture(row: AnyRow | Any) -> CaptureEntry:
    return CaptureEntry(
        capture_id=row.capture_id,
        row=row.row_id,
        cycle=row.cycle,
        run=row.run,
        site=row.site,
        url=row.url,
        final_url=row.final_url,
        status=row.status,
        kind=row.kind,
        reason=row.reason,
        is_eligible=bool(row.eligible),
        digest=row.digest,
        location=Location(row.file, row.byte_offset, row.byte_length),
        refers_to=row.refers_to,
        observed_at=row.observed_at,
        media_type=row.media_type,
        representation=Representation(row.representation),
        page_kind=PageKind(row.page_kind),
        session=row.session,
    )
