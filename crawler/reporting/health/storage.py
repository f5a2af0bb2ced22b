"""Ledger and archive: usable, private, and with room to grow."""

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from crawler.contracts.errors import CrawlerError
from crawler.ledger.database import try_writing
from crawler.reporting.health.check import Check, ok, problem, warning

LITTLE_SPACE = 2**30
NO_SPACE = 100 * 2**20
FOREIGN_BITS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class FolderFacts:
    path: Path
    is_there: bool
    is_writable: bool
    """The folder, or the nearest one above it in which it would be created."""
    mode: int
    """Permission bits; 0 where there is no folder."""
    is_ours: bool
    free_bytes: int


def check_ledger(url: str, *, is_there: bool, wait: float) -> Check:
    """Open the ledger as a crawl would, write nothing; one that is not there is no problem."""
    if not is_there:
        return ok("ledger", "not there yet; the first crawl creates it")
    try:
        where = try_writing(url, wait=wait)
    except CrawlerError as error:
        return problem("ledger", str(error), "mend what the message names; nothing can be crawled")
    return ok("ledger", where)


def look_at_folder(path: Path) -> FolderFacts:
    nearest = next((each for each in (path, *path.parents) if each.exists()), Path("/"))
    found = nearest.stat()
    is_there = nearest == path
    return FolderFacts(
        path=path,
        is_there=is_there,
        is_writable=nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK),
        mode=stat.S_IMODE(found.st_mode) if is_there else 0,
        is_ours=not is_there or found.st_uid == os.geteuid(),
        free_bytes=shutil.disk_usage(nearest).free,
    )


def judge_folder(name: str, facts: FolderFacts) -> Check:
    path = facts.path
    if not facts.is_writable:
        return problem(name, f"{path} cannot be written", "set DATA_DIR, or mend its permissions")
    if facts.mode & FOREIGN_BITS:
        return problem(
            name, f"{path} is open to other users ({facts.mode:04o})", f"chmod 700 {path}"
        )
    if not facts.is_ours:
        return problem(name, f"{path} belongs to another user", "run as its owner, or chown it")
    return _judge_space(name, facts)


def _judge_space(name: str, facts: FolderFacts) -> Check:
    free = f"{facts.free_bytes / 2**30:.1f} GiB free"
    if facts.free_bytes < NO_SPACE:
        return problem(name, free, "make room: a run ends as storage_failed when it is used up")
    if facts.free_bytes < LITTLE_SPACE:
        return warning(name, free, "make room before the next large crawl")
    there = "" if facts.is_there else " (created by the first crawl)"
    return ok(name, f"{facts.path}{there}, {free}")
