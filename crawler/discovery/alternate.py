"""Feeds and calendars that a page names as other forms of itself (HTML, 4.6.6.2)."""

from html import unescape
from urllib.parse import urldefrag

from crawler.contracts.page import Link
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Representation
from crawler.document.document import Document
from crawler.document.scan import iter_tags, read_attributes
from crawler.document.url import resolve_url

MAX_FOUND = 20
TYPES = {
    "application/rss+xml": Representation.FEED,
    "application/atom+xml": Representation.FEED,
    "application/rdf+xml": Representation.FEED,
    "application/feed+json": Representation.FEED,
    "text/calendar": Representation.CALENDAR,
}
OF_READERS = "/comments/feed"
"""In the address of a feed of what readers wrote."""


def find_alternates(document: Document, collect: Collect) -> tuple[Link, ...]:
    """Return the feeds or calendars of a page, where the site file leaves finding them to us."""
    source = collect.feed or collect.calendar
    if source is None or source.find != "auto":
        return ()
    found: dict[str, Link] = {}
    for tag in iter_tags(document.markup, b"link"):
        attributes = read_attributes(tag.attributes)
        if TYPES.get(_essence(attributes)) is not source.REPRESENTATION:
            continue
        url = resolve_url(document.base_url, unescape(attributes.get("href") or ""))
        if url is None or len(found) >= MAX_FOUND or OF_READERS in url:
            continue
        bare = urldefrag(url).url
        found.setdefault(
            bare, Link(bare, PageKind.LISTING, "link[rel=alternate]", source.REPRESENTATION)
        )
    return tuple(found.values())


def _essence(attributes: dict[str, str]) -> str:
    """Return the media type of an alternate; empty for a link of another relation."""
    relations = (attributes.get("rel") or "").lower().split()
    kind = (attributes.get("type") or "").partition(";")[0].strip().lower()
    return kind if "alternate" in relations else ""
