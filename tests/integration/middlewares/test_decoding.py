"""Content codings as servers send them, through the middleware as Scrapy builds it."""

import gzip
import time
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
from backports import zstd
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.classification.page import FetchedPage
from crawler.classification.verdict import judge_response
from crawler.contracts.meta import WIRE_HEADERS
from crawler.middlewares.decoding import KEPT_BYTES, DecodingMiddleware, header_pairs

BUDGET = 4 << 20
PAGE = b"<title>Notices</title>" + bytes(range(256)) * 40
LARGE = b"<title>Large</title>" + bytes(BUDGET)


def decode(body: bytes, *codings: str) -> Response:
    crawler = get_crawler(Spider, prevent_warnings=True)
    middleware = DecodingMiddleware.from_crawler(crawler)
    request = Request("http://a.test/", meta={"download_maxsize": BUDGET})
    headers = {"Content-Type": "text/html", "Content-Encoding": list(codings)}
    decoded = middleware.process_response(
        request, Response("http://a.test/", headers=headers, body=body)
    )
    assert isinstance(decoded, Response)
    assert dict(request.meta[WIRE_HEADERS])["Content-Encoding"] == codings[-1]
    return decoded


WHOLE = {
    "one member": (gzip.compress(PAGE), "gzip"),
    "two members": (gzip.compress(PAGE[:100]) + gzip.compress(PAGE[100:]), "gzip"),
    "an empty member at the end": (gzip.compress(PAGE) + gzip.compress(b""), "gzip"),
    "zeros behind it": (gzip.compress(PAGE) + bytes(600), "gzip"),
    "old name": (gzip.compress(PAGE), "x-gzip"),
    "gzip in gzip": (gzip.compress(gzip.compress(PAGE)), "gzip, gzip"),
    "gzip in gzip, said once": (gzip.compress(gzip.compress(PAGE)), "gzip"),
    "gzip in brotli, said once": (brotli.compress(gzip.compress(PAGE)), "br"),
    "deflate": (zlib.compress(PAGE), "deflate"),
    "deflate without a frame": (zlib.compress(PAGE, wbits=-15), "deflate"),
    "brotli": (brotli.compress(PAGE), "br"),
    "zstd": (zstd.compress(PAGE), "zstd"),
    "two frames of zstd": (zstd.compress(PAGE[:100]) + zstd.compress(PAGE[100:]), "zstd"),
}
CUT = {
    "in the data": gzip.compress(PAGE)[:-200],
    "in the trailer": gzip.compress(PAGE)[:-2],
    "without a trailer": gzip.compress(PAGE)[:-8],
    "in the second member": gzip.compress(PAGE) + gzip.compress(PAGE)[:-9],
    "data of another kind": gzip.compress(PAGE)[:40] + b"\xff" * 400,
    "no gzip at all": PAGE,
}
TOO_LARGE = {
    "gzip": gzip.compress(LARGE),
    "x-gzip": gzip.compress(LARGE),
    "deflate": zlib.compress(LARGE),
    "br": brotli.compress(LARGE, quality=5),
    "zstd": zstd.compress(LARGE),
}


@pytest.mark.parametrize(("body", "coding"), WHOLE.values(), ids=WHOLE.keys())
def test_a_whole_body_is_decoded_and_not_flagged(body: bytes, coding: str) -> None:
    decoded = decode(body, coding)

    assert (decoded.body, decoded.flags) == (PAGE, [])
    assert "Content-Encoding" not in decoded.headers


@pytest.mark.parametrize("body", CUT.values(), ids=CUT.keys())
def test_a_gzip_stream_that_is_not_whole_is_truncated(body: bytes) -> None:
    assert decode(body, "gzip").flags == ["truncated"]


def test_codings_in_headers_of_their_own_are_undone_in_turn() -> None:
    decoded = decode(gzip.compress(brotli.compress(PAGE)), "br", "gzip")

    assert (decoded.body, decoded.flags) == (PAGE, [])


INNER = gzip.compress(gzip.compress(PAGE)[:-9])
CUT_INSIDE = {
    "said once": (INNER, ["gzip"]),
    "said twice": (INNER, ["gzip, gzip"]),
    "in headers of their own": (INNER, ["gzip", "gzip"]),
}


@pytest.mark.parametrize(("body", "codings"), CUT_INSIDE.values(), ids=CUT_INSIDE.keys())
def test_a_stream_that_is_not_whole_is_noticed_within_another(
    body: bytes, codings: list[str]
) -> None:
    assert decode(body, *codings).flags == ["truncated"]


def test_a_third_layer_is_not_undone() -> None:
    once, twice = gzip.compress(PAGE), gzip.compress(gzip.compress(PAGE))

    assert decode(gzip.compress(twice), "gzip, gzip").body == once
    assert decode(gzip.compress(twice), "gzip").body == once


@pytest.mark.parametrize("codings", [["gzip, gzip, gzip"], ["gzip", "gzip", "gzip"]])
def test_more_codings_than_anyone_needs_are_left_alone(codings: list[str]) -> None:
    body = gzip.compress(gzip.compress(gzip.compress(PAGE)))
    decoded = decode(body, *codings)

    page = FetchedPage(decoded.url, 200, header_pairs(decoded), decoded.body)
    assert decoded.body == body
    assert judge_response(page).evidence == ("content coding 3 codings",)


def test_a_file_that_grows_over_the_budget_within_a_coding_is_cut() -> None:
    decoded = decode(gzip.compress(gzip.compress(LARGE)), "gzip")

    assert decoded.flags == ["too_large"]
    assert decoded.body == LARGE[:KEPT_BYTES]


@pytest.mark.parametrize("size", [0, 1 << 16, 1 << 20, 1_000_001])
def test_the_end_of_a_large_body_is_found_in_every_coding(size: int) -> None:
    body = LARGE[:size]
    for coding, packed in {
        "deflate": zlib.compress(body),
        "br": brotli.compress(body, quality=5),
        "zstd": zstd.compress(body),
    }.items():
        decoded = decode(packed, coding)

        assert (decoded.body, decoded.flags) == (body, []), coding


PACKED = {
    "deflate": zlib.compress(PAGE),
    "deflate ": zlib.compress(PAGE, wbits=-15),
    "br": brotli.compress(PAGE),
    "zstd": zstd.compress(PAGE),
}


@pytest.mark.parametrize("missing", [200, 1])
@pytest.mark.parametrize(("coding", "body"), PACKED.items(), ids=PACKED.keys())
def test_a_stream_of_another_coding_that_is_not_whole_is_truncated(
    coding: str, body: bytes, missing: int
) -> None:
    assert decode(body[:-missing], coding).flags == ["truncated"]


@pytest.mark.parametrize(("coding", "body"), TOO_LARGE.items(), ids=TOO_LARGE.keys())
def test_of_a_body_over_the_budget_the_beginning_is_kept(coding: str, body: bytes) -> None:
    decoded = decode(body, coding)

    assert decoded.flags == ["too_large"]
    assert decoded.body == LARGE[:KEPT_BYTES]
    assert "Content-Encoding" not in decoded.headers


def test_a_nested_body_over_the_budget_is_named_all_the_same() -> None:
    decoded = decode(gzip.compress(gzip.compress(LARGE)), "gzip, gzip")

    assert (decoded.flags, decoded.body) == (["too_large"], LARGE[:KEPT_BYTES])


@pytest.mark.parametrize("cut", [None, -9], ids=["whole", "cut"])
def test_a_bomb_costs_no_more_than_the_budget(cut: int | None) -> None:
    member = gzip.compress(bytes(10 << 20))
    bomb = (member * (10_000_000 // len(member) + 1))[:cut]
    started = time.process_time()

    decoded = decode(bomb, "gzip")

    assert decoded.flags == ["too_large"]
    assert time.process_time() - started < 0.5
