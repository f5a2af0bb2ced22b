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
from crawler.extraction.fields.reading import MAX_LABEL, Context, Unreadable, shorten
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
    r"(?:(?P<weekday>[A-Za-z]{3,9}),?\s+)?(?P<day>\d{1,2})[\s-]+"
    r"(?P<word>[A-Za-z]{3,9})\.?[\s-]+(?P<year>\d{4}|\d{2})\s+"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?\s*"
    r"(?P<zone>[+-]\d{2}:?\d{2}|(?!AM|PM)[A-Z]{1,5})(?:\s*\([^()]{0,40}\))?",
    re.ASCII,
)  # RFC 5322, 3.3 and 4.3
_ZONES = {
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
_DOT_NET = re.compile(r"/Date\((-?\d{1,14})(?:[+-]\d{4})?\)/", re.ASCII)
"""Milliseconds since 1970, as .NET writes a date into JSON."""
_SECONDS, _MILLISECONDS = range(10**9, 10**10), range(10**12, 10**13)
"""Numbers that can be a moment of this age in only one unit: 2001 to 2286."""
_HOUR = (
    r"(?:,?\s+(?:(?:at|um|à|a las|alle|às|om|kl\.?)\s+)?(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})"
    r"(?::(?P<second>\d{2}))?(?:\s*(?P<half>[AaPp]\.?[Mm]\.?)|\s+(?:Uhr|h))?)?"
)
_WEEKDAY = r"(?:(?P<weekday>[^\W\d_]{2,12})\.?,?\s+)?"
_IN_WORDS = (
    re.compile(
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th|er|º|\.º)?(?:\s+(?:de|di|of))?[\s-]+"
        rf"(?P<name>[^\W\d_]{{3,12}})\.?,?[\s-]+(?:(?:de|del|of)\s+)?(?P<year>\d{{4}}){_HOUR}"
    ),
    re.compile(
        rf"{_WEEKDAY}(?P<name>[^\W\d_]{{3,12}})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+"
        rf"(?P<year>\d{{4}}){_HOUR}"
    ),
    re.compile(r"(?P<name>[^\W\d_]{3,12})\.?,?\s+(?:de\s+|del\s+|of\s+)?(?P<year>\d{4})"),
)
_IN_FIGURES = re.compile(
    rf"(?P<first>\d{{1,2}})([/.-])(?P<second_part>\d{{1,2}})\2(?P<year>\d{{4}}){_HOUR}", re.ASCII
)
_YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}})([/.])(?P<month>\d{{2}})\2(?P<day>\d{{2}}){_HOUR}", re.ASCII
)
_EMPTY: dict[str, str | None] = dict.fromkeys(("day", "hour", "minute", "second", "zone"))
_FORMS = (_ISO, _BASIC)


_IN_LANGUAGES = (
    "january jan januar jänner january janvier janv enero ene gennaio gen janeiro januari stycznia",
    "february feb februar février fevrier févr febrero febbraio fevereiro fev februari lutego",
    "march mar märz marz mars marzo março marco maart marca",
    "april apr avril avr abril abr aprile kwietnia",
    "may mai mayo maggio mag maio mei maj maja",
    "june jun juni juin junio giugno giu junho czerwca",
    "july jul juli juillet juil julio luglio lug julho lipca",
    "august aug août aout agosto ago augustus augusti sierpnia",
    "september sep sept septembre septiembre settembre setembro set września",
    "october oct oktober okt octobre octubre ottobre ott outubro out października",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro desember",
)
"""English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian and Polish. A word
that is a month here and another month elsewhere, such as listopada, is left out."""
_WEEKDAY_NAMES = (
    "monday mon montag mo lundi lun lunes lunedì segunda maandag ma mandag måndag",
    "tuesday tue tues dienstag di mardi mar martes martedì terça dinsdag tirsdag tisdag",
    "wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì quarta woensdag wo onsdag",
    "thursday thu thurs thur donnerstag do jeudi jeu jueves jue giovedì gio quinta donderdag torsdag",
    "friday fri freitag fr vendredi ven viernes vie venerdì sexta vrijdag vr fredag",
    "saturday sat samstag sa sonnabend samedi sam sábado sáb sabato sab zaterdag za lørdag lördag",
    "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo søndag söndag",
)
_WEEKDAY_NUMBERS = {
    name: number for number, names in enumerate(_WEEKDAY_NAMES) for name in names.split()
}
_NAMED = {name: month for month, names in enumerate(_IN_LANGUAGES, 1) for name in names.split()}


def read_date(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if raw is None:
        return Missing.ABSENT
    if isinstance(raw, dict) and isinstance(raw.get("@value"), str):
        raw = raw["@value"]
    if isinstance(raw, int) and context.is_machine_written and (moment := _read_count(raw)):
        return moment
    if not isinstance(raw, str):
        return Unreadable(RejectReason.INVALID_DATE, f"no date: {shorten(raw)}")
    text = clean_text(raw, context)
    if not text:
        return Missing.ABSENT
    normal = _normalize(text) if len(text) <= MAX_LABEL else None
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


def _normalize(text: str) -> str | None:
    if counted := _DOT_NET.fullmatch(text):
        return _from_milliseconds(int(counted[1]))
    found = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    parts = found.groupdict() if found else _mail_parts(text) or _spelled_parts(text)
    if parts is None:
        return None
    try:
        return _format_day(parts) + _format_time(parts)
    except ValueError:
        return None


def _mail_parts(text: str) -> dict[str, str | None] | None:
    """Return the parts of a date as mail and RSS write it; a year of two digits as RFC 5322 reads it."""
    found = _MAIL.fullmatch(text)
    month = _NAMED.get(found["word"].lower()) if found else None
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
        "zone": zone if zone[0] in "+-" else _ZONES.get(zone),
    }


def _spelled_parts(text: str) -> dict[str, str | None] | None:
    """Return the parts of a date whose month is a word, or whose figures can be taken in one way."""
    for form in _IN_WORDS:
        found = form.fullmatch(text)
        if found and (month := _NAMED.get(found["name"].lower())):
            return _on_24_hours({**_EMPTY, **found.groupdict(), "month": f"{month:02}"})
    if found := _YEAR_FIRST.fullmatch(text):
        return _on_24_hours({**_EMPTY, **found.groupdict()})
    found = _IN_FIGURES.fullmatch(text)
    return _on_24_hours(_order(found)) if found else None


def _order(found: re.Match[str]) -> dict[str, str | None] | None:
    """Tell day and month apart: one of them is above twelve, or they are the same."""
    first, second = int(found["first"]), int(found["second_part"])
    if first <= 12 and second <= 12 and first != second:
        return None
    day, month = (first, second) if second <= 12 else (second, first)
    return {**_EMPTY, **found.groupdict(), "day": str(day), "month": str(month)}


def _on_24_hours(parts: dict[str, str | None] | None) -> dict[str, str | None] | None:
    hour, half = (parts or {}).get("hour"), (parts or {}).get("half")
    if parts is None or hour is None:
        return parts
    if half is None:
        return {**parts, "hour": f"{int(hour):02}"}
    if not 1 <= int(hour) <= 12:
        return None
    afternoon = 12 if half[0] in "Pp" else 0
    return {**parts, "hour": f"{int(hour) % 12 + afternoon:02}"}


def _format_day(parts: dict[str, str | None]) -> str:
    """Return the checked date at its precision; raise ValueError for one that does not exist."""
    given = [int(number) for number in (parts["year"], parts["month"], parts["day"]) if number]
    day = date(*[*given, 1, 1][:3])
    weekday = parts.get("weekday")
    if weekday and _WEEKDAY_NUMBERS.get(weekday.lower()) != day.weekday():
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
