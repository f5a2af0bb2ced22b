"""Tell whether the body is of the kind that the rules were written for."""

import re

from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.snapshot import Representation
from crawler.document.sniff import is_written_as

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
KNOWN_CODINGS = frozenset({"identity", "gzip", "x-gzip", "deflate", "br", "zstd"})
MOST_CODINGS = 2
"""A page, or a file, that was packed once more on the way; nobody has a use for more."""
_MARKUP = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\x00]*<"
    rb"|.{0,1000}?<(?:!doctype html|html|head|body|title|div|table|p)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Markup at once, or soon: pages that scripts wrote begin with their messages."""
_GZIP = b"\x1f\x8b"


def media_type_of(content_type: str) -> str:
    """Return the lower-case essence of a Content-Type, without parameters."""
    return content_type.partition(";")[0].strip().lower()


def find_mismatch(page: FetchedPage) -> Verdict | None:
    """Return the verdict on a body of another kind, or None; an empty one is judged elsewhere."""
    coding = _find_undecoded(page)
    if coding is not None:
        return _mismatch(f"content coding {coding[:100]}")
    media_type = media_type_of(page.header("content-type"))
    if page.representation.is_data:
        return _find_other_data(page, media_type)
    if media_type in HTML_TYPES:
        return None
    if media_type:
        return _mismatch(f"media type {media_type[:100]}")
    if page.body.strip() and not _MARKUP.match(page.body):
        return _mismatch("no media type, and no markup")
    return None


def is_data_asked_for(page: FetchedPage) -> bool:
    """Whether the body begins as the feed, calendar or JSON that was asked for.

    Its media type is no sign: feeds come as HTML and calendars as plain text.
    """
    representation = page.representation
    return representation.is_data and is_written_as(representation, page.body)


def _find_other_data(page: FetchedPage, media_type: str) -> Verdict | None:
    if not page.body.strip() or is_data_asked_for(page):
        return None
    named = f", media type {media_type[:100]}" if media_type else ""
    return _mismatch(f"no {page.representation.value}{named}")


def _find_undecoded(page: FetchedPage) -> str | None:
    """Return a coding that is still on the body: one we do not know, or one that failed."""
    codings = [part.strip().lower() for part in page.header("content-encoding").split(",")]
    if len(codings) > MOST_CODINGS:
        return f"{len(codings)} codings"
    unknown = next((coding for coding in codings if coding and coding not in KNOWN_CODINGS), None)
    if unknown is None and page.body.startswith(_GZIP) and not _is_gzip_file(page):
        return "gzip"
    return unknown


def _is_gzip_file(page: FetchedPage) -> bool:
    """Whether the body is meant to be packed: sitemaps are, whatever the server calls them."""
    if page.representation is Representation.SITEMAP:
        return True
    return media_type_of(page.header("content-type")) in {"application/gzip", "application/x-gzip"}


def _mismatch(seen: str) -> Verdict:
    return Verdict(Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH, (seen,))
