"""Durations in minutes: ISO 8601, or amounts with their units written out."""

import re
from fractions import Fraction

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.number import write_fractions
from crawler.extraction.fields.reading import MAX_LABEL, Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

_NUMBER = r"\d{1,6}(?:[.,]\d{1,6})?"
_ISO = re.compile(
    rf"P\s*(?:0*Y)?\s*(?:0*M)?\s*(?:(?P<weeks>{_NUMBER})?W)?\s*(?:(?P<days>{_NUMBER})?D)?\s*"
    rf"(?:(?:T|(?=\d+H))\s*(?:0*D)?\s*(?:(?P<hours>{_NUMBER})?H)?\s*(?:(?P<minutes>{_NUMBER})?M(?:IN)?)?\s*"
    rf"(?:(?P<seconds>{_NUMBER})?S)?)?",
    re.IGNORECASE | re.ASCII,
)
"""With the slips of templates: a unit without its number, days behind the T, hours without it."""
_CLOCK = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d)", re.ASCII)
_WORDS = {
    "days": "d|day|days|tag|tage|jour|jours|día|días|dia|dias|giorno|giorni|dag|dagen|dagar|dage",
    "hours": "час|часа|часов|ч|時間|小时|小時|시간|saat|óra|tuntia|h|hr|hrs|hour|hours|std|stunde|stunden|heure|heures|hora|horas|ora|ore|uur|uren|u"
    "|timme|timmar|tim|time|timer|godz|godziny|godzina|godzin",
    "minutes": "минут|минуты|минута|мин|分|分钟|分鐘|분|dakika|dk|perc|minuuttia|m|min|mins|minute|minutes|minuten|minuto|minutos|minuti|minuut|minuten|minuter"
    "|minutter|minutt|minutter|minut|minuty|minuta|'|\u2032",
    "seconds": "s|sec|secs|second|seconds|sek|sekunden|secondes|segundos|secondi",
}
_TEXT = re.compile(
    r"\s*(?:(?:and|und|et|y|e|en|og|och|i|,|&)\s*)?".join(
        [
            "",
            *(
                rf"(?:(?P<{unit}>{_NUMBER})\s*(?:{words})(?![^\W\d_])\.?(?:\s+(?:{words})(?![^\W\d_])\.?)?)?"
                for unit, words in _WORDS.items()
            ),
        ]
    )
    + r"\s*",
    re.IGNORECASE,
)
_IN_MINUTES = {
    "weeks": Fraction(10_080),
    "days": Fraction(1_440),
    "hours": Fraction(60),
    "minutes": Fraction(1),
    "seconds": Fraction(1, 60),
}
_NOTHING = re.compile(r"P?[YMWD]*T?[DHMS]*", re.IGNORECASE)
_LABEL = re.compile(r"^[^\d\n]{1,30}[:\n]\s*")


def read_duration(raw: JsonValue, context: Context) -> int | float | Missing | Unreadable:
    """Return minutes. Months and years have no fixed length, a bare number has no unit."""
    if isinstance(raw, dict):
        raw = raw.get("@value", raw.get("duration"))
    if raw is None:
        return Missing.ABSENT
    text = clean_text(_LABEL.sub("", raw), context) if isinstance(raw, str) else ""
    text = write_fractions(text)
    if isinstance(raw, str) and _NOTHING.fullmatch(text):
        return Missing.ABSENT
    for form in (_ISO, _CLOCK, _TEXT) if len(text) <= MAX_LABEL else ():
        found = form.fullmatch(text)
        if found and (parts := {unit: n for unit, n in found.groupdict().items() if n}):
            return _minutes(parts)
    detail = f"no one way to read a duration: {shorten(raw)}"
    return Unreadable(RejectReason.AMBIGUOUS_FIELD, detail)


def _minutes(parts: dict[str, str]) -> int | float:
    total = sum(
        Fraction(number.replace(",", ".")) * _IN_MINUTES[unit] for unit, number in parts.items()
    )
    return int(total) if total == int(total) else round(float(total), 4)
