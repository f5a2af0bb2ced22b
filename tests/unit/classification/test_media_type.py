from dataclasses import replace

import pytest

from crawler.classification.media_type import find_mismatch, media_type_of
from crawler.classification.page import FetchedPage
from crawler.classification.verdict import judge_response
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.snapshot import Representation
from tests.unit.classification.builders import make_page

HTML: dict[str, FetchedPage] = {
    "plain": make_page(),
    "case and parameters": make_page(content_type="Text/html; charset=x"),
    "XHTML": make_page(content_type="application/xhtml+xml"),
    "white space": make_page(content_type=" text/html ;charset=utf-8"),
    "no header, markup": make_page("\n<!doctype html><p>a", content_type=None),
    "no header, BOM": make_page(b"\xef\xbb\xbf<p>a", content_type=None),
    "no header, empty": make_page(b"", content_type=None),
    "identity coding": make_page(content_encoding="identity"),
    "coding already taken off": make_page(content_encoding="gzip"),
}
OTHER: dict[str, FetchedPage] = {
    "PDF": make_page(b"%PDF-1.7", content_type="application/pdf"),
    "JSON": make_page("{}", content_type="application/json"),
    "plain text": make_page(content_type="text/plain"),
    "look-alike": make_page(content_type="text/htmlx"),
    "no header, text": make_page("hello", content_type=None),
    "unknown coding": make_page(content_encoding="rot13"),
    "unknown among known": make_page(content_encoding="gzip, rot13"),
    "still compressed": make_page(b"\x1f\x8b\x08\x00"),
}


@pytest.mark.parametrize("page", HTML.values(), ids=HTML)
def test_html_in_any_spelling_is_no_mismatch(page: FetchedPage) -> None:
    assert find_mismatch(page) is None


@pytest.mark.parametrize("page", OTHER.values(), ids=OTHER)
def test_anything_else_is_a_representation_mismatch(page: FetchedPage) -> None:
    verdict = find_mismatch(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH)


def test_media_type_is_the_lower_case_essence() -> None:
    assert media_type_of("Text/HTML; Charset=X") == "text/html"
    assert media_type_of("") == ""


RSS = '<rss version="2.0"><channel><item><title>Access denied</title></item></channel></rss>'
FEEDS = {
    "called HTML": (RSS, "text/html", 200, Kind.OK),
    "called nothing": (RSS, None, 200, Kind.OK),
    "a page": ("<h1>Our feeds</h1>" + "<p>word" * 500, "application/rss+xml", 200, Kind.MEDIA_TYPE),
    "a login": (
        "<title>Log in</title><form><input type=password name=p></form>",
        "application/rss+xml",
        200,
        Kind.LOGIN,
    ),
    "refused": (RSS.replace("Access denied", "A"), "application/rss+xml", 403, Kind.DENIED),
    "nothing": ("", "application/rss+xml", 200, Kind.EMPTY),
}


@pytest.mark.parametrize(("body", "media_type", "status", "kind"), FEEDS.values(), ids=FEEDS)
def test_a_feed_is_told_by_what_it_is(
    body: str, media_type: str | None, status: int, kind: Kind
) -> None:
    page = replace(
        make_page(body, content_type=media_type, status=status),
        representation=Representation.FEED,
    )

    assert judge_response(page).kind is kind


PACKED = b"\x1f\x8b\x08" + b"0" * 50
SITEMAPS = {
    "called HTML": (
        b"<urlset><url><loc>https://a.example/</loc></url></urlset>",
        "text/html",
        Kind.OK,
    ),
    "packed and called XML": (PACKED, "application/xml", Kind.OK),
    "packed and called nothing": (PACKED, None, Kind.OK),
    "a page": (b"<h1>Sitemap</h1>" + b"<p>word" * 500, "application/xml", Kind.MEDIA_TYPE),
    "a login": (
        b"<title>Log in</title><form><input type=password name=p></form>",
        "text/html",
        Kind.LOGIN,
    ),
    "nothing": (b"", "application/xml", Kind.EMPTY),
}


@pytest.mark.parametrize(("body", "media_type", "kind"), SITEMAPS.values(), ids=SITEMAPS)
def test_a_sitemap_is_told_by_what_it_is(body: bytes, media_type: str | None, kind: Kind) -> None:
    page = replace(make_page(body, content_type=media_type), representation=Representation.SITEMAP)

    assert judge_response(page).kind is kind


def test_a_packed_page_is_no_sitemap() -> None:
    assert judge_response(make_page(PACKED)).kind is Kind.MEDIA_TYPE
