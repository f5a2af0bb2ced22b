"""An observation may be used for as long as the site file says."""

import pytest

from crawler.validation.freshness import is_stale

OBSERVED = "2026-03-01T12:00:00Z"
NOON = 1772366400.0


@pytest.mark.parametrize(
    ("fresh_for", "now", "expected"),
    [
        (3600.0, NOON + 3599, False),
        (3600.0, NOON + 3600, False),
        (3600.0, NOON + 3601, True),
        (None, NOON + 10**9, False),
        (3600.0, NOON - 60, False),
    ],
    ids=["just before", "at the limit", "just after", "no limit", "clock set back"],
)
def test_age_is_measured_from_the_observation(
    fresh_for: float | None, now: float, expected: bool
) -> None:
    assert is_stale(OBSERVED, fresh_for, now) is expected
