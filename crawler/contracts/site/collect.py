"""Section ``collect``: how pages are found."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from crawler.contracts.bound import Limits
from crawler.contracts.site.section import (
    JsonPath,
    PagePart,
    ParameterName,
    Section,
    Selector,
    UrlGlob,
)
from crawler.contracts.snapshot import Representation

SitemapPlace = Annotated[str, Field(pattern=r"^(robots|https?://[^\s]+)$", max_length=2083)]
ROBOTS = "robots"
"""Stands for the sitemaps that robots files name."""

IGNORED_PARAMETERS = (
    "utm_*",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "fbclid",
    "msclkid",
    "yclid",
    "twclid",
    "ttclid",
    "igshid",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "vero_id",
    "jsessionid",
    "phpsessid",
    "aspsessionid*",
    "cfid",
    "cftoken",
)
"""Campaign marks and session ids: with another value, or without them, the page is the same."""


class Complete(Section):
    """How a collection shows that it is whole."""

    expected_count: PagePart | None = Field(
        default=None,
        description="CSS selector of the element that states how many items there are, or loaded: with "
        "a JSONPath.",
    )
    empty: Selector | None = Field(
        default=None, description="CSS selector of the element that says there are no items."
    )


class FeedSource(Section):
    """An RSS, Atom or JSON feed: the pages of its entries are visited, or the entries are read."""

    REPRESENTATION: ClassVar[Representation] = Representation.FEED
    SHORTHAND: ClassVar[str] = "find"

    find: Literal["start", "auto"] = Field(
        default="start",
        description="start: the start addresses are feeds; auto: they are pages that name one.",
    )
    gives: Literal["pages", "records"] = Field(
        default="pages",
        description="pages: entries lead to detail pages; records: entries are the records.",
    )
    follow_next: bool = Field(
        default=False, description="Whether older parts of a paged feed are fetched too (RFC 5005)."
    )
    may_be_empty: bool = Field(
        default=False, description="Whether a feed without entries is taken at its word."
    )


class CalendarSource(Section):
    """An iCalendar file: its events are the records, or lead to pages."""

    REPRESENTATION: ClassVar[Representation] = Representation.CALENDAR
    SHORTHAND: ClassVar[str] = "find"

    find: Literal["start", "auto"] = Field(
        default="start",
        description="start: the start addresses are calendars; auto: they are pages that name one.",
    )
    gives: Literal["records", "pages"] = Field(
        default="records",
        description="records: events are the records; pages: their URLs lead to detail pages.",
    )
    may_be_empty: bool = Field(
        default=False, description="Whether a calendar without events is taken at its word."
    )


class ApiSource(Section):
    """A JSON API: its rows are the records, or with ``url`` lead to pages."""

    REPRESENTATION: ClassVar[Representation] = Representation.JSON

    rows: JsonPath = Field(
        default="$[*]", description="JSONPath of the rows; of a list, its elements are the rows."
    )
    id: JsonPath | None = Field(
        default=None, description="JSONPath in a row of the id that tells it from the others."
    )
    url: JsonPath | None = Field(
        default=None, description="JSONPath in a row of the address of its detail page."
    )
    total: JsonPath | None = Field(
        default=None, description="JSONPath of the number of rows on all pages together."
    )
    next: JsonPath | None = Field(
        default=None, description="JSONPath of the next page's address, or with param of its token."
    )
    param: str | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        description="Query parameter of the page: takes what next finds; without next it counts.",
    )
    count_by: Literal["page", "rows"] = Field(
        default="page",
        description="What a counting param grows by: one a page, or the rows of the page.",
    )
    first: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000,
        description="The counting param of a start address without it: 1, or 0 for rows.",
    )

    @property
    def gives(self) -> Literal["records", "pages"]:
        return "records" if self.url is None else "pages"

    @property
    def find(self) -> Literal["start"]:
        return "start"


class SitemapSource(Section):
    """Sitemaps: the pages that they list are visited."""

    SHORTHAND: ClassVar[str] = "urls"

    urls: tuple[SitemapPlace, ...] = Field(
        min_length=1,
        max_length=1_000,
        description="Addresses of sitemaps; robots: those that the robots files of the start "
        "addresses name.",
    )
    may_be_empty: bool = Field(
        default=False, description="Whether a sitemap without entries is taken at its word."
    )
    trust_lastmod: str | None = Field(
        default=None,
        pattern=r"^\d+[smhd]$",
        description="How long a page is not read again while lastmod says that it is unchanged.",
    )


class PageParameter(Section):
    """A query parameter that names the part of a listing: ``?page=2``, ``?offset=40``."""

    param: str = Field(
        pattern=r"^[^\s=&?#]+$", max_length=100, description="Name of the query parameter."
    )
    first: int = Field(
        default=1, ge=0, le=1_000_000, description="Its value on a start page that lacks it."
    )
    step: int = Field(default=1, ge=1, le=10_000, description="What it grows by.")
    last: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000,
        description="Its last value; without one, a page that leads to nothing is the last.",
    )


class Collect(Section):
    """How pages are found."""

    links: PagePart | None = Field(
        default=None,
        description="CSS selector of links from listings to detail pages, or loaded: with a JSONPath of "
        "their addresses.",
    )
    match: tuple[UrlGlob, ...] = Field(
        default=(),
        max_length=100,
        description="URL patterns of detail pages such as /events/<int>/*; without links they are "
        "looked for anywhere on a listing, with links both must fit.",
    )
    exclude: tuple[UrlGlob, ...] = Field(
        default=(), max_length=100, description="URL patterns that no link may fit."
    )
    next: PagePart | None = Field(
        default=None,
        description="CSS selector of the link to the next listing or page, or loaded: with a JSONPath "
        "of its address; auto finds it.",
    )
    pages: PageParameter | None = Field(
        default=None, description="Query parameter that names the part of a listing."
    )
    ignore_params: tuple[ParameterName, ...] = Field(
        default=IGNORED_PARAMETERS,
        max_length=200,
        description="Parameters that make no other page of a URL; a * may end a name.",
    )
    feed: FeedSource | None = Field(
        default=None, description="RSS, Atom or JSON feed; auto where pages name it."
    )
    calendar: CalendarSource | None = Field(
        default=None, description="iCalendar file; auto where pages name it."
    )
    api: ApiSource | None = Field(default=None, description="JSON API.")
    sitemap: SitemapSource | None = Field(
        default=None, description="Sitemaps: addresses, or robots for those of robots files."
    )
    complete: Complete = Complete()
    max_pages: int = Field(
        default=10_000, ge=1, le=100_000_000, description="Pages admitted in one cycle at most."
    )
    max_listings: int | None = Field(
        default=None, ge=1, le=100_000_000, description="Listings among them at most."
    )
    max_per_shape: int | None = Field(
        default=None,
        ge=1,
        le=100_000_000,
        description="Pages at most whose addresses differ in numbers, ids and values only.",
    )
    max_barren: int = Field(
        default=20,
        ge=1,
        le=1_000_000,
        description="Listings in a row without a new item after which none is followed.",
    )
    max_depth: int = Field(
        default=1_000, ge=0, le=1_000_000, description="Links followed from a start URL at most."
    )

    @property
    def limits(self) -> Limits:
        return Limits(self.max_pages, self.max_listings, self.max_per_shape, self.max_barren)

    @property
    def leads_to_details(self) -> bool:
        """Listings hold links to the pages of the records, and no records of their own."""
        return self.links is not None or bool(self.match)

    @property
    def is_paged(self) -> bool:
        """A listing may be one of several parts."""
        return self.next is not None or self.pages is not None

    @property
    def visits_start(self) -> bool:
        """Start pages are read; beside a sitemap only where it is said what to look for there."""
        return self.sitemap is None or self.links is not None or self.is_paged

    @property
    def data_source(self) -> FeedSource | CalendarSource | ApiSource | None:
        """What holds the entries, where pages are not all there is to collect from."""
        return self.feed or self.calendar or self.api

    @property
    def start_representation(self) -> Representation | None:
        """What start addresses are read as; None for what the site's pages are read as."""
        source = self.data_source
        return source.REPRESENTATION if source is not None and source.find == "start" else None
