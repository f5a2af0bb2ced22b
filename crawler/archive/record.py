"""One WARC record: a head of named fields and a block of bytes (ISO 28500:2017, 4)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from urllib.parse import quote

from crawler.contracts.errors import SnapshotCorrupt

VERSION = b"WARC/1.1"
DIGEST_PREFIX = "sha256:"
MAX_HEAD = 32 << 10
"""What FastWARC reads of a head, so that what we write stays readable elsewhere."""

_MAX_URI = 8 << 10
_END = b"\r\n\r\n"
_CONTROL = {code: f"%{code:02X}" for code in (*range(32), 127)}
_URI_CHARACTERS = "!#$%&'()*+,-./:;=?@[]_~"
_LENGTH = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)

Fields = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Record:
    kind: str
    fields: Mapping[str, str]
    """Lower-case name → value."""
    block: bytes

    @property
    def record_id(self) -> str:
        return strip_brackets(self.fields.get("warc-record-id", ""))


def escape_control(text: str) -> str:
    """Percent-encode what could end a line, so that no value starts a field of its own."""
    return text if text.isprintable() else text.translate(_CONTROL)


@lru_cache(maxsize=64)  # one URL stands in every record of its capture
def encode_uri(url: str) -> str:
    """Return *url* as a field may hold it; one that is empty or too long only by its hash."""
    encoded = quote(url, safe=_URI_CHARACTERS, errors="surrogatepass")
    if 0 < len(encoded) <= _MAX_URI:
        return encoded
    return f"urn:sha256:{sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()}"


def strip_brackets(record_id: str) -> str:
    return record_id.removeprefix("<").removesuffix(">")


def build_record(kind: str, fields: Fields, block: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return the record's parts in order. The type comes first: recovery recognises it there."""
    digest = sha256()
    for part in block:
        digest.update(part)
    lines = [
        ("WARC-Type", kind),
        *fields,
        ("WARC-Block-Digest", DIGEST_PREFIX + digest.hexdigest()),
        ("Content-Length", str(sum(map(len, block)))),
    ]
    head = "".join(f"{name}: {escape_control(value)}\r\n" for name, value in lines)
    encoded = head.encode("utf-8", "backslashreplace")
    return (VERSION + b"\r\n" + encoded + b"\r\n", *block, _END)


def parse_record(content: bytes, *, where: str) -> Record:
    """Return the record that *content* is, with its length and its block digest verified."""
    head_end = content.find(_END, 0, MAX_HEAD)
    if head_end < 0:
        raise SnapshotCorrupt(where, "the head of a WARC record", repr(content[:32]))
    fields = _parse_fields(content[:head_end], where=where)
    block = content[head_end + len(_END) : -len(_END)]
    _check_length(fields, block, content, where=where)
    found = DIGEST_PREFIX + sha256(block).hexdigest()
    expected = fields.get("warc-block-digest", "a block digest")
    if found != expected:
        raise SnapshotCorrupt(where, expected, found)
    return Record(kind=fields.get("warc-type", ""), fields=fields, block=block)


def _check_length(fields: Mapping[str, str], block: bytes, content: bytes, *, where: str) -> None:
    text = fields.get("content-length", "")
    if not _LENGTH.fullmatch(text):
        raise SnapshotCorrupt(where, "a Content-Length", repr(text))
    if int(text) != len(block) or not content.endswith(_END):
        raise SnapshotCorrupt(where, f"a block of {text} bytes", f"{len(block)} bytes")


def _parse_fields(head: bytes, *, where: str) -> dict[str, str]:
    version, *lines = head.split(b"\r\n")
    if version != VERSION:
        raise SnapshotCorrupt(where, VERSION.decode(), repr(version[:32]))
    fields: dict[str, str] = {}
    for line in lines:
        name, separator, value = line.decode("utf-8", "replace").partition(": ")
        if not separator or name.lower() in fields:
            raise SnapshotCorrupt(where, "a named field, once", repr(line[:80]))
        fields[name.lower()] = value
    return fields
