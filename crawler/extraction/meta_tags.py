"""What a page says of itself in ``<meta>`` tags: OpenGraph, Dublin Core and plain names."""

from html import unescape
from typing import NamedTuple

from crawler.document.document import Document
from crawler.document.scan import Tag, read_attributes

MAX_TAGS = 1_000
WITHOUT_SITE = "/without-site"
"""Ends the locator of a title that the name of the site was taken from."""


class MetaTag(NamedTuple):
    """One tag with a name and a content; ``number`` counts all ``<meta>`` tags of the source."""

    number: int
    names: frozenset[str]
    """Lower case: names are compared without regard to it (HTML, 4.2.5)."""
    content: str
    span: tuple[int, int]

    @property
    def locator(self) -> str:
        return f"meta[{self.number}]/@content"


def read_meta_tags(document: Document) -> tuple[MetaTag, ...]:
    """Return the named tags in document order, found without a parse."""
    found: list[MetaTag] = []
    tags = (tag for tag in document.outline if tag.name == b"meta")
    for number, tag in enumerate(tags, 1):
        attributes = _attributes_of(document, tag)
        names = " ".join(attributes.get(key, "") for key in ("property", "name"))
        if names.strip() and "content" in attributes:
            content = unescape(attributes["content"])
            known = frozenset(unescape(names).lower().split())
            found.append(MetaTag(number, known, content, (tag.start, tag.end)))
        if len(found) == MAX_TAGS:
            break
    return tuple(found)


def _attributes_of(document: Document, tag: Tag) -> dict[str, str]:
    if tag.attributes.isascii():
        return read_attributes(tag.attributes)
    source = document.decode_markup(tag.start, tag.end)
    return read_attributes(source.encode("utf-8", "replace"))
