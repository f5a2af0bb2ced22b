"""The head of an HTTP message as the archive holds it, and back.

Bodies are stored decoded, so the fields that describe the coded bytes are kept under another name
and a Content-Length of ours, always the last field, says how many bytes follow.
"""

import re
from http import HTTPStatus

from crawler.archive.record import escape_control

Headers = tuple[tuple[str, str], ...]

_ORIGINAL = "X-Archive-Orig-"
_CODING_FIELDS = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_NOT_TOKEN = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)")
_LAST_LATIN_1 = "\xff"
_REASONS = {status.value: status.phrase for status in HTTPStatus}


def render_response_head(status: int, headers: Headers, *, length: int) -> bytes:
    lines = [f"HTTP/1.1 {status:03d} {_REASONS.get(status, '')}"]
    for name, value in headers:
        prefix = _ORIGINAL if name.lower() in _CODING_FIELDS else ""
        lines.append(prefix + _render_field(name, value))
    lines.append(f"Content-Length: {length}")
    return _join(lines)


def render_request_head(method: str, uri: str, headers: Headers) -> bytes:
    """*uri* is percent-encoded already."""
    match = _AUTHORITY.match(uri)
    authority = match[1].rpartition("@")[2] if match else ""
    target = uri[match.end() :].partition("#")[0] if match else uri
    if not target.startswith("/"):
        target = f"/{target}" if match else target
    lines = [f"{_make_token(method)} {target} HTTP/1.1"]
    if not any(name.lower() == "host" for name, _ in headers):
        lines.append(f"Host: {authority}")
    lines.extend(_render_field(name, value) for name, value in headers)
    return _join(lines)


def parse_response_head(head: bytes) -> tuple[int, Headers]:
    """Return the status and the headers as they were received; ValueError when it is no head."""
    status_line, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    headers = []
    for line in lines[:-1]:
        name, separator, value = line.partition(": ")
        if not separator:
            raise ValueError(f"not a header field: {line[:80]!r}")
        headers.append((name.removeprefix(_ORIGINAL), value))
    return int(status_line.split(" ", 2)[1]), tuple(headers)


def can_hold(status: int, headers: Headers) -> bool:
    """Whether a stored head gives back exactly these; hostile ones had to be escaped."""
    return 0 <= status <= 999 and all(_is_plain(name, value) for name, value in headers)


def _is_plain(name: str, value: str) -> bool:
    is_own = bool(name) and not name.startswith(_ORIGINAL) and not _NOT_TOKEN.search(name)
    is_latin_1 = value.isascii() or max(value) <= _LAST_LATIN_1
    return is_own and is_latin_1 and escape_control(value) == value


def _render_field(name: str, value: str) -> str:
    return f"{_make_token(name)}: {escape_control(value)}"


def _make_token(text: str) -> str:
    return _NOT_TOKEN.sub("_", text) or "_"


def _join(lines: list[str]) -> bytes:
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "backslashreplace")
