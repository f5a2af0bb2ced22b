"""Addresses, absolute, of the web only."""

from urllib.parse import urldefrag

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.document.url import resolve_url
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import decode_entities, strip_unseen

IMAGE_KEYS = ("url", "contentUrl", "@id", "thumbnailUrl")


def read_url(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if raw is None or raw == "":
        return Missing.ABSENT
    if isinstance(raw, dict):
        return _read_object(raw, context)
    if not isinstance(raw, str):
        return _invalid(raw)
    reference = strip_unseen(decode_entities(raw) if context.has_entities else raw)
    if not reference.strip():
        return Missing.ABSENT
    return resolve_url(context.base_url, reference) or _invalid(raw)


def _read_object(raw: dict[str, JsonValue], context: Context) -> str | Missing | Unreadable:
    """Read a link, or the address of a page from its node; the fragment of an ``@id`` names the node."""
    name = raw.get("@id")
    if "@value" not in raw and isinstance(name, str):
        name = urldefrag(name).url
    address = raw.get("url") or name
    return read_url(address, context) if isinstance(address, str) else Missing.NOT_FOUND


def read_image(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Read an address, an ImageObject, or the first of a list of either."""
    if isinstance(raw, list):
        return read_image(raw[0], context) if raw else Missing.ABSENT
    if isinstance(raw, str) and raw.lstrip()[:5].lower() == "data:":
        return Missing.ABSENT
    if not isinstance(raw, dict):
        return read_url(raw, context)
    reference = next((raw[key] for key in IMAGE_KEYS if raw.get(key)), None)
    if reference == raw.get("@id") and str(reference).startswith(("#", "_:")):
        return Missing.NOT_FOUND  # the name of a node that is not there
    return read_image(reference, context) if not isinstance(reference, dict) else _invalid(raw)


def _invalid(raw: JsonValue) -> Unreadable:
    return Unreadable(RejectReason.INVALID_VALUE, f"no web address: {shorten(raw)}")
