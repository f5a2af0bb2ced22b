import pytest

from crawler.admission.breaker import (
    LONGEST,
    Breaker,
    Sign,
    cool_down_seconds,
    note_sign,
    read_sign,
    trips,
)
from crawler.contracts.outcome import Reason

REFUSALS = {
    Reason.CHALLENGE_REVIEW,
    Reason.AUTHORIZATION_REVIEW,
    Reason.ATTEMPTS_EXHAUSTED,
    Reason.TIMEOUT_EXHAUSTED,
}
SERVED = {
    Reason.ELIGIBLE,
    Reason.HTTP_STATUS,
    Reason.GONE,
    Reason.SOFT_404,
    Reason.REPRESENTATION_MISMATCH,
    Reason.INCOMPLETE_SNAPSHOT,
    Reason.TRUNCATED,
    Reason.TOO_LARGE,
    Reason.WRONG_DOCUMENT,
    Reason.NOT_MODIFIED,
}


@pytest.mark.parametrize("reason", list(Reason))
def test_each_outcome_says_one_thing_of_its_scope(reason: Reason) -> None:
    expected = (
        Sign.REFUSED if reason in REFUSALS else Sign.SERVED if reason in SERVED else Sign.NOTHING
    )

    assert read_sign(reason) is expected


def after(signs: str, *, is_half_open: bool = False) -> Breaker:
    """``r`` refused, ``s`` served, ``-`` nothing."""
    names = {"r": Sign.REFUSED, "s": Sign.SERVED, "-": Sign.NOTHING}
    breaker = Breaker(is_half_open=is_half_open)
    for letter in signs:
        breaker = note_sign(breaker, names[letter])
    return breaker


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ("rrr", True),
        ("r-r-r", True),
        ("rr", False),
        ("rrsr", False),
        ("srrr", True),
        ("---", False),
        ("", False),
    ],
)
def test_refusals_in_a_row_trip_it(signs: str, *, expected: bool) -> None:
    assert trips(after(signs), 3) is expected


@pytest.mark.parametrize(
    ("signs", "expected"), [("r", True), ("-r", True), ("sr", False), ("srrr", True)]
)
def test_half_open_one_page_decides(signs: str, *, expected: bool) -> None:
    assert trips(after(signs, is_half_open=True), 3) is expected


def test_a_threshold_of_nought_turns_it_off() -> None:
    assert not trips(after("r" * 100, is_half_open=True), 0)


def test_it_stays_open_twice_as_long_each_time_up_to_a_day() -> None:
    assert [cool_down_seconds(900, earlier) for earlier in (0, 1, 2)] == [900, 1800, 3600]
    assert cool_down_seconds(900, 10**6) == LONGEST
