import pytest

from crawler.contracts.snapshot import Representation
from crawler.document.sniff import is_written_as

FEED, CALENDAR, JSON = Representation.FEED, Representation.CALENDAR, Representation.JSON
SITEMAP = Representation.SITEMAP
IS = {
    "RSS": (FEED, b'<?xml version="1.0"?>\n<!-- a --><rss version="2.0">'),
    "Atom with a prefix": (FEED, b"<a:feed xmlns:a='x'>"),
    "RDF": (FEED, b"\xef\xbb\xbf<rdf:RDF>"),
    "RSS with a DTD": (FEED, b'<!DOCTYPE rss SYSTEM "x" [<!ENTITY a "b">]><rss>'),
    "UTF-16": (FEED, '<?xml version="1.0"?><rss>'.encode("utf-16")),
    "JSON Feed": (FEED, b'{"version": "https://jsonfeed.org/version/1.1", "items": []}'),
    "calendar": (CALENDAR, b"\r\nBEGIN:VCALENDAR\r\n"),
    "object": (JSON, b' {"a": 1}'),
    "list": (JSON, b"[]"),
    "sitemap": (SITEMAP, b'\xef\xbb\xbf<?xml version="1.0"?><!-- a --><urlset>'),
    "sitemap with a prefix": (SITEMAP, b"<s:sitemapindex xmlns:s='x'>"),
    "addresses": (SITEMAP, b"\n https://hall.example/a?b \r\nhttps://hall.example/c"),
    "one address": (SITEMAP, b"HTTP://hall.example/a"),
    "feed for a sitemap": (SITEMAP, b"<rss version='2.0'>"),
    "robots file": (SITEMAP, b"# all\n\nUser-agent: *\nDisallow:"),
    "robots file of comments": (SITEMAP, b"# nothing here"),
    "packed": (SITEMAP, b"\x1f\x8b\x08\x00"),
    "guarded": (JSON, b')]}\'\n{"a": 1}'),
}
IS_NOT = {
    "page": (FEED, b"<!doctype html><html><rss>"),
    "sitemap": (FEED, b'<?xml version="1.0"?><urlset>'),
    "page for a sitemap": (SITEMAP, b"<!doctype html><title>Sitemap</title><urlset>"),
    "JSON for a sitemap": (SITEMAP, b'{"urlset": []}'),
    "text for a sitemap": (SITEMAP, b"https://hall.example/ is down"),
    "notice for a sitemap": (SITEMAP, b"Error: not allowed"),
    "comments without end": (SITEMAP, b"<!---->" * 500 + b"<html>"),
    "look-alike": (FEED, b"<rssx>"),
    "other JSON": (FEED, b'{"items": []}'),
    "page for a calendar": (CALENDAR, b"<html>BEGIN:VCALENDAR"),
    "page for JSON": (JSON, b"<html>{}"),
    "style sheet": (JSON, b"{color: red}"),
    "text": (JSON, b"[see below]"),
    "nothing": (JSON, b""),
}


@pytest.mark.parametrize(("representation", "body"), IS.values(), ids=IS)
def test_data_is_told_by_how_it_begins(representation: Representation, body: bytes) -> None:
    assert is_written_as(representation, body)


@pytest.mark.parametrize(("representation", "body"), IS_NOT.values(), ids=IS_NOT)
def test_anything_else_is_not(representation: Representation, body: bytes) -> None:
    assert not is_written_as(representation, body)
