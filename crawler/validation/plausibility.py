"""Values that are well written and cannot be meant: tables of pairs, bounds and the horizon."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, FieldKind, FieldSpec, RecordType, Rejection

BELOW_ZERO = frozenset(
    {
        FieldKind.PRICE,
        FieldKind.PRICE_MIN,
        FieldKind.PRICE_MAX,
        FieldKind.COUNT,
        FieldKind.RATING,
        FieldKind.DURATION,
        FieldKind.TOTAL,
    }
)
"""Kinds of which there is no negative."""
BEST_RATING = 100
"""The top of the widest scale in use, percent."""
PAIRS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^(starts?|begins?)(?P<rest>_at|_on|_date|)$"), r"end{s}{rest}"),
    (re.compile(r"^valid_from$"), "valid_through"),
    (re.compile(r"^opens(?P<rest>_at|)$"), r"closes{rest}"),
)
"""Fields whose names say that one comes before the other."""
OPEN_ENDED = re.compile(r"^(?:valid|ends?|closes|expires?)(?:_|$)")
"""Ends that sites put at the end of time to say that there is none."""
HAS_HAPPENED = re.compile(
    r"^(?:published|posted|modified|updated|created)_at$|^date_(?:published|posted|modified)$"
)
"""What a page that can be read says of its past; elsewhere it may be a day later already.

Not ``published`` of a notice: a gazette bears the day that it is of.
"""
FIRST_YEAR = 1000
"""What lies before is how programs write that they know no date."""


def find_implausible(
    candidate: Candidate, record_type: RecordType, observed_at: datetime, horizon: float
) -> Iterator[Rejection]:
    """Yield a rejection for each value that cannot be; *horizon* is in seconds from observation."""
    latest = observed_at + timedelta(seconds=horizon)
    for spec in record_type.fields:
        value = candidate.fields[spec.name].value
        detail = _find_future(spec, value, observed_at)
        detail = detail or _find_bound(spec, value, latest) or _find_order(spec, value, candidate)
        if detail is not None:
            yield Rejection(RejectReason.INVALID_VALUE, detail, spec.name, candidate)


def _find_future(spec: FieldSpec, value: object, observed_at: datetime) -> str | None:
    if spec.kind is not FieldKind.DATE or not isinstance(value, str):
        return None
    tomorrow = f"{observed_at + timedelta(days=1):%Y-%m-%d}"
    if HAS_HAPPENED.match(spec.name) and value[:10] > tomorrow[: len(value)]:
        return f"{spec.name} lies after the observation: {value}"
    return None


def _find_bound(spec: FieldSpec, value: object, latest: datetime) -> str | None:
    if isinstance(value, int | float):
        if spec.kind in BELOW_ZERO and value < 0:
            return f"{spec.name} is below zero: {value}"
        if spec.kind is FieldKind.RATING and value > BEST_RATING:
            return f"{spec.name} is above any scale: {value}"
    if spec.kind is FieldKind.DATE and isinstance(value, str):
        year = int(value[:4])
        if year < FIRST_YEAR:
            return f"{spec.name} is no date that is meant: {value}"
        if not OPEN_ENDED.match(spec.name) and value[:10] > latest.strftime("%Y-%m-%d"):
            return f"{spec.name} lies beyond the horizon of {latest:%Y-%m-%d}: {value}"
    return None


def _find_order(spec: FieldSpec, value: object, candidate: Candidate) -> str | None:
    """Return what is wrong with the order of a field and the one that comes after it."""
    name = _successor(spec.name)
    field = candidate.fields.get(name) if name else None
    if field is None or value is None or field.value is None:
        return None
    if isinstance(value, int | float) and isinstance(field.value, int | float):
        return f"{name} {field.value} is below {spec.name} {value}" if field.value < value else None
    is_date = spec.kind is FieldKind.DATE and isinstance(value, str)
    if is_date and isinstance(field.value, str) and _is_before(field.value, str(value)):
        return f"{name} {field.value} comes before {spec.name} {value}"
    return None


def _successor(name: str) -> str | None:
    if name.endswith("_min"):
        return f"{name[:-4]}_max"
    for pattern, template in PAIRS:
        if found := pattern.match(name):
            plural = "s" if found[0].startswith(("starts", "begins")) else ""
            return template.format(s=plural, rest=found.groupdict().get("rest", ""))
    return None


def _is_before(end: str, start: str) -> bool:
    """Whether *end* lies before *start*, as far as both are known.

    Midnight is how many sites write a day without a time; a zone on one side alone is no help.
    """
    if end[10:16] in {"T00:00", ""} or start[10:16] in {"T00:00", ""} or len(start) < 16:
        shared = min(len(end[:10]), len(start[:10]))
        return end[:shared] < start[:shared]
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    if (first.tzinfo is None) != (last.tzinfo is None):
        first, last = first.replace(tzinfo=None), last.replace(tzinfo=None)
    return last < first
