from datetime import date

import pytest

from crawler.sites.authorization import AuthorizationState, authorization_state
from tests.unit.sites.builders import parse, site_text


@pytest.mark.parametrize(
    ("today", "state", "days_left"),
    [
        (date(2027, 6, 1), AuthorizationState.VALID, 29),
        (date(2027, 6, 30), AuthorizationState.VALID, 0),
        (date(2027, 7, 1), AuthorizationState.EXPIRED, -1),
    ],
)
def test_the_day_of_expiry_is_the_last_valid_one(
    today: date, state: AuthorizationState, days_left: int
) -> None:
    report = authorization_state(parse(site_text()).config, today)

    assert (report.state, report.days_left) == (state, days_left)
