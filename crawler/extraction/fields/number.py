"""Numbers such as prices: read only where there is one way to read them."""

import re
import unicodedata
from decimal import Decimal

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

MAX_DIGITS = 15
"""As many as a double keeps exactly."""
CODE = r"(?!SKU|REF|ART|NUM|EAN|UPC|MPN)[A-Z]{3}"
"""Letters that may name a currency; some begin the number of an article."""
_UNIT = rf"(?:{CODE}|[A-Z]{{0,2}}[$€£¥₹₩₽₺₴₫฿])?"
_AMOUNT = re.compile(rf"{_UNIT}\s*(?P<sign>[+-]?)\s*(?P<digits>\d[\d.,' ]*?)\s*{_UNIT}", re.ASCII)
_DOT_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_GROUPED = re.compile(
    r"(?P<whole>\d{1,3}(?:(?P<group>[.,' ])\d{3})(?:(?P=group)\d{3})*)(?P<point>[.,]\d+)?"
)
_IN_LAKHS = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_FRACTION = re.compile(
    r"(?<![\d.,/])(?:(?P<whole>\d{1,3})\s?)?(?:(?P<sign>[\u00bc-\u00be\u2150-\u215e])|(?<![\d])(?P<above>\d)/(?P<below>\d))(?![\d/])"
)
THREE = re.compile(r"(?P<whole>\d{1,3})(?P<sign>[.,])(?P<part>\d{3})")
"""A number whose sign may be a decimal point or group thousands."""
_DECIMAL = re.compile(r"(?P<whole>\d+)[.,](?P<part>\d{1,2}|\d{4,})")


def read_number(raw: JsonValue, context: Context) -> int | float | Missing | Unreadable:
    if isinstance(raw, dict) and isinstance(raw.get("@value"), str | int | float):
        raw = raw["@value"]
    if raw is None:
        return Missing.ABSENT
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return raw if abs(raw) < 10**MAX_DIGITS else _invalid(raw)
    if not isinstance(raw, str):
        return _invalid(raw)
    text = clean_text(raw, context)
    if not text:
        return Missing.ABSENT
    amount = _AMOUNT.fullmatch(text)
    return _read_amount(amount, raw, context) if amount else _invalid(raw)


def _read_amount(
    amount: re.Match[str], raw: str, context: Context
) -> int | float | Missing | Unreadable:
    digits = amount["digits"]
    if found := _is_thousand(digits, context):
        decimal = context.locale.decimal
        if decimal is None:
            detail = f"two ways to read {shorten(raw)}"
            return Unreadable(RejectReason.AMBIGUOUS_FIELD, detail)
        digits = write_plainly(found, decimal)
    plain = plain_decimal(digits)
    if plain is None or sum(map(str.isdigit, plain)) > MAX_DIGITS:
        return _invalid(raw)
    value = Decimal(amount["sign"] + plain)
    return int(value) if "." not in plain else float(value)


def _is_thousand(digits: str, context: Context) -> re.Match[str] | None:
    """Match ``140.000``: a hundred and forty, or a hundred and forty thousand."""
    if context.is_machine_written and "," not in digits:
        return None
    return THREE.fullmatch(digits)


def write_plainly(found: re.Match[str], decimal: str) -> str:
    """Return a match of ``THREE`` as JSON writes it, where *decimal* is the sign before decimals."""
    point = "." if found["sign"] == decimal else ""
    return f"{found['whole']}{point}{found['part']}"


def plain_decimal(digits: str) -> str | None:
    """Return digits with separators as a plain decimal; None where they are misplaced."""
    if _DOT_DECIMAL.fullmatch(digits):
        return digits
    if grouped := _GROUPED.fullmatch(digits):
        point = grouped["point"] or ""
        if point[:1] == grouped["group"]:
            return None
        return re.sub(r"\D", "", grouped["whole"]) + point.replace(",", ".")
    if _IN_LAKHS.fullmatch(digits):
        return digits.replace(",", "")
    if decimal := _DECIMAL.fullmatch(digits):
        return f"{decimal['whole']}.{decimal['part']}"
    return None


def write_fractions(text: str) -> str:
    """Return the text with decimals for fractions: ``1\u00bd`` and ``1 1/2`` are 1.5."""
    if "/" not in text and text.isascii():
        return text
    return _FRACTION.sub(_decimal_of, text)


def _decimal_of(fraction: re.Match[str]) -> str:
    whole = int(fraction["whole"] or 0)
    if fraction["sign"]:
        part = unicodedata.numeric(fraction["sign"])
    else:
        above, below = int(fraction["above"]), int(fraction["below"])
        if not above < below:
            return fraction[0]
        part = above / below
    return f"{round(whole + part, 4):g}"


def _invalid(raw: JsonValue) -> Unreadable:
    return Unreadable(RejectReason.INVALID_VALUE, f"no number: {shorten(raw)}")
