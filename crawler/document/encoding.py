"""Which character encoding a body is in, and how that was decided (WHATWG HTML, 13.2.3)."""

import codecs
import re
from collections.abc import Iterable

from charset_normalizer import from_bytes
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

from crawler.contracts.snapshot import Encoding, EncodingSource

DECLARATION_BYTES = 1024
DETECTION_BYTES = 32 * 1024
"""How much of an undeclared body the detector sees: its cost grows with the size."""
DEFAULT = "cp1252"
READ_AS = {"utf-16-be": "utf-8", "utf-16-le": "utf-8", "utf-16": "utf-8"}
"""A declaration that could be read as ASCII is not UTF-16 (WHATWG HTML, 13.2.3.5)."""
TRUSTED_DETECTIONS = frozenset({
    "big5", "big5hkscs", "cp932", "cp949", "cp950", "cp1250", "cp1251", "cp1252", "cp1253",
    "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "euc_jp", "euc_kr", "gb18030", "gb2312",
    "gbk", "iso8859_2", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "shift_jis", "tis_620",
    "utf_16", "utf_16_be", "utf_16_le",
})  # fmt: skip
"""Encodings of the web; a detector's guess outside them is a guess at noise."""
ESCAPES = {
    "iso2022_jp": re.compile(rb"\x1b\$[@B]"),
    "iso2022_kr": re.compile(rb"\x1b\$\)C"),
}
WIDE = {
    "utf-32-be": re.compile(rb"(?:\x00\x00[\x00-\x10][^\x00]){8}"),
    "utf-32-le": re.compile(rb"(?:[^\x00][\x00-\xff][\x00-\x10]\x00){2}(?:[^\x00]\x00\x00\x00){6}"),
    "utf-16-be": re.compile(rb"(?:\x00[\t\n\r -~]){8}"),
    "utf-16-le": re.compile(rb"(?:[\t\n\r -~]\x00){8}"),
}
"""How text of two or four bytes a character begins when no mark says so."""
ONLY_LATIN_2 = re.compile(rb"[\xa1\xa5\xa6\xa9\xab\xac\xae\xb1\xb5\xb6\xb9\xbb\xbc\xbe]")
"""Letters of ISO 8859-2 that windows-1250 has elsewhere, among the bytes from 80 to 9F."""
KANA = re.compile(rb"[\xa4\xa5][\xa1-\xf6]")
MIN_WHOLE = 10
"""Whole characters to one that is none; by chance there are hardly any in another encoding."""
MIN_KANA = 10
C1 = re.compile(rb"[\x80-\x9f]")


def decide_encoding(body: bytes, headers: Iterable[tuple[str, str]]) -> Encoding:
    """Decide by byte order mark, header, declaration, detection, default, in this order."""
    mark, _ = read_bom(body)
    if mark:
        return Encoding(_codec_name(mark), EncodingSource.BOM)
    if label := _header_label(headers):
        return Encoding(label, EncodingSource.HEADER)
    if label := html_body_declared_encoding(body[:DECLARATION_BYTES]):
        return Encoding(READ_AS.get(_codec_name(label), _codec_name(label)), EncodingSource.META)
    return _detect(body)


def decode(body: bytes, encoding: Encoding) -> str:
    """Return the text, with U+FFFD for what the encoding cannot read; never raises."""
    mark, width = read_bom(body)
    return decode_part(body[len(width) :] if mark and width else body, encoding)


def decode_part(part: bytes, encoding: Encoding) -> str:
    """Return the text of a part of a body, to which no byte order mark belongs; never raises."""
    try:
        return part.decode(encoding.name, errors="replace")
    except (LookupError, ValueError):
        return part.decode(DEFAULT, errors="replace")


def _header_label(headers: Iterable[tuple[str, str]]) -> str | None:
    value = next((text for name, text in headers if name.lower() == "content-type"), None)
    label = http_content_type_encoding(value)
    return _codec_name(label) if label else None


def _detect(body: bytes) -> Encoding:
    for name, escape in ESCAPES.items():
        if escape.search(body, 0, DETECTION_BYTES):
            return Encoding(name, EncodingSource.DETECTED)
    if wide := _find_wide(body[:DETECTION_BYTES]):
        return Encoding(wide, EncodingSource.DETECTED)
    if body.isascii():
        return Encoding("utf-8", EncodingSource.DEFAULT)
    if _is_utf8(body):
        return Encoding("utf-8", EncodingSource.DETECTED)
    guess = _guess(body)
    if guess:
        return Encoding(guess, EncodingSource.DETECTED)
    return Encoding(DEFAULT, EncodingSource.DEFAULT)


def _find_wide(part: bytes) -> str | None:
    return next((name for name, form in WIDE.items() if form.match(part)), None)


def _is_utf8(body: bytes) -> bool:
    """Whether the body is UTF-8 but for a damaged byte here and there, or a character cut at the end."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return _is_damaged_utf8(body)
    return True  # with U+FFFD written out, too, as what was damaged earlier has it


def _is_damaged_utf8(body: bytes) -> bool:
    text = body.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd")
    whole = len(text) - len(text.encode("ascii", errors="ignore")) - damaged
    return damaged * MIN_WHOLE <= whole


def _guess(body: bytes) -> str | None:
    if _is_mostly_kana(_telling_part(body)):
        return "euc_jp"
    best = from_bytes(_telling_part(body), steps=5, chunk_size=512).best()
    if best is None or best.encoding not in TRUSTED_DETECTIONS:
        return None
    if best.encoding == "cp1250" and not C1.search(body) and ONLY_LATIN_2.search(body):
        return "iso8859-2"
    return _codec_name(best.encoding)


def _is_mostly_kana(part: bytes) -> bool:
    """Whether a third of the characters above ASCII are kana of EUC-JP, which no other text shows."""
    kana = len(KANA.findall(part))
    return kana >= MIN_KANA and kana * 6 >= len(re.findall(rb"[\xa1-\xfe]", part))


def _telling_part(body: bytes) -> bytes:
    """Return the part that starts shortly before the first byte above ASCII."""
    first = re.search(rb"[\x80-\xff]", body)
    start = max(0, first.start() - 256) if first else 0
    return body[start : start + DETECTION_BYTES]


def _codec_name(label: str) -> str:
    """Return the codec for *label* as browsers read it: ISO-8859-1 is windows-1252."""
    resolved = resolve_encoding(label) or label
    try:
        return codecs.lookup(resolved).name
    except LookupError:
        return DEFAULT
