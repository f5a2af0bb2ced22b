"""What a rendered page may ask for: decided before the request leaves the browser.

A name's addresses are not known here. The connection itself goes through the egress proxy, which
checks them, redirects of sub-resources included.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from crawler.admission.address import host_refusal
from crawler.admission.scope import is_in_scope, site_origins
from crawler.admission.url import parse_url
from crawler.contracts.site.access import ResourceKind
from crawler.contracts.site.config import SiteConfig

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
INTERNAL_SCHEMES = frozenset({"about", "blob", "data"})
"""Served by the browser itself, from what the page already has."""
KINDS = {
    "image": ResourceKind.IMAGES,
    "font": ResourceKind.FONTS,
    "media": ResourceKind.MEDIA,
    "texttrack": ResourceKind.MEDIA,
}
"""The browser's name of what is loaded only when the site file asks for it."""
_HTTP_OF = {"ws": "http", "wss": "https"}


class PageRefusal(StrEnum):
    """Why a page did not get what it asked for."""

    NOT_WANTED = "not_wanted"
    SCHEME = "scheme"
    MALFORMED = "malformed"
    ADDRESS = "address"
    METHOD = "method"
    SCOPE = "scope"
    POPUP = "popup"


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request of a document, its frames, its scripts or its workers."""

    url: str
    method: str = "GET"
    kind: str = "document"
    """The browser's resource type; ``websocket`` for one."""
    is_navigation: bool = False
    """It would replace the document of the page or of a frame."""
    is_popup: bool = False
    """It comes from a window that the page opened."""


@dataclass(frozen=True, slots=True)
class PagePolicy:
    """What a site file lets its pages ask for."""

    origins: frozenset[str] = frozenset()
    """Of the site, as ``site_origins`` returns them."""
    permits: frozenset[str] = frozenset()
    load: frozenset[ResourceKind] = frozenset()
    methods: frozenset[str] = SAFE_METHODS
    session_hosts: frozenset[str] = frozenset()
    """Hosts that a browser sends a session to, on whatever port: only the site's own are asked."""


def page_policy(config: SiteConfig) -> PagePolicy:
    access, origins = config.access, site_origins(config)
    hosts = {url.host for url in map(parse_url, origins) if url is not None}
    return PagePolicy(
        origins,
        frozenset(access.permit_private),
        frozenset(access.load),
        SAFE_METHODS | {method.value for method in access.page_methods},
        frozenset(hosts) if access.session else frozenset(),
    )


def decide_page_request(request: PageRequest, policy: PagePolicy) -> PageRefusal | None:
    """Return why the request is refused, or None. Where the page itself goes is another question:
    that is a redirect of its row, and passes admission as one.
    """
    if request.is_popup:
        return PageRefusal.POPUP
    scheme, separator, rest = request.url.partition(":")
    if scheme in INTERNAL_SCHEMES:
        return None
    if _is_unwanted(request.kind, policy.load):
        return PageRefusal.NOT_WANTED
    # A form is sent for its effect, whatever scripts may ask for.
    allowed = SAFE_METHODS if request.is_navigation else policy.methods
    if request.method.upper() not in allowed:
        return PageRefusal.METHOD
    is_confined = request.is_navigation or request.kind == "websocket"
    target = f"{_HTTP_OF.get(scheme, scheme)}{separator}{rest}"
    return _decide_target(target, policy, is_confined=is_confined)


def _is_unwanted(kind: str, load: Collection[ResourceKind]) -> bool:
    wanted = KINDS.get(kind)
    return wanted is not None and wanted not in load


def _decide_target(url: str, policy: PagePolicy, *, is_confined: bool) -> PageRefusal | None:
    """Scripts and data may come from elsewhere; frames and sockets only from the site itself."""
    if url.partition(":")[0].lower() not in {"http", "https"}:
        return PageRefusal.SCHEME
    parsed = parse_url(url)
    if parsed is None:
        return PageRefusal.MALFORMED
    if host_refusal(parsed.host, parsed.port, policy.permits) is not None:
        return PageRefusal.ADDRESS
    is_confined = is_confined or parsed.host in policy.session_hosts
    if is_confined and not is_in_scope(parsed, policy.origins):
        return PageRefusal.SCOPE
    return None
