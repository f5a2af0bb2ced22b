# ruff: noqa: RUF001 - Cyrillic on purpose
"""Dates as people write them: the month as a word beside its year, or figures of one meaning."""

import re
from typing import TypeAlias

from crawler.extraction.fields.locale import Locale
from crawler.extraction.fields.month_names import MONTHS

Parts: TypeAlias = dict[str, str | None]
"""``year`` and, as far as they are given, ``month``, ``day``, ``weekday``, ``hour`` …"""

ZONES = {
    **dict.fromkeys(("Z", "GMT", "UT", "UTC"), "Z"),
    "EST": "-05:00",
    "EDT": "-04:00",
    "CST": "-06:00",
    "CDT": "-05:00",
    "MST": "-07:00",
    "MDT": "-06:00",
    "PST": "-08:00",
    "PDT": "-07:00",
}
"""RFC 5322, 4.3. Any other name of a zone stands for several: the time stays a local one."""
_CLOCK = (
    r"(?P<hour>[0-9]{1,2})[:.h](?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
    r"(?:\s*(?P<half>[AaPp]\.?[Mm]\.?)|\s+(?:Uhr|uur|h))?"
)
_FULL_HOUR = r"(?P<full_hour>[0-9]{1,2})\s*(?:(?P<full_half>[AaPp]\.?[Mm]\.?)|Uhr|uur|h)"
_AT = (
    r"(?:,?\s+(?:(?:at|um|ab|from|à|a las|a les|alle(?: ore)?|ore|às|om|kl\.?|klo|o godz\.|v|в|о"
    r"|[-\u2013\u2014@|·])\s+)?)"
)
_HOUR = rf"(?:{_AT}(?:{_CLOCK}|{_FULL_HOUR})(?:\s+\(?(?P<zone>[A-Z]{{2,5}})\)?)?)?"
_WORD = r"[^\W\d_]"
_WEEKDAY = rf"(?:(?P<weekday>{_WORD}{{2,12}}(?:-feira)?)\.?,?\s+)?"
_ARTICLE = r"(?:(?:the|on|am|den|le|il|el|op|der)\s+)?"
_OF = r"(?:(?:de|del|di|of)\s+|d['\u2019])?"
_YEAR = r"(?P<year>[0-9]{4})"
_NAME = rf"(?P<name>{_WORD}{{3,12}})"
_DAY = r"(?P<day>[0-9]{1,2})"
_IN_WORDS = (
    re.compile(
        rf"{_ARTICLE}{_WEEKDAY}{_ARTICLE}{_DAY}(?:\.|st|nd|rd|th|er|re|º|\.º)?(?:\s+|-){_OF}"
        rf"{_NAME}\.?,?(?:\s+|-){_OF}{_YEAR}(?:\s+г\.|\.)?{_HOUR}"
    ),
    re.compile(rf"{_ARTICLE}{_WEEKDAY}{_NAME}\.?\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}{_HOUR}"),
    re.compile(rf"{_WEEKDAY}{_YEAR}\.?\s+{_NAME}\.?\s+{_DAY}\.?{_HOUR}"),
    re.compile(rf"{_NAME}\.?,?\s+{_OF}{_YEAR}"),
)
_IN_FIGURES = re.compile(
    rf"{_WEEKDAY}(?P<first>[0-9]{{1,2}})(?P<sign>[/-]|\.\s?)(?P<other>[0-9]{{1,2}})(?P=sign){_YEAR}{_HOUR}"
)
_YEAR_FIRST = re.compile(
    rf"{_YEAR}(?P<sign>[/.-])(?P<month>[0-9]{{1,2}})(?P=sign)(?P<day>[0-9]{{1,2}}){_HOUR}"
)
_IDEOGRAMS = re.compile(
    rf"{_YEAR}[年년]\s*(?P<month>[0-9]{{1,2}})[月월](?:\s*(?P<day>[0-9]{{1,2}})[日일](?:\s*[(\uff08][^()\uff08\uff09]{{1,3}}[)\uff09])?{_HOUR})?"
)
_EMPTY: Parts = dict.fromkeys(("day", "hour", "minute", "second", "zone"))


def read_spelled(text: str, locale: Locale) -> Parts | None:
    """Return the parts of a date; None for anything else, and for what could be two dates.

    *locale* tells day and month apart where both are figures up to twelve.
    """
    for form in _IN_WORDS:
        found = form.fullmatch(text)
        if found and (month := MONTHS.get(found["name"].lower())):
            return _with_time({**_EMPTY, **found.groupdict(), "month": str(month)})
    if found := _YEAR_FIRST.fullmatch(text) or _IDEOGRAMS.fullmatch(text):
        return _with_time({**_EMPTY, **found.groupdict()})
    found = _IN_FIGURES.fullmatch(text)
    return _order(found, locale) if found else None


def _order(found: re.Match[str], locale: Locale) -> Parts | None:
    """Tell day and month apart: one of them is above twelve, they are the same, or it is known."""
    first, second = int(found["first"]), int(found["other"])
    is_day_first = locale.is_day_first
    if max(first, second) > 12 or first == second:
        is_day_first = second <= 12
    if is_day_first is None:
        return None
    day, month = (first, second) if is_day_first else (second, first)
    return _with_time({**_EMPTY, **found.groupdict(), "day": str(day), "month": str(month)})


def _with_time(parts: Parts) -> Parts | None:
    """Count the hours of the day from midnight; a zone whose name stands for several is left out."""
    full = parts.get("full_hour")
    hour, minute = (full, "00") if full else (parts["hour"], parts["minute"])
    half = parts.get("half") or parts.get("full_half")
    if hour is None:
        return parts
    if half and not 1 <= int(hour) <= 12:
        return None
    counted = int(hour) % 12 + (12 if half[0] in "Pp" else 0) if half else int(hour)
    zone = ZONES.get(parts["zone"] or "")
    return {**parts, "hour": f"{counted:02}", "minute": minute, "zone": zone}
