import os
import resource
import stat
import uuid
from pathlib import Path
from typing import Any

import pytest

from crawler.archive.reader import ArchiveReader
from crawler.archive.writer import ArchiveWriter
from tests.unit.archive.builders import make_capture, make_id, make_snapshot

LARGEST = 16 << 20


def make_writer(folder: Path, *, max_file_bytes: int = 1 << 30) -> ArchiveWriter:
    return ArchiveWriter(
        folder, "host-7", clock=lambda: 1_789_000_000.5, max_file_bytes=max_file_bytes
    )


def read_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_eligible_and_diagnostic_captures_lie_in_files_of_their_own(tmp_path: Path) -> None:
    writer = make_writer(tmp_path)

    eligible = writer.append(make_capture(1))
    diagnostic = writer.append(make_capture(2, is_eligible=False, notes=("challenge",)))
    writer.close()

    assert eligible.file == "eligible-host-7-00001.warc.gz"
    assert diagnostic.file == "diagnostic-host-7-00001.warc.gz"
    stored = ArchiveReader(tmp_path).read_capture(diagnostic)
    assert (stored.is_eligible, stored.notes) == (False, ("challenge",))


def test_folders_and_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var" / "archive"
    writer = make_writer(folder)

    location = writer.append(make_capture())
    writer.close()

    assert read_mode(folder) == read_mode(folder.parent) == 0o700
    assert read_mode(folder / location.file) == 0o600


def test_a_run_that_captures_nothing_leaves_nothing(tmp_path: Path) -> None:
    writer = make_writer(tmp_path / "archive")

    writer.sync()
    writer.close()

    assert not (tmp_path / "archive").exists()


def test_captures_can_be_read_before_the_writer_closes(tmp_path: Path) -> None:
    writer = make_writer(tmp_path)

    locations = [writer.append(make_capture(number)) for number in (1, 2)]
    writer.sync()

    reader = ArchiveReader(tmp_path)
    assert [reader.read(location) for location in locations] == [make_snapshot(1), make_snapshot(2)]
    writer.close()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\r\n\r\n", id="the end of a head"),
        pytest.param(bytes(range(256)), id="every byte"),
        pytest.param(b"<p>WARC/1.1\r\nWARC-Type: response\r\n\r\n", id="a WARC head"),
        pytest.param(uuid.UUID(int=7).bytes * (LARGEST // 16), id="16 MiB"),
    ],
)
def test_any_body_comes_back(tmp_path: Path, body: bytes) -> None:
    writer = make_writer(tmp_path)

    location = writer.append(make_capture(body=body))
    writer.close()

    assert ArchiveReader(tmp_path).read(location) == make_snapshot(body=body)


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    writer = make_writer(tmp_path, max_file_bytes=2000)

    files = [writer.append(make_capture(number)).file for number in range(1, 5)]
    writer.close()

    assert files == [f"eligible-host-7-0000{number}.warc.gz" for number in (1, 1, 2, 2)]


def test_a_file_that_is_there_already_is_never_continued(tmp_path: Path) -> None:
    first = make_writer(tmp_path)
    before = first.append(make_capture(1))
    first.close()
    content = (tmp_path / before.file).read_bytes()

    second = make_writer(tmp_path)
    after = second.append(make_capture(2))
    second.close()

    assert after.file == "eligible-host-7-00002.warc.gz"
    assert (tmp_path / before.file).read_bytes() == content


def test_a_planted_link_is_not_written_through(tmp_path: Path) -> None:
    folder, target = tmp_path / "archive", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "eligible-host-7-00001.warc.gz").symlink_to(target)
    writer = make_writer(folder)

    location = writer.append(make_capture())
    writer.close()

    assert location.file == "eligible-host-7-00002.warc.gz"
    assert not target.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"final_url": "https://e.example/%2e%2e%2f../../etc/cron.d/x"},
        {"headers": (("Content-Disposition", 'attachment; filename="../../etc/cron.d/x"'),)},
        {"headers": (("Content-Disposition", "attachment; filename=C:\\x\0b"),)},
        {"headers": (("Content-Disposition", "filename=" + "a" * 5000),)},
        {"requested_url": "https://e.example/CON/\u202egpj.exe"},
        {"site": "../../outside", "run": "/tmp/run"},
    ],
)
def test_nothing_from_outside_reaches_a_file_name(tmp_path: Path, changes: dict[str, Any]) -> None:
    folder = tmp_path / "archive"
    writer = make_writer(folder)

    location = writer.append(make_capture(**changes))
    writer.close()

    assert list_names(folder) == ["eligible-host-7-00001.warc.gz"]
    assert list_names(tmp_path) == ["archive"]
    assert ArchiveReader(folder).read(location) == make_snapshot(**changes)


@pytest.mark.parametrize("owner", ["", "..", "../x", "a/b", "a\0b", "a b", "é", "a" * 101])
def test_an_owner_that_is_no_plain_name_is_refused(tmp_path: Path, owner: str) -> None:
    with pytest.raises(ValueError, match="not an owner id"):
        ArchiveWriter(tmp_path, owner, clock=lambda: 0.0)


def test_a_capture_that_is_refused_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    writer = make_writer(tmp_path)
    writer.append(make_capture(1))

    with pytest.raises(ValueError, match="the digest is not that of the body"):
        writer.append(make_capture(2, digest="0" * 64))
    location = writer.append(make_capture(3))
    writer.close()

    assert ArchiveReader(tmp_path).read(location) == make_snapshot(3)


def test_a_failed_write_leaves_no_part_of_a_capture_and_the_next_goes_elsewhere(
    tmp_path: Path,
) -> None:
    writer = make_writer(tmp_path)
    first = writer.append(make_capture(1))
    size = (tmp_path / first.file).stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            writer.append(make_capture(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    third = writer.append(make_capture(3))
    writer.close()

    assert (tmp_path / first.file).stat().st_size == size
    assert third.file == "eligible-host-7-00002.warc.gz"
    assert ArchiveReader(tmp_path).read(third) == make_snapshot(3)


def test_after_a_failed_sync_the_file_is_not_trusted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError("the device lost a write")

    writer = make_writer(tmp_path)
    writer.append(make_capture(1))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="lost a write"):
        writer.sync()
    monkeypatch.undo()

    assert writer.append(make_capture(2)).file == "eligible-host-7-00002.warc.gz"
    writer.close()


def test_a_revisit_takes_its_body_from_the_original(tmp_path: Path) -> None:
    writer = make_writer(tmp_path)
    body = bytes(range(256)) * 256
    original = make_capture(1, body=body)
    first = writer.append(original)

    second = writer.append(make_capture(2, body=body), refers_to=original.snapshot)
    writer.close()

    places = {make_id(1): first}
    read = ArchiveReader(tmp_path).read(second, resolve=places.__getitem__)
    assert read == make_snapshot(2, body=body)
    assert second.length < 1500
