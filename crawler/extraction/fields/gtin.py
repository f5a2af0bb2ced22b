"""Article numbers whose last digit checks the others (GS1 General Specifications, 7.9)."""

import re

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

LENGTHS = frozenset({8, 12, 13, 14})
_LABEL = re.compile(r"^(?:gtin|ean|upc|isbn)(?:-?\d{1,2})?\s*:\s*", re.IGNORECASE)


def read_gtin(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Return the digits as given; a number that JSON cut the zeros off is filled up to 12."""
    if isinstance(raw, dict):
        raw = raw.get("@value")
    if raw is None or raw == "":
        return Missing.ABSENT
    text = _text(raw, context)
    digits = re.sub(r"[\s-]", "", _LABEL.sub("", text))
    if not digits:
        return Missing.ABSENT
    if (
        re.fullmatch(r"\d+", digits, re.ASCII)
        and len(digits) in LENGTHS
        and has_check_digit(digits)
    ):
        return digits
    detail = f"no article number, or one with a slip: {shorten(raw)}"
    return Unreadable(RejectReason.AMBIGUOUS_FIELD, detail)


def has_check_digit(digits: str) -> bool:
    """Whether the digits, weighted 1 and 3 from the right, add up to a multiple of ten."""
    weighted = (int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits[::-1]))
    return sum(weighted) % 10 == 0 and set(digits) != {"0"}


def _text(raw: JsonValue, context: Context) -> str:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return str(raw).zfill(12)
    return clean_text(raw, context) if isinstance(raw, str) else "?"
