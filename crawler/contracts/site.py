"""What a site file says, typed. The JSON Schema of ``SiteConfig`` is the full list of keys."""

from datetime import date
from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from crawler.contracts.bound import Limits
from crawler.contracts.snapshot import PageKind, Representation

Selector = Annotated[str, Field(min_length=1, max_length=1000)]
Rule = Annotated[
    str,
    Field(
        pattern=r"^(jsonld|microdata|rdfa|microformats|plugin|opengraph|meta|state|loaded|feed|ical|json|label|list"
        r"|html|css|xpath|content|page|model):.+",
        max_length=1000,
    ),
]
PagePart = Annotated[str, Field(min_length=1, max_length=1000)]
RowRule = Annotated[str, Field(min_length=1, max_length=1000)]
JsonPath = Annotated[str, Field(min_length=1, max_length=1000)]
ShortText = Annotated[str, Field(min_length=1, max_length=1000)]
Pause = Annotated[float, Field(gt=0, le=60)]
HttpUrl = Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=2083)]
SitemapPlace = Annotated[str, Field(pattern=r"^(robots|https?://[^\s]+)$", max_length=2083)]
UrlGlob = Annotated[str, Field(pattern=r"^(/|https?://).*", max_length=500)]
ParameterName = Annotated[str, Field(pattern=r"^[^\s=&?#/*]+\*?$", max_length=100)]

AUTO: Final = "auto"
JSONLD_ROWS = "jsonld:"
LOADED_PREFIX = "loaded:"
"""What ``record.each`` begins with where the rows are JSON-LD objects."""
ROBOTS = "robots"
"""Stands for the sitemaps that robots files name."""

Wanted = Representation | Literal["auto"]
"""What pages are fetched as; auto: as they are served, and rendered where that is not enough."""

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


class ResourceKind(StrEnum):
    IMAGES = "images"
    FONTS = "fonts"
    MEDIA = "media"


class PageMethod(StrEnum):
    POST = "POST"
    PUT = "PUT"
    PATCH = "PATCH"
    DELETE = "DELETE"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Authorization(_Section):
    """Who allowed the collection, on what ground, until when."""

    basis: str = Field(min_length=1, description="Why the pages may be collected.")
    approved_by: str = Field(min_length=1, description="Who approved it.")
    expires: date = Field(description="Last day on which requests may be sent (UTC).")
    purpose: str = Field(default="", description="What the records are for.")


class Complete(_Section):
    """How a collection shows that it is whole."""

    expected_count: PagePart | None = Field(
        default=None,
        description="CSS selector of the element that states how many items there are, or loaded: with "
        "a JSONPath.",
    )
    empty: Selector | None = Field(
        default=None, description="CSS selector of the element that says there are no items."
    )


class FeedSource(_Section):
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


class CalendarSource(_Section):
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


class ApiSource(_Section):
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


class SitemapSource(_Section):
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


class PageParameter(_Section):
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


class Collect(_Section):
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


class UrlPart(_Section):
    """An element that repeats a part of the URL that was asked for, such as an article number."""

    part: str = Field(
        pattern=r"^(path|last_segment|segment:[1-9]\d?|query:[^\s=&?#]{1,100})$",
        description="path, last_segment, segment:N (from 1) or query:NAME.",
    )
    selector: Selector = Field(
        description="CSS selector of the elements; one of them must hold it."
    )
    attribute: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][\w.-]{0,99}$",
        description="Attribute of the element that holds it; by default its text does.",
    )


class Identity(_Section):
    """How to tell that the document is the one that was asked for."""

    canonical: bool = Field(
        default=False, description="The canonical link, where present, must name this page."
    )
    selector: Selector | None = Field(
        default=None, description="CSS selector that only the right document matches."
    )
    title: str | None = Field(
        default=None,
        min_length=1,
        max_length=500,
        pattern=r"[^\s*]",
        description="What the title of a page with records says; a * stands for any text.",
    )
    url_part: UrlPart | None = Field(
        default=None, description="Part of its URL that a page with records must repeat."
    )


class Ready(_Section):
    """How a complete page is told from a half-loaded one."""

    present: tuple[Selector, ...] = Field(
        default=(), description="CSS selectors that must each match an element."
    )
    absent: tuple[Selector, ...] = Field(
        default=(), description="CSS selectors that must match nothing."
    )
    text: tuple[ShortText, ...] = Field(
        default=(), max_length=50, description="Texts that the page must show."
    )
    count: dict[str, int] = Field(
        default_factory=dict, description="How many elements a CSS selector must match at least."
    )
    marker: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$",
        description="Name of a script variable that the page makes true when it is complete.",
    )
    network_quiet: Pause | None = Field(
        default=None, description="Seconds for which nothing may have been loading."
    )
    dom_quiet: Pause | None = Field(
        default=None, description="Seconds for which the document may not have changed."
    )
    loaded: tuple[UrlGlob, ...] = Field(
        default=(),
        max_length=50,
        description="URL patterns, for each of which a response must have been captured.",
    )


class Step(_Section):
    """One thing done again and again in a rendered page until it brings nothing more."""

    click: Selector | None = Field(
        default=None, description="CSS selector of the element to click, as a 'load more' button."
    )
    scroll: Selector | None = Field(
        default=None, description="CSS selector of what is scrolled to its end; html for the page."
    )
    until: Selector | None = Field(
        default=None, description="CSS selector of what shows that there is no more."
    )
    times: int = Field(default=50, ge=1, le=1000, description="Rounds at most.")
    patience: float = Field(
        default=5.0, gt=0, le=60, description="Seconds in which a round must bring something."
    )


class Screenshot(_Section):
    """What the picture of a rendered page shows."""

    SHORTHAND: ClassVar[str] = "area"

    area: Literal["page", "viewport"] = Field(
        default="page", description="page: all of it; viewport: what a window shows of it."
    )
    width: int = Field(default=1280, ge=200, le=3840, description="CSS pixels of the window.")
    height: int = Field(default=720, ge=200, le=3840, description="CSS pixels of the window.")
    scale: float = Field(
        default=1.0, ge=0.5, le=3, description="Pixels of the picture for one CSS pixel."
    )
    regions: dict[str, Selector] = Field(
        default_factory=dict,
        max_length=100,
        description="Parts whose boxes are kept with the picture: a name and a CSS selector.",
    )


class Budget(_Section):
    """What one URL may cost, all of its attempts and retry waits together, and the site's retries."""

    seconds: float = Field(default=90.0, gt=0, le=3600)
    bytes: int = Field(default=16 * 2**20, gt=0, le=2**30, description="Decoded body size at most.")
    attempts: int = Field(
        default=2, ge=1, le=10, description="Requests for one URL at most; deferrals cost none."
    )
    retries: int = Field(
        default=1000,
        ge=0,
        le=100_000_000,
        description="Retries in one cycle at most, those of all URLs and workers together.",
    )


class NamedSession(_Section):
    """A session that a person opened; its storage state lies outside of the repository."""

    SHORTHAND: ClassVar[str] = "name"

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="Its file is SITE.NAME.json in the folder of setting SESSIONS_DIR.",
    )
    signed_out: Selector | None = Field(
        default=None,
        description="CSS selector that only a page matches which the session did not open, as of a "
        "sign-in link.",
    )


class Representations(_Section):
    """What web pages are fetched as, where listings and details are not the same."""

    SHORTHAND: ClassVar[str] = "pages"

    pages: Wanted = Field(
        default=Representation.HTML, description="Pages of a kind that is not named."
    )
    listing: Wanted | None = Field(
        default=None, description="Start pages and the parts of a listing."
    )
    detail: Wanted | None = Field(default=None, description="Pages that a listing leads to.")

    def of(self, kind: PageKind) -> Wanted:
        named = self.listing if kind is PageKind.LISTING else self.detail
        return self.pages if named is None else named

    def first_of(self, kind: PageKind) -> Representation:
        """Return what a page is asked for as before anything is known of it."""
        wanted = self.of(kind)
        return wanted if isinstance(wanted, Representation) else Representation.HTML

    def spelled_out(self) -> "Representations":
        """Return the same in the one spelling that names every kind."""
        return Representations(listing=self.of(PageKind.LISTING), detail=self.of(PageKind.DETAIL))

    @property
    def may_render(self) -> bool:
        return any(self.of(kind) != Representation.HTML for kind in PageKind)


class Access(_Section):
    """How pages may be fetched, and what a usable one looks like."""

    representation: Representations = Field(
        default=Representations(),
        description="html, rendered_dom, screenshot or auto; or one for each kind of pages: listing, detail.",
    )
    identity: Identity = Identity()
    ready: Ready = Ready()
    steps: tuple[Step, ...] = Field(
        default=(), max_length=20, description="What is done in a rendered page before it is read."
    )
    untrusted: bool = Field(
        default=False,
        description="Whether pages are rendered in the browser's sandbox only, or not at all.",
    )
    load: tuple[ResourceKind, ...] = Field(
        default=(), description="What a rendered page may load besides documents, scripts and data."
    )
    page_methods: tuple[PageMethod, ...] = Field(
        default=(), description="Methods besides GET and HEAD in which scripts may ask for data."
    )
    capture: tuple[UrlGlob, ...] = Field(
        default=(),
        max_length=100,
        description="URL patterns of the JSON responses kept of those a rendered page's scripts load.",
    )
    screenshot: Screenshot = Screenshot()
    hosts: tuple[HttpUrl, ...] = Field(
        default=(),
        description="Further origins (scheme://host[:port]) beside those of the start URLs.",
    )
    permit_private: tuple[str, ...] = Field(
        default=(),
        description="host:port with a loopback or private address that may be contacted.",
    )
    session: NamedSession | None = Field(
        default=None, description="Named session whose cookies and local storage the site is sent."
    )
    scope: str | None = Field(
        default=None,
        min_length=1,
        max_length=253,
        description="Name of the pace and cool-down shared with other sites; by default the "
        "registrable domain.",
    )
    delay: float | None = Field(
        default=None,
        ge=0,
        le=3600,
        description="Seconds between requests to the scope; by default DOWNLOAD_DELAY, "
        "or 0 for a permitted private address.",
    )
    concurrency: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="Requests in flight to the scope, over all workers; by default "
        "CONCURRENT_REQUESTS_PER_DOMAIN.",
    )
    accept_short: bool = Field(
        default=False,
        description="Whether a body shorter than its Content-Length says is read as it is.",
    )
    timeout: float = Field(default=30.0, gt=0, le=600, description="Seconds for one request.")
    budget: Budget = Budget()
    cycle_max_age: str = Field(
        default="7d",
        pattern=r"^\d+[smhd]$",
        description="Age at which an unfinished cycle is closed by the next crawl (e.g. 12h, 7d).",
    )


class RecordRules(_Section):
    """What a page's records are and where their values stand."""

    type: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$", description="Record type.")
    schema_version: str | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        description="By default the version of the type.",
    )
    each: RowRule | None = Field(
        default=None,
        description="CSS selector of the row of one record, on pages with several; or jsonld: with a "
        "JSONPath of the JSON-LD objects that are one each; or loaded: with that of rows of what the "
        "page's scripts loaded.",
    )
    fields: dict[str, tuple[Rule, ...]] = Field(
        default_factory=dict,
        description="Rules of a field, first with a value wins; a single rule may stand alone.",
    )
    locale: str | None = Field(
        default=None,
        pattern=r"^[a-z]{2}(-[A-Z]{2})?$",
        description="Language of the pages, and its country where that matters (de, en-US): how "
        "1.234 and 4.3.2026 are to be taken.",
    )
    required: tuple[str, ...] = Field(
        default=(), description="Fields required here beside those of the type."
    )
    reject: Literal["batch", "row"] = Field(
        default="batch", description="Whether one bad record rejects all of its page."
    )
    fresh_for: str | None = Field(
        default=None, pattern=r"^\d+[smhd]$", description="How long an observation may be used."
    )
    horizon: str = Field(
        default="3650d",
        pattern=r"^\d+[smhd]$",
        description="How far behind the observation a date may lie.",
    )
    volatile: tuple[str, ...] = Field(
        default=(), description="Fields whose change alone makes no new version of a record."
    )
    representations: tuple[Representation, ...] = Field(
        default=(),
        max_length=3,
        description="Representations of pages that the rules were tested on; by default those that "
        "access.representation may give.",
    )
    compare: tuple[str, ...] | None = Field(
        default=None,
        description="Fields whose sources must agree; by default prices, currencies, dates, status, "
        "availability and article numbers. An empty list compares none.",
    )

    @property
    def row_selector(self) -> str | None:
        """The CSS selector of rows that are elements."""
        is_path = self.row_path or self.loaded_rows
        return None if is_path else self.each

    @property
    def row_path(self) -> str | None:
        """The JSONPath of rows that are JSON-LD objects."""
        each = self.each or ""
        return each.removeprefix(JSONLD_ROWS) if each.startswith(JSONLD_ROWS) else None

    @property
    def loaded_rows(self) -> str | None:
        """Where the rows stand in what the page's scripts loaded: see ``document.loaded``."""
        each = self.each or ""
        return each.removeprefix(LOADED_PREFIX) if each.startswith(LOADED_PREFIX) else None


class ContentRules(_Section):
    """Where the content for agents stands, if the page's own signs mislead."""

    zone: Selector | None = Field(
        default=None,
        description="CSS selector of the elements that are the content; by default they are found.",
    )
    noise: tuple[Selector, ...] = Field(
        default=(),
        max_length=100,
        description="CSS selectors of elements that are never content, taken out first.",
    )


class ModelPrice(_Section):
    """What a provider charges for a million tokens, in any one currency."""

    input: float = Field(ge=0, le=1_000_000, description="For a million tokens sent.")
    output: float = Field(ge=0, le=1_000_000, description="For a million tokens answered.")


class ModelRules(_Section):
    """Which language model may point at values that no other rule found, and what that may cost."""

    name: str = Field(
        pattern=r"^(openai|anthropic):[^\s:]\S{0,199}$",
        description="Provider and model, such as openai:gpt-5-mini.",
    )
    zone: Selector | None = Field(
        default=None,
        description="CSS selector of the only part that is sent; by default the content zone.",
    )
    max_characters: int = Field(
        default=20_000, ge=200, le=500_000, description="Characters of a page sent at most."
    )
    max_tokens: int = Field(
        default=1_000, ge=50, le=100_000, description="Tokens of one answer at most."
    )
    timeout: float = Field(
        default=30.0, gt=0, le=600, description="Seconds for a page, all tries together."
    )
    tries: int = Field(
        default=2, ge=1, le=5, description="Calls for a page at most: failed or unusable answers."
    )
    run_tokens: int = Field(
        default=1_000_000,
        ge=1,
        le=10**12,
        description="Tokens of a run at most, sent and answered together.",
    )
    run_cost: float | None = Field(
        default=None, gt=0, le=10**9, description="Spend of a run at most, in the price's currency."
    )
    price: ModelPrice | None = Field(
        default=None, description="What the provider charges; needed for run_cost."
    )


class SiteConfig(_Section):
    """One site file, checked."""

    site: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,99}$", description="Equals the file's stem.")
    source_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="By default the site's name."
    )
    authorization: Authorization
    start: tuple[HttpUrl, ...] = Field(min_length=1, max_length=10_000)
    collect: Collect = Collect()
    access: Access = Access()
    record: RecordRules
    content: ContentRules = ContentRules()
    model: ModelRules | None = None

    @property
    def source(self) -> str:
        """The id under which records name their source."""
        return self.source_id or self.site


def parse_duration(text: str) -> float:
    """Return the seconds in ``24h`` and the like (units s, m, h, d)."""
    return float(text[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[text[-1]]
