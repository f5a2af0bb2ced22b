"""Links from a listing to the pages of its items and to the next listing."""

from collections.abc import Iterator
from urllib.parse import urldefrag

from crawler.contracts.page import Link
from crawler.contracts.site import Collect
from crawler.contracts.snapshot import PageKind
from crawler.document.document import Document
from crawler.document.url import resolve_url

MAX_LINKS = 10_000
MAX_URL = 2_083


def find_links(document: Document, collect: Collect) -> tuple[Link, ...]:
    """Return the first ``MAX_LINKS`` different links, those to items first.

    Raises BadSelectorError.
    """
    found: dict[str, Link] = {}
    for selector, kind in ((collect.links, PageKind.DETAIL), (collect.next, PageKind.LISTING)):
        if selector is None:
            continue
        for url in _find_urls(document, selector):
            if len(found) < MAX_LINKS or kind is PageKind.LISTING:
                found.setdefault(url, Link(url, kind, selector))
    return tuple(found.values())


def _find_urls(document: Document, selector: str) -> Iterator[str]:
    for node in document.css(selector)[:MAX_LINKS]:
        url = resolve_url(document.base_url, node.get("href") or "")
        if url is None:
            continue
        bare = urldefrag(url).url
        if len(bare) <= MAX_URL:
            yield bare
