"""Find tags in markup without building a tree: far cheaper when only a few elements matter.

A scan knows comments, raw-text elements and quoted attribute values, so it never takes a tag out of
one of them. It does not know which end tags a parser would imply.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_ATTRIBUTES = (
    rb"[^>=]*+(?:=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?+[^>=]*+)*+"  # HTML, 13.2.5.32-39
)
_RAW_TEXT = rb"script|style|textarea|title|xmp|iframe|noembed|noframes"
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
    """Yield the start and end tags with one of these lower-case *names*, in order."""
    skip, token = _patterns(names)
    position, size = 0, len(markup)
    while position < size:
        skipped = skip.match(markup, position)
        position = skipped.end() if skipped else size
        found = token.match(markup, position)
        if found is None:
            comment = _COMMENT.match(markup, position)
            position = comment.end() if comment else size  # an unfinished tag swallows the rest
            continue
        tag = _read_tag(markup, found)
        if tag.name in names:
            yield tag
        position = tag.end if tag.content_end is None else tag.content_end


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


@lru_cache(maxsize=64)
def _patterns(names: tuple[bytes, ...]) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    wanted = b"|".join(map(re.escape, names))
    stop = rb"<(?:!--|(?:%b)[\s/>]|/?(?:%b)[\s/>])" % (_RAW_TEXT, wanted)
    skip = rb"(?:[^<]++|(?!%b)<(?:[a-z/!?]%b(?:>|\Z))?+)*+" % (stop, _ATTRIBUTES)
    token = rb"<(?P<slash>/?)(?P<name>%b|%b)(?P<attributes>(?=[\s/>])%b)>" % (
        _RAW_TEXT,
        wanted,
        _ATTRIBUTES,
    )
    return re.compile(skip, re.IGNORECASE), re.compile(token, re.IGNORECASE)


def _is_raw_text(name: bytes) -> bool:
    return name in _RAW_TEXT.split(b"|")


@lru_cache(maxsize=16)
def _closing(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</%b(?=[\s/>])" % name, re.IGNORECASE)
