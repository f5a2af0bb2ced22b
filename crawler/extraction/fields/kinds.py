"""The reader of each kind of field, and how what it read of several places becomes one value."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.record import FieldKind
from crawler.extraction.fields.date import read_date
from crawler.extraction.fields.duration import read_duration
from crawler.extraction.fields.entries import (
    read_entries,
    read_names,
    read_prose_text,
    read_steps,
    read_yield,
)
from crawler.extraction.fields.gtin import read_gtin
from crawler.extraction.fields.number import read_number
from crawler.extraction.fields.price import read_highest, read_lowest, read_price
from crawler.extraction.fields.rating import read_count, read_rating
from crawler.extraction.fields.reading import Context, Unreadable
from crawler.extraction.fields.status import read_place, read_status
from crawler.extraction.fields.text import read_markdown, read_text
from crawler.extraction.fields.tokens import (
    read_availability,
    read_currency,
    read_employment,
    read_period,
)
from crawler.extraction.fields.url import read_image, read_url

Reading: TypeAlias = JsonValue | Missing | Unreadable
Reader: TypeAlias = Callable[[JsonValue, Context], Reading]

READERS: dict[FieldKind, Reader] = {
    FieldKind.TEXT: read_text,
    FieldKind.DATE: read_date,
    FieldKind.NUMBER: read_number,
    FieldKind.URL: read_url,
    FieldKind.IMAGE: read_image,
    FieldKind.LIST: read_entries,
    FieldKind.PROSE: read_prose_text,
    FieldKind.MARKDOWN: read_markdown,
    FieldKind.NAMES: read_names,
    FieldKind.STEPS: read_steps,
    FieldKind.PRICE: read_price,
    FieldKind.PRICE_MIN: read_lowest,
    FieldKind.PRICE_MAX: read_highest,
    FieldKind.CURRENCY: read_currency,
    FieldKind.COUNT: read_count,
    FieldKind.RATING: read_rating,
    FieldKind.DURATION: read_duration,
    FieldKind.TOTAL: read_duration,
    FieldKind.YIELD: read_yield,
    FieldKind.AVAILABILITY: read_availability,
    FieldKind.STATUS: read_status,
    FieldKind.GTIN: read_gtin,
    FieldKind.EMPLOYMENT: read_employment,
    FieldKind.PERIOD: read_period,
    FieldKind.PLACE: read_place,
    FieldKind.PLACES: read_text,
}
LISTS = frozenset(
    {
        FieldKind.LIST,
        FieldKind.NAMES,
        FieldKind.STEPS,
        FieldKind.EMPLOYMENT,
        FieldKind.PLACES,
        FieldKind.TOTAL,
    }
)
"""Kinds of which several matches are one value; the others must agree."""
SETS = frozenset({FieldKind.NAMES, FieldKind.EMPLOYMENT, FieldKind.PLACES})
"""Kinds in which a repetition says nothing."""


def combine(kind: FieldKind, readings: Sequence[JsonValue]) -> JsonValue:
    """Return the one value of a kind that takes several matches."""
    entries: list[JsonValue] = []
    for reading in readings:
        entries += reading if isinstance(reading, list) else [reading]
    if kind in SETS:
        entries = list(dict.fromkeys(map(str, entries)))
    if kind is FieldKind.TOTAL:
        return sum(entry for entry in entries if isinstance(entry, int | float))
    return "; ".join(map(str, entries)) if kind is FieldKind.PLACES else entries
