"""Content decoding that neither loses the headers as received nor takes half a stream for a page."""

import zlib

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.contracts.meta import WIRE_HEADERS
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.middlewares.access import AccessStopped

TRUNCATED = "truncated"


class DecodingMiddleware(HttpCompressionMiddleware):
    """Stats: those of HttpCompressionMiddleware, and ``decoding/truncated``."""

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._stats = crawler.stats

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        request.meta[WIRE_HEADERS] = header_pairs(response)
        codings = response.headers.getlist("Content-Encoding")
        if not codings:
            return response
        is_cut = _is_cut_gzip(codings, response.body)
        try:
            decoded = super().process_response(request, response)
        except IgnoreRequest as error:
            detail = "decoded body exceeds the byte budget"
            raise AccessStopped(Outcome(Reason.TOO_LARGE, Kind.TOO_LARGE, detail)) from error
        if is_cut and isinstance(decoded, Response):
            self._stats.inc_value("decoding/truncated")
            return decoded.replace(flags=[*decoded.flags, TRUNCATED])
        return decoded


def header_pairs(response: Response) -> tuple[tuple[str, str], ...]:
    """Return the headers as (name, value) text pairs, latin-1 as on the wire (RFC 9110, 5.5)."""
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )


def _is_cut_gzip(codings: list[bytes], body: bytes) -> bool:
    """Tell whether *body* is a gzip stream that ends before its trailer (RFC 1952, 2.2)."""
    if codings[-1].strip().lower() not in {b"gzip", b"x-gzip"} or not body:
        return False
    decoder = zlib.decompressobj(wbits=31)
    try:
        pending = body
        while pending and not decoder.eof:
            decoder.decompress(pending, 1 << 20)
            pending = decoder.unconsumed_tail
    except zlib.error:
        return True
    return not decoder.eof
