"""Reads a whole archive and compares it with what the ledger says is in it."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from crawler.archive.capture import StoredCapture, StoredRevisit
from crawler.archive.folder import is_locked, open_to_read
from crawler.archive.reader import ArchiveReader, Damage
from crawler.contracts.errors import SnapshotNotFound
from crawler.contracts.snapshot import Location

Progress = Callable[[int], None]
"""Told the number of further bytes that were read."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A capture as the ledger knows it."""

    capture_id: str
    digest: str
    location: Location


@dataclass(frozen=True, slots=True)
class FileReport:
    file: str
    size: int
    captures: int
    """Intact ones."""
    damages: tuple[Damage, ...]
    """Captures that are lost, or not what the ledger says."""
    torn: Damage | None
    """An unfinished end that no ledger row points to: nothing that was accepted is lost."""
    unindexed: int
    """Intact captures that the ledger does not know, as after a crash before its commit."""
    is_open: bool
    """A living process writes it."""


@dataclass(frozen=True, slots=True)
class VerifyReport:
    files: tuple[FileReport, ...]

    @property
    def damages(self) -> tuple[Damage, ...]:
        return tuple(damage for file in self.files for damage in file.damages)

    @property
    def is_intact(self) -> bool:
        return not self.damages


@dataclass(slots=True)
class _Seen:
    """What one file holds, gathered while it is read."""

    captures: int = 0
    unindexed: int = 0
    damages: list[Damage] = field(default_factory=list)
    torn: Damage | None = None


@dataclass(slots=True)
class _Bodies:
    """Which bodies are stored, and which revisits need one of them."""

    stored: set[int] = field(default_factory=set)
    """Hashes of (capture id, digest): a tenth of the memory that the texts would take."""
    needed: list[tuple[int, Damage]] = field(default_factory=list)


def verify_folder(
    reader: ArchiveReader,
    *,
    index: Iterable[Indexed] | None = None,
    progress: Progress = lambda _: None,
) -> VerifyReport:
    """Read every capture of every file. Without *index* nothing is unindexed or missing."""
    by_file = None if index is None else _group_by_file(index)
    bodies = _Bodies()
    files = []
    for name in reader.list_files():
        rows = None if by_file is None else by_file.pop(name, {})
        files.append(_verify_file(reader, name, rows, bodies, progress))
    files.extend(_report_missing_file(name, rows) for name, rows in sorted((by_file or {}).items()))
    return VerifyReport(_add_bodiless_revisits(files, bodies))


def measure_folder(reader: ArchiveReader) -> int:
    """Return how many bytes ``verify_folder`` will read."""
    return sum(_measure(reader, name)[0] for name in reader.list_files())


def _group_by_file(index: Iterable[Indexed]) -> dict[str, dict[int, Indexed]]:
    by_file: dict[str, dict[int, Indexed]] = defaultdict(dict)
    for row in index:
        by_file[row.location.file][row.location.offset] = row
    return dict(by_file)


def _verify_file(
    reader: ArchiveReader,
    name: str,
    rows: dict[int, Indexed] | None,
    bodies: _Bodies,
    progress: Progress,
) -> FileReport:
    size, is_open = _measure(reader, name)
    seen = _Seen()
    position = 0
    for item in reader.iterate(name):
        if isinstance(item, Damage):
            _note_damage(seen, item, rows)
            continue
        _note_capture(seen, item, rows)
        _note_body(bodies, item)
        end = item.location.offset + item.location.length
        progress(end - position)
        position = end
    progress(size - position)
    seen.damages.extend(_describe_missing(row) for row in (rows or {}).values())
    return FileReport(
        file=name,
        size=size,
        captures=seen.captures,
        damages=tuple(seen.damages),
        torn=seen.torn,
        unindexed=seen.unindexed,
        is_open=is_open,
    )


def _note_capture(seen: _Seen, capture: StoredCapture, rows: dict[int, Indexed] | None) -> None:
    seen.captures += 1
    if rows is None:
        return
    row = rows.pop(capture.location.offset, None)
    if row is None:
        seen.unindexed += 1
        return
    found = (capture.observation.capture_id, capture.observation.digest, capture.location)
    if found != (row.capture_id, row.digest, row.location):
        what = f"the ledger knows {row.capture_id} {row.digest} here, found {found[0]} {found[1]}"
        seen.damages.append(Damage(row.location.file, row.location.offset, what))


def _note_damage(seen: _Seen, damage: Damage, rows: dict[int, Indexed] | None) -> None:
    if _is_unfinished(damage, rows):
        seen.torn = damage
        return
    seen.damages.append(damage)
    if rows is not None:
        rows.pop(damage.offset, None)


def _is_unfinished(damage: Damage, rows: dict[int, Indexed] | None) -> bool:
    """Whether this is the end of a file that was being written, and nobody relies on it."""
    if rows is None:
        return damage.is_torn
    # Writes lost in a power cut can come back in part; what the ledger does not know was pending.
    return damage.is_last and not any(offset >= damage.offset for offset in rows)


def _note_body(bodies: _Bodies, capture: StoredCapture) -> None:
    entry = capture.entry
    if not isinstance(entry, StoredRevisit):
        bodies.stored.add(hash((entry.capture_id, entry.digest)))
        return
    what = f"{entry.observation.capture_id}: its body, with {entry.refers_to}, is not stored"
    damage = Damage(capture.location.file, capture.location.offset, what)
    bodies.needed.append((hash((entry.refers_to, entry.digest)), damage))


def _add_bodiless_revisits(files: list[FileReport], bodies: _Bodies) -> tuple[FileReport, ...]:
    lost: dict[str, tuple[Damage, ...]] = defaultdict(tuple)
    for key, damage in bodies.needed:
        if key not in bodies.stored:
            lost[damage.file] += (damage,)
    return tuple(replace(file, damages=file.damages + lost[file.file]) for file in files)


def _describe_missing(row: Indexed) -> Damage:
    place = row.location
    return Damage(place.file, place.offset, f"{row.capture_id}: the ledger knows it, not found")


def _report_missing_file(name: str, rows: dict[int, Indexed]) -> FileReport:
    return FileReport(
        file=name,
        size=0,
        captures=0,
        damages=tuple(map(_describe_missing, rows.values())),
        torn=None,
        unindexed=0,
        is_open=False,
    )


def _measure(reader: ArchiveReader, name: str) -> tuple[int, bool]:
    """Return the size and whether a writer holds it; nothing is read of what is not a file."""
    try:
        with open_to_read(reader.folder, name) as descriptor:
            return os.fstat(descriptor).st_size, is_locked(descriptor)
    except SnapshotNotFound:
        return 0, False
