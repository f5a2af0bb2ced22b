"""Words of closed lists: availability, kind of employment, period of a salary, currency."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

PREFIX = re.compile(
    r"^(?:(?:https?:)?//(?:www\.)?schema\.org/|(?:www\.)?schema\.org/|schema:|itemavailability[./#]"
    r"|eventstatustype[./#])+",
    re.IGNORECASE,
)
"""The many ways to write the address of a word of schema.org."""
_AMOUNT = re.compile(r"(?<![A-Za-z\d])\d[\d.,']*[\u2013-]*(?![A-Za-z])")
_GAP = re.compile(r"[\s_\-./]+")

_STOCK_LABEL = re.compile(
    r"^(?:availability|stock(?: status)?|verfügbarkeit|disponibilité|disponibilidad|disponibilità|beschikbaarheid)\s*:\s*"
    r"|^(?:only\s+)?[1-9]\d{0,5}\+?\s+(?:(?:left|items?|pieces?|units?)\s+)?(?=in stock\b|auf lager\b|en stock\b)",
    re.IGNORECASE,
)
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
    **dict.fromkeys(
        (
            "auflager",
            "sofortlieferbar",
            "lieferbar",
            "verfügbar",
            "enstock",
            "disponible",
            "disponibile",
            "disponível",
            "opvoorraad",
            "ilager",
            "pålager",
            "dostępny",
            "skladem",
            "varastossa",
        ),
        "in_stock",
    ),
    **dict.fromkeys(
        (
            "temporarilyoutofstock",
            "currentlyunavailable",
            "currentlyoutofstock",
            "unavailable",
            "notavailable",
            "nichtverfügbar",
            "nichtlieferbar",
            "nichtauflager",
            "rupturedestock",
            "enrupturedestock",
            "indisponible",
            "nodisponible",
            "agotado",
            "sinstock",
            "nondisponibile",
            "esaurito",
            "esgotado",
            "indisponível",
            "nietopvoorraad",
            "slutilager",
            "ikkepålager",
            "niedostępny",
            "vyprodáno",
        ),
        "out_of_stock",
    ),
    **dict.fromkeys(
        ("ausverkauft", "épuisé", "uitverkocht", "slutsåld", "udsolgt", "utsolgt"), "sold_out"
    ),
    **dict.fromkeys(("availableonbackorder", "onbackorder"), "back_order"),
    **dict.fromkeys(("availableforpreorder", "vorbestellbar", "précommande"), "pre_order"),
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
_PER = re.compile(r"(?:(?:per|an?|pro|par|por)\s+|/\s*)", re.IGNORECASE)
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
OF_SEVERAL = frozenset({"$", "¥", "kr", "kr."})
CODES = re.compile(
    r"AED|ARS|AUD|BDT|BGN|BHD|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|DOP|DZD|EGP|EUR|GBP|GEL|GHS"
    r"|HKD|HUF|IDR|ILS|INR|ISK|JOD|JPY|KES|KRW|KWD|KZT|LKR|MAD|MXN|MYR|NGN|NOK|NZD|OMR|PEN"
    r"|PHP|PKR|PLN|QAR|RON|RSD|RUB|SAR|SEK|SGD|THB|TND|TRY|TWD|TZS|UAH|UGX|USD|UYU|VND|XAF"
    r"|XOF|ZAR"
)
"""ISO 4217, as pages write them beside amounts."""


def read_availability(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if raw is True:  # what programs keep under ``available``; without it nothing is said of why
        return AVAILABILITY["instock"]
    if isinstance(raw, str):
        raw = _STOCK_LABEL.sub("", raw.strip(), count=1).rstrip(" .!")
    return look_up(raw, context, AVAILABILITY, "availability")


def read_period(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if isinstance(raw, str):
        raw = _PER.sub("", raw.strip(), count=1)
    return look_up(raw, context, PERIODS, "period")


def read_employment(raw: JsonValue, context: Context) -> list[JsonValue] | Missing | Unreadable:
    """Return the tokens of a text such as ``FULL_TIME, PART_TIME``; other words as they stand."""
    text = read_word(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    words = [word.strip() for word in re.split(r"[,;|]", text) if word.strip()]
    return [EMPLOYMENT.get(fold(word), word) for word in words] or Missing.ABSENT


def read_currency(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Read a code or sign, alone or beside an amount; an amount alone names none."""
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return Missing.NOT_FOUND
    text = read_word(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    if re.fullmatch(r"[A-Za-z]{3}", text, re.ASCII):
        return text.upper()
    words = _AMOUNT.sub(" ", text).split()
    if not words:
        return Missing.NOT_FOUND
    codes = set(filter(CODES.fullmatch, words))
    others = {word.lower() for word in words if word not in codes}
    signs = codes if codes and others <= OF_SEVERAL else codes | set(map(SIGNS.get, others))
    sign = signs.pop() if len(signs) == 1 else None
    return sign or Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no one currency: {shorten(raw)}")


def look_up(
    raw: JsonValue, context: Context, words: Mapping[str, str], what: str
) -> str | Missing | Unreadable:
    text = read_word(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    known = words.get(fold(text))
    return known or Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no known {what}: {shorten(raw)}")


def read_word(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Return the text of a word, of an object that is one, or of the address of one."""
    if isinstance(raw, dict):
        raw = raw.get("@id") or raw.get("@value") or raw.get("name")
    if raw is None:
        return Missing.ABSENT
    if not isinstance(raw, str):
        return Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no word: {shorten(raw)}")
    return PREFIX.sub("", clean_text(raw, context)).strip("/#") or Missing.ABSENT


def fold(word: str) -> str:
    return _GAP.sub("", word).lower()
