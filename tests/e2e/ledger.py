"""What the ledger holds after a crawl, read with nothing but the database driver."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Row:
    """One admitted URL of the latest cycle."""

    url: str
    """Where it ended up."""
    scope: str
    state: str
    reason: str | None
    kind: str | None
    detail: str | None
    trace: str | None
    attempts: int
    deferrals: int
    not_before: float | None
    hops: tuple[tuple[str, int], ...]
    """Path and status of each redirect."""
    decisions: tuple[dict[str, Any], ...]
    statuses: tuple[int, ...]
    """Of its captures, in order."""
    rejections: tuple[str, ...]


def read_rows(data: Path, site: str) -> dict[str, Row]:
    """Return the rows of the site's latest cycle by the path (with query) that was admitted."""
    query = """
        SELECT * FROM requests
        WHERE cycle = (SELECT max(id) FROM cycles WHERE site = ?) ORDER BY id
    """
    with connected(data) as ledger:
        return {
            target_of(found["requested_url"]): _read_row(ledger, found)
            for found in ledger.execute(query, (site,)).fetchall()
        }


def read_versions(data: Path, site: str) -> dict[str, int]:
    """Return the current version of each accepted record by its key."""
    query = "SELECT key, current_version FROM records WHERE site = ? AND current_version > 0"
    with connected(data) as ledger:
        return dict(map(tuple, ledger.execute(query, (site,))))


def read_ends(data: Path) -> list[str | None]:
    """Return how each run ended, oldest first; None for one that has not."""
    with connected(data) as ledger:
        return [end for (end,) in ledger.execute("SELECT ended_as FROM runs ORDER BY started_at")]


@contextmanager
def connected(data: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{data}/ledger.db?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        yield connection


def target_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _read_row(ledger: sqlite3.Connection, found: sqlite3.Row) -> Row:
    def column(query: str) -> tuple[Any, ...]:
        return tuple(value for (value,) in ledger.execute(query, (found["id"],)))

    hops = json.loads(found["redirects"])
    decisions = column("SELECT decision FROM decisions WHERE row_id = ? ORDER BY id")
    return Row(
        **{name: found[name] for name in Row.__slots__ if name in found.keys()},  # noqa: SIM118
        hops=tuple((target_of(hop["url"]), hop["status"]) for hop in hops),
        decisions=tuple(map(json.loads, decisions)),
        statuses=column("SELECT status FROM captures WHERE row_id = ? ORDER BY id"),
        rejections=column("SELECT reason FROM rejections WHERE row_id = ? ORDER BY id"),
    )
