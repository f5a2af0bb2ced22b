"""Gives captures back exactly as they were written, or says what is damaged, and where."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from crawler.archive.capture import (
    MAIN_KINDS,
    MAX_BODY,
    StoredCapture,
    StoredRevisit,
    restore_capture,
)
from crawler.archive.folder import list_files, open_to_read
from crawler.archive.member import ReadAt, Torn, peek_member, unpack_member
from crawler.archive.record import Record, parse_record, strip_brackets
from crawler.contracts.errors import SnapshotCorrupt, SnapshotNotFound
from crawler.contracts.snapshot import Location, Snapshot

MAX_DAMAGES = 1000
"""After so many a file is given up: looking for the next intact capture costs time each."""

_MAX_HEADS = 1 << 20
_CHUNK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b\x08\x00"
_PEEK = 512
_MAIN_START = re.compile(
    rb"WARC/1\.1\r\nWARC-Type: (?:%s)\r\nWARC-Warcinfo-ID: <([^>\r\n]*)>\r\n"
    % "|".join(MAIN_KINDS).encode()
)

Resolve = Callable[[str], Location]
"""Capture id → where it lies; raises SnapshotNotFound."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A capture that cannot be read back."""

    file: str
    offset: int
    what: str
    is_last: bool = False
    """No intact capture follows in this file."""
    is_torn: bool = False
    """It is last and just ends early, as after a crash; else something changed it."""


class ArchiveReader:
    def __init__(self, folder: Path, *, max_body: int = MAX_BODY) -> None:
        self.folder = folder
        self._limit = max_body + _MAX_HEADS

    def list_files(self) -> list[str]:
        return list_files(self.folder)

    def read(
        self, location: Location, *, resolve: Resolve | None = None, digest: str | None = None
    ) -> Snapshot:
        """Return the snapshot at *location*, its digest and length verified.

        *resolve* finds the capture that a revisit refers to, and what a rendered page loaded;
        *digest* is what the ledger recorded at acceptance. Raises SnapshotNotFound or
        SnapshotCorrupt.
        """
        capture = self.read_capture(location)
        snapshot = self._read_entry(capture, resolve)
        if digest is not None and snapshot.digest != digest:
            raise SnapshotCorrupt(_name(location), digest, snapshot.digest)
        if not capture.loaded:
            return snapshot
        loaded = (self._read_loaded(each, snapshot, resolve) for each in capture.loaded)
        return replace(snapshot, loaded=tuple(loaded))

    def read_capture(self, location: Location) -> StoredCapture:
        """Return the capture at *location*; a revisit without its body."""
        end = location.offset + location.length
        if location.offset < 0 or location.length <= 0:
            raise SnapshotNotFound(f"{_name(location)}: no such place in a file")
        with open_to_read(self.folder, location.file) as descriptor:
            scan = _Scan(location.file, partial(_pread, descriptor), end, self._limit)
            capture, found_end = scan.read_capture(location.offset)
        if found_end != end:
            raise SnapshotCorrupt(
                _name(location),
                f"{location.length} bytes",
                f"{found_end - location.offset}",
            )
        return capture

    def iterate(self, file: str) -> Iterator[StoredCapture | Damage]:
        """Yield every capture of a file, and what is damaged between them, in file order."""
        try:
            with open_to_read(self.folder, file) as descriptor:
                size = os.fstat(descriptor).st_size
                yield from _Scan(file, partial(_pread, descriptor), size, self._limit).run()
        except SnapshotNotFound as error:
            yield Damage(file, 0, str(error))

    def _read_entry(self, capture: StoredCapture, resolve: Resolve | None) -> Snapshot:
        entry = capture.entry
        return entry if isinstance(entry, Snapshot) else self._complete(entry, resolve)

    def _read_loaded(self, capture_id: str, page: Snapshot, resolve: Resolve | None) -> Snapshot:
        if resolve is None:
            raise SnapshotNotFound(f"{capture_id}: was loaded by the page, and nothing to find it")
        location = resolve(capture_id)
        loaded = self._read_entry(self.read_capture(location), resolve)
        found = f"{loaded.capture_id} of {loaded.page}"
        if found != f"{capture_id} of {page.capture_id}":
            raise SnapshotCorrupt(_name(location), f"{capture_id} of {page.capture_id}", found)
        return loaded

    def _complete(self, revisit: StoredRevisit, resolve: Resolve | None) -> Snapshot:
        if resolve is None:
            raise SnapshotNotFound(f"{revisit.refers_to}: holds the body, and nothing to find it")
        location = resolve(revisit.refers_to)
        original = self.read_capture(location).entry
        if isinstance(original, StoredRevisit):
            raise SnapshotCorrupt(_name(location), "a capture with a body", "a revisit")
        expected = (revisit.refers_to, revisit.digest)
        if (original.capture_id, original.digest) != expected:
            found = f"{original.capture_id} {original.digest}"
            raise SnapshotCorrupt(_name(location), " ".join(expected), found)
        return revisit.with_body(original.body)


class _Scan:
    """Reads captures of one open file up to *end*."""

    def __init__(self, file: str, read: ReadAt, end: int, limit: int) -> None:
        self._file = file
        self._read = read
        self._end = end
        self._limit = limit
        self._file_id = ""

    def run(self) -> Iterator[StoredCapture | Damage]:
        offset, damages = 0, 0
        while offset < self._end:
            if damages == MAX_DAMAGES:
                yield Damage(self._file, offset, "given up: too much is damaged", is_last=True)
                return
            try:
                capture, following = self._read_item(offset)
            except SnapshotCorrupt as error:
                following = self._find_next_capture(offset + 1)
                damages += 1
                yield self._describe(offset, following, error)
            else:
                if capture is not None:
                    yield capture
            offset = following

    def read_capture(self, offset: int) -> tuple[StoredCapture, int]:
        main, position = self._read_record(offset)
        return self._read_rest(main, offset, position)

    def _read_item(self, offset: int) -> tuple[StoredCapture | None, int]:
        """Return None for the warcinfo record that a file starts with."""
        record, position = self._read_record(offset)
        if offset == 0 and record.kind == "warcinfo":
            self._file_id = record.record_id
            return None, position
        capture, position = self._read_rest(record, offset, position)
        self._file_id = self._file_id or strip_brackets(record.fields.get("warc-warcinfo-id", ""))
        return capture, position

    def _read_rest(self, main: Record, offset: int, position: int) -> tuple[StoredCapture, int]:
        if main.kind not in MAIN_KINDS:
            raise SnapshotCorrupt(f"{self._file}@{offset}", "/".join(MAIN_KINDS), repr(main.kind))
        request, position = self._read_record(position)
        metadata, position = self._read_record(position)
        location = Location(self._file, offset, position - offset)
        return restore_capture(main, request, metadata, location=location), position

    def _read_record(self, offset: int) -> tuple[Record, int]:
        where = f"{self._file}@{offset}"
        content, position = unpack_member(
            self._read, offset, self._end, limit=self._limit, where=where
        )
        return parse_record(content, where=where), position

    def _find_next_capture(self, offset: int) -> int:
        """Return where the next capture of this file begins, or its end.

        A body can contain gzip members that look like captures; those do not know the id of the
        file they ended up in.
        """
        carry = len(_GZIP_MAGIC) - 1
        while offset < self._end:
            window = self._read(offset, min(_CHUNK, self._end - offset))
            for match in re.finditer(re.escape(_GZIP_MAGIC), window):
                if self._starts_capture(offset + match.start()):
                    return offset + match.start()
            if len(window) <= carry:
                break
            offset += len(window) - carry
        return self._end

    def _starts_capture(self, offset: int) -> bool:
        packed = self._read(offset, min(_PEEK, self._end - offset))
        start = _MAIN_START.match(peek_member(packed, _PEEK))
        return start is not None and self._file_id in {"", start[1].decode("latin-1")}

    def _describe(self, offset: int, following: int, error: SnapshotCorrupt) -> Damage:
        is_last = following >= self._end
        is_torn = is_last and (isinstance(error, Torn) or self._is_zero_from(offset))
        return Damage(self._file, offset, str(error), is_last=is_last, is_torn=is_torn)

    def _is_zero_from(self, offset: int) -> bool:
        """Some file systems leave zeros where the last writes before a power cut should be."""
        while offset < self._end:
            window = self._read(offset, min(_CHUNK, self._end - offset))
            if window.strip(b"\0"):
                return False
            offset += len(window) or self._end
        return True


def _pread(descriptor: int, offset: int, size: int) -> bytes:
    return os.pread(descriptor, size, offset)


def _name(location: Location) -> str:
    return f"{location.file}@{location.offset}"
