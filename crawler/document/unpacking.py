"""Bodies that are gzip files themselves, whatever their transfer was coded in."""

import zlib
from dataclasses import dataclass

from crawler.document.data import Flaw

GZIP_MAGIC = b"\x1f\x8b"
STEP = 1 << 16


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a gzip file holds, or why that is not known."""

    body: bytes = b""
    flaw: Flaw | None = None
    problem: str = ""


def is_packed(body: bytes) -> bool:
    return body.startswith(GZIP_MAGIC)


def unpack(body: bytes, limit: int) -> Unpacked:
    """Return what a gzip file of any number of members holds, if that is at most *limit* bytes.

    Bytes behind the last member are padding (RFC 1952 leaves them open, and tar and mailers add
    them).
    """
    held = bytearray()
    rest = body
    try:
        while is_packed(rest):
            decoder = zlib.decompressobj(wbits=31)
            pending = rest
            while not decoder.eof:
                output = decoder.decompress(pending, STEP)
                held += output
                pending = decoder.unconsumed_tail
                if len(held) > limit:
                    return Unpacked(
                        flaw=Flaw.TOO_LARGE, problem=f"more than {limit} bytes unpacked"
                    )
                if not (output or pending or decoder.eof):
                    return Unpacked(flaw=Flaw.CUT, problem="the gzip file has no end")
            rest = decoder.unused_data
    except zlib.error as error:
        return Unpacked(flaw=Flaw.CUT, problem=f"the gzip file is damaged: {error}"[:200])
    return Unpacked(bytes(held))
