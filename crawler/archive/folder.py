"""The archive's folder: which names may stand in it, and how its files are opened.

A name is made of the kind, the owner's id and a number; nothing a server sent reaches it. Links
are never followed and only regular files are read, whoever put something else there.
"""

import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawler.contracts.errors import SnapshotNotFound

_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}\.warc\.gz", re.ASCII)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CUT = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def build_file_name(kind: str, owner: str, number: int) -> str:
    if not _OWNER.fullmatch(owner):
        raise ValueError(f"not an owner id for a file name: {owner!r}")
    return f"{kind}-{owner}-{number:05d}.warc.gz"


def list_files(folder: Path) -> list[str]:
    """Names of archive files, sorted; links among them too, so that they are reported."""
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if _FILE.fullmatch(entry.name))


def make_private_folder(folder: Path) -> None:
    """Create the folder and what is missing above it, for the owner alone, durably."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create_file(folder: Path, name: str) -> int:
    """Return a descriptor of a new file, held under the lock that says its owner lives.

    Raises FileExistsError when the name is taken, by a dangling link too.
    """
    descriptor = os.open(folder / name, _CREATE, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        sync_folder(folder)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def open_to_read(folder: Path, name: str) -> Iterator[int]:
    """Yield a descriptor; SnapshotNotFound unless *name* is a regular file in the folder."""
    descriptor = _open_regular(folder, name, _READ)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def open_to_cut(folder: Path, name: str) -> Iterator[int]:
    """Yield a descriptor that no writer holds; BlockingIOError while its owner lives."""
    descriptor = _open_regular(folder, name, _CUT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    finally:
        os.close(descriptor)


def is_locked(descriptor: int) -> bool:
    """Whether the process that writes this file is alive."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


def _open_regular(folder: Path, name: str, flags: int) -> int:
    if not _FILE.fullmatch(name):
        raise SnapshotNotFound(f"not the name of an archive file: {name!r}")
    try:
        descriptor = os.open(folder / name, flags)
    except OSError as error:
        raise SnapshotNotFound(f"{name}: {os.strerror(error.errno or 0)}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SnapshotNotFound(f"{name}: not a regular file")
    return descriptor
