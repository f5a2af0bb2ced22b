"""Text for people: entities decoded once, spaces collapsed, damaged characters mended."""

import re
from html import unescape

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.document.text import normalize_space
from crawler.extraction.fields.reading import Context, Unreadable, shorten

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Beside the controls what no reader sees: marks of direction, tags, soft hyphens."""
_UNSEEN = " \t\r\n\f\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
INLINE = "a|abbr|b|big|center|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr"
_TAG = re.compile(
    rf"</?(?:(?P<inline>{INLINE})|br|p|div|ul|li|h\d)(?=[\s/>])[^<>]*>", re.IGNORECASE
)
"""Markup that was written into a text for a page; one that is escaped is meant to be read."""
_ADDRESS_PARTS = (
    "streetAddress",
    "addressLocality",
    "addressRegion",
    "postalCode",
    "addressCountry",
)


def read_text(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if isinstance(raw, dict):
        return _read_object(raw, context)
    if isinstance(raw, bool | list):
        return Unreadable(RejectReason.INVALID_VALUE, f"no text: {shorten(raw)}")
    written = "" if raw is None else str(raw)
    if context.has_entities and "<" in written:
        written = _TAG.sub(lambda tag: "" if tag["inline"] else " ", written)
    return clean_text(written, context) or Missing.ABSENT


def read_markdown(raw: JsonValue, _context: Context) -> str | Missing | Unreadable:
    if raw is None or raw == "":
        return Missing.ABSENT
    if not isinstance(raw, str):
        return Unreadable(RejectReason.INVALID_VALUE, f"no text: {shorten(raw)}")
    return raw


def clean_text(raw: str, context: Context) -> str:
    decoded = decode_entities(raw) if context.has_entities else raw
    if decoded.isprintable() and "  " not in decoded:
        return decoded.strip(" ")
    return normalize_space(_CONTROL.sub(_mend_control, decoded))


def decode_entities(raw: str) -> str:
    """Decode complete entities exactly once; ``&copy=`` in an address is none."""
    return _ENTITY.sub(lambda entity: unescape(entity[0]), raw) if "&" in raw else raw


def strip_unseen(raw: str) -> str:
    """Return an address without the marks around it that no reader sees."""
    return raw if raw.isascii() else raw.strip(_UNSEEN)


def _mend_control(control: re.Match[str]) -> str:
    """Read a C1 control as the windows-1252 character that was meant; drop the others."""
    code = ord(control[0])
    return bytes([code]).decode("cp1252", "ignore") if 0x80 <= code <= 0x9F else ""


def _read_object(raw: dict[str, JsonValue], context: Context) -> str | Missing | Unreadable:
    """Read a literal with a language, or a postal address; any other object is no text."""
    if "@value" in raw and not isinstance(raw["@value"], dict):
        return read_text(raw["@value"], context)
    parts = [_part(raw.get(name), context) for name in _ADDRESS_PARTS]
    if any(parts):
        return ", ".join(filter(None, parts))
    contents = [value for key, value in raw.items() if not key.startswith("@")]
    if not any(contents):
        return Missing.ABSENT
    return Missing.NOT_FOUND


def _part(raw: JsonValue, context: Context) -> str:
    if isinstance(raw, list) and raw:
        raw = raw[0]
    if isinstance(raw, dict):
        raw = raw.get("@value", raw.get("name"))
    return clean_text(raw, context) if isinstance(raw, str) else ""
