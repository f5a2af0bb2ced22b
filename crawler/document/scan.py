"""Find tags in markup without building a tree: far cheaper when only a few elements matter.

A scan knows comments, raw-text elements and quoted attribute values, so it never takes a tag out of
one of them. It does not know which end tags a parser would imply.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

# HTML, 13.2.5.32-39. Always matches up to ">" or the end, so it never has to backtrack. Written
# without possessive quantifiers: Python 3.11.2, which Debian 12 has, gets them wrong.
_ATTRIBUTES = rb"[^>=]*(?:=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"'][^\s>]*)?[^>=]*)*"
_ANY_TAG = re.compile(rb"<[a-z/!?]%b(?:>|\Z)" % _ATTRIBUTES, re.IGNORECASE)
_RAW_TEXT = frozenset(
    {b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"}
)
_BEFORE_VALUE = b"= \t\n\r\f"
_ATTRIBUTE = re.compile(
    r"(?<![^\s=/>\"'])([^\s=/>\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"'][^\s>]*))", re.ASCII
)


class Tag(NamedTuple):
    """One tag; offsets count bytes of the scanned markup."""

    name: bytes
    is_end: bool
    start: int
    end: int
    attributes: bytes = b""
    content_end: int | None = None
    """For a raw-text start tag: where its content ends."""
    is_closed: bool = True
    """False for a raw-text element that runs to the end of the markup."""


def iter_tags(markup: bytes, *names: bytes) -> Iterator[Tag]:
    """Yield the start and end tags with one of these lower-case *names*, in order.

    The end tag of a raw-text element comes with its start tag.
    """
    token = _token(names)
    position = 0
    while (found := token.search(markup, position)) is not None:
        if _may_be_in_value(markup, position, found.start()):
            found = token.match(markup, _skip_tags(markup, position, token))
            if found is None:
                return
        slash, name, attributes, bracket = found.groups()
        if name is None:
            position = _end_of_comment(markup, found.start())
            continue
        if not bracket:
            return  # an unfinished tag swallows the rest
        tag = _make_tag(markup, found.span(), name.lower(), attributes, is_end=slash is not None)
        if tag.name in names:
            yield tag
        position = tag.end if tag.content_end is None else tag.content_end


def _may_be_in_value(markup: bytes, position: int, start: int) -> bool:
    """Whether what looks like a token may stand inside an attribute value, seen from between two tags.

    It then has that value's opening quote as the last quote before it. That is rare enough to read
    tag by tag only then.
    """
    return _is_opening(markup, markup.rfind(b'"', position, start)) or _is_opening(
        markup, markup.rfind(b"'", position, start)
    )


def _skip_tags(markup: bytes, position: int, token: re.Pattern[bytes]) -> int:
    """Return where the next token is that no tag holds; the end where there is none."""
    while True:
        start = markup.find(b"<", position)
        if start < 0:
            return len(markup)
        if token.match(markup, start):
            return start
        tag = _ANY_TAG.match(markup, start)
        position = tag.end() if tag else start + 1


def _is_opening(markup: bytes, quote: int) -> bool:
    """Whether the quote at this offset may open an attribute value."""
    return quote > 0 and markup[quote - 1] in _BEFORE_VALUE


def read_attributes(attributes: bytes) -> dict[str, str]:
    """Return attribute values by lower-case name as written; the first of a name counts."""
    found = _ATTRIBUTE.findall(attributes.decode("utf-8", "replace"))
    return {
        name.lower(): in_double or in_single or bare
        for name, in_double, in_single, bare in reversed(found)
    }


def _end_of_comment(markup: bytes, start: int) -> int:
    """Return where a comment ends: at once, at ``-->`` or ``--!>``, or with the markup."""
    end = markup.find(b"-->", start + 2)
    last = len(markup) if end < 0 else end
    early = markup.find(b"--!>", start + 4, last)
    if early >= 0:
        return early + 4
    return last if end < 0 else end + 3


def _make_tag(
    markup: bytes, span: tuple[int, int], name: bytes, attributes: bytes, *, is_end: bool
) -> Tag:
    start, end = span
    if is_end or not _is_raw_text(name):
        return Tag(name, is_end, start, end, attributes)
    closing = _closing(name).search(markup, end)
    content_end = closing.start() if closing else len(markup)
    return Tag(name, is_end, start, end, attributes, content_end, is_closed=closing is not None)


@lru_cache(maxsize=64)
def _token(names: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """Return what matches the beginning of a comment, or a tag of interest up to its end.

    ``bracket`` is empty where the markup ends first.
    """
    ends = [name for name in names if not _is_raw_text(name)]
    starts = sorted({*names, *_RAW_TEXT})
    initials = re.escape(bytes({b"!"[0], *(name[0] for name in starts)}))
    ended = rb"(?:%b)[\s/>]" % b"|".join(map(re.escape, ends)) if ends else rb"(?!)"
    return re.compile(
        rb"<(?=/?[%b])(?:!--"
        rb"|(?P<slash>/(?=%b))?(?P<name>%b)(?P<attributes>(?=[\s/>])%b)(?P<bracket>>|\Z))"
        % (initials, ended, b"|".join(map(re.escape, starts)), _ATTRIBUTES),
        re.IGNORECASE,
    )


def _is_raw_text(name: bytes) -> bool:
    return name in _RAW_TEXT


@lru_cache(maxsize=16)
def _closing(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</%b(?=[\s/>])" % name, re.IGNORECASE)
