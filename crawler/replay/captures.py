"""A capture that the ledger knows, read back from the archive."""

from typing import TYPE_CHECKING

from crawler.archive.reader import ArchiveReader
from crawler.contracts.errors import SnapshotNotFound
from crawler.contracts.snapshot import Location, Snapshot
from crawler.ledger.queries.captures import CaptureEntry, find_location

if TYPE_CHECKING:
    from sqlalchemy import Connection


def read_snapshot(conn: "Connection", archive: ArchiveReader, entry: CaptureEntry) -> Snapshot:
    """Return the snapshot, checked against the digest that was recorded when it was committed.

    Raises SnapshotNotFound or SnapshotCorrupt.
    """

    def resolve(capture_id: str) -> Location:
        location = find_location(conn, capture_id)
        if location is None:
            raise SnapshotNotFound(f"{capture_id}: not in the ledger")
        return location

    return archive.read(entry.location, resolve=resolve, digest=entry.digest)
