"""The mean of votes, and how many there are."""

import re

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import MAX_LABEL, Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

_COUNT_BEHIND = re.compile(r"\(\s*[\d.,' ]+[^()]{0,40}\)")
_COUNT_BESIDE = re.compile(
    r"[|,·-]?\s*\d[\d.,']*\s*(?:(?:customer|global|verified|product)\s+)?(?:reviews?|ratings?|votes?|bewertungen|avis|opiniones|recensioni)\b",
    re.IGNORECASE,
)
_MEAN_BEFORE = re.compile(
    r"^\d[.,]\d{1,2}\s*(?:stars?\s*out of\s*(?=\d[\d.,]*\s*(?:reviews|ratings)\b)|(?=\(\d[\d.,]*\)$))",
    re.IGNORECASE,
)
"""``4.4 stars out of 1,935 reviews`` and ``5.0 (406)``."""
_SCALE = re.compile(
    r"(?<=\d)\s*(?:/|out of|of|von|de|sur|su|av|van|z|из)\s*\d{1,3}(?:[.,]\d+)?(?![\d.,])",
    re.IGNORECASE,
)
_NOT_COUNTED = re.compile(r"^[-\u2212]\s?\d|(?<![\w.,])[-\u2212]\d|\d\s?\+(?!\w)|[\u00bc-\u00be]")
"""Below nothing, a least number, or a fraction beside a number."""
_RATING = re.compile(r"\d{1,3}(?:[.,]\d{1,10})?", re.ASCII)
_COUNT = re.compile(r"\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*|\d{1,9}", re.ASCII)


def read_rating(raw: JsonValue, context: Context) -> int | float | Missing | Unreadable:
    """Read ``4.5``, ``4,5 von 5`` or ``4.8 (178)``; no scale gives a rating of a thousand."""
    text = _plain(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    rest = _SCALE.sub("", _COUNT_BESIDE.sub("", _COUNT_BEHIND.sub("", text)))
    numbers = re.findall(r"\d[\d.,]*", rest, re.ASCII)
    if len(numbers) != 1 or "%" in rest or not _RATING.fullmatch(numbers[0].rstrip(".,")):
        return _unclear("rating", raw)
    value = float(numbers[0].rstrip(".,").replace(",", "."))
    return int(value) if value == int(value) else value


def read_count(raw: JsonValue, context: Context) -> int | Missing | Unreadable:
    """Read a whole number; three digits behind a separator are thousands, for it has no parts."""
    text = _plain(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    counted = _MEAN_BEFORE.sub("", text)
    numbers = re.findall(r"\d[\d.,']*(?: \d{3}(?!\d))*\s?[kKmM]?\b", counted)
    number = numbers[0].strip("., ") if len(numbers) == 1 else ""
    if re.fullmatch(r"\d+\.0+", number, re.ASCII):
        number = number.partition(".")[0]
    if not _COUNT.fullmatch(number):
        return _unclear("count", raw)
    return int(re.sub(r"\D", "", number))


def _plain(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if isinstance(raw, dict):
        raw = raw.get("@value", raw.get("ratingValue"))
    if raw is None:
        return Missing.ABSENT
    if isinstance(raw, bool | dict | list):
        return _unclear("number", raw)
    text = clean_text(str(raw), context)
    if _NOT_COUNTED.search(text):
        return _unclear("number", raw)
    return _short(text, raw) if text else Missing.ABSENT


def _short(text: str, raw: JsonValue) -> str | Unreadable:
    return text if len(text) <= MAX_LABEL else _unclear("number", raw)


def _unclear(what: str, raw: JsonValue) -> Unreadable:
    return Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no one {what} in {shorten(raw)}")
