"""What a body is by its first bytes: servers call feeds HTML, and error pages JSON."""

import re
from collections.abc import Callable

from crawler.contracts.snapshot import Representation
from crawler.document.unpacking import is_packed

WINDOW = 4096
_MARK = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*")
_JSON = re.compile(
    rb"(?:\)\]\}'?,?|(?:while|for)\s*\((?:1|;;)\)\s*;|throw 1;\s*<[^>]*>)?\s*[\[{]\s*[\"\[{\]}tfn\d-]"
)
_PROLOG = rb"(?>(?:<\?[^>]*>|(?><!--.*?-->)|(?><!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>)|\s)*)"
"""Atomic: a comment that could end in many places would else be tried with each of them."""
_FEED = re.compile(
    _PROLOG + rb"<(?:[\w.-]+:)?(?:rss|feed|rdf|channel)[\s>/]", re.IGNORECASE | re.DOTALL
)
_SITEMAP = re.compile(
    _PROLOG + rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>/]", re.IGNORECASE | re.DOTALL
)
_ADDRESSES = re.compile(rb"https?://[^\s<>\"]+[ \t]*(?:[\r\n]|\Z)", re.IGNORECASE)
_ROBOTS = re.compile(
    rb"(?:#[^\r\n]*(?:[\r\n]|\Z)|\s)*"
    rb"(?:\Z|(?:user-?\s?agent|(?:dis)?allow|sitemap|crawl-delay|host|clean-param)\s*:)",
    re.IGNORECASE,
)
_JSON_FEED = re.compile(rb"https?:\\?/\\?/jsonfeed\.org\\?/version\\?/")
_CALENDAR = re.compile(rb"BEGIN:VCALENDAR\b", re.IGNORECASE)


def _opening(body: bytes) -> bytes:
    """Return the first bytes without mark and white space; of a wide encoding, its ASCII part."""
    head = body[: 4 * WINDOW]
    if b"\0" in head[:64]:
        head = head.lstrip(b"\xff\xfe").replace(b"\0", b"")
    found = _MARK.match(head)
    return head[found.end() if found else 0 :][:WINDOW]


def starts_as_json(body: bytes) -> bool:
    return _JSON.match(_opening(body)) is not None


def _starts_as_feed(body: bytes) -> bool:
    if starts_as_xml_feed(body):
        return True
    return starts_as_json(body) and _JSON_FEED.search(body) is not None


def _starts_as_calendar(body: bytes) -> bool:
    return _CALENDAR.match(_opening(body)) is not None


def starts_as_xml_feed(body: bytes) -> bool:
    return _FEED.match(_opening(body)) is not None


def _starts_as_sitemap(body: bytes) -> bool:
    """What is packed is looked at once it is unpacked."""
    opening = _opening(body)
    signs = (_SITEMAP, _ADDRESSES, _FEED, _ROBOTS)
    return is_packed(body) or any(sign.match(opening) for sign in signs)


SIGNS: dict[Representation, Callable[[bytes], bool]] = {
    Representation.FEED: _starts_as_feed,
    Representation.CALENDAR: _starts_as_calendar,
    Representation.JSON: starts_as_json,
    Representation.SITEMAP: _starts_as_sitemap,
}


def is_written_as(representation: Representation, body: bytes) -> bool:
    """Whether a body begins as data of this kind does."""
    return SIGNS[representation](body)
