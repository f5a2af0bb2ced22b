"""What keeps a crawl finite: whoever leaves links out says by which bound, and how many."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Bound(StrEnum):
    MAX_PAGES = "max_pages"
    MAX_LISTINGS = "max_listings"
    MAX_PER_SHAPE = "max_per_shape"
    MAX_DEPTH = "max_depth"
    MAX_LINKS = "max_links"
    """One page lists more than is taken from one page."""
    MAX_BARREN = "max_barren"
    """Too many listings in a row that brought nothing new."""
    REPEATED_LISTING = "repeated_listing"
    """The listing shows the same as the one that led to it."""
    SITEMAP_DEPTH = "sitemap_depth"
    """Sitemaps of sitemaps too far inside each other."""


LeftOut: TypeAlias = Mapping[Bound, int]
"""How many links each bound left out."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a cycle may hold at most; None for no limit of its own."""

    pages: int | None = None
    listings: int | None = None
    per_shape: int | None = None
    barren: int | None = None


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Trail:
    """Where a listing stands among the listings that led to each other up to it."""

    listed: str = ""
    """Digest of what it shows; empty when that is nothing."""
    barren: int = 0
    """How many right before it brought nothing new."""
    has_records: bool = False
    """It holds records itself."""
