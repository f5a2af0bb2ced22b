import gzip

import pytest

from crawler.document.data import Flaw
from crawler.document.unpacking import is_packed, unpack

TEXT = b"https://hall.example/1\n" * 50
PACKED = gzip.compress(TEXT)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PACKED, TEXT),
        (PACKED + gzip.compress(b"more"), TEXT + b"more"),
        (PACKED + b"\0" * 512, TEXT),
        (gzip.compress(b""), b""),
    ],
    ids=["one member", "two members", "padding", "nothing"],
)
def test_a_gzip_file_is_unpacked_whole(body: bytes, expected: bytes) -> None:
    unpacked = unpack(body, 10_000)

    assert (unpacked.flaw, unpacked.body) == (None, expected)


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        (PACKED[:-1], Flaw.CUT),
        (PACKED[:20], Flaw.CUT),
        (PACKED + PACKED[:30], Flaw.CUT),
        (PACKED[:20] + b"\xff" * 20 + PACKED[40:], Flaw.CUT),
        (gzip.compress(b"0" * 10_001), Flaw.TOO_LARGE),
        (PACKED * 10, Flaw.TOO_LARGE),
    ],
    ids=["no end", "cut", "second member cut", "damaged", "bomb", "many members"],
)
def test_what_is_not_whole_or_grows_too_much_gives_nothing(body: bytes, flaw: Flaw) -> None:
    unpacked = unpack(body, 10_000)

    assert (unpacked.flaw, unpacked.body) == (flaw, b"")


def test_only_a_gzip_file_is_packed() -> None:
    assert is_packed(PACKED)
    assert not is_packed(b"<urlset>")
