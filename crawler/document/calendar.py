"""The events of an iCalendar file (RFC 5545), each property with the line it stands on.

Names are those of the properties (``SUMMARY``), and of their parameters behind a semicolon
(``ORGANIZER;CN``). A recurring event is one event with its rule: nothing is expanded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from crawler.contracts.snapshot import Snapshot
from crawler.document.calendar_time import Clockwork, Moment
from crawler.document.data import MAX_ENTRIES, Data, Entry, Flaw, tidy_id
from crawler.document.encoding import decode
from crawler.document.jsonpath import JsonNode, Parts

Span = tuple[int, int]
_LINE = re.compile(rb"[^\r\n]+(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*")
_FOLD = re.compile(rb"(?:\r\n|\n|\r)[ \t]")
_END = re.compile(rb"^END:VCALENDAR[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_PLAIN = re.compile(r"([A-Za-z0-9-]+):")
_WIDE = re.compile(r"utf[-_]?(16|32)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([\\;,:nN\"])")
_COMMA = re.compile(r"(?:\\.|[^\\,])+")
MAX_LINES = 500_000
MOMENTS = frozenset(
    {"DTSTART", "DTEND", "RECURRENCE-ID", "CREATED", "LAST-MODIFIED", "DTSTAMP", "DUE"}
)
LISTS = frozenset({"CATEGORIES", "RESOURCES"})
ADDRESSES = frozenset(
    {"URL", "ATTACH", "IMAGE", "CONFERENCE", "SOURCE", "TZURL", "RRULE", "EXRULE"}
)
"""Properties whose commas and semicolons are not escaped."""


@dataclass(frozen=True, slots=True)
class Line:
    """One property, unfolded."""

    name: str
    parameters: Mapping[str, str]
    value: str
    text: str
    span: Span


@dataclass(slots=True)
class Component:
    """What stands between a BEGIN and its END, without what is nested in it."""

    name: str
    lines: list[Line] = field(default_factory=list)
    source: list[bytes] = field(default_factory=list)
    """Every line, those of nested components too."""


@dataclass(slots=True)
class _Reading:
    events: list[Component] = field(default_factory=list)
    zones: list[Component] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problem: str | None = None


def read_calendar(snapshot: Snapshot) -> Data:
    """Return the events in the order of the source."""
    body, has_offsets = _as_utf8(snapshot)
    if not _END.search(body):
        return Data(flaw=Flaw.CUT, problem="the calendar has no end")
    reading = _read_components(body)
    if reading.problem:
        return Data(flaw=Flaw.BROKEN, problem=reading.problem)
    clock = Clockwork({_zone_name(zone): b"\r\n".join(zone.source) for zone in reading.zones})
    views = [_View(event, clock) for event in reading.events[:MAX_ENTRIES]]
    top: JsonValue = {"VEVENT": [view.values for view in views]}
    raws: dict[Parts, str] = {}
    spans: dict[Parts, Span] = {}
    for index, view in enumerate(views):
        for parts, line in view.lines.items():
            raws["VEVENT", index, *parts] = line.text
            spans["VEVENT", index, *parts] = line.span
    entries = tuple(
        Entry(
            JsonNode(top, ("VEVENT", index), view.values, None),
            view.id,
            snapshot.final_url,
        )
        for index, view in enumerate(views)
    )
    notes = (*reading.notes, *clock.notes, *_count(views, len(reading.events)))
    return Data(top, entries, raws=raws, spans=spans if has_offsets else {}, notes=notes)


def _as_utf8(snapshot: Snapshot) -> tuple[bytes, bool]:
    """Return the body as UTF-8, which RFC 5545 says it is, and whether its offsets are kept."""
    try:
        _FOLD.sub(b"", snapshot.body).decode("utf-8")  # a fold may stand inside a character
    except UnicodeDecodeError:
        return decode(snapshot.body, snapshot.encoding).encode(), False
    if _WIDE.match(snapshot.encoding.name):
        return decode(snapshot.body, snapshot.encoding).encode(), False
    return snapshot.body, True


def _read_components(body: bytes) -> _Reading:
    reading = _Reading()
    stack: list[Component] = []
    for number, found in enumerate(_LINE.finditer(body)):
        if number >= MAX_LINES:
            reading.problem = f"more than {MAX_LINES} lines"
            break
        raw = _FOLD.sub(b"", found[0]).strip(b"\xef\xbb\xbf")
        reading.problem = _take(raw, found.span(), stack, reading)
        if reading.problem:
            break
    return reading


def _take(raw: bytes, span: Span, stack: list[Component], reading: _Reading) -> str | None:
    """Put a line where it belongs; return what is wrong with the structure."""
    line = _parse_line(raw.decode("utf-8", "replace"), span)
    for outer in stack:
        if outer.name == "VTIMEZONE":
            outer.source.append(raw)
    if isinstance(line, str):
        reading.notes += [line] if len(reading.notes) < 50 else []
    elif line.name == "BEGIN":
        return _begin(line, raw, stack)
    elif line.name == "END":
        return _finish(line, stack, reading)
    elif stack:
        stack[-1].lines.append(line)
    return None


def _begin(line: Line, raw: bytes, stack: list[Component]) -> str | None:
    name = line.value.strip().upper()
    if name in {"VEVENT", "VCALENDAR"} and any(outer.name == name for outer in stack):
        return f"{name} at byte {line.span[0]} begins inside another one"
    if len(stack) >= 8:
        return f"nested too deep at byte {line.span[0]}"
    stack.append(Component(name, source=[raw]))
    return None


def _finish(line: Line, stack: list[Component], reading: _Reading) -> str | None:
    name = line.value.strip().upper()
    if not stack or stack[-1].name != name:
        return f"END:{name[:40]} at byte {line.span[0]} ends nothing"
    component = stack.pop()
    inside = [outer.name for outer in stack]
    if inside == ["VCALENDAR"] and name == "VEVENT":
        reading.events.append(component)
    elif name == "VTIMEZONE":
        reading.zones.append(component)
    return None


def _parse_line(text: str, span: Span) -> Line | str:
    """Return a property, or what keeps the line from being one."""
    plain = _PLAIN.match(text)
    if plain:
        return Line(plain[1].upper(), {}, text[plain.end() :], text, span)
    # Slow to import, and most pages are no calendars.
    from icalendar.parser import Contentline  # noqa: PLC0415

    try:
        name, parameters, value = Contentline(text).raw_parts()
    except ValueError:
        return f"line at byte {span[0]} is no property"
    read = {
        str(key).upper(): value if isinstance(value, str) else ",".join(map(str, value))
        for key, value in parameters.items()
    }
    return Line(str(name).upper(), read, str(value), text, span)


def _zone_name(zone: Component) -> str:
    return next((line.value.strip() for line in zone.lines if line.name == "TZID"), "")


class _View:
    """The properties of one event as plain values."""

    def __init__(self, event: Component, clock: Clockwork) -> None:
        self.values: dict[str, JsonValue] = {}
        self.lines: dict[Parts, Line] = {}
        named: dict[str, list[Line]] = {}
        for line in event.lines:
            named.setdefault(line.name, []).append(line)
        moments = {name: clock.read(*_moment_of(named[name][0])) for name in MOMENTS & set(named)}
        for name, lines in named.items():
            self._set(name, lines, [_value(line, moments) for line in lines])
            self._set_parameters(name, lines)
        self._set_end(named, moments, clock)

    @property
    def id(self) -> str:
        uid = str(self.values.get("UID") or "")
        instance = self.values.get("RECURRENCE-ID")
        return tidy_id(f"{uid}/{instance}" if uid and instance else uid)

    def _set(self, name: str, lines: Sequence[Line], values: Sequence[JsonValue]) -> None:
        if len(lines) == 1:
            self.values[name] = values[0]
            self._mark((name,), lines[0], values[0])
            return
        self.values[name] = [*values]
        for index, (line, value) in enumerate(zip(lines, values, strict=True)):
            self._mark((name, index), line, value)

    def _mark(self, parts: Parts, line: Line, value: JsonValue) -> None:
        self.lines[parts] = line
        for index in range(len(value) if isinstance(value, list) else 0):
            self.lines[*parts, index] = line

    def _set_parameters(self, name: str, lines: Sequence[Line]) -> None:
        for parameter in dict.fromkeys(key for line in lines for key in line.parameters):
            said = [line for line in lines if parameter in line.parameters]
            self._set(f"{name};{parameter}", said, [line.parameters[parameter] for line in said])

    def _set_end(
        self, named: Mapping[str, list[Line]], moments: Mapping[str, Moment], clock: Clockwork
    ) -> None:
        """Say when the event is over: a last day where days are meant, also from a duration."""
        start, end = moments.get("DTSTART"), moments.get("DTEND")
        if start is None:
            return
        source = "DTEND" if "DTEND" in named else "DURATION"
        if source not in named:
            return
        line = named[source][0]
        over = clock.last_day(start, end) if end else clock.after(start, line.value)
        if over is not None:
            self._set("DTEND", [line], [over])


def _moment_of(line: Line) -> tuple[str, str | None]:
    return line.value.strip(), line.parameters.get("TZID")


def _value(line: Line, moments: Mapping[str, Moment]) -> JsonValue:
    if line.name in moments:
        return moments[line.name].text
    if line.name in ADDRESSES:
        return line.value.strip()
    if line.name in LISTS:
        return [_unescape(part).strip() for part in _COMMA.findall(line.value)]
    return _unescape(line.value)


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], text)


def _count(views: Sequence[_View], total: int) -> Iterator[str]:
    recurring = sum(1 for view in views if {"RRULE", "RDATE"} & view.values.keys())
    if recurring:
        yield f"{recurring} recurring events are given once, with their rule"
    if total > len(views):
        yield f"{total} events, of which {len(views)} were read"
