"""Read how long a server asks to be left alone (RFC 9110, 10.2.3)."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

LONGEST = 1e18
"""Stands for any longer delay; whoever waits applies a cap of their own."""

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAY = r"(?P<day>[0-9]{1,2})"
_MONTH = r"(?P<month>[a-z]{3})"
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_SHORT_NAME = r"(?:mon|tue|wed|thu|fri|sat|sun)"
_LONG_NAME = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_ZONE = r"(?:gmt|utc)"
_DATE_FORMS = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        rf"{_SHORT_NAME}, {_DAY} {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} {_ZONE}",
        rf"{_LONG_NAME}, {_DAY}-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} {_ZONE}",
        rf"{_SHORT_NAME} {_MONTH} {{1,2}}{_DAY} {_TIME} (?P<year>[0-9]{{4}})",
    )
)


def parse_retry_after(
    values: Sequence[str], *, date_header: str | None = None, now: float
) -> float | None:
    """Return the longest valid delay in seconds, or None when no value is valid.

    A date counts from the response's own Date where it has a valid one (the local clock may be
    wrong); a past one is 0.
    """
    base = None if date_header is None else _parse_date(date_header, now)
    delays = (_parse_delay(value, now if base is None else base) for value in _split(values))
    return max((delay for delay in delays if delay is not None), default=None)


def _split(values: Iterable[str]) -> Iterable[str]:
    """Yield each value, and the parts of one that an intermediary joined from several."""
    for value in values:
        yield value
        if "," in value:
            yield from value.split(",")


def _parse_delay(value: str, base: float) -> float | None:
    text = value.strip(" \t")
    if text.isascii() and text.isdigit():
        significant = text.lstrip("0")
        return float(significant or 0) if len(significant) <= 18 else LONGEST
    moment = _parse_date(text, base)
    return None if moment is None else max(0.0, moment - base)


def _parse_date(text: str, now: float) -> float | None:
    """Return the epoch seconds of an HTTP-date in any of its three forms, or None."""
    matches = (form.fullmatch(text.strip(" \t")) for form in _DATE_FORMS)
    match = next((match for match in matches if match), None)
    if match is None or match["month"].lower() not in _MONTHS:
        return None
    month = _MONTHS.index(match["month"].lower()) + 1
    day, hour, minute, second = (int(match[name]) for name in ("day", "hour", "minute", "second"))
    if second > 60:
        return None
    try:
        moment = datetime(_read_year(match["year"], now), month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None
    return (moment + timedelta(seconds=second)).timestamp()


def _read_year(text: str, now: float) -> int:
    """A two-digit year that seems more than 50 years ahead is the past one (RFC 9110, 5.6.7)."""
    if len(text) == 4:
        return int(text)
    this_year = datetime.fromtimestamp(now, UTC).year
    year = this_year - this_year % 100 + int(text)
    return year - 100 if year > this_year + 50 else year
