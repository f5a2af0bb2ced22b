import os
from pathlib import Path

import pytest

from crawler.archive.reader import ArchiveReader
from crawler.archive.repair import cut_tail, find_torn_tail
from crawler.archive.writer import ArchiveWriter
from crawler.contracts.errors import SnapshotNotFound
from crawler.contracts.snapshot import Location
from tests.unit.archive.builders import make_capture, make_snapshot

FILE = "eligible-o-00001.warc.gz"


def write(folder: Path) -> list[Location]:
    writer = ArchiveWriter(folder, "o", clock=lambda: 0.0)
    locations = [writer.append(make_capture(number)) for number in (1, 2)]
    writer.close()
    return locations


def test_a_torn_end_is_cut_and_what_follows_is_clean(tmp_path: Path) -> None:
    first, second = write(tmp_path)
    os.truncate(tmp_path / FILE, second.offset + second.length - 40)
    reader = ArchiveReader(tmp_path)

    offset = find_torn_tail(reader, FILE)
    assert offset == second.offset
    cut = cut_tail(tmp_path, FILE, offset)

    assert cut == second.length - 40
    assert find_torn_tail(reader, FILE) is None
    assert reader.read(first) == make_snapshot(1)
    _, again = write(tmp_path)
    assert (again.file, reader.read(again)) == ("eligible-o-00002.warc.gz", make_snapshot(2))


def test_a_whole_file_has_no_torn_end(tmp_path: Path) -> None:
    write(tmp_path)

    assert find_torn_tail(ArchiveReader(tmp_path), FILE) is None


def test_damage_in_the_middle_is_no_torn_end(tmp_path: Path) -> None:
    first, _ = write(tmp_path)
    content = bytearray((tmp_path / FILE).read_bytes())
    content[first.offset + 40] ^= 1
    (tmp_path / FILE).write_bytes(content)

    assert find_torn_tail(ArchiveReader(tmp_path), FILE) is None


def test_a_file_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 0.0)
    location = writer.append(make_capture())

    with pytest.raises(BlockingIOError):
        cut_tail(tmp_path, location.file, 0)
    writer.close()

    assert ArchiveReader(tmp_path).read(location) == make_snapshot()


def test_cutting_never_makes_a_file_longer(tmp_path: Path) -> None:
    write(tmp_path)
    size = (tmp_path / FILE).stat().st_size

    assert cut_tail(tmp_path, FILE, size + 100) == 0
    assert (tmp_path / FILE).stat().st_size == size


def test_a_planted_link_is_not_cut_through(tmp_path: Path) -> None:
    target, folder = tmp_path / "target", tmp_path / "archive"
    target.write_bytes(b"precious")
    folder.mkdir()
    (folder / FILE).symlink_to(target)

    with pytest.raises(SnapshotNotFound):
        cut_tail(folder, FILE, 0)

    assert target.read_bytes() == b"precious"
