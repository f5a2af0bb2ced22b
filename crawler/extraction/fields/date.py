"""Dates, with the precision they were given in.

As ISO 8601 and RFC 5322 write them, with the month in words where a year stands beside it, or in
figures where only one order of them is a date. Nothing is taken from a clock: a month without its
year is none, and a month with it stays a month.
"""

import re
from datetime import UTC, date, datetime, time, timedelta

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.locale import Locale
from crawler.extraction.fields.month_names import MONTHS, WEEKDAYS
from crawler.extraction.fields.reading import MAX_LABEL, Context, Unreadable, shorten
from crawler.extraction.fields.spelled_date import ZONES, Parts, read_spelled
from crawler.extraction.fields.text import clean_text

_OFFSET = r"[Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?"
_ZONE = rf"(?P<zone>{_OFFSET})?"
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})"
    rf"(?:{_OFFSET})?"
    r"(?:(?:[Tt]|\s+)(?P<hour>\d{2}):(?P<minute>\d{2})"
    r"(?::(?P<second>\d{2})(?P<fraction>[.,]\d{1,9})?)?\s?"
    + _ZONE
    + r"(?:\[[\w/+-]{1,40}\])?)?)?)?",
    re.ASCII,
)
_BASIC = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    r"T(?P<hour>\d{2})(?P<minute>\d{2})(?:(?P<second>\d{2})(?P<fraction>[.,]\d{1,9})?)?" + _ZONE,
    re.ASCII,
)
_MAIL = re.compile(
    r"(?:(?P<weekday>[A-Za-z]{3,9}),?\s+)?(?P<day>\d{1,2})[\s-]+"
    r"(?P<word>[A-Za-z]{3,9})\.?[\s-]+(?P<year>\d{4}|\d{2})\s+"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?\s*"
    r"(?P<zone>(?:\+|(?<=\s)-)\d{2}:?\d{2}|(?!AM|PM)[A-Z]{1,5})(?:\s*\([^()]{0,40}\))?",
    re.ASCII,
)  # RFC 5322, 3.3 and 4.3
_OF_SCRIPTS = re.compile(
    r"(?P<weekday>[A-Z][a-z]{2})\s+(?P<word>[A-Z][a-z]{2})\s+(?P<day>\d{1,2})\s+(?P<early>\d{4}\s+)?"
    r"(?P<hour>\d{2}):(?P<minute>\d{2}):(?P<second>\d{2})(?:\s+(?P<zone>UTC|GMT(?:[+-]\d{4})?))?"
    r"(?:\s+\([^()]{0,60}\))?(?(early)|\s+(?P<late>\d{4}))",
    re.ASCII,
)
"""What JavaScript and C write: the year before the time, or behind it."""
_MONTH_ONLY = re.compile(r"(?P<year>(?:19|20)\d{2})/(?P<month>\d{2})(?P<day>)", re.ASCII)
_DIGITS_ONLY = re.compile(r"(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})", re.ASCII)
_NO_DATE = re.compile(
    r"(?:0000-00-00|0001-01-01|-0001-11-30)(?:[T ]00:00:00(?:\.0+)?(?:Z|[+-]00:?00)?)?"
)
"""What databases and frameworks write for no date."""
_LABEL = re.compile(
    r"[^\W\d_]+(?:\s[^\W\d_]+){0,2}\s?:\s*|(?:(?:last )?(?:updated|modified|edited)|published|posted|written|created|date)"
    r"(?:\s+(?:on|at))?\s+",
    re.IGNORECASE,
)
"""Which day it names is judged where the place is judged: by these words, among others."""
_DASHES = re.compile(r"(?<=\d)[\u2010-\u2015\u2212](\d{1,2})[\u2010-\u2015\u2212](?=\d)")
"""Two of them: one alone stands between two years or two hours."""
_INTERVAL = re.compile(r"\s\d{1,2}:\d{2}-\d{2}:?\d{2}\Z", re.ASCII)
"""The hours from ten to twelve, where a program would mean an offset."""
_DOT_NET = re.compile(r"/Date\((-?\d{1,14})(?:[+-]\d{4})?\)/", re.ASCII)
"""Milliseconds since 1970, as .NET writes a date into JSON."""
_SECONDS, _MILLISECONDS = range(10**9, 10**10), range(10**12, 10**13)
"""Numbers that can be a moment of this age in only one unit: 2001 to 2286."""
_COUNT = re.compile(r"\d{10}|\d{13}", re.ASCII)
_FORMS = (_ISO, _BASIC)
_NO_TIME: Parts = dict.fromkeys(("hour", "minute", "second", "zone"))


def read_date(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if raw is None:
        return Missing.ABSENT
    if isinstance(raw, dict) and isinstance(raw.get("@value"), str):
        raw = raw["@value"]
    if isinstance(raw, str) and _COUNT.fullmatch(raw.strip()):
        raw = int(raw)
    if isinstance(raw, int) and context.is_machine_written and (moment := _read_count(raw)):
        return moment
    if not isinstance(raw, str):
        return Unreadable(RejectReason.INVALID_DATE, f"no date: {shorten(raw)}")
    text = clean_text(raw, context)
    if not text or _NO_DATE.fullmatch(text):
        return Missing.ABSENT
    normal = _read_labelled(_DASHES.sub(r"-\1-", text), context) if len(text) <= MAX_LABEL else None
    return normal or Unreadable(RejectReason.INVALID_DATE, f"no ISO 8601 date: {shorten(raw)}")


def _read_count(number: int) -> str | None:
    """Return the moment that a count of seconds or milliseconds since 1970 is."""
    if number in _SECONDS:
        number *= 1000
    return _from_milliseconds(number) if number in _MILLISECONDS else None


def _from_milliseconds(count: int) -> str | None:
    try:
        moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=count)
    except OverflowError:
        return None
    return moment.isoformat(timespec="milliseconds" if count % 1000 else "seconds")[:-6] + "Z"


def _read_labelled(text: str, context: Context) -> str | None:
    """Read a date, or a day behind a label that stands in the same text."""
    if plain := _normalize(text, context):
        return plain
    label = None if context.is_machine_written else _LABEL.match(text)
    behind = _normalize(text[label.end() :], context) if label else None
    return behind if behind and len(behind) >= len("2026-05-01") else None


def _normalize(text: str, context: Context) -> str | None:
    if counted := _DOT_NET.fullmatch(text):
        return _from_milliseconds(int(counted[1]))
    if not context.is_machine_written and _INTERVAL.search(text):
        return None
    forms = (*_FORMS, _DIGITS_ONLY, _MONTH_ONLY) if context.is_machine_written else _FORMS
    found = next(filter(None, (form.fullmatch(text) for form in forms)), None)
    parts = {**_NO_TIME, **found.groupdict()} if found else _parts_in_words(text, context.locale)
    if parts is None:
        return None
    try:
        return _format_day(parts) + _format_time(parts)
    except ValueError:
        return None


def _parts_in_words(text: str, locale: Locale) -> Parts | None:
    return _mail_parts(text) or _script_parts(text) or read_spelled(text, locale)


def _script_parts(text: str) -> Parts | None:
    found = _OF_SCRIPTS.fullmatch(text)
    month = MONTHS.get(found["word"].lower()) if found else None
    if found is None or month is None:
        return None
    year, zone = (found["early"] or found["late"]).strip(), found["zone"]
    zone = zone.removeprefix("GMT") or zone if zone else None
    return {**found.groupdict(), "year": year, "month": f"{month:02}", "zone": zone}


def _mail_parts(text: str) -> Parts | None:
    """Return the parts of a date as mail and RSS write it; a year of two digits as RFC 5322 reads it."""
    found = _MAIL.fullmatch(text)
    month = MONTHS.get(found["word"].lower()) if found else None
    if found is None or month is None:
        return None
    year, zone = found["year"], found["zone"]
    if len(year) == 2:
        year = f"{'20' if int(year) < 50 else '19'}{year}"
    return {
        **found.groupdict(),
        "year": year,
        "month": f"{month:02}",
        "hour": f"{int(found['hour']):02}",
        "zone": zone if zone[0] in "+-" else ZONES.get(zone),
    }


def _format_day(parts: Parts) -> str:
    """Return the checked date at its precision; raise ValueError for one that does not exist."""
    given = [int(number) for number in (parts["year"], parts["month"], parts["day"]) if number]
    day = date(*[*given, 1, 1][:3])
    weekday = parts.get("weekday")
    if weekday and WEEKDAYS.get(weekday.lower()) != day.weekday():
        raise ValueError(f"{day} is no {weekday}")
    return day.isoformat()[: (4, 7, 10)[len(given) - 1]]


def _format_time(parts: Parts) -> str:
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
