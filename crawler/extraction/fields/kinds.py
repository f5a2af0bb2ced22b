"""The reader of each kind of field."""

from collections.abc import Callable
from typing import TypeAlias

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.record import FieldKind
from crawler.extraction.fields.date import read_date
from crawler.extraction.fields.number import read_number
from crawler.extraction.fields.reading import Context, Unreadable
from crawler.extraction.fields.text import read_text
from crawler.extraction.fields.url import read_image, read_url

Reading: TypeAlias = JsonValue | Missing | Unreadable
Reader: TypeAlias = Callable[[JsonValue, Context], Reading]

READERS: dict[FieldKind, Reader] = {
    FieldKind.TEXT: read_text,
    FieldKind.DATE: read_date,
    FieldKind.NUMBER: read_number,
    FieldKind.URL: read_url,
    FieldKind.IMAGE: read_image,
    FieldKind.LIST: read_text,
}
"""A list is read entry by entry, each as text."""
