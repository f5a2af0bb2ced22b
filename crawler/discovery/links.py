"""Links from a listing to the pages of its items and to the next listing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag

from crawler.contracts.page import Link
from crawler.contracts.site.collect import Collect
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind
from crawler.discovery.next_page import find_next_page
from crawler.discovery.parts import NEXT_PART, next_part
from crawler.discovery.unwanted import is_unwanted
from crawler.document.document import Document
from crawler.document.loaded import find_loaded_place
from crawler.document.parameters import without_parameters
from crawler.document.url import resolve_url
from crawler.document.url_pattern import fits, split_url

MAX_LINKS = 10_000
MAX_URL = 2_083
ANYWHERE = "a[href], area[href]"


@dataclass(frozen=True, slots=True)
class Found:
    """What a page leads to."""

    links: tuple[Link, ...] = ()
    left_out: int = 0
    """Links to items beyond ``MAX_LINKS``."""


def find_links(document: Document, collect: Collect) -> Found:
    """Return the first ``MAX_LINKS`` different links to items, then those to further listings.

    Raises BadSelectorError or BadPathError.
    """
    found: dict[str, Link] = {}
    excess = 0
    for discover in DISCOVERERS:
        for link in discover(document, collect):
            identity = without_parameters(link.url, collect.ignore_params)
            if collect.exclude and is_excluded(link.url, collect):
                continue
            if len(found) < MAX_LINKS or link.page_kind is PageKind.LISTING:
                found.setdefault(identity, link)
            elif identity not in found:
                excess += 1
    return Found(tuple(found.values()), excess)


def is_excluded(url: str, collect: Collect) -> bool:
    """Tell whether the site file rules a link out, or could not say of a URL like this one."""
    parts = split_url(url)
    return parts is None or fits(collect.exclude, parts)


def is_matched(url: str, collect: Collect) -> bool:
    """Tell whether a link fits the patterns of pages of items, and is not to another use of one."""
    parts = split_url(url)
    is_fit = parts is not None and fits(collect.match, parts)
    return parts is not None and is_fit and not is_unwanted(parts, collect.match)


def _find_items(document: Document, collect: Collect) -> Iterator[Link]:
    if not collect.leads_to_details:
        return
    selector = collect.links or ANYWHERE
    evidence = collect.links or "match"
    for url in _find_urls(document, selector):
        if not collect.match or is_matched(url, collect):
            yield Link(url, PageKind.DETAIL, evidence)


def _find_selected_next(document: Document, collect: Collect) -> Iterator[Link]:
    if collect.next is None or collect.next == AUTO:
        return
    for url in _find_urls(document, collect.next):
        yield Link(url, PageKind.LISTING, collect.next)


def _find_auto_next(document: Document, collect: Collect) -> Iterator[Link]:
    found = find_next_page(document) if collect.next == AUTO else None
    if found is not None and len(found[0]) <= MAX_URL:
        yield Link(found[0], PageKind.LISTING, found[1])


def _find_next_part(document: Document, collect: Collect) -> Iterator[Link]:
    url = next_part(document.url, collect.pages) if collect.pages else None
    if url is not None and len(url) <= MAX_URL:
        yield Link(url, PageKind.LISTING, NEXT_PART, is_guessed=True)


DISCOVERERS: tuple[Callable[[Document, Collect], Iterator[Link]], ...] = (
    _find_items,
    _find_selected_next,
    _find_auto_next,
    _find_next_part,
)
"""Those of items first: what is both is an item."""


def _find_references(document: Document, selector: str) -> Iterator[str]:
    place = find_loaded_place(selector)
    if place is None:
        return (node.get("href") or "" for node in document.css(selector))
    return (text for text in document.loaded.find_values(place) if isinstance(text, str))


def _find_urls(document: Document, selector: str) -> Iterator[str]:
    for reference in _find_references(document, selector):
        url = resolve_url(document.base_url, reference)
        if url is None:
            continue
        bare = urldefrag(url).url
        if len(bare) <= MAX_URL:
            yield bare
