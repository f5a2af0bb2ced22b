"""Words of closed lists: availability, status of an event, kind of employment, period of a salary, currency."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

_PREFIX = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:)", re.IGNORECASE)
_AMOUNT = re.compile(r"(?<![A-Za-z\d])\d[\d.,']*[\u2013-]*(?![A-Za-z])")
_APART = re.compile(r"\s[\-\u2013\u2014]\s|[:|()\[\]*;,!]")
_GAP = re.compile(r"[\s_\-./]+")

AVAILABILITY = {
    "instock": "in_stock",
    "instoreonly": "in_store_only",
    "onlineonly": "online_only",
    "limitedavailability": "limited_availability",
    "outofstock": "out_of_stock",
    "soldout": "sold_out",
    "discontinued": "discontinued",
    "backorder": "back_order",
    "preorder": "pre_order",
    "presale": "pre_sale",
    "madetoorder": "made_to_order",
    "reserved": "reserved",
    "available": "in_stock",
    "availablefororder": "back_order",
    "oos": "out_of_stock",
    "pending": "pre_order",
}
EMPLOYMENT = {
    "fulltime": "full_time",
    "parttime": "part_time",
    "contractor": "contractor",
    "contract": "contractor",
    "temporary": "temporary",
    "temp": "temporary",
    "intern": "intern",
    "internship": "intern",
    "volunteer": "volunteer",
    "perdiem": "per_diem",
    "permanent": "permanent",
    "other": "other",
}
PERIODS = {
    "hour": "hour",
    "hourly": "hour",
    "hur": "hour",
    "day": "day",
    "daily": "day",
    "week": "week",
    "weekly": "week",
    "wee": "week",
    "month": "month",
    "monthly": "month",
    "mon": "month",
    "year": "year",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
    "ann": "year",
}
STATUSES = {
    "eventscheduled": "scheduled",
    "eventrescheduled": "rescheduled",
    "eventpostponed": "postponed",
    "eventcancelled": "cancelled",
    "eventcanceled": "cancelled",
    "eventmovedonline": "moved_online",
    "scheduled": "scheduled",
    "rescheduled": "rescheduled",
    "postponed": "postponed",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "confirmed": "scheduled",  # RFC 5545, 3.8.1.11
    "tentative": "tentative",
}
SIGNS = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "₴": "UAH",
    "฿": "THB",
    "₫": "VND",
    "₪": "ILS",
    "₱": "PHP",
    "₦": "NGN",
    "zł": "PLN",
    "kč": "CZK",
    "us$": "USD",
    "au$": "AUD",
    "a$": "AUD",
    "ca$": "CAD",
    "c$": "CAD",
    "nz$": "NZD",
    "hk$": "HKD",
    "r$": "BRL",
    "euro": "EUR",
    "euros": "EUR",
}
"""Signs that stand for one currency; ``$``, ``kr`` and ``¥`` stand for several."""


def read_availability(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    return _look_up(raw, context, AVAILABILITY, "availability")


def read_status(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """A text may hold more than the word, where signs set it apart: ``Council - CANCELED``."""
    found = _look_up(raw, context, STATUSES, "status")
    text = _word(raw, context) if isinstance(found, Unreadable) else None
    if not isinstance(text, str) or "://" in text:
        return found
    named = {STATUSES[word] for word in map(_fold, _APART.split(text)) if word in STATUSES}
    return named.pop() if len(named) == 1 else found


def read_period(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    return _look_up(raw, context, PERIODS, "period")


def read_employment(raw: JsonValue, context: Context) -> list[JsonValue] | Missing | Unreadable:
    """Return the tokens of a text such as ``FULL_TIME, PART_TIME``; other words as they stand."""
    text = _word(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    words = [word.strip() for word in re.split(r"[,;|]", text) if word.strip()]
    return [EMPLOYMENT.get(_fold(word), word) for word in words] or Missing.ABSENT


def read_currency(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    text = _word(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    if re.fullmatch(r"[A-Za-z]{3}", text, re.ASCII):
        return text.upper()
    sign = SIGNS.get(_AMOUNT.sub("", text).strip().lower())
    return sign or Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no one currency: {shorten(raw)}")


def _look_up(
    raw: JsonValue, context: Context, words: Mapping[str, str], what: str
) -> str | Missing | Unreadable:
    text = _word(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    known = words.get(_fold(text))
    return known or Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no known {what}: {shorten(raw)}")


def _word(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Return the text of a word, of an object that is one, or of the address of one."""
    if isinstance(raw, dict):
        raw = raw.get("@id") or raw.get("@value") or raw.get("name")
    if raw is None:
        return Missing.ABSENT
    if not isinstance(raw, str):
        return Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no word: {shorten(raw)}")
    return _PREFIX.sub("", clean_text(raw, context)) or Missing.ABSENT


def _fold(word: str) -> str:
    return _GAP.sub("", word).lower()
