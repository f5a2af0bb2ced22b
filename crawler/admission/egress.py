"""What a browser may be connected to: the decision before each of its connections.

A browser follows redirects, opens frames and sends forms without asking; its only way out asks
this. A tunnel (CONNECT) shows host and port and nothing of the path.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from crawler.admission.address import host_refusal
from crawler.admission.scope import site_origins
from crawler.admission.url import DEFAULT_PORTS, ParsedUrl, parse_url
from crawler.contracts.site.config import SiteConfig

_AUTHORITY = re.compile(r"[^/?#]+:[0-9]{1,5}")
"""RFC 9110, 9.3.6: the port is always spelled out."""


class EgressRefusal(StrEnum):
    """Why the browser was not connected, or not any longer."""

    AUTHENTICATION = "authentication"
    MALFORMED = "malformed"
    SCOPE = "scope"
    ADDRESS = "address"
    UNRESOLVED = "unresolved"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    TOO_MANY = "too_many"
    TOO_MUCH = "too_much"


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """What a site file says of where its rendered pages may reach."""

    origins: frozenset[str] = frozenset()
    """Origins of the site, as ``site_origins`` returns them."""
    permits: frozenset[str] = frozenset()
    """host:port pairs that may be contacted although their address is private."""
    is_open: bool = False
    """Whether public hosts beside the site's own may be contacted too, on the default ports: what
    pages load from elsewhere. A permit is no part of this: it names its host."""


def egress_policy(config: SiteConfig, *, is_open: bool) -> EgressPolicy:
    return EgressPolicy(site_origins(config), frozenset(config.access.permit_private), is_open)


@dataclass(frozen=True, slots=True)
class Target:
    """Where one connection of the browser is to lead."""

    host: str
    port: int
    url: ParsedUrl | None = None
    """What is asked for, where that is visible: in plain HTTP."""

    @property
    def authority(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_target(method: str, text: str) -> Target | None:
    """Return where a request to a proxy leads, or None where parsers could disagree on it."""
    if method == "CONNECT":
        url = parse_url(f"https://{text}/") if _AUTHORITY.fullmatch(text) else None
        return None if url is None else Target(url.host, url.port)
    url = parse_url(text)
    return None if url is None or url.scheme != "http" else Target(url.host, url.port, url)


def decide_egress(target: Target, policy: EgressPolicy) -> EgressRefusal | None:
    """Return why the target may not be contacted, as far as that needs no look-up, or None."""
    if host_refusal(target.host, target.port, policy.permits) is not None:
        return EgressRefusal.ADDRESS
    if _origins_of(target).isdisjoint(policy.origins) and not _is_elsewhere(target, policy):
        return EgressRefusal.SCOPE
    return None


def _origins_of(target: Target) -> frozenset[str]:
    """A tunnel carries https and wss, or the ws that belongs to an http page."""
    schemes = ("http",) if target.url is not None else ("http", "https")
    return frozenset(f"{scheme}://{target.authority}" for scheme in schemes)


def _is_elsewhere(target: Target, policy: EgressPolicy) -> bool:
    is_permitted = target.authority in policy.permits
    return is_permitted or (policy.is_open and target.port in DEFAULT_PORTS.values())
