"""What was observed of one page at one moment, immutable from then on."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from crawler.contracts.picture import Picture


class Representation(StrEnum):
    """What a page is read as."""

    HTML = "html"
    RENDERED_DOM = "rendered_dom"
    SCREENSHOT = "screenshot"
    FEED = "feed"
    """RSS, Atom or JSON Feed."""
    CALENDAR = "calendar"
    """iCalendar."""
    JSON = "json"
    SITEMAP = "sitemap"
    """Lists of addresses (sitemaps.org), and the robots files that name them."""

    @property
    def is_message(self) -> bool:
        """The body is that of an HTTP response, as it was sent."""
        return self not in {Representation.RENDERED_DOM, Representation.SCREENSHOT}

    @property
    def is_data(self) -> bool:
        """The page is made for programs: entries with named values, no markup to select from."""
        return self in {
            Representation.FEED,
            Representation.CALENDAR,
            Representation.JSON,
            Representation.SITEMAP,
        }


class PageKind(StrEnum):
    LISTING = "listing"
    DETAIL = "detail"


class EncodingSource(StrEnum):
    """How the character encoding was decided, strongest first (WHATWG HTML, 13.2.3)."""

    BOM = "bom"
    HEADER = "header"
    META = "meta"
    DETECTED = "detected"
    DEFAULT = "default"
    SERIALIZED = "serialized"
    """The bytes were made here, from a document that a browser held."""


@dataclass(frozen=True, slots=True)
class Encoding:
    name: str
    source: EncodingSource


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect on the way from the requested to the final URL."""

    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One observation of one page, with everything needed to interpret it again.

    ``body`` is content-decoded; ``digest`` is the lower-case hex SHA-256 of exactly those bytes.
    ``headers`` are (name, value) pairs in the order received, text as latin-1.
    """

    capture_id: str
    """WARC-Record-ID without angle brackets, ``urn:uuid:…``: names this observation."""
    site: str
    run: str
    requested_url: str
    final_url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    observed_at: datetime
    """UTC, when the response was complete; the only clock interpretation sees."""
    representation: Representation
    media_type: str
    """Lower-case essence without parameters; empty when the server named none."""
    encoding: Encoding
    digest: str
    body: bytes = field(repr=False)
    redirects: tuple[Hop, ...] = ()
    page_kind: PageKind = PageKind.DETAIL
    flags: tuple[str, ...] = ()
    """Transport observations: ``truncated``, ``dataloss``, ``too_large``, ``short``, ``partial``; and ``unsettled``: a
    rendered page that did not fulfil in time what can only be seen while it runs; and
    ``loads_left_out``: of the JSON it loaded not all is kept. Of a response that a page loaded
    also ``not_json`` and ``unreadable``; of a picture ``picture_cut``: it does not show all of the page."""
    readiness: tuple[str, ...] = ()
    """What showed that the page was complete: selectors present and absent, in words."""
    site_hash: str = ""
    """SHA-256 of the site file that was in force."""
    authorization_hash: str = ""
    """SHA-256 of the authorisation that was in force."""
    original: str = ""
    """Capture id of the response that was rendered; empty for a response itself."""
    page: str = ""
    """Capture id of the rendered page that this was observed beside: it was loaded by its scripts, or
    is a picture of it."""
    loaded: tuple["Snapshot", ...] = field(default=(), repr=False)
    """The JSON that the scripts of a rendered page loaded, in the order in which they asked for it;
    part of what interpretation reads of the page."""
    session: str = ""
    """Name of the session that the request carried; empty for none."""
    screenshot: str = ""
    """Capture id of the picture that was taken of a rendered page."""
    picture: Picture | None = None
    """What a picture shows; None for anything else."""


@dataclass(frozen=True, slots=True)
class Capture:
    """A snapshot on its way to the archive, with its place in the run.

    Redirect hops, refusals and robots files are captures too, filed apart as diagnostics.
    """

    snapshot: Snapshot
    is_eligible: bool
    method: str = "GET"
    request_headers: tuple[tuple[str, str], ...] = ()
    """As sent, without Cookie and credentials."""
    notes: tuple[str, ...] = ()
    original: Snapshot | None = None
    """The response that was rendered, to be filed before what became of it."""
    beside: tuple["Capture", ...] = ()
    """What was observed while the page was shown, to be filed before it, and as eligible as it."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a capture's record lies: file name inside the archive folder, byte offset, byte length."""

    file: str
    offset: int
    length: int
