import zlib

import pytest

from crawler.archive.member import Torn, pack_member, peek_member, unpack_member
from crawler.contracts.errors import SnapshotCorrupt

CONTENT = b"head\r\n\r\n" + bytes(range(256)) * 8


def unpack(packed: bytes, *, offset: int = 0, limit: int = 1 << 20) -> tuple[bytes, int]:
    return unpack_member(
        lambda position, size: packed[position : position + size],
        offset,
        len(packed),
        limit=limit,
        where="a@0",
    )


def test_parts_come_back_joined_and_the_end_is_where_the_next_member_begins() -> None:
    first, second = pack_member([CONTENT[:10], CONTENT[10:]]), pack_member([b"second"])

    content, end = unpack(first + second)

    assert (content, end) == (CONTENT, len(first))
    assert unpack(first + second, offset=end) == (b"second", len(first) + len(second))


def test_a_member_cut_at_any_byte_is_torn_and_never_a_shorter_one() -> None:
    packed = pack_member([CONTENT])

    for length in range(len(packed)):
        with pytest.raises(Torn):
            unpack(packed[:length])


@pytest.mark.parametrize(
    ("size", "limit"),
    [pytest.param(1001, 1000, id="one byte more"), pytest.param(32 << 20, 1000, id="a bomb")],
)
def test_content_beyond_the_limit_is_refused(size: int, limit: int) -> None:
    with pytest.raises(SnapshotCorrupt, match="at most 1000 bytes unpacked, found more"):
        unpack(pack_member([bytes(size)]), limit=limit)


def test_content_of_exactly_the_limit_is_read() -> None:
    assert unpack(pack_member([bytes(1000)]), limit=1000)[0] == bytes(1000)


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(b"WARC/1.1\r\n", id="not compressed"),
        pytest.param(zlib.compress(CONTENT), id="zlib without gzip"),
        pytest.param(bytes(64), id="zeros"),
    ],
)
def test_what_is_no_gzip_member_is_refused(packed: bytes) -> None:
    with pytest.raises(SnapshotCorrupt, match="a gzip member"):
        unpack(packed)


def test_a_peek_shows_the_beginning_of_a_cut_member_and_nothing_of_anything_else() -> None:
    assert peek_member(pack_member([CONTENT])[:-20], 4) == b"head"
    assert peek_member(b"\x1f\x8b\x08\x00 something else", 4) == b""
