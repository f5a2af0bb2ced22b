"""What is said of clock, libraries and page workers."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from crawler.reporting.health.check import State
from crawler.reporting.health.machine import (
    judge_clock,
    judge_isolation,
    judge_versions,
    read_pins,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone(timedelta(hours=14), "+14"))


@pytest.mark.parametrize("is_synchronized", [True, None])
@pytest.mark.parametrize("newest", [None, datetime(2026, 11, 29, 21, 59, tzinfo=UTC)])
def test_a_clock_ahead_of_all_that_was_written_is_fine(
    newest: datetime | None, is_synchronized: bool | None
) -> None:
    assert judge_clock(NOW, newest, is_synchronized=is_synchronized).state is State.OK


def test_a_clock_behind_what_was_written_is_a_problem() -> None:
    newest = datetime(2026, 11, 29, 22, 1, tzinfo=UTC)

    check = judge_clock(NOW, newest, is_synchronized=True)

    assert check.state is State.PROBLEM
    assert "2026-11-29T22:01:00+00:00" in check.found


def test_a_clock_that_nothing_corrects_is_told() -> None:
    check = judge_clock(NOW, None, is_synchronized=False)

    assert check.state is State.WARNING
    assert "NTP" in check.advice


def test_pins_are_read_past_comments_markers_and_options() -> None:
    text = "# head\na-b==1.0\nc==2.0  # why\nd==3 ; python_version < '3'\n-r other\ne>=1\n\n"

    assert read_pins(text) == {"a-b": "1.0", "c": "2.0"}


@pytest.mark.parametrize(
    ("installed", "state"),
    [
        ({"a": "1", "b": "2"}, State.OK),
        ({"a": "1"}, State.OK),  # b belongs to an extra
        ({"a": "1.1", "b": "2"}, State.WARNING),
    ],
)
def test_versions_are_compared_with_their_pins(installed: dict[str, str], state: State) -> None:
    assert judge_versions({"a": "1", "b": "2"}, installed).state is state


def test_what_a_new_environment_brings_of_its_own_is_no_library_of_the_crawler() -> None:
    assert judge_versions({"setuptools": "80.10.2"}, {"setuptools": "65.5.0"}).state is State.OK


def test_of_many_other_versions_some_are_named() -> None:
    pinned = {f"p{number}": "1" for number in range(9)}

    check = judge_versions(pinned, dict.fromkeys(pinned, "2"))

    assert "p4 2 in place of 1" in check.found
    assert check.found.endswith("and 4 more")


@pytest.mark.parametrize(
    ("means", "state"),
    [
        ("namespace", State.OK),
        ("audit-hook", State.WARNING),
        ("nothing", State.PROBLEM),
        ("TimeoutExpired", State.PROBLEM),
    ],
)
def test_page_workers_are_judged_by_what_cuts_them_off(means: str, state: State) -> None:
    assert judge_isolation(means).state is state
