"""Dates and times of a calendar as ISO 8601: days stay days, and no zone is guessed.

A zone is that of the time zone database under its name, or under the name that Windows gives it;
else what the calendar itself says of it. A time in a zone that nobody knows stays a local time.
"""

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cached_property
from typing import Any

_STAMP = re.compile(
    r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?", re.ASCII | re.IGNORECASE
)
_DURATION = re.compile(
    r"\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?",
    re.ASCII,
)
_FREQUENCY = re.compile(rb"FREQ=(?!YEARLY)", re.IGNORECASE)
MAX_ZONES = 50
MAX_ZONE_BYTES = 64 * 1024
MAX_ZONE_NAME = 200


@dataclass(frozen=True, slots=True)
class Moment:
    """One date or time: as text, and as what can be reckoned with where it can be read."""

    text: str
    day: date | None = None
    at: datetime | None = None


class Clockwork:
    """The time zones of one calendar; ``zones`` holds their definitions by name."""

    def __init__(self, zones: Mapping[str, bytes]) -> None:
        self._zones = zones
        self._known: dict[str, tzinfo | None] = {}
        self.notes: list[str] = []

    def read(self, text: str, zone: str | None) -> Moment:
        """Return a moment at the precision it is given in; text that is none stays as it is."""
        found = _STAMP.fullmatch(text)
        if found is None:
            return Moment(text)
        year, month, day, hour, minute, second = (int(group or 0) for group in found.groups()[:6])
        try:
            if found[4] is None:
                whole = date(year, month, day)
                return Moment(whole.isoformat(), day=whole)
            local = datetime(year, month, day, hour, minute, min(second, 59))  # noqa: DTZ001 - local
        except ValueError:
            return Moment(text)
        return self._at(local, UTC if found[7] else self._zone(zone))

    def last_day(self, start: Moment, end: Moment) -> str | None:
        """Return the last day of an event of whole days, whose end is the day after it (3.8.2.2)."""
        if start.day is None or end.day is None:
            return None
        return (end.day - timedelta(days=1) if end.day > start.day else start.day).isoformat()

    def after(self, start: Moment, duration: str) -> str | None:
        """Return the end of an event that says how long it takes: days by the calendar, the rest
        by the clock (3.3.6).
        """
        found = _DURATION.fullmatch(duration.strip())
        if found is None:
            return None
        weeks, days, hours, minutes, seconds = (int(group or 0) for group in found.groups())
        whole = timedelta(weeks=weeks, days=days)
        rest = timedelta(hours=hours, minutes=minutes, seconds=seconds)
        try:
            return self._after(start, whole, rest)
        except OverflowError:
            return None

    def _after(self, start: Moment, whole: timedelta, rest: timedelta) -> str | None:
        if start.day is not None:
            last = start.day + whole - timedelta(days=1)
            return None if rest else max(start.day, last).isoformat()
        if start.at is None:
            return None
        day = start.at + whole
        if day.tzinfo is None:
            return self._at(day + rest, None).text
        return self._at((day.astimezone(UTC) + rest).astimezone(day.tzinfo), day.tzinfo).text

    def _at(self, local: datetime, zone: tzinfo | None) -> Moment:
        moment = local.replace(tzinfo=zone)
        text = moment.isoformat()
        return Moment(text.removesuffix("+00:00") + "Z" if zone is UTC else text, at=moment)

    def _zone(self, name: str | None) -> tzinfo | None:
        if name is None:
            return None
        if name not in self._known:
            self._known[name] = self._find(name[:MAX_ZONE_NAME])
            if self._known[name] is None and len(self.notes) < MAX_ZONES:
                self.notes.append(f"time zone {name[:80]!r} is unknown: its times are local")
        return self._known[name]

    @cached_property
    def _provider(self) -> Any:
        # One for each calendar: icalendar's own remembers the zones of all it has seen.
        from icalendar.timezone.tzp import TZP  # noqa: PLC0415

        return TZP()

    def _find(self, name: str) -> tzinfo | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a vendor's prefix before a known name
            try:
                known: tzinfo | None = self._provider.timezone(name)
            except (OSError, ValueError):  # a folder of the database, or no name at all
                known = None
        return known or self._define(self._zones.get(name, b""))

    def _define(self, block: bytes) -> tzinfo | None:
        """Return the zone that the calendar describes; rules that run faster than years are none."""
        if not block or len(block) > MAX_ZONE_BYTES or _FREQUENCY.search(block):
            return None
        from icalendar import Timezone  # noqa: PLC0415

        try:
            component: Any = Timezone.from_ical(block)
            zone: tzinfo = component.to_tz(self._provider, lookup_tzid=False)
        except (
            ValueError,
            KeyError,
            TypeError,
            IndexError,
            AttributeError,
            OverflowError,
        ) as error:
            self.notes.append(f"time zone refused: {type(error).__name__}")
            return None
        return zone
