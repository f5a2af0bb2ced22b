"""What a page says of itself in ``<meta>`` tags: OpenGraph, Dublin Core and plain names."""

from collections.abc import Mapping, Sequence
from html import unescape
from typing import NamedTuple

from crawler.document.document import Document
from crawler.document.scan import Tag, read_attributes
from crawler.extraction.vocabulary import NAMES

MAX_TAGS = 1_000
_LABEL, _DATA = "twitter:label", "twitter:data"
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
    return _name_by_labels(found)


def _name_by_labels(tags: Sequence[MetaTag]) -> tuple[MetaTag, ...]:
    """Name ``twitter:data1`` after what ``twitter:label1`` says it is, where that is a known label."""
    labels = {name: tag.content for tag in tags for name in tag.names if name.startswith(_LABEL)}
    known = {
        name.replace(_LABEL, _DATA): f"twitter:{NAMES[label]}"
        for name, content in labels.items()
        if (label := content.strip().casefold()) in NAMES
    }
    if not known:
        return tuple(tags)
    return tuple(tag._replace(names=_with_known(tag.names, known)) for tag in tags)


def _with_known(names: frozenset[str], known: Mapping[str, str]) -> frozenset[str]:
    return names.union(known[name] for name in names if name in known)


def _attributes_of(document: Document, tag: Tag) -> dict[str, str]:
    if tag.attributes.isascii():
        return read_attributes(tag.attributes)
    source = document.decode_markup(tag.start, tag.end)
    return read_attributes(source.encode("utf-8", "replace"))
