"""Section ``access``: how pages may be fetched, and what a usable one looks like."""

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from crawler.contracts.site.section import HttpUrl, Pause, Section, Selector, ShortText, UrlGlob
from crawler.contracts.snapshot import PageKind, Representation

Wanted = Representation | Literal["auto"]
"""What pages are fetched as; auto: as they are served, and rendered where that is not enough."""


class ResourceKind(StrEnum):
    IMAGES = "images"
    FONTS = "fonts"
    MEDIA = "media"


class PageMethod(StrEnum):
    POST = "POST"
    PUT = "PUT"
    PATCH = "PATCH"
    DELETE = "DELETE"


class UrlPart(Section):
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


class Identity(Section):
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


class Ready(Section):
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


class Step(Section):
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


class Screenshot(Section):
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


class Budget(Section):
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


class NamedSession(Section):
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


class Representations(Section):
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


class Access(Section):
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
