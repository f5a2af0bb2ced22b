"""Dates as sitemaps write them: ISO 8601 cut down (W3C, Date and Time Formats)."""

import re
from datetime import UTC, datetime, timedelta

_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?"
    r" ?(?P<offset>Z|[+-]\d\d:?\d\d)?)?)?)?",
    re.ASCII | re.IGNORECASE,
)
_STEPS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "day": timedelta(days=1),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
"""How long at most what is named to this precision goes on; the finest one comes first."""
_WESTERNMOST = timedelta(hours=12)


def latest_moment(text: str) -> float | None:
    """Return the epoch seconds at which the moment is surely over; None for no such date.

    A day is over when it is over everywhere, and so is a time without an offset.
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    parts = {name: int(value) for name, value in found.groupdict().items() if _is_number(value)}
    precision = next(name for name in _STEPS if name in parts)
    try:
        start = datetime(**{"month": 1, "day": 1, **parts}, tzinfo=UTC)
        end = start + _STEPS[precision] - _read_offset(found["offset"])
    except (ValueError, OverflowError):
        return None
    return end.timestamp()


def _is_number(text: str | None) -> bool:
    return text is not None and text.isdecimal()


def _read_offset(text: str | None) -> timedelta:
    """Return what is ahead of UTC; the least that it can be where nothing is said."""
    if text is None:
        return -_WESTERNMOST
    if text in "Zz":
        return timedelta()
    hours, minutes = int(text[1:3]), int(text[-2:])
    offset = timedelta(hours=hours, minutes=minutes)
    return -offset if text[0] == "-" else offset
