"""What must hold of ledger and archive however often the crawl that wrote them was killed.

Read from the places where the data lies, through the reading half of ledger and archive. Times of
the server's log are monotonic, those of the ledger are not: both clocks are of this machine.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from crawler.archive.reader import ArchiveReader
from crawler.archive.verify import Indexed, VerifyReport, verify_folder
from crawler.contracts.snapshot import Location
from crawler.ledger.database import ledger_url
from crawler.ledger.queries import reading
from crawler.ledger.queries.captures import (
    CaptureEntry,
    find_location,
    iterate_captures,
    iterate_locations,
)
from crawler.ledger.queries.collections import find_judged_cycle
from crawler.ledger.queries.funnel import list_runs
from crawler.ledger.queries.records import iterate_records
from crawler.ledger.tables import (
    captures,
    cycles,
    disappearances,
    observations,
    owners,
    record_versions,
    records,
    requests,
)
from tests.e2e.catalogue import SITE, Catalogue
from tests.e2e.server import Hit, Server

Version = tuple[str, int, str]
"""Record, version and the capture that it was read from."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What a ledger promises at one moment and may never take back."""

    outcomes: frozenset[tuple[int, str]]
    """(row, reason)."""
    versions: frozenset[Version]
    captures: frozenset[str]

    def is_kept_by(self, later: "Committed") -> bool:
        return (
            self.outcomes <= later.outcomes
            and self.versions <= later.versions
            and self.captures <= later.captures
        )


NOTHING = Committed(frozenset(), frozenset(), frozenset())


def read_committed(data: Path) -> Committed:
    """Return what is committed now; nothing where a crawl was killed before it had a ledger."""
    if not _has_schema(data):
        return NOTHING
    with reading(ledger_url(data)) as conn:
        ended = sa.select(requests.c.id, requests.c.reason).where(requests.c.state == "done")
        version = record_versions.c
        published = sa.select(version.record, version.version, version.capture_id)
        return Committed(
            outcomes=frozenset((row, reason) for row, reason in conn.execute(ended)),
            versions=frozenset((a, b, c) for a, b, c in conn.execute(published)),
            captures=frozenset(conn.scalars(sa.select(captures.c.capture_id))),
        )


def check_all(data: Path, server: Server, catalogue: Catalogue) -> VerifyReport:
    """Check every promise about a cycle that has come to its end."""
    with reading(ledger_url(data)) as conn:
        check_outcomes(conn, server, catalogue)
        check_collection(conn, catalogue)
        check_records(conn, server, catalogue)
        check_snapshots(conn, data)
        check_nothing_is_held(conn)
        check_fetches(conn, server)
    return check_archive(data)


def check_outcomes(conn: sa.Connection, server: Server, catalogue: Catalogue) -> None:
    """One cycle, one row for each URL, one outcome for each row, and none that blames a kill."""
    rows = conn.execute(sa.select(requests).order_by(requests.c.id)).all()
    assert _repeated(row.requested_url for row in rows) == []
    expected = {server.url(target): reason for target, reason in catalogue.outcomes.items()}
    assert {row.requested_url: row.reason for row in rows} == expected
    assert {row.state for row in rows} == {"done"}
    assert [row.url for row in rows if row.crashes >= 5] == []
    cycle = conn.execute(sa.select(cycles)).one()
    assert cycle.admitted == len(rows)
    assert cycle.closed_at is not None


def check_collection(conn: sa.Connection, catalogue: Catalogue) -> None:
    """The same is said of the listing, however often the crawl of it was interrupted."""
    judged = find_judged_cycle(conn, SITE)

    assert judged is not None
    [collection] = judged.collections
    assert collection.as_json() == {"url": collection.url, **catalogue.collection}
    assert conn.scalar(sa.select(sa.func.count()).select_from(disappearances)) == 0


def check_records(conn: sa.Connection, server: Server, catalogue: Catalogue) -> None:
    """Each record once, in one version, observed once, with the values of its page."""
    found = list(iterate_records(conn, SITE))
    values = {record.url: _values(record) for record in found}
    assert len(values) == len(found)
    assert values == {server.url(at): want for at, want in catalogue.records.items()}
    assert {record.version for record in found} == {1}
    for table in (records, record_versions, observations):
        assert conn.scalar(sa.select(sa.func.count()).select_from(table)) == len(found)


def _values(record: Any) -> dict[str, Any]:
    return {name: record.fields[name].value for name in ("name", "starts_at")}


def check_snapshots(conn: sa.Connection, data: Path) -> None:
    """Each capture reads back with its digest, and each record's values stand in its snapshot."""
    reader = ArchiveReader(data / "archive")
    bodies = {
        entry.capture_id: _read_body(conn, reader, entry) for entry in list(iterate_captures(conn))
    }
    eligible = Counter(entry.row for entry in iterate_captures(conn) if entry.is_eligible)
    assert [row for row, count in eligible.items() if count > 1] == []
    for record in iterate_records(conn, SITE):
        body = bodies[record.capture_id]
        assert hashlib.sha256(body).hexdigest() == record.snapshot_sha256
        for value in _values(record).values():
            assert str(value).encode() in body


def _read_body(conn: sa.Connection, reader: ArchiveReader, entry: CaptureEntry) -> bytes:
    def resolve(capture_id: str) -> Location:
        location = find_location(conn, capture_id)
        assert location is not None, f"{capture_id} is referred to and not on record"
        return location

    snapshot = reader.read(entry.location, resolve=resolve, digest=entry.digest)
    assert snapshot.capture_id == entry.capture_id
    assert hashlib.sha256(snapshot.body).hexdigest() == entry.digest
    return snapshot.body


def check_nothing_is_held(conn: sa.Connection) -> None:
    """Each run has an end on record, and no owner that is gone holds anything."""
    assert [run.run for run in list_runs(conn, SITE) if run.ended_as is None] == []
    assert list(conn.scalars(sa.select(owners.c.owner).where(owners.c.closed_at.is_(None)))) == []


def check_fetches(conn: sa.Connection, server: Server) -> None:
    """Nothing is asked for again once its outcome is committed."""
    offset = time.time() - time.monotonic()
    query = sa.select(requests.c.requested_url, requests.c.ended_at)
    ended = {row.requested_url: row.ended_at for row in conn.execute(query)}
    late = [hit.target for hit in server.log if _is_after(hit, ended, server, offset)]
    assert late == []


def _is_after(hit: Hit, ended: dict[str, float], server: Server, offset: float) -> bool:
    ended_at = ended.get(server.url(hit.target))
    return ended_at is not None and hit.at + offset > ended_at + 0.001


def check_archive(data: Path) -> VerifyReport:
    """Every file is intact, but for an end that a kill left and nothing refers to."""
    with reading(ledger_url(data)) as conn:
        index = [Indexed(*entry) for entry in iterate_locations(conn)]
    report = verify_folder(ArchiveReader(data / "archive"), index=index)
    assert report.damages == ()
    assert [file.file for file in report.files if file.is_open] == []
    return report


def count_refetches(server: Server, catalogue: Catalogue) -> int:
    """Return how many requests for pages there were beyond those an undisturbed crawl needs."""
    hits = Counter(hit.target for hit in server.log if hit.path != "/robots.txt")
    return sum(count - 1 - (target in catalogue.refetched) for target, count in hits.items())


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _has_schema(data: Path) -> bool:
    url = ledger_url(data)
    if not (data / "ledger.db").exists():
        return False
    engine = sa.create_engine(url)
    try:
        return sa.inspect(engine).has_table("meta")
    finally:
        engine.dispose()
