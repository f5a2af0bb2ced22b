"""Links from a sitemap to pages and to further sitemaps."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from urllib.parse import urldefrag, urljoin

from crawler.contracts.page import Link
from crawler.contracts.site.collect import ROBOTS, Collect
from crawler.contracts.site.config import SiteConfig
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.links import MAX_URL, is_excluded, is_matched
from crawler.document.parameters import without_parameters
from crawler.document.sitemap import Place, Sitemap
from crawler.document.url import ROBOTS_PATH, resolve_url
from crawler.document.w3c_date import latest_moment

ABSOLUTE = ("http://", "https://")
UNUSABLE = "without a usable address"
RELATIVE = "with a relative address"
UNDATED = "with a lastmod that is no date"
UNWANTED = "that match or exclude leaves out"


@dataclass(frozen=True, slots=True)
class Listed:
    """What a sitemap leads to, and why some of its entries lead nowhere."""

    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()
    usable: int = 0
    """Entries with an address, whether or not the site file wants it."""


def sitemap_addresses(config: SiteConfig) -> tuple[str, ...]:
    """Return where the site file says that sitemaps, or robots files that name them, lie."""
    if config.collect.sitemap is None:
        return ()
    robots = [urljoin(url, ROBOTS_PATH) for url in config.start]
    places = ([url] if url != ROBOTS else robots for url in config.collect.sitemap.urls)
    return tuple(dict.fromkeys(chain.from_iterable(places)))


def find_sitemap_links(sitemap: Sitemap, collect: Collect, url: str) -> Listed:
    """Return the links of a sitemap that lies at *url*, each page once.

    An address has to be absolute there (sitemaps.org). One that is relative is taken as a browser
    would: admission judges it like any other, and leaving it out would only lose a page.
    """
    found: dict[str, Link] = {}
    counts = Counter[str]()
    for place in sitemap.places:
        link = _link_of(place, url)
        is_wanted = link is not None and _is_wanted(link, collect)
        counts.update(_find_remarks(place, link, is_wanted=is_wanted))
        if link is not None and is_wanted:
            found.setdefault(without_parameters(link.url, collect.ignore_params), link)
    return Listed(
        tuple(found.values()),
        tuple(f"{count} entries {remark}" for remark, count in counts.items()),
        len(sitemap.places) - counts[UNUSABLE],
    )


def _find_remarks(place: Place, link: Link | None, *, is_wanted: bool) -> Iterator[str]:
    if link is None:
        yield UNUSABLE
        return
    if not place.url.lower().startswith(ABSOLUTE):
        yield RELATIVE
    if not is_wanted:
        yield UNWANTED
    if place.modified and link.unchanged_since is None:
        yield UNDATED


def _link_of(place: Place, base: str) -> Link | None:
    absolute = resolve_url(base, place.url)
    if absolute is None or len(absolute) > MAX_URL:
        return None
    bare = urldefrag(absolute).url
    kind, evidence, representation = (
        (PageKind.LISTING, "sitemap of sitemaps", Representation.SITEMAP)
        if place.is_sitemap
        else (PageKind.DETAIL, "sitemap", None)
    )
    moment = latest_moment(place.modified) if place.modified else None
    return Link(bare, kind, evidence, representation, unchanged_since=moment)


def _is_wanted(link: Link, collect: Collect) -> bool:
    if collect.exclude and is_excluded(link.url, collect):
        return False
    is_page = link.page_kind is PageKind.DETAIL
    return not (is_page and collect.match) or is_matched(link.url, collect)
