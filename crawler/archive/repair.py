"""Cuts what a dead owner left unfinished at the end of its file.

Writers never go on in an old file, so a torn tail harms nobody; it is cut to leave a file that
other WARC tools accept.
"""

import os
from pathlib import Path

from crawler.archive.folder import open_to_cut
from crawler.archive.reader import ArchiveReader, Damage


def find_torn_tail(reader: ArchiveReader, file: str) -> int | None:
    """Return the offset behind the last whole capture, or None when nothing is torn there."""
    for item in reader.iterate(file):
        if isinstance(item, Damage) and item.is_torn:
            return item.offset
    return None


def cut_tail(folder: Path, file: str, offset: int) -> int:
    """Return how many bytes were cut; BlockingIOError while the owner of the file lives."""
    with open_to_cut(folder, file) as descriptor:
        surplus = os.fstat(descriptor).st_size - offset
        if surplus <= 0:
            return 0
        os.ftruncate(descriptor, offset)
        os.fsync(descriptor)
        return surplus
