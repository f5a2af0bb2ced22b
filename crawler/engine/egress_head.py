"""Heads of the HTTP messages that pass the egress proxy: read strictly, sent on rewritten."""

import base64
import binascii
import hmac
import re
from dataclasses import dataclass

from crawler.admission.egress import EgressRefusal, Target

HEAD_END = b"\r\n\r\n"

_REQUEST_LINE = re.compile(rb"([A-Z]{1,20}) ([\x21-\x7e]{1,16384}) HTTP/1\.[01]")
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-5][0-9][0-9])(?: [^\r\n]*)?")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*")
# RFC 9110, 7.6.1, and what older software sends of the kind.
_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade"}
)
_OURS = frozenset({b"proxy-authorization", b"proxy-authenticate", b"host"})

Fields = tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class RequestHead:
    method: str
    target: str
    fields: Fields

    def values(self, name: bytes) -> list[bytes]:
        return [value for field, value in self.fields if field.lower() == name]

    @property
    def body_length(self) -> int | None:
        """Bytes that follow, or None where their number is not plainly said."""
        if self.values(b"transfer-encoding"):
            return None
        lengths = self.values(b"content-length")
        if not lengths:
            return 0
        is_plain = len(lengths) == 1 and lengths[0].isdigit() and len(lengths[0]) <= 15
        return int(lengths[0]) if is_plain else None


@dataclass(frozen=True, slots=True)
class ResponseHead:
    status: int
    line: bytes
    fields: Fields


def read_request(head: bytes) -> RequestHead | None:
    """Return what *head* (up to and with the empty line) says, or None when it is no request."""
    line, fields = _split(head)
    match = _REQUEST_LINE.fullmatch(line)
    if match is None or fields is None:
        return None
    return RequestHead(match[1].decode(), match[2].decode(), fields)


def read_response(head: bytes) -> ResponseHead | None:
    line, fields = _split(head)
    match = _STATUS_LINE.fullmatch(line)
    if match is None or fields is None:
        return None
    return ResponseHead(int(match[1]), line, fields)


def is_authenticated(head: RequestHead, username: str, password: str) -> bool:
    """Whether the request carries the one user name and password (RFC 7617), and only those."""
    given = head.values(b"proxy-authorization")
    if len(given) != 1:
        return False
    scheme, _, encoded = given[0].partition(b" ")
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return False
    expected = f"{username}:{password}".encode()
    return scheme.lower() == b"basic" and hmac.compare_digest(decoded, expected)


def forward_request(head: RequestHead, target: Target) -> bytes:
    """Return the head that the server gets: its own form, its own host, nothing of the proxy's."""
    assert target.url is not None
    query = f"?{target.url.query}" if target.url.query else ""
    authority = target.authority.removesuffix(":80")
    return _join(
        f"{head.method} {target.url.path}{query} HTTP/1.1".encode(),
        ((b"Host", authority.encode()), *_end_to_end(head.fields), (b"Connection", b"close")),
    )


def forward_response(head: ResponseHead) -> bytes:
    """Return the head that the browser gets; its next request comes on a new connection.

    Otherwise it could send one for another host down a connection that leads here.
    """
    if head.status < 200:
        return _join(head.line, head.fields)
    return _join(head.line, (*_end_to_end(head.fields), (b"Connection", b"close")))


def refuse(refusal: EgressRefusal) -> bytes:
    """Return the whole answer to a refused request: the same words for every address."""
    status = _STATUSES.get(refusal, b"403 Forbidden")
    body = f"Not allowed: {refusal}.\n".encode()
    challenge = (
        ((b"Proxy-Authenticate", b'Basic realm="egress"'),)
        if refusal is EgressRefusal.AUTHENTICATION
        else ()
    )
    fields = (
        (b"Content-Type", b"text/plain"),
        (b"Content-Length", str(len(body)).encode()),
        (b"Cache-Control", b"no-store"),
        *challenge,
        (b"Connection", b"close"),
    )
    return _join(b"HTTP/1.1 " + status, fields) + body


_STATUSES = {
    EgressRefusal.AUTHENTICATION: b"407 Proxy Authentication Required",
    EgressRefusal.MALFORMED: b"400 Bad Request",
    EgressRefusal.UNRESOLVED: b"502 Bad Gateway",
    EgressRefusal.UNREACHABLE: b"502 Bad Gateway",
    EgressRefusal.TIMEOUT: b"504 Gateway Timeout",
    EgressRefusal.TOO_MANY: b"503 Service Unavailable",
    EgressRefusal.TOO_MUCH: b"503 Service Unavailable",
}


def _split(head: bytes) -> tuple[bytes, Fields | None]:
    line, *rest = head.removesuffix(HEAD_END).split(b"\r\n")
    matches = [_FIELD.fullmatch(field) for field in rest]
    if None in matches:
        return line, None
    return line, tuple((match[1], match[2]) for match in matches if match is not None)


def _end_to_end(fields: Fields) -> Fields:
    named = {
        option.strip().lower()
        for name, value in fields
        if name.lower() == b"connection"
        for option in value.split(b",")
    }
    dropped = _HOP_BY_HOP | _OURS | named
    return tuple(field for field in fields if field[0].lower() not in dropped)


def _join(line: bytes, fields: Fields) -> bytes:
    return b"\r\n".join((line, *(name + b": " + value for name, value in fields), b"", b""))
