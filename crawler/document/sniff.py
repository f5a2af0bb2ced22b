"""What a body is by its first bytes: servers call feeds HTML, and error pages JSON."""

import re
from collections.abc import Callable

from crawler.contracts.snapshot import Representation

WINDOW = 4096
_MARK = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*")
_JSON = re.compile(
    rb"(?:\)\]\}'?,?|(?:while|for)\s*\((?:1|;;)\)\s*;|throw 1;\s*<[^>]*>)?\s*[\[{]\s*[\"\[{\]}tfn\d-]"
)
_FEED = re.compile(
    rb"(?:<\?[^>]*>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>|\s)*"
    rb"<(?:[\w.-]+:)?(?:rss|feed|rdf|channel)[\s>/]",
    re.IGNORECASE | re.DOTALL,
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
    if _FEED.match(_opening(body)):
        return True
    return starts_as_json(body) and _JSON_FEED.search(body) is not None


def _starts_as_calendar(body: bytes) -> bool:
    return _CALENDAR.match(_opening(body)) is not None


SIGNS: dict[Representation, Callable[[bytes], bool]] = {
    Representation.FEED: _starts_as_feed,
    Representation.CALENDAR: _starts_as_calendar,
    Representation.JSON: starts_as_json,
}


def is_written_as(representation: Representation, body: bytes) -> bool:
    """Whether a body begins as data of this kind does."""
    return SIGNS[representation](body)
