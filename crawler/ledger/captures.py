"""From a capture to its place in the archive and its entry in the index."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.ports import CaptureSink
from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    Location,
    PageKind,
    Representation,
    Snapshot,
)
from crawler.ledger.tables import AnyRow, captures


class GroupSink:
    """The archive as one group of operations sees it.

    A group that is applied a second time, because one of its operations had to be undone, does
    not append its captures a second time.
    """

    def __init__(self, sink: CaptureSink) -> None:
        self._sink = sink
        self._appended: dict[str, tuple[Location, str | None]] = {}

    def append(self, capture: Capture, refers_to: Snapshot | None) -> tuple[Location, str | None]:
        """Return where the capture lies, and the id of the capture that holds its body if not it."""
        name = capture.snapshot.capture_id
        if name not in self._appended:
            # A capture of this same group may yet be undone: nothing refers to it.
            original = None if refers_to and refers_to.capture_id in self._appended else refers_to
            location = self._sink.append(capture, refers_to=original)
            self._appended[name] = (location, original.capture_id if original else None)
        return self._appended[name]

    def sync(self) -> None:
        if self._appended:
            self._sink.sync()


@dataclass(frozen=True, slots=True)
class Filing:
    """A capture with its place in the crawl; robots files and the like have no row."""

    capture: Capture
    row: int | None
    cycle: int | None
    kind: Kind | None
    reason: Reason | None


def file_captures(conn: sa.Connection, filings: Sequence[Filing], sink: GroupSink) -> None:
    """Append captures to the archive and index them; equal bodies of one page are kept once."""
    if not filings:
        return
    filings = [each for filing in filings for each in _take_apart(filing)]
    originals = _find_originals(conn, filings)
    conn.execute(sa.insert(captures), [_file(filing, originals, sink) for filing in filings])


def _take_apart(filing: Filing) -> Sequence[Filing]:
    """A rendering comes after the response it was made of, which is evidence and no content, and
    after what was observed beside it: a page is the last capture of its row.
    """
    capture = filing.capture
    parts = [replace(each, is_eligible=capture.is_eligible) for each in capture.beside]
    if capture.original is not None:
        received = replace(
            capture, snapshot=capture.original, is_eligible=False, original=None, beside=()
        )
        parts.insert(0, received)
    return [*(Filing(part, filing.row, filing.cycle, None, None) for part in parts), filing]


def observed_text(snapshot: Snapshot) -> str:
    """Return the observation time as RFC 3339."""
    return snapshot.observed_at.astimezone(UTC).isoformat().replace("+00:00", "Z")


_Page = tuple[str, str, str, str]


def _page_of(snapshot: Snapshot) -> _Page:
    return (snapshot.site, snapshot.digest, snapshot.final_url, snapshot.representation.value)


def _find_originals(conn: sa.Connection, filings: Sequence[Filing]) -> dict[_Page, Snapshot]:
    """Return the oldest full capture of each page that has had just this body before."""
    eligible = [filing.capture.snapshot for filing in filings if filing.capture.is_eligible]
    if not eligible:
        return {}
    wanted = {
        "sites": sorted({snapshot.site for snapshot in eligible}),
        "digests": sorted({snapshot.digest for snapshot in eligible}),
        "urls": sorted({snapshot.final_url for snapshot in eligible}),
    }
    found = [_recall(row) for row in conn.execute(_ORIGINALS, wanted)]
    return {_page_of(snapshot): snapshot for snapshot in found}


# By digest and URL: one body may be served at any number of addresses.
_ORIGINALS = (
    sa.select(captures)
    .where(
        captures.c.digest.in_(sa.bindparam("digests", expanding=True)),
        captures.c.site.in_(sa.bindparam("sites", expanding=True)),
        captures.c.final_url.in_(sa.bindparam("urls", expanding=True)),
        captures.c.eligible == 1,
        captures.c.refers_to.is_(None),
    )
    .order_by(captures.c.id.desc())
)


def _recall(row: AnyRow) -> Snapshot:
    """Return as much of a filed snapshot as a revisit record must name."""
    return Snapshot(
        capture_id=row.capture_id,
        site=row.site,
        run=row.run,
        requested_url=row.url,
        final_url=row.final_url,
        status=row.status,
        headers=(),
        observed_at=datetime.fromisoformat(row.observed_at),
        representation=Representation(row.representation),
        media_type=row.media_type,
        encoding=Encoding("utf-8", EncodingSource.DEFAULT),
        digest=row.digest,
        body=b"",
        page_kind=PageKind(row.page_kind),
    )


def _file(filing: Filing, originals: dict[_Page, Snapshot], sink: GroupSink) -> dict[str, Any]:
    snapshot = filing.capture.snapshot
    original = originals.get(_page_of(snapshot)) if filing.capture.is_eligible else None
    location, refers_to = sink.append(filing.capture, original)
    return {
        "capture_id": snapshot.capture_id,
        "row_id": filing.row,
        "cycle": filing.cycle,
        "run": snapshot.run,
        "site": snapshot.site,
        "url": snapshot.requested_url,
        "final_url": snapshot.final_url,
        "status": snapshot.status,
        "kind": filing.kind,
        "reason": filing.reason,
        "eligible": int(filing.capture.is_eligible),
        "digest": snapshot.digest,
        "file": location.file,
        "byte_offset": location.offset,
        "byte_length": location.length,
        "refers_to": refers_to,
        "observed_at": observed_text(snapshot),
        "media_type": snapshot.media_type,
        "representation": snapshot.representation.value,
        "page_kind": snapshot.page_kind.value,
        "session": snapshot.session,
    }
