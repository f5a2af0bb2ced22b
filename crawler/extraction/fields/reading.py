"""What reading a raw value can give, apart from the value itself."""

from dataclasses import dataclass

from crawler.contracts.evidence import FieldValue, Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.locale import UNKNOWN, Locale


@dataclass(frozen=True, slots=True)
class Context:
    """What a reader needs to know of the place."""

    base_url: str
    has_entities: bool
    """Entities of the raw text may still be encoded, as in JSON-LD."""
    is_machine_written: bool
    """It is meant for programs (JSON-LD, an attribute), so a dot is a decimal point."""
    locale: Locale = UNKNOWN
    """How figures are to be taken that could be two things."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The place holds something, but no value of this kind: invalid, or one of several readings."""

    reason: RejectReason
    detail: str


@dataclass(frozen=True, slots=True)
class FieldReading:
    """A field's value or lack of one, and what is wrong with it, if anything."""

    field: FieldValue
    reason: RejectReason | None = None
    detail: str = ""
    is_hint: bool = False
    """The detail is worth a note and no more."""
    rival: FieldValue | None = None
    """What a second source says of the field."""
    is_open: bool = False
    """No rule found anything, and a model that may be asked has not been."""


NOT_FOUND = FieldReading(FieldValue(None, None, Missing.NOT_FOUND))

MAX_LABEL = 300
"""Characters of a text that may be a price, a date or the like: what is longer is an essay."""
ABSENT = Missing.ABSENT


def shorten(raw: object) -> str:
    """Return *raw* quoted on one line, for a message."""
    text = repr(raw)
    return text if len(text) <= 80 else text[:77] + "..."
