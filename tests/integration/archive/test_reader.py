import os
import random
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.archive.capture import StoredCapture, build_capture
from crawler.archive.member import pack_member
from crawler.archive.reader import MAX_DAMAGES, ArchiveReader, Damage
from crawler.archive.record import build_record
from crawler.archive.writer import ArchiveWriter
from crawler.contracts.errors import SnapshotCorrupt, SnapshotNotFound
from crawler.contracts.snapshot import Capture, Location, Representation
from tests.unit.archive.builders import make_capture, make_id, make_snapshot

FILE = "eligible-o-00001.warc.gz"
FILE_ID = make_id(99)


def write(folder: Path, count: int = 3) -> list[Location]:
    writer = ArchiveWriter(folder, "o", clock=lambda: 0.0)
    locations = [writer.append(make_capture(number)) for number in range(1, count + 1)]
    writer.close()
    return locations


def pack_capture(capture: Capture, *, file_id: str = FILE_ID) -> bytes:
    records = build_capture(capture, refers_to=None, file_id=file_id)
    return b"".join(map(pack_member, records))


def pack_warcinfo(file_id: str = FILE_ID) -> bytes:
    return pack_member(build_record("warcinfo", [("WARC-Record-ID", f"<{file_id}>")], ()))


def change_bytes(path: Path, change: Callable[[bytearray], None]) -> None:
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def describe(folder: Path) -> list[str | int]:
    """Return the capture id of each intact capture and the offset of each damage, in order."""
    return [
        item.offset if isinstance(item, Damage) else item.observation.capture_id
        for item in ArchiveReader(folder).iterate(FILE)
    ]


def test_iteration_gives_every_capture_with_its_place(tmp_path: Path) -> None:
    locations = write(tmp_path)
    reader = ArchiveReader(tmp_path)

    items = list(reader.iterate(FILE))

    assert reader.list_files() == [FILE]
    assert items == [
        StoredCapture(location, make_snapshot(number), is_eligible=True, notes=())
        for number, location in enumerate(locations, 1)
    ]


def test_an_archive_that_is_not_there_has_no_files(tmp_path: Path) -> None:
    assert ArchiveReader(tmp_path / "none").list_files() == []


def test_a_snapshot_that_is_not_the_accepted_one_is_refused(tmp_path: Path) -> None:
    first, *_ = write(tmp_path)
    reader = ArchiveReader(tmp_path)

    assert reader.read(first, digest=make_snapshot().digest) == make_snapshot(1)
    with pytest.raises(SnapshotCorrupt, match=f"{FILE}@{first.offset}: expected {'0' * 64}"):
        reader.read(first, digest="0" * 64)


def test_a_page_is_read_with_what_it_loaded(tmp_path: Path) -> None:
    older = make_capture(7, representation=Representation.JSON)
    loaded = [
        make_capture(number, representation=Representation.JSON, page=make_id(1)).snapshot
        for number in (8, 9)
    ]
    page = make_capture(representation=Representation.RENDERED_DOM, loaded=tuple(loaded))
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 0.0)
    places = {older.snapshot.capture_id: writer.append(older)}
    for snapshot, original in zip(loaded, (None, older.snapshot), strict=True):
        places[snapshot.capture_id] = writer.append(
            Capture(snapshot, is_eligible=True), refers_to=original
        )
    place = writer.append(page)
    writer.close()
    reader = ArchiveReader(tmp_path)

    assert reader.read(place, resolve=places.__getitem__) == page.snapshot
    with pytest.raises(SnapshotNotFound, match="was loaded by the page"):
        reader.read(place)
    other = {**places, make_id(9): places[make_id(7)]}
    with pytest.raises(SnapshotCorrupt, match=f"expected {make_id(9)}"):
        reader.read(place, resolve=other.__getitem__)


@pytest.mark.parametrize(
    "name",
    [
        "../archive/" + FILE,
        "/etc/passwd",
        "/etc/passwd.warc.gz",
        "sub/" + FILE,
        "..",
        "",
        ".hidden.warc.gz",
        FILE + "\0",
        FILE + "\n",
        "a\\b.warc.gz",
        "eligible-o-00002.warc.gz",
        "plain.txt",
    ],
)
def test_only_names_of_archive_files_are_opened(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "archive"
    (location, *_) = write(folder)
    (folder / "plain.txt").write_bytes((folder / FILE).read_bytes())
    (folder / "sub").mkdir()
    (folder / "sub" / FILE).write_bytes((folder / FILE).read_bytes())

    with pytest.raises(SnapshotNotFound):
        ArchiveReader(folder).read(replace(location, file=name))


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "archive"
    (location, *_) = write(outside)
    folder.mkdir()
    (folder / FILE).symlink_to(outside / FILE)
    reader = ArchiveReader(folder)

    with pytest.raises(SnapshotNotFound, match=FILE):
        reader.read(location)
    (item,) = reader.iterate(FILE)
    assert isinstance(item, Damage)


def test_a_planted_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)

    with pytest.raises(SnapshotNotFound, match="not a regular file"):
        ArchiveReader(tmp_path).read(Location(FILE, 0, 10))


@pytest.mark.parametrize(
    ("offset", "length"),
    [
        pytest.param(1, 0, id="begins too late"),
        pytest.param(0, -1, id="ends too early"),
        pytest.param(0, 1, id="ends too late"),
        pytest.param(0, 1 << 40, id="beyond the file"),
        pytest.param(1 << 40, 0, id="behind the file"),
    ],
)
def test_a_place_that_is_not_a_capture_is_corrupt(tmp_path: Path, offset: int, length: int) -> None:
    _, second, _ = write(tmp_path)
    wrong = Location(FILE, second.offset + offset, second.length + length)

    with pytest.raises(SnapshotCorrupt, match=FILE):
        ArchiveReader(tmp_path).read(wrong)


@pytest.mark.parametrize("place", [(-1, 10), (0, 0), (0, -5)])
def test_a_place_that_cannot_be_is_not_found(tmp_path: Path, place: tuple[int, int]) -> None:
    write(tmp_path)

    with pytest.raises(SnapshotNotFound, match="no such place"):
        ArchiveReader(tmp_path).read(Location(FILE, *place))


def test_a_file_cut_anywhere_in_its_last_capture_never_gives_a_part_of_it(tmp_path: Path) -> None:
    _, second = write(tmp_path, 2)
    path, reader = tmp_path / FILE, ArchiveReader(tmp_path)

    for length in range(second.offset + second.length - 1, second.offset, -1):
        os.truncate(path, length)

        intact, torn = reader.iterate(FILE)

        assert isinstance(intact, StoredCapture)
        assert isinstance(torn, Damage)
        assert intact.entry == make_snapshot(1)
        assert (torn.offset, torn.is_torn) == (second.offset, True)
        with pytest.raises(SnapshotCorrupt):
            reader.read(second)


def test_one_flipped_bit_anywhere_never_gives_another_capture(tmp_path: Path) -> None:
    first, second, third = write(tmp_path)
    path, reader = tmp_path / FILE, ArchiveReader(tmp_path)
    whole = path.read_bytes()
    accepted = []

    for position in range(second.offset, second.offset + second.length):
        changed = bytearray(whole)
        changed[position] ^= 1 << (position % 8)
        path.write_bytes(changed)
        try:
            snapshot = reader.read(second)
        except SnapshotCorrupt:
            continue
        accepted.append(position)
        assert snapshot == make_snapshot(2)

    # Only what a gzip head says about its maker may change unseen: time, flags, system.
    assert len(accepted) <= 3 * 8
    assert reader.read(first) == make_snapshot(1)
    assert reader.read(third) == make_snapshot(3)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98])
def test_iteration_goes_on_behind_a_damaged_capture(tmp_path: Path, share: float) -> None:
    _, second, _ = write(tmp_path)

    def overwrite(content: bytearray) -> None:
        start = second.offset + int(second.length * share)
        content[start : start + 4] = b"\xff\xff\xff\xff"

    change_bytes(tmp_path / FILE, overwrite)

    assert describe(tmp_path) == [make_id(1), second.offset, make_id(3)]


def test_iteration_goes_on_behind_a_damaged_start(tmp_path: Path) -> None:
    write(tmp_path)

    change_bytes(tmp_path / FILE, lambda content: content.__setitem__(0, 0))

    assert describe(tmp_path) == [0, make_id(1), make_id(2), make_id(3)]


def test_bytes_removed_from_the_middle_cost_one_capture(tmp_path: Path) -> None:
    _, second, _ = write(tmp_path)

    def remove(content: bytearray) -> None:
        del content[second.offset + 50 : second.offset + 150]

    change_bytes(tmp_path / FILE, remove)

    assert describe(tmp_path) == [make_id(1), second.offset, make_id(3)]


def test_content_longer_than_its_length_says_is_refused(tmp_path: Path) -> None:
    whole = pack_capture(make_capture(1))
    main, request, metadata = build_capture(make_capture(2), refers_to=None, file_id=FILE_ID)
    longer = (*main[:-1], b"six more bytes", main[-1])
    damaged = b"".join(map(pack_member, (longer, request, metadata)))
    (tmp_path / FILE).write_bytes(pack_warcinfo() + whole + damaged + whole)

    offset = len(pack_warcinfo() + whole)

    assert describe(tmp_path) == [make_id(1), offset, make_id(1)]
    with pytest.raises(SnapshotCorrupt, match=f"{FILE}@{offset}: expected a block of"):
        ArchiveReader(tmp_path).read(Location(FILE, offset, len(damaged)))


def test_a_body_cannot_smuggle_in_a_capture_through_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another compressor would leave incompressible bytes as they are; ours happens not to.
    monkeypatch.setattr("crawler.archive.member.isal_zlib", zlib)
    forged = pack_capture(make_capture(66), file_id=make_id(1))
    noise = random.Random(7).randbytes(40_000)  # cannot be compressed, so is stored as it is
    body = noise + forged + noise[::-1]
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 0.0)
    first = writer.append(make_capture(1, body=body))
    writer.append(make_capture(2))
    writer.close()
    assert forged in (tmp_path / FILE).read_bytes()

    change_bytes(tmp_path / FILE, lambda content: content.__setitem__(first.offset, 0))

    assert describe(tmp_path) == [first.offset, make_id(2)]


def test_a_record_that_expands_beyond_the_limit_is_refused_and_the_next_is_read(
    tmp_path: Path,
) -> None:
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 0.0)
    large = writer.append(make_capture(1, body=bytes(4 << 20)))
    small = writer.append(make_capture(2))
    writer.close()
    reader = ArchiveReader(tmp_path, max_body=1 << 20)

    damage, intact = reader.iterate(FILE)

    assert isinstance(damage, Damage)
    assert "bytes unpacked" in damage.what
    assert isinstance(intact, StoredCapture)
    assert reader.read(small) == make_snapshot(2)
    with pytest.raises(SnapshotCorrupt, match="bytes unpacked"):
        reader.read(large)


def test_an_archive_packed_as_one_member_is_refused_as_one_damage(tmp_path: Path) -> None:
    records = build_capture(make_capture(1), refers_to=None, file_id=FILE_ID)
    (tmp_path / FILE).write_bytes(pack_member([part for parts in records for part in parts]))

    assert describe(tmp_path) == [0]


def test_records_in_another_order_are_refused(tmp_path: Path) -> None:
    main, request, metadata = build_capture(make_capture(1), refers_to=None, file_id=FILE_ID)
    shuffled = b"".join(map(pack_member, (metadata, main, request)))
    (tmp_path / FILE).write_bytes(pack_warcinfo() + shuffled + pack_capture(make_capture(2)))

    items = describe(tmp_path)

    assert items[0] == len(pack_warcinfo())
    assert items[-1] == make_id(2)
    assert make_id(1) not in items


def test_the_same_id_twice_is_read_by_place(tmp_path: Path) -> None:
    captures = [pack_capture(make_capture(1, body=body)) for body in (b"one", b"two")]
    (tmp_path / FILE).write_bytes(b"".join(captures))
    places = [
        Location(FILE, 0, len(captures[0])),
        Location(FILE, len(captures[0]), len(captures[1])),
    ]

    bodies = [ArchiveReader(tmp_path).read(place).body for place in places]

    assert bodies == [b"one", b"two"]


def test_a_file_full_of_damage_is_given_up(tmp_path: Path) -> None:
    start = pack_member([b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Warcinfo-ID: <x>\r\n"])
    (tmp_path / FILE).write_bytes(start * (MAX_DAMAGES + 500))

    items = list(ArchiveReader(tmp_path).iterate(FILE))

    assert len(items) == MAX_DAMAGES + 1
    assert isinstance(items[-1], Damage)
    assert items[-1].what == "given up: too much is damaged"


def test_zeros_left_by_a_power_cut_are_an_unfinished_end(tmp_path: Path) -> None:
    *_, last = write(tmp_path)
    with (tmp_path / FILE).open("ab") as stream:
        stream.write(bytes(3 << 20))

    item = list(ArchiveReader(tmp_path).iterate(FILE))[-1]

    assert isinstance(item, Damage)
    assert (item.offset, item.is_torn) == (last.offset + last.length, True)


def write_revisit(folder: Path, *, refers_to: int, number: int, owner: str) -> Location:
    writer = ArchiveWriter(folder, owner, clock=lambda: 0.0)
    location = writer.append(make_capture(number), refers_to=make_snapshot(refers_to))
    writer.close()
    return location


def test_revisits_that_point_at_each_other_are_refused(tmp_path: Path) -> None:
    places = {
        make_id(1): write_revisit(tmp_path, number=1, refers_to=2, owner="a"),
        make_id(2): write_revisit(tmp_path, number=2, refers_to=1, owner="b"),
    }

    with pytest.raises(SnapshotCorrupt, match="expected a capture with a body, found a revisit"):
        ArchiveReader(tmp_path).read(places[make_id(1)], resolve=places.__getitem__)


def test_a_revisit_whose_original_is_another_capture_is_refused(tmp_path: Path) -> None:
    _, other, _ = write(tmp_path)
    revisit = write_revisit(tmp_path, number=5, refers_to=1, owner="a")

    with pytest.raises(SnapshotCorrupt, match=make_id(1)):
        ArchiveReader(tmp_path).read(revisit, resolve=lambda _: other)


def test_a_revisit_without_a_way_to_its_original_is_not_found(tmp_path: Path) -> None:
    revisit = write_revisit(tmp_path, number=5, refers_to=1, owner="a")

    with pytest.raises(SnapshotNotFound, match=make_id(1)):
        ArchiveReader(tmp_path).read(revisit)
