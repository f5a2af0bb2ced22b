"""Whether the addresses of a site file can be asked for; nothing is resolved."""

import re
from ipaddress import ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from crawler.contracts.site.collect import ROBOTS
from crawler.sites.quoting import shorten

URL_WORDS = "an http or https URL with a host and without a user name"
PLACE_WORDS = f"{ROBOTS}, or {URL_WORDS}"
ORIGIN_WORDS = "an origin such as https://www.example.org"
PERMIT_WORDS = "host:port with localhost or a literal loopback or private address"

# RFC 1122 (loopback), RFC 1918, RFC 4193. Link-local addresses are left out on purpose: clouds
# serve credentials there.
PERMITTED_NETWORKS = tuple(
    map(
        ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"),
    )
)

_PERMIT = re.compile(
    r"(?:\[(?P<v6>[0-9a-fA-F:.]+)\]|(?P<host>[0-9A-Za-z.-]+)):(?P<port>[0-9]{1,5})"
)


def find_url_fault(text: str) -> str | None:
    """Return what keeps *text* from being a URL to start from."""
    fault = _find_url_fault(text)
    return fault and f"expected {URL_WORDS}, found {shorten(text)} ({fault})"


def find_place_fault(text: str) -> str | None:
    """Return what keeps *text* from saying where a sitemap is."""
    fault = None if text == ROBOTS else _find_url_fault(text)
    return fault and f"expected {PLACE_WORDS}, found {shorten(text)} ({fault})"


def _find_url_fault(text: str) -> str | None:
    # Browsers read a backslash as a slash, and urlsplit does not: two hosts in one URL.
    if re.search(r"[\s\\\x00-\x20\x7f]", text):
        return "white space, control character or backslash"
    try:
        parts = urlsplit(text)
        has_port = parts.port is None or parts.port > 0
    except ValueError as error:
        return str(error)
    return _find_part_fault(parts) or (None if has_port else "port 0")


def _find_part_fault(parts: SplitResult) -> str | None:
    if parts.scheme not in {"http", "https"}:
        return "another scheme" if parts.scheme else "no scheme"
    if "@" in parts.netloc:
        return "a user name"
    return None if parts.hostname else "no host"


def find_origin_fault(text: str) -> str | None:
    """Return what keeps a URL from being no more than scheme, host and port."""
    if _find_url_fault(text) is not None:
        return None  # said already
    parts = urlsplit(text)
    if parts.path in {"", "/"} and not parts.query and not parts.fragment:
        return None
    return f"expected {ORIGIN_WORDS}, found {shorten(text)}"


def find_permit_fault(text: str) -> str | None:
    """Return what keeps *text* from permitting an address that is not public."""
    match = _PERMIT.fullmatch(text)
    if match and 0 < int(match["port"]) < 2**16 and _is_private(match["v6"] or match["host"]):
        return None
    return f"expected {PERMIT_WORDS}, found {shorten(text)}"


def _is_private(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in PERMITTED_NETWORKS)
