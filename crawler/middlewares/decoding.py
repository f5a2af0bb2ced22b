"""Content decoding that neither loses the headers as received nor takes half a stream for a page."""

import sys
import zlib
from collections.abc import Callable
from io import BytesIO

import brotli  # type: ignore[import-untyped]
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils._compression import _DecompressionMaxSizeExceeded
from scrapy.utils.gz import gunzip

from crawler.classification.media_type import MOST_CODINGS
from crawler.contracts.meta import WIRE_HEADERS

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TRUNCATED = "truncated"
TOO_LARGE = "too_large"
FLAGS = frozenset({TRUNCATED, TOO_LARGE})
KEPT_BYTES = 1 << 20
"""Of a body over the byte budget: evidence of what it was, and all of a robots file that is read."""
GZIP = frozenset({b"gzip", b"x-gzip"})
GZIP_MAGIC = b"\x1f\x8b"
STEP = 1 << 16
BROKEN = (OSError, EOFError, zlib.error, brotli.error, zstd.ZstdError)
"""What decoders raise for bytes that are not of their format."""


class DecodingMiddleware(HttpCompressionMiddleware):
    """Flags what is not whole: ``truncated``, or ``too_large`` with the beginning of the body.

    Stats: those of HttpCompressionMiddleware, ``decoding/<flag>``.
    """

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._stats = crawler.stats

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        given = response.headers.getlist("Content-Encoding")
        codings = [coding.strip().lower() for value in given for coding in value.split(b",")]
        if not codings or request.method == "HEAD":
            return response
        request.meta[WIRE_HEADERS] = header_pairs(response)
        if len(codings) > MOST_CODINGS:
            return _with_coding(response, codings)
        return self._decode_all(request, response, codings)

    def _decode_all(
        self, request: Request, response: Response, codings: list[bytes]
    ) -> Request | Response:
        limit = request.meta.get("download_maxsize", self._max_size)
        for left in range(len(codings), 0, -1):
            coding = codings[left - 1]
            decoded = self._decode_one(request, _with_coding(response, [coding]), limit)
            if not isinstance(decoded, Response) or not FLAGS.isdisjoint(decoded.flags):
                return decoded
            if "Content-Encoding" in decoded.headers:  # One that nobody here knows.
                return _with_coding(decoded, codings[:left])
            response = decoded
        if len(codings) < MOST_CODINGS and response.body.startswith(GZIP_MAGIC):
            return self._unpack(response, limit)
        return response

    def _decode_one(self, request: Request, response: Response, limit: int) -> Request | Response:
        coding, packed = response.headers["Content-Encoding"] or b"", response.body
        try:
            decoded = super().process_response(request, response)
        except IgnoreRequest:
            return self._flag(_without_coding(response, _find_beginning(coding, packed)), TOO_LARGE)
        except BROKEN:
            return self._flag(_without_coding(response, b""), TRUNCATED)
        if not isinstance(decoded, Response) or "Content-Encoding" in decoded.headers:
            return decoded
        is_cut = _is_cut(coding, packed, len(decoded.body), limit)
        return self._flag(decoded, TRUNCATED) if is_cut else decoded

    def _unpack(self, response: Response, limit: int) -> Response:
        """Decode what was a gzip file before it was sent with a coding, such as a sitemap's."""
        packed = response.body
        try:
            body = gunzip(packed, max_size=limit)
        except _DecompressionMaxSizeExceeded:
            return self._flag(response.replace(body=_find_beginning(b"gzip", packed)), TOO_LARGE)
        except BROKEN:
            return self._flag(response, TRUNCATED)
        unpacked = response.replace(body=body)
        is_cut = _is_cut_gzip(packed, len(body), limit)
        return self._flag(unpacked, TRUNCATED) if is_cut else unpacked

    def _flag(self, response: Response, flag: str) -> Response:
        self._stats.inc_value(f"decoding/{flag}")
        return response.replace(flags=[*response.flags, flag])


def header_pairs(message: Request | Response) -> tuple[tuple[str, str], ...]:
    """Return the headers as (name, value) text pairs, latin-1 as on the wire (RFC 9110, 5.5)."""
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        # Past ``Headers.items``, which normalises every name to look it up once more.
        for name, values in dict.items(message.headers)
        for value in values
    )


def _with_coding(response: Response, codings: list[bytes]) -> Response:
    response.headers["Content-Encoding"] = b", ".join(codings)
    return response


def _without_coding(response: Response, body: bytes) -> Response:
    del response.headers["Content-Encoding"]
    return response.replace(body=body)


def _begin_gzip(body: bytes) -> bytes:
    return zlib.decompressobj(wbits=31).decompress(body, KEPT_BYTES)


def _begin_deflate(body: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(body, KEPT_BYTES)
    except zlib.error:  # Some servers leave the zlib frame out.
        return zlib.decompressobj(wbits=-15).decompress(body, KEPT_BYTES)


def _begin_brotli(body: bytes) -> bytes:
    begun: bytes = brotli.Decompressor().process(body, output_buffer_limit=KEPT_BYTES)
    return begun[:KEPT_BYTES]


def _begin_zstd(body: bytes) -> bytes:
    return zstd.ZstdFile(BytesIO(body)).read(KEPT_BYTES)


_BEGINNINGS: dict[bytes, Callable[[bytes], bytes]] = {
    b"gzip": _begin_gzip,
    b"x-gzip": _begin_gzip,
    b"deflate": _begin_deflate,
    b"br": _begin_brotli,
    b"zstd": _begin_zstd,
}


def _find_beginning(coding: bytes, body: bytes) -> bytes:
    """Return the first of what *body* decodes to."""
    begin = _BEGINNINGS.get(coding)
    try:
        return begin(body) if begin else b""
    except BROKEN:
        return b""


def _is_cut(coding: bytes, body: bytes, decoded_size: int, limit: int) -> bool:
    """Tell whether *body*, whose decoded size is within *limit*, ends before its coding does.

    Scrapy decodes what there is of it and says nothing.
    """
    if not body:
        return False
    if coding in GZIP:
        return _is_cut_gzip(body, decoded_size, limit)
    has_end = _ENDS.get(coding)
    try:
        return has_end is not None and not has_end(body)
    except BROKEN:
        return True


def _is_cut_gzip(body: bytes, decoded_size: int, limit: int) -> bool:
    """Tell whether *body* is a gzip stream that ends before its trailer (RFC 1952, 2.3.1).

    The last four bytes of a whole stream state the size of what it decodes to. Only where they do
    not, as with several members, is it decoded once more, up to *limit* bytes.
    """
    if int.from_bytes(body[-4:], "little") == decoded_size % (1 << 32):
        return False
    try:
        return not _has_whole_members(body, limit)
    except zlib.error:
        return True


def _has_deflate_end(body: bytes) -> bool:
    try:
        return _reaches_end(zlib.decompressobj(), body)
    except zlib.error:  # Some servers leave the zlib frame out.
        return _reaches_end(zlib.decompressobj(wbits=-15), body)


def _reaches_end(decoder: "zlib._Decompress", body: bytes) -> bool:
    output = decoder.decompress(body, STEP)
    while output and not decoder.eof:
        output = decoder.decompress(decoder.unconsumed_tail, STEP)
    return decoder.eof


def _has_brotli_end(body: bytes) -> bool:
    decoder = brotli.Decompressor()
    output = decoder.process(body, output_buffer_limit=STEP)
    while output and not decoder.is_finished():
        output = decoder.process(b"", output_buffer_limit=STEP)
    return bool(decoder.is_finished())


def _has_zstd_end(body: bytes) -> bool:
    reader = zstd.ZstdFile(BytesIO(body))
    while reader.read(STEP):
        pass  # Raises EOFError where a frame is not whole.
    return True


_ENDS: dict[bytes, Callable[[bytes], bool]] = {
    b"deflate": _has_deflate_end,
    b"br": _has_brotli_end,
    b"zstd": _has_zstd_end,
}


def _has_whole_members(body: bytes, limit: int) -> bool:
    """Tell whether *body* ends with a member's trailer; bytes that begin no member are padding."""
    view, position, written = memoryview(body), 0, 0
    while body.startswith(GZIP_MAGIC, position):
        decoder = zlib.decompressobj(wbits=31)
        while not decoder.eof:
            pending = view[position : position + STEP]
            output = decoder.decompress(pending, STEP)
            written += len(output)
            position += len(pending) - len(decoder.unconsumed_tail) - len(decoder.unused_data)
            if not (pending or output) or (limit and written > limit):
                return False
    return position > 0
