"""Appends captures to files that nobody else writes, and makes them durable on request."""

import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from crawler import __version__
from crawler.archive.capture import build_capture, render_date
from crawler.archive.folder import build_file_name, create_file, make_private_folder
from crawler.archive.member import pack_member
from crawler.archive.record import build_record
from crawler.contracts.ports import Clock
from crawler.contracts.snapshot import Capture, Location, Snapshot

MAX_FILE_BYTES = 1 << 30


class ArchiveWriter:
    """A CaptureSink; used from one thread.

    A file that could not be written or synced is left behind and the next capture starts another,
    so that nothing is ever appended to a torn member.
    """

    def __init__(
        self,
        folder: Path,
        owner: str,
        *,
        clock: Clock,
        max_file_bytes: int = MAX_FILE_BYTES,
        new_id: Callable[[], uuid.UUID] = uuid.uuid4,
    ) -> None:
        """*owner* names this process; no other may use it while this one lives."""
        build_file_name("eligible", owner, 1)
        self._folder = folder
        self._owner = owner
        self._clock = clock
        self._max_file_bytes = max_file_bytes
        self._new_id = new_id
        self._files: dict[str, _File] = {}
        self._last_number = {"eligible": 0, "diagnostic": 0}

    def append(self, capture: Capture, *, refers_to: Snapshot | None = None) -> Location:
        """Write one capture; durable only after ``sync``.

        *refers_to* must be a capture stored with its body: a revisit of a revisit is not read.
        Raises ValueError, with nothing written, for what could not be read back.
        """
        kind = "eligible" if capture.is_eligible else "diagnostic"
        file = self._current_file(kind)
        records = build_capture(capture, refers_to=refers_to, file_id=file.file_id)
        try:
            return file.append(b"".join(map(pack_member, records)))
        except OSError:
            self._leave(kind)
            raise

    def sync(self) -> None:
        for kind, file in list(self._files.items()):
            try:
                file.sync()
            except OSError:
                # The kernel reports a lost write once; a second fsync would succeed falsely.
                self._leave(kind)
                raise

    def close(self) -> None:
        try:
            self.sync()
        finally:
            for kind in list(self._files):
                self._leave(kind)

    def _current_file(self, kind: str) -> "_File":
        file = self._files.get(kind)
        if file is not None and file.size < self._max_file_bytes:
            return file
        if file is not None:
            file.sync()
            self._leave(kind)
        self._files[kind] = self._open_next(kind)
        return self._files[kind]

    def _open_next(self, kind: str) -> "_File":
        make_private_folder(self._folder)
        while True:
            self._last_number[kind] += 1
            name = build_file_name(kind, self._owner, self._last_number[kind])
            try:
                descriptor = create_file(self._folder, name)
            except FileExistsError:
                continue
            file = _File(descriptor, name, self._new_id().urn)
            try:
                file.append(pack_member(_build_warcinfo(file, self._clock())))
            except OSError:
                file.close()
                raise
            return file

    def _leave(self, kind: str) -> None:
        self._files.pop(kind).close()


class _File:
    def __init__(self, descriptor: int, name: str, file_id: str) -> None:
        self.name = name
        self.file_id = file_id
        self.size = 0
        self._descriptor = descriptor
        self._is_dirty = False

    def append(self, data: bytes) -> Location:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            with suppress(OSError):  # what stays is a torn tail, which readers recognise
                os.ftruncate(self._descriptor, self.size)
            raise
        location = Location(file=self.name, offset=self.size, length=len(data))
        self.size += len(data)
        self._is_dirty = True
        return location

    def sync(self) -> None:
        if self._is_dirty:
            os.fsync(self._descriptor)
            self._is_dirty = False

    def close(self) -> None:
        os.close(self._descriptor)


def _build_warcinfo(file: _File, now: float) -> tuple[bytes, ...]:
    content = (
        f"software: crawler/{__version__}\r\n"
        "format: WARC File Format 1.1\r\n"
        "conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/"
        "warc-1.1/\r\n"
    )
    fields = [
        ("WARC-Record-ID", f"<{file.file_id}>"),
        ("WARC-Date", render_date(datetime.fromtimestamp(now, UTC))),
        ("WARC-Filename", file.name),
        ("Content-Type", "application/warc-fields"),
    ]
    return build_record("warcinfo", fields, (content.encode("ascii"),))
