"""The one reading of a URL that admission and fetching share, and its identity in a cycle."""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import idna

from crawler.admission.address import ends_in_a_number, literal_address

MAX_LENGTH = 8_000
DEFAULT_PORTS = {"http": 80, "https": 443}

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNSENDABLE = re.compile(r"[^\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+")
_PLAIN_PARAMETER = re.compile(r"[^=/?]+=[^=/?]*")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """An absolute http(s) URL in which every parser sees the same host.

    ``host`` is lower-case, in IDNA A-labels, without a trailing dot or brackets.
    """

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def origin(self) -> str:
        """``scheme://host:port``, the port always spelled out."""
        return f"{self.scheme}://{self._bracketed}:{self.port}"

    @property
    def text(self) -> str:
        """The URL to request: host normalised, path and query as they were, no fragment."""
        query = f"?{self.query}" if self.query else ""
        return f"{self.root}{self.path}{query}"

    @property
    def root(self) -> str:
        """What stands before the path: the origin as it is requested."""
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self._bracketed}{port}"

    @property
    def _bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


@lru_cache(maxsize=4096)  # each URL is read on admission, on sending and for its scope
def parse_url(text: str) -> ParsedUrl | None:
    """Return the parts of an absolute http(s) URL, or None where parsers could disagree on it."""
    if len(text) > MAX_LENGTH or _CONTROL.search(text) or text != text.strip():
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not _is_plain_authority(text):
        return None
    place = _parse_authority(parts.netloc, DEFAULT_PORTS[parts.scheme])
    if place is None:
        return None
    return ParsedUrl(parts.scheme, *place, path=parts.path or "/", query=parts.query)


def fingerprint(method: str, url: str, body: bytes = b"") -> str:
    """Return the identity of a request within a cycle: 40 hex digits, never a URL to ask for."""
    parsed = parse_url(url)
    canonical = url if parsed is None else _canonical(parsed)
    identity = b"\0".join((method.upper().encode(), canonical.encode(errors="replace"), body))
    return hashlib.sha256(identity).hexdigest()[:40]


def canonical_url(url: str) -> str:
    """Return the spelling that all equal URLs share; a malformed URL is its own."""
    parsed = parse_url(url)
    return url if parsed is None else _canonical(parsed)


def _is_plain_authority(text: str) -> bool:
    """No user name, and nothing that moves the host between one parser and another."""
    _, slashes, rest = text.partition("://")
    authority = rest.partition("/")[0]
    return bool(slashes) and "@" not in authority and "\\" not in authority


def _parse_authority(netloc: str, default_port: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"(\[[^\[\]]+\]|[^:\[\]]+)(?::([0-9]{0,5}))?", netloc)
    if match is None:
        return None
    host = _normalise_host(match[1])
    port = int(match[2]) if match[2] else default_port
    return (host, port) if host is not None and 0 < port < 65536 else None


def _normalise_host(host: str) -> str | None:
    if host.startswith("["):
        address = literal_address(host[1:-1]) if "%" not in host else None
        return str(address) if address is not None and address.version == 6 else None
    ascii_host = _encode_host(host)
    if ascii_host is None or not _is_host_name(ascii_host):
        return None
    if ends_in_a_number(ascii_host) and literal_address(ascii_host) is None:
        return None
    return ascii_host


def _encode_host(host: str) -> str | None:
    if host.isascii():
        return host.lower().removesuffix(".")
    try:
        return idna.encode(host, uts46=True).decode("ascii").removesuffix(".")
    except idna.IDNAError:
        return None


def _is_host_name(host: str) -> bool:
    return len(host) <= 253 and all(map(_LABEL.fullmatch, host.split(".")))


def _canonical(url: ParsedUrl) -> str:
    path = _remove_dot_segments(_normalise_escapes(url.path))
    query = _sort_parameters(_normalise_escapes(url.query))
    return ParsedUrl(url.scheme, url.host, url.port, path, query).text


def _normalise_escapes(text: str) -> str:
    """Spell each character in one way: unreserved ones bare, others as upper-case escapes."""
    return _UNSENDABLE.sub(_encode, _ESCAPE.sub(_respell, text))


def _respell(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def _remove_dot_segments(path: str) -> str:
    """RFC 3986, 5.2.4, for an absolute path."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _sort_parameters(query: str) -> str:
    """Sort by name, stably, and only where the order can hardly mean anything."""
    parameters = query.split("&")
    if not all(map(_PLAIN_PARAMETER.fullmatch, parameters)):
        return query
    return "&".join(sorted(parameters, key=lambda parameter: parameter.partition("=")[0]))
