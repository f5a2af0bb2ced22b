"""A value that cannot be meant rejects its record; the near miss does not."""

from datetime import UTC, datetime

import pytest

from crawler.contracts.evidence import FieldValue
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, FieldKind, FieldSpec, RecordType
from crawler.validation.plausibility import find_implausible

OBSERVED = datetime(2026, 9, 1, tzinfo=UTC)
YEAR = 365 * 86400.0
KINDS = {
    "starts_at": FieldKind.DATE,
    "ends_at": FieldKind.DATE,
    "valid_through": FieldKind.DATE,
    "published_at": FieldKind.DATE,
    "posted_at": FieldKind.DATE,
    "price": FieldKind.PRICE,
    "price_min": FieldKind.PRICE,
    "price_max": FieldKind.PRICE,
    "rating": FieldKind.RATING,
    "prep_minutes": FieldKind.DURATION,
    "total_minutes": FieldKind.TOTAL,
    "celsius": FieldKind.NUMBER,
}
Values = dict[str, str | float]


def judge(values: Values) -> list[tuple[str | None, RejectReason]]:
    specs = tuple(FieldSpec(name, kind) for name, kind in KINDS.items())
    kind = RecordType("t", "t.v1", (), ("price",), specs)
    fields = {name: FieldValue(values.get(name), None) for name in KINDS}
    found = find_implausible(Candidate("t", "k", "t.v1", fields), kind, OBSERVED, 10 * YEAR)
    return [(rejection.field, rejection.reason) for rejection in found]


IMPLAUSIBLE: dict[str, tuple[Values, str]] = {
    "ends before": ({"starts_at": "2026-05-02", "ends_at": "2026-05-01"}, "starts_at"),
    "ends hours before": (
        {"starts_at": "2026-05-01T22:00", "ends_at": "2026-05-01T20:00"},
        "starts_at",
    ),
    "ends before in its zone": (
        {"starts_at": "2026-05-01T10:00:00Z", "ends_at": "2026-05-01T11:00:00+02:00"},
        "starts_at",
    ),
    "below zero": ({"price": -1}, "price"),
    "a range upside down": ({"price_min": 20, "price_max": 10}, "price_min"),
    "beyond the horizon": ({"starts_at": "2036-09-01"}, "starts_at"),
    "far beyond": ({"starts_at": "9999-12-31"}, "starts_at"),
    "published after it was read": ({"published_at": "2026-09-03"}, "published_at"),
    "posted in a month to come": ({"posted_at": "2026-10"}, "posted_at"),
    "no date known": ({"starts_at": "0001-01-01"}, "starts_at"),
    "rating above any scale": ({"rating": 101}, "rating"),
    "negative time": ({"prep_minutes": -5}, "prep_minutes"),
}


@pytest.mark.parametrize(("values", "field"), IMPLAUSIBLE.values(), ids=IMPLAUSIBLE)
def test_what_cannot_be_is_invalid(values: Values, field: str) -> None:
    assert judge(values) == [(field, RejectReason.INVALID_VALUE)]


PLAUSIBLE: dict[str, Values] = {
    "one day": {"starts_at": "2026-05-01", "ends_at": "2026-05-01"},
    "a day and a time": {"starts_at": "2026-05-01T20:00", "ends_at": "2026-05-01"},
    "midnight for a day": {"starts_at": "2026-05-01T20:00", "ends_at": "2026-05-01T00:00:00"},
    "a month": {"starts_at": "2026-05-20", "ends_at": "2026-05"},
    "later in its zone": {
        "starts_at": "2026-05-01T10:00:00+02:00",
        "ends_at": "2026-05-01T09:00:00Z",
    },
    "published tomorrow elsewhere": {"published_at": "2026-09-02T08:00:00+14:00"},
    "posted this month": {"posted_at": "2026-09"},
    "published this year": {"published_at": "2026"},
    "free": {"price": 0},
    "one price": {"price_min": 10, "price_max": 10},
    "within the horizon": {"starts_at": "2036-08-01"},
    "open-ended": {"valid_through": "9999-12-31", "ends_at": "2099-12-31"},
    "percent": {"rating": 100},
    "frost": {"celsius": -12},
    "parts above the whole": {"prep_minutes": 30, "total_minutes": 20},
}


@pytest.mark.parametrize("values", PLAUSIBLE.values(), ids=PLAUSIBLE)
def test_what_is_only_unusual_is_not(values: Values) -> None:
    assert judge(values) == []
