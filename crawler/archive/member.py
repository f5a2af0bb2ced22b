"""One gzip member: packed by the writer, unpacked by the reader within bounds."""

import zlib
from collections.abc import Callable, Iterable

from isal import isal_zlib

from crawler.contracts.errors import SnapshotCorrupt

ReadAt = Callable[[int, int], bytes]
"""(offset, size) → at most that many bytes; fewer only at the end."""

LEVEL = 1
"""Of Intel's ISA-L, which writes the same format: smaller than zlib's level 1 in a quarter of its time."""

_GZIP = 31
_CHUNK = 1 << 18


class Torn(SnapshotCorrupt):
    """The bytes end inside the capture, as after a crash."""


def pack_member(parts: Iterable[bytes]) -> bytes:
    deflate = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, _GZIP)
    return b"".join([*map(deflate.compress, parts), deflate.flush()])


def unpack_member(
    read: ReadAt, offset: int, end: int, *, limit: int, where: str
) -> tuple[bytes, int]:
    """Return the content and the offset behind the member; zlib checks its CRC and length."""
    inflate = zlib.decompressobj(_GZIP)
    parts: list[bytes] = []
    size, position, chunk = 0, offset, b""
    while not inflate.eof:
        chunk = read(position, min(_CHUNK, end - position))
        if not chunk:
            raise Torn(where, "a whole gzip member", f"its first {position - offset} bytes")
        position += len(chunk)
        try:
            parts.append(inflate.decompress(chunk, limit + 1 - size))
        except zlib.error as error:
            raise SnapshotCorrupt(where, "a gzip member", str(error)) from error
        size += len(parts[-1])
        if size > limit:
            raise SnapshotCorrupt(where, f"at most {limit} bytes unpacked", "more")
    return b"".join(parts), position - len(inflate.unused_data)


def peek_member(packed: bytes, size: int) -> bytes:
    """Return up to *size* first bytes of the member's content, or nothing when it is none."""
    try:
        return zlib.decompressobj(_GZIP).decompress(packed, size)
    except zlib.error:
        return b""
