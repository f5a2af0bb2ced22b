import os
from dataclasses import replace
from pathlib import Path

from crawler.archive.reader import ArchiveReader
from crawler.archive.verify import Indexed, VerifyReport, measure_folder, verify_folder
from crawler.archive.writer import ArchiveWriter
from crawler.contracts.snapshot import Location
from tests.unit.archive.builders import make_capture, make_id, make_snapshot

FILE = "eligible-o-00001.warc.gz"


def write(folder: Path, count: int = 3) -> list[Indexed]:
    """Return what a ledger would know of the captures written."""
    writer = ArchiveWriter(folder, "o", clock=lambda: 0.0)
    rows = [
        Indexed(make_id(number), make_snapshot().digest, writer.append(make_capture(number)))
        for number in range(1, count + 1)
    ]
    writer.close()
    return rows


def verify(folder: Path, index: list[Indexed] | None = None) -> VerifyReport:
    return verify_folder(ArchiveReader(folder), index=index)


def flip_bit(location: Location, folder: Path) -> None:
    content = bytearray((folder / location.file).read_bytes())
    content[location.offset + location.length // 3] ^= 4
    (folder / location.file).write_bytes(content)


def test_an_archive_that_agrees_with_the_ledger_is_intact(tmp_path: Path) -> None:
    rows = write(tmp_path)

    report = verify(tmp_path, rows)

    (file,) = report.files
    assert report.is_intact
    assert (file.captures, file.unindexed, file.torn, file.is_open) == (3, 0, None, False)


def test_progress_adds_up_to_the_bytes_of_the_folder(tmp_path: Path) -> None:
    rows = write(tmp_path)
    flip_bit(rows[1].location, tmp_path)
    read: list[int] = []

    verify_folder(ArchiveReader(tmp_path), progress=read.append)

    size = (tmp_path / FILE).stat().st_size
    assert sum(read) == measure_folder(ArchiveReader(tmp_path)) == size


def test_a_damaged_capture_is_named_and_its_neighbours_count(tmp_path: Path) -> None:
    rows = write(tmp_path)
    flip_bit(rows[1].location, tmp_path)

    report = verify(tmp_path, rows)

    assert [damage.offset for damage in report.damages] == [rows[1].location.offset]
    assert report.files[0].captures == 2


def test_an_unfinished_end_that_the_ledger_does_not_know_is_no_damage(tmp_path: Path) -> None:
    *rows, last = write(tmp_path)
    os.truncate(tmp_path / FILE, last.location.offset + 100)

    for index in (rows, None):
        report = verify(tmp_path, index)

        torn = report.files[0].torn
        assert report.is_intact
        assert torn is not None
        assert torn.offset == last.location.offset


def test_an_unfinished_end_that_the_ledger_relies_on_is_damage(tmp_path: Path) -> None:
    rows = write(tmp_path)
    os.truncate(tmp_path / FILE, rows[2].location.offset + 100)

    report = verify(tmp_path, rows)

    assert [damage.offset for damage in report.damages] == [rows[2].location.offset]
    assert report.files[0].torn is None


def test_captures_behind_a_cut_are_missing(tmp_path: Path) -> None:
    rows = write(tmp_path)
    os.truncate(tmp_path / FILE, rows[1].location.offset)

    report = verify(tmp_path, rows)

    assert [damage.what for damage in report.damages] == [
        f"{make_id(2)}: the ledger knows it, not found",
        f"{make_id(3)}: the ledger knows it, not found",
    ]


def test_a_file_that_is_gone_is_missed(tmp_path: Path) -> None:
    rows = write(tmp_path)
    (tmp_path / FILE).unlink()

    report = verify(tmp_path, rows)

    assert [file.file for file in report.files] == [FILE]
    assert len(report.damages) == 3


def test_captures_the_ledger_does_not_know_are_counted_and_no_damage(tmp_path: Path) -> None:
    rows = write(tmp_path)

    report = verify(tmp_path, rows[:1])

    assert report.is_intact
    assert report.files[0].unindexed == 2


def test_a_capture_that_is_not_the_one_accepted_is_damage(tmp_path: Path) -> None:
    first, second, third = write(tmp_path)
    rows = [replace(first, digest="0" * 64), replace(second, capture_id=make_id(9)), third]

    report = verify(tmp_path, rows)

    assert [damage.offset for damage in report.damages] == [
        first.location.offset,
        second.location.offset,
    ]


def test_a_revisit_without_the_body_it_refers_to_is_damage(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 0.0)
    original = make_capture(1)
    writer.append(original)
    writer.append(make_capture(2), refers_to=original.snapshot)
    lost = writer.append(make_capture(3), refers_to=make_snapshot(7))
    writer.close()

    report = verify(tmp_path)

    assert [damage.offset for damage in report.damages] == [lost.offset]
    assert make_id(7) in report.damages[0].what


def test_a_planted_link_is_damage(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to("/etc/hostname")

    report = verify(tmp_path)

    assert [damage.file for damage in report.damages] == [FILE]


def test_a_file_that_is_being_written_says_so(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 0.0)
    writer.append(make_capture())

    report = verify(tmp_path)
    writer.close()

    assert report.files[0].is_open
    assert not verify(tmp_path).files[0].is_open
