"""Find tags in markup without building a tree: far cheaper when only a few elements matter.

A scan knows comments, raw-text elements and quoted attribute values, so it never takes a tag out of
one of them. It does not know which end tags a parser would imply.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# HTML, 13.2.5.32-39. Always matches up to ">" or the end, so it never has to backtrack. Written
# without possessive quantifiers: Python 3.11.2, which Debian 12 has, gets them wrong.
_ATTRIBUTES = rb"[^>=]*(?:=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"'][^\s>]*)?[^>=]*)*"
_ANY_TAG = re.compile(rb"<[a-z/!?]%b(?:>|\Z)" % _ATTRIBUTES, re.IGNORECASE)
_RAW_TEXT = frozenset(
    {b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"}
)
_BEFORE_VALUE = b"= \t\n\r\f"
_COMMENT = re.compile(rb"<!--(?:-?>|.*?(?:--!?>|\Z))", re.DOTALL)
_ATTRIBUTE = re.compile(
    rb"([^\s=/>\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"'][^\s>]*))", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Tag:
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
    patterns = _patterns(names)
    position, size = 0, len(markup)
    while position < size:
        start = _find_token(markup, position, patterns)
        found = patterns.tag.match(markup, start)
        if found is None or not found["bracket"]:
            comment = _COMMENT.match(markup, start)
            position = comment.end() if comment else size  # an unfinished tag swallows the rest
            continue
        tag = _read_tag(markup, found)
        if tag.name in names:
            yield tag
        position = tag.end if tag.content_end is None else tag.content_end


def _find_token(markup: bytes, position: int, patterns: "_Patterns") -> int:
    """Return where the next comment or tag of interest begins, seen from between two tags.

    What merely looks like one inside an attribute value has that value's opening quote as the last
    quote before it. That is rare enough to read tag by tag only then.
    """
    candidate = patterns.candidate.search(markup, position)
    if candidate is None:
        return len(markup)
    start = candidate.start()
    if not (
        _is_opening(markup, markup.rfind(b'"', position, start))
        or _is_opening(markup, markup.rfind(b"'", position, start))
    ):
        return start
    return _skip_tags(markup, position, patterns.candidate)


def _skip_tags(markup: bytes, position: int, candidate: re.Pattern[bytes]) -> int:
    while True:
        start = markup.find(b"<", position)
        if start < 0:
            return len(markup)
        if candidate.match(markup, start):
            return start
        tag = _ANY_TAG.match(markup, start)
        position = tag.end() if tag else start + 1


def _is_opening(markup: bytes, quote: int) -> bool:
    """Whether the quote at this offset may open an attribute value."""
    return quote > 0 and markup[quote - 1] in _BEFORE_VALUE


def read_attributes(attributes: bytes) -> dict[str, str]:
    """Return attribute values by lower-case name as written; the first of a name counts."""
    values: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(attributes):
        value = match[2] or match[3] or match[4] or b""
        values.setdefault(match[1].decode("latin-1").lower(), value.decode("utf-8", "replace"))
    return values


def _read_tag(markup: bytes, found: re.Match[bytes]) -> Tag:
    name, is_end = found["name"].lower(), bool(found["slash"])
    tag_end = found.end()
    if is_end or not _is_raw_text(name):
        return Tag(name, is_end, found.start(), tag_end, found["attributes"])
    closing = _closing(name).search(markup, tag_end)
    content_end = closing.start() if closing else len(markup)
    return Tag(
        name=name,
        is_end=False,
        start=found.start(),
        end=tag_end,
        attributes=found["attributes"],
        content_end=content_end,
        is_closed=closing is not None,
    )


@dataclass(frozen=True, slots=True)
class _Patterns:
    candidate: re.Pattern[bytes]
    """The beginning of a comment or a tag of interest."""
    tag: re.Pattern[bytes]
    """Such a tag, to its end; ``bracket`` is empty where the markup ends first."""


@lru_cache(maxsize=64)
def _patterns(names: tuple[bytes, ...]) -> _Patterns:
    ends = [name for name in names if not _is_raw_text(name)]
    starts = sorted({*names, *_RAW_TEXT})
    wanted = b"|".join([*(b"/" + re.escape(name) for name in ends), *map(re.escape, starts)])
    initials = re.escape(bytes({b"!"[0], *(name[0] for name in starts)}) + b"/" * bool(ends))
    start = rb"<(?=[%b])(?:!--|(?:%b)(?=[\s/>]))" % (initials, wanted)
    tag = rb"<(?P<slash>/?)(?P<name>%b)(?P<attributes>(?=[\s/>])%b)(?P<bracket>>|\Z)" % (
        b"|".join(map(re.escape, starts)),
        _ATTRIBUTES,
    )
    return _Patterns(*(re.compile(text, re.IGNORECASE) for text in (start, tag)))


def _is_raw_text(name: bytes) -> bool:
    return name in _RAW_TEXT


@lru_cache(maxsize=16)
def _closing(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</%b(?=[\s/>])" % name, re.IGNORECASE)
