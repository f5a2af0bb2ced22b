"""What a page says of itself in ``<meta>`` tags: OpenGraph, Dublin Core and plain names."""

from dataclasses import dataclass
from html import unescape

from crawler.document.document import Document
from crawler.document.scan import iter_tags, read_attributes

MAX_TAGS = 1_000
MAX_TAG = 20_000
"""Bytes of one tag."""


@dataclass(frozen=True, slots=True)
class MetaTag:
    """One tag with a name and a content; ``number`` counts all ``<meta>`` tags of the source."""

    number: int
    names: frozenset[str]
    """Lower case: names are compared without regard to it (HTML, 4.2.5)."""
    content: str
    span: tuple[int, int]

    @property
    def locator(self) -> str:
        return f"meta[{self.number}]/@content"


def cut_behind(markup: bytes, *spellings: bytes) -> bytes:
    """Return *markup* without what follows the last of these tags: most stand in the head."""
    last = max(map(markup.rfind, spellings))
    return markup[: last + MAX_TAG] if last >= 0 else b""


def read_meta_tags(document: Document) -> tuple[MetaTag, ...]:
    """Return the named tags in document order, found without a parse."""
    found = []
    markup = cut_behind(document.markup, b"<meta", b"<META")
    for number, tag in enumerate(iter_tags(markup, b"meta"), 1):
        source = document.decode_markup(tag.start, tag.end)
        attributes = read_attributes(source.encode("utf-8", "replace"))
        names = " ".join(attributes.get(key, "") for key in ("property", "name"))
        if names.strip() and "content" in attributes:
            content = unescape(attributes["content"])
            known = frozenset(unescape(names).lower().split())
            found.append(MetaTag(number, known, content, (tag.start, tag.end)))
        if len(found) == MAX_TAGS:
            break
    return tuple(found)
