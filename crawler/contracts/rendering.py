"""A document on its way into a browser, and what came of it."""

from dataclasses import dataclass, field

from crawler.contracts.picture import Picture
from crawler.contracts.session import Session
from crawler.contracts.site.access import Screenshot


@dataclass(frozen=True, slots=True)
class Document:
    """A response that was fetched, admitted and found to be a page: what a browser is to show."""

    url: str
    headers: tuple[tuple[str, str], ...]
    """As they are after decoding, pairs in the order received."""
    body: bytes = field(repr=False)
    seconds: float
    """All that showing it may take, closing the page included."""
    cookies: tuple[tuple[str, str], ...] = ()
    """Those that were sent with its request."""
    session: Session | None = None
    """Cookies and local storage as they are now, in the place of ``cookies``; every cookie for one
    host alone."""
    screenshot: Screenshot | None = None
    """What is to be in its picture, where one is wanted."""


@dataclass(frozen=True, slots=True)
class LoadedResponse:
    """JSON that a script of the page asked for, or what it got instead."""

    url: str
    method: str
    status: int
    headers: tuple[tuple[str, str], ...]
    """Without cookies."""
    request_headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    """Decoded, in UTF-8."""
    flags: tuple[str, ...] = ()
    """``too_large``, ``not_json``, ``unreadable``: the body is not kept, and why."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the page, as PNG."""

    body: bytes = field(repr=False)
    picture: Picture
    flags: tuple[str, ...] = ()
    """``picture_cut``."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a browser showed. ``body`` is the document in UTF-8."""

    url: str
    body: bytes = field(default=b"", repr=False)
    flags: tuple[str, ...] = ()
    """``too_large``, ``unsettled``, ``loads_left_out``."""
    readiness: tuple[str, ...] = ()
    """The conditions that were observed while the page ran."""
    unmet: tuple[str, ...] = ()
    """The conditions that were not, in words."""
    notes: tuple[str, ...] = ()
    """What the page asked for and was refused, counted."""
    loaded: tuple[LoadedResponse, ...] = ()
    """What the site file wants captured, in the order in which it was asked for."""
    shot: Shot | None = None
    moved_to: str | None = None
    """Where the page's scripts went instead of staying: a redirect, and no content."""
    cookies: tuple[tuple[str, str], ...] = ()
    """Those that the browser would have sent there, but for what it was given of a session."""
    changed: Session | None = None
    """What of the document's session has another value now: such cookies and items, and no others."""
