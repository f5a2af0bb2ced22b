"""Which parts of a session a site may see: cookies by host and scheme, storage by origin."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from crawler.admission.address import literal_address
from crawler.admission.scope import is_public_suffix
from crawler.admission.url import ParsedUrl, parse_url
from crawler.contracts.session import SessionCookie

LARGEST = 4096
"""Characters of a cookie's name and value together."""


def serves(cookie: SessionCookie, host: str) -> bool:
    """Tell whether *cookie* is for *host*: RFC 6265, 5.1.3, names below only where it says so."""
    if cookie.host == host:
        return True
    is_below = host.endswith(f".{cookie.host}") and literal_address(host) is None
    return is_below and not cookie.is_host_only


def reaches(cookie: SessionCookie, origins: Iterable[ParsedUrl]) -> bool:
    """Tell whether a request to any of *origins* would carry *cookie*, on some path."""
    return any(
        serves(cookie, origin.host) and (origin.scheme == "https" or not cookie.is_secure)
        for origin in origins
    )


def find_foreign(cookies: Iterable[SessionCookie], hosts: Collection[str]) -> list[str]:
    """Return the domains of cookies that no host of the site may be sent."""
    foreign = (cookie for cookie in cookies if not any(serves(cookie, host) for host in hosts))
    return sorted({cookie.host for cookie in foreign})


def find_public(cookies: Iterable[SessionCookie]) -> list[str]:
    """Return the domains of cookies for everybody below a public suffix, such as ``co.uk``."""
    wide = (cookie.host for cookie in cookies if not cookie.is_host_only)
    # A last label that is not listed is a public suffix, too (publicsuffix.org, rule "*").
    return sorted({host for host in wide if "." not in host or is_public_suffix(host)})


def for_browser(
    cookies: Iterable[SessionCookie], origins: Iterable[ParsedUrl]
) -> tuple[SessionCookie, ...]:
    """Return the cookies that the site's own hosts are sent, each for one host alone.

    A browser that was given one for all names below a host would send it to hosts of no site file.
    What no browser takes (RFC 6265bis, 5.7) is left out.
    """
    by_host: dict[str, list[ParsedUrl]] = {}
    for origin in origins:
        by_host.setdefault(origin.host, []).append(origin)
    wide_first = sorted(cookies, key=lambda cookie: cookie.is_host_only)
    return tuple(
        replace(cookie, host=host, is_host_only=True)
        for cookie in wide_first
        for host, own in by_host.items()
        if _is_storable(cookie) and reaches(cookie, own)
    )


def _is_storable(cookie: SessionCookie) -> bool:
    is_plain = (cookie.name + cookie.value).isascii() and (cookie.name + cookie.value).isprintable()
    is_promised = cookie.name.lower().startswith(("__secure-", "__host-"))
    is_kept = cookie.path == "/" or not cookie.name.lower().startswith("__host-")
    return (
        is_plain
        and len(cookie.name) + len(cookie.value) <= LARGEST
        and (cookie.is_secure or not is_promised)
        and is_kept
    )


def parse_origins(origins: Iterable[str]) -> list[ParsedUrl]:
    return [url for url in map(parse_url, origins) if url is not None]
