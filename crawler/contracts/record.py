"""Candidates, what becomes of them, and the types they belong to."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from crawler.contracts.evidence import FieldValue
from crawler.contracts.outcome import RejectReason


class FieldKind(StrEnum):
    """How the text of a field is read; anything else is refused with ``invalid_value``."""

    TEXT = "text"
    DATE = "date"
    """ISO 8601 date or date-time, precision kept as given."""
    NUMBER = "number"
    URL = "url"
    IMAGE = "image"
    LIST = "list"
    """Texts, entry by entry."""
    PROSE = "prose"
    """Text that may hold markup, which is dropped."""
    MARKDOWN = "markdown"
    """CommonMark, kept line by line as it was written."""
    NAMES = "names"
    """A list of people or organisations by name; an address of one is none."""
    STEPS = "steps"
    """A list of instructions, one a step; sections are taken apart."""
    PRICE = "price"
    """One amount of money; a range, or an amount beside the one it replaced, is ambiguous."""
    PRICE_MIN = "price_min"
    """A price; the lower bound of a range, the lowest of several in one currency."""
    PRICE_MAX = "price_max"
    """A price; the upper bound of a range, the highest of several in one currency."""
    CURRENCY = "currency"
    """ISO 4217 code; a sign that several currencies share is ambiguous."""
    COUNT = "count"
    RATING = "rating"
    """The mean of votes, on the scale of the page."""
    DURATION = "duration"
    """Minutes."""
    TOTAL = "total"
    """Minutes, like a duration; several matches are parts that add up."""
    YIELD = "yield"
    """An amount with what it is counted in; the fullest of several ways to say it."""
    AVAILABILITY = "availability"
    """in_stock, out_of_stock, preorder … after schema.org's ItemAvailability."""
    STATUS = "status"
    """scheduled, rescheduled, postponed, cancelled or moved_online, after EventStatusType, or
    tentative (RFC 5545)."""
    GTIN = "gtin"
    """8, 12, 13 or 14 digits, the last of which checks the others."""
    EMPLOYMENT = "employment"
    """A list of full_time, part_time, contractor …; other words as they stand."""
    PERIOD = "period"
    """hour, day, week, month or year."""
    PLACE = "place"
    """The name or address of one place; a status written in its stead, or ``TBA``, is none."""
    PLACES = "places"
    """One line for each place, joined by semicolons."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    name: str
    kind: FieldKind = FieldKind.TEXT
    doc: str = ""
    is_required: bool = False
    rules: tuple[str, ...] = ()
    """Default rules, first with a value wins: ``jsonld:$.name``, ``css:h1::text``, ``page:url``."""


@dataclass(frozen=True, slots=True)
class RecordType:
    """A named, versioned list of fields."""

    name: str
    schema_version: str
    schema_types: tuple[str, ...]
    """schema.org types whose JSON-LD nodes describe such a record, without prefix."""
    key: tuple[str, ...]
    """Fields that identify a record within its site; the page's URL stands in when all are missing."""
    fields: tuple[FieldSpec, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record as read from one page, before anyone may use it."""

    type: str
    key: str
    schema_version: str
    fields: dict[str, FieldValue]

    @property
    def values(self) -> dict[str, JsonValue]:
        return {name: field.value for name, field in self.fields.items()}


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate, or a whole page (``candidate`` is None), that may not be used, and why."""

    reason: RejectReason
    detail: str
    field: str | None = None
    candidate: Candidate | None = None
    evidence: tuple[str, ...] = ()
    values: tuple[FieldValue, ...] = ()
    """What each source says, where they disagree."""


class Status(StrEnum):
    """What the cycle that last had something to say of a record said."""

    NEW = "new"
    """Seen for the first time."""
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    VANISHED = "vanished"
    """A complete cycle found it no more."""


@dataclass(frozen=True, slots=True)
class Standing:
    status: Status
    cycle: int
    """Number of the cycle that said so."""
    is_cycle_complete: bool | None = None
    """Whether all collections of that cycle are; None while it is open."""


@dataclass(frozen=True, slots=True)
class Record:
    """A version of a record that an agent may use."""

    site: str
    source_id: str
    type: str
    key: str
    version: int
    """1 for the first; grows when the content changes."""
    schema_version: str
    extractor_version: str
    rule_version: str
    capture_id: str
    snapshot_sha256: str
    observed_at: str
    """RFC 3339 in UTC."""
    url: str
    content_hash: str
    session: str | None
    """Name of the session that the page was asked for with; None for what everybody may see."""
    fields: dict[str, FieldValue]
    standing: Standing | None = None
    """None while its page is only being committed."""
