"""Dates as ISO 8601 writes them, with the precision they were given in."""

import re
from datetime import date, time

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

_ZONE = r"(?P<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?"
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})"
    r"(?:(?:[Tt]|\s+)(?P<hour>\d{2}):(?P<minute>\d{2})"
    r"(?::(?P<second>\d{2})(?P<fraction>[.,]\d{1,9})?)?\s?" + _ZONE + ")?)?)?",
    re.ASCII,
)
_BASIC = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    r"T(?P<hour>\d{2})(?P<minute>\d{2})(?:(?P<second>\d{2})(?P<fraction>[.,]\d{1,9})?)?" + _ZONE,
    re.ASCII,
)
_MAIL = re.compile(
    r"(?:(?P<weekday>Mon|Tue|Wed|Thu|Fri|Sat|Sun),\s+)?(?P<day>\d{1,2})\s+"
    r"(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+(?P<year>\d{4})\s+"
    r"(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?\s+(?P<zone>[+-]\d{4}|GMT|UT|UTC|Z)",
    re.ASCII,
)  # RFC 5322, 3.3
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
_FORMS = (_ISO, _BASIC, _MAIL)


def read_date(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if raw is None:
        return Missing.ABSENT
    if isinstance(raw, dict) and isinstance(raw.get("@value"), str):
        raw = raw["@value"]
    if not isinstance(raw, str):
        return Unreadable(RejectReason.INVALID_DATE, f"no date: {shorten(raw)}")
    text = clean_text(raw, context)
    if not text:
        return Missing.ABSENT
    normal = _normalize(text)
    return normal or Unreadable(RejectReason.INVALID_DATE, f"no ISO 8601 date: {shorten(raw)}")


def _normalize(text: str) -> str | None:
    found = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    if found is None:
        return None
    parts = found.groupdict()
    try:
        return _format_day(parts) + _format_time(parts)
    except ValueError:
        return None


def _format_day(parts: dict[str, str | None]) -> str:
    """Return the checked date at its precision; raise ValueError for one that does not exist."""
    month = parts["month"]
    if month in _MONTHS:
        month = f"{_MONTHS.index(month) + 1:02}"
    given = [int(number) for number in (parts["year"], month, parts["day"]) if number]
    day = date(*[*given, 1, 1][:3])
    weekday = parts.get("weekday")
    if weekday and _WEEKDAYS[day.weekday()] != weekday:
        raise ValueError(f"{day} is no {weekday}")
    return day.isoformat()[: (4, 7, 10)[len(given) - 1]]


def _format_time(parts: dict[str, str | None]) -> str:
    hour, minute, second = parts["hour"], parts["minute"], parts["second"]
    if hour is None or minute is None:
        return ""
    time(int(hour), int(minute), int(second or 0))
    fraction = (parts.get("fraction") or "").replace(",", ".")
    seconds = f":{second}{fraction}" if second else ""
    return f"T{hour}:{minute}{seconds}{_format_zone(parts['zone'])}"


def _format_zone(zone: str | None) -> str:
    if zone is None:
        return ""
    if zone.upper() in {"Z", "GMT", "UT", "UTC"}:
        return "Z"
    digits = zone[1:].replace(":", "").ljust(4, "0")
    time(int(digits[:2]), int(digits[2:]))
    return f"{zone[0]}{digits[:2]}:{digits[2:]}"
