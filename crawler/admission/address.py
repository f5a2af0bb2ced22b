"""Which network addresses may be contacted.

``ipaddress.is_global`` is no judge of this: in Python 3.11 it is true of NAT64, 6to4 and multicast
addresses, some of which lead back into the local network.
"""

import re
import unicodedata
from collections.abc import Collection
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address

# IANA special-purpose address registries, and what a translator or tunnel may map onto them.
FORBIDDEN = {
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "carrier-grade NAT",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "protocol assignments",
    "192.0.2.0/24": "documentation",
    "192.88.99.0/24": "6to4 relay",
    "192.168.0.0/16": "private",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "255.255.255.255/32": "broadcast",
    "240.0.0.0/4": "reserved",
    "::1/128": "loopback",
    "::/128": "unspecified",
    "::/96": "IPv4-compatible",
    "::ffff:0:0/96": "IPv4-mapped",
    "::ffff:0:0:0/96": "IPv4-translated",
    "64:ff9b::/96": "NAT64",
    "64:ff9b:1::/48": "local NAT64",
    "100::/64": "discard",
    "2001::/32": "Teredo",
    "2001::/23": "protocol assignments",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4",
    "3fff::/20": "documentation",
    "fc00::/7": "unique local",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
}
_NETWORKS: tuple[tuple[IPv4Network | IPv6Network, str], ...] = tuple(
    (ip_network(network), reason) for network, reason in FORBIDDEN.items()
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_LOOPBACK_NAME = re.compile(r"(?:.*\.)?localhost\.?")


def forbidden_reason(address: Address) -> str | None:
    """Return what makes the address one that is not contacted without a permit, or None."""
    for network, reason in _NETWORKS:
        if address.version == network.version and address in network:
            return reason
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return "reserved"
    return None


def host_refusal(host: str, port: int, permits: Collection[str]) -> str | None:
    """Return why a host that needs no look-up may not be contacted, or None.

    Names other than ``localhost`` are judged by their addresses, when those are known.
    """
    if is_permitted(host, port, permits):
        return None
    if _LOOPBACK_NAME.fullmatch(host.lower()):  # RFC 6761, 6.3
        return "loopback"
    address = literal_address(host)
    return None if address is None else forbidden_reason(address)


def is_permitted(host: str, port: int, permits: Collection[str]) -> bool:
    """A permit names the host as the URL does: ``127.0.0.1:8000``, ``[::1]:8000``."""
    return bool(permits) and (f"[{host}]" if ":" in host else host) + f":{port}" in permits


def literal_address(host: str) -> Address | None:
    """Return the address that *host* spells, in any form ``getaddrinfo`` takes for one, or None.

    Besides dotted quads and IPv6 these are octal, hexadecimal and shortened forms such as
    ``0177.1``, ``0x7f000001`` and ``2130706433``, and digits of other scripts.
    """
    folded = unicodedata.normalize("NFKC", host).lower().replace("\u3002", ".").removesuffix(".")
    if ":" in folded:
        try:
            return ip_address(folded.strip("[]").partition("%")[0])
        except ValueError:
            return None
    return _read_ipv4(folded.split("."))


def ends_in_a_number(host: str) -> bool:
    """Such a host is an IPv4 address or nothing (WHATWG URL, 3.5): no registry has such names."""
    return _NUMBER.fullmatch(host.rpartition(".")[2]) is not None


def _read_ipv4(parts: list[str]) -> IPv4Address | None:
    """As ``inet_aton``: the last part fills all the bytes that the others leave."""
    numbers = [_read_number(part) for part in parts]
    if len(numbers) > 4 or None in numbers:
        return None
    *heads, last = [number for number in numbers if number is not None]
    if any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        return None
    high = sum(head << (24 - 8 * place) for place, head in enumerate(heads))
    return IPv4Address(high + last)


def _read_number(part: str) -> int | None:
    if not _NUMBER.fullmatch(part) or len(part) > 20:
        return None
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    if part.startswith("0") and part != "0":
        return int(part, 8) if not set(part) & set("89") else None
    return int(part)
