"""Tell a body that arrived whole from one that did not."""

import re

from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.snapshot import Representation

CUT = ("truncated", "dataloss")
UNDELIMITED = "partial"
"""Nothing but the end of the connection said that the body was over (RFC 9112, 6.3)."""
_UTF8_MARK = b"\xef\xbb\xbf"
_CLOSING = {b"{": b"}", b"[": b"]"}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ROOT = re.compile(rb"<(html|body)\b", re.IGNORECASE)
_ROOT_END = re.compile(rb"</(html|body)\b", re.IGNORECASE)
LONGEST_TAG = 2000
_OPEN_TAG = re.compile(rb"<[/!?a-z][^>]*\Z", re.IGNORECASE)
_FIRST_ELEMENT = re.compile(rb"<([a-z][\w:.-]{0,100})", re.IGNORECASE)


def find_truncation(page: FetchedPage) -> Verdict | None:
    if "too_large" in page.flags:
        return Verdict(Kind.TOO_LARGE, Reason.TOO_LARGE, ("too_large",))
    cut = tuple(flag for flag in CUT if flag in page.flags)
    if not cut and UNDELIMITED in page.flags and page.representation.is_message:
        cut = _find_missing_end(page)
    return Verdict(Kind.TRUNCATED, Reason.TRUNCATED, cut) if cut else None


def _find_missing_end(page: FetchedPage) -> tuple[str, ...]:
    """Say what shows that a body which the connection ended was not over; empty where nothing does.

    A page may leave out the end tags of paragraphs, and of its root where it left out its begin.
    """
    body = page.body.rstrip(b" \t\r\n\f\x00")
    if not body or body.startswith(_UTF16):
        return ()
    if page.representation.is_data:
        missing = _find_missing_data_end(page.representation, body)
    else:
        missing = _find_missing_tag(body)
    return (UNDELIMITED, missing) if missing else ()


def _find_missing_tag(body: bytes) -> str | None:
    if _ROOT_END.search(body):
        return None
    if _OPEN_TAG.search(body, max(0, len(body) - LONGEST_TAG)):
        return "ends inside of a tag"
    opened = _ROOT.search(body)
    return f"no </{opened[1].decode().lower()}>" if opened else None


def _find_missing_data_end(representation: Representation, body: bytes) -> str | None:
    """JSON must be closed as it was opened, XML as its root was; a calendar has a last line."""
    begin = body.removeprefix(_UTF8_MARK).lstrip()[:1]
    if begin in _CLOSING:
        end = _CLOSING[begin]
    elif representation is Representation.CALENDAR:
        end = b"END:VCALENDAR"
    else:
        root = _FIRST_ELEMENT.search(body)
        end = b"</%s>" % root[1] if root else b""
    return None if body.endswith(end) else f"does not end with {end.decode('latin-1')}"


def find_emptiness(page: FetchedPage) -> Verdict | None:
    if page.body.strip(b" \t\r\n\f\x00"):
        return None
    return Verdict(Kind.EMPTY, Reason.INCOMPLETE_SNAPSHOT, ("empty body",))
