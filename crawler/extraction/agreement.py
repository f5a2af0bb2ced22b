"""Whether two sources mean the same by a field, however they write it."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from urllib.parse import urldefrag

from pydantic import JsonValue

from crawler.contracts.evidence import FieldValue
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, FieldKind, FieldSpec, Rejection

MOST_OFFSET = timedelta(hours=14)
"""Between a time without a zone and the same one with it."""
QUARTER = timedelta(minutes=15)
"""Time zones differ by multiples of it."""
TRUNCATION = timedelta(minutes=1)


COMPARED = frozenset(
    {
        FieldKind.PRICE,
        FieldKind.PRICE_MIN,
        FieldKind.PRICE_MAX,
        FieldKind.CURRENCY,
        FieldKind.DATE,
        FieldKind.STATUS,
        FieldKind.AVAILABILITY,
        FieldKind.GTIN,
    }
)
"""Kinds of which a wrong value does harm, and of which two wordings can be told to be one."""


def agree(kind: FieldKind, one: JsonValue, other: JsonValue) -> bool:
    """Tell whether two values of a field are the same one."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 0.005
    if not isinstance(one, str) or not isinstance(other, str):
        return one == other
    return COMPARERS.get(kind, _same_words)(one, other)


def find_disagreement(
    candidate: Candidate, spec: FieldSpec, rival: FieldValue | None
) -> Rejection | None:
    """Return the rejection of a record of which a second source says something else."""
    chosen = candidate.fields[spec.name]
    if rival is None or chosen.value is None or agree(spec.kind, chosen.value, rival.value):
        return None
    detail = f"{spec.name}: {_tell(chosen)}, and {_tell(rival)}"
    values = (chosen, rival)
    return Rejection(RejectReason.DISAGREEMENT, detail, spec.name, candidate, values=values)


def _tell(field: FieldValue) -> str:
    where = f"{field.evidence.source} {field.evidence.locator}" if field.evidence else "?"
    return f"{str(field.value)[:100]!r} at {where}"


def _same_words(one: str, other: str) -> bool:
    return _fold(one) == _fold(other)


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _same_address(one: str, other: str) -> bool:
    return _bare(one) == _bare(other)


def _bare(url: str) -> str:
    return urldefrag(url).url.partition("://")[2].removeprefix("www.").rstrip("/")


def _same_time(one: str, other: str) -> bool:
    """Compare two dates by what both are precise to."""
    shorter, longer = sorted((one, other), key=len)
    if longer.startswith(shorter):
        return True
    if len(shorter) < 10:
        return False
    if len(shorter) == 10:
        return _is_day_of(date.fromisoformat(shorter), datetime.fromisoformat(longer))
    return _same_moment(datetime.fromisoformat(shorter), datetime.fromisoformat(longer))


def _is_day_of(day: date, moment: datetime) -> bool:
    """Whether a moment falls on a day, somewhere on earth where its zone is known."""
    if moment.tzinfo is None:
        return moment.date() == day
    plain = (moment - (moment.utcoffset() or timedelta())).replace(tzinfo=None)
    return (plain - timedelta(hours=12)).date() <= day <= (plain + MOST_OFFSET).date()


def _same_moment(one: datetime, other: datetime) -> bool:
    if (one.tzinfo is None) == (other.tzinfo is None):
        return abs(one - other) < TRUNCATION
    apart = abs(one.replace(tzinfo=None) - other.replace(tzinfo=None))
    return apart <= MOST_OFFSET and min(apart % QUARTER, QUARTER - apart % QUARTER) < TRUNCATION


COMPARERS: dict[FieldKind, Callable[[str, str], bool]] = {
    FieldKind.DATE: _same_time,
    FieldKind.URL: _same_address,
}
