"""Which links of one page may be offered to the frontier, as far as the page and its row tell.

What depends on the rest of the cycle is decided when they are admitted.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from crawler.contracts.bound import Bound, LeftOut
from crawler.contracts.page import Link, PageReport
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.identity import name_items

MAX_SITEMAP_DEPTH = 3
"""A robots file leads to an index, this to another one, and this to sitemaps of pages."""


@dataclass(frozen=True, slots=True)
class Whence:
    """What is known of the row whose page holds the links."""

    depth: int
    representation: Representation
    listed: str
    """Digest of what the listing before it showed."""
    barren: int
    """How many listings right before it brought nothing new."""


def bound_links(
    report: PageReport, whence: Whence, collect: Collect
) -> tuple[tuple[Link, ...], LeftOut]:
    """Return the links that no bound leaves out, and how many each bound does."""
    is_repeated = _is_repeated(report, whence, collect)
    kept: list[Link] = []
    left_out = Counter({Bound.MAX_LINKS: report.beyond} if report.beyond else {})
    for link in report.links:
        bound = _find_bound(link, whence, collect, is_repeated=is_repeated)
        if bound is None:
            kept.append(link)
        else:
            left_out[bound] += 1
    return tuple(kept), left_out


def digest_listed(report: PageReport, collect: Collect) -> str:
    """Return what tells one part of a listing from another: its items, in their order."""
    shown = list(_iterate_shown(report, collect))
    return hashlib.sha256("\n".join(shown).encode("utf-8", "replace")).hexdigest() if shown else ""


def _iterate_shown(report: PageReport, collect: Collect) -> Iterator[str]:
    details = [link.url for link in report.links if link.page_kind is PageKind.DETAIL]
    if details:
        yield from name_items(details, collect.ignore_params)
        return
    for candidate in report.candidates:
        yield json.dumps([candidate.key, candidate.values], sort_keys=True)


def _is_repeated(report: PageReport, whence: Whence, collect: Collect) -> bool:
    """Whether the listing before this one was the last: it brought items that are shown again.

    Where it brought none, both may show what every page of the site does, and no end of the list.
    """
    if whence.barren or not whence.listed:
        return False
    return digest_listed(report, collect) == whence.listed


def _find_bound(link: Link, whence: Whence, collect: Collect, *, is_repeated: bool) -> Bound | None:
    if whence.depth >= collect.max_depth:
        return Bound.MAX_DEPTH
    if link.page_kind is PageKind.DETAIL:
        return None
    if is_repeated:
        return Bound.REPEATED_LISTING
    is_nested = Representation.SITEMAP == whence.representation == link.representation
    return Bound.SITEMAP_DEPTH if is_nested and whence.depth >= MAX_SITEMAP_DEPTH else None
