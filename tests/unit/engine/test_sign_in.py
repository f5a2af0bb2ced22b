from types import SimpleNamespace
from typing import Any

import pytest

from crawler.engine.sign_in import SignInWatch


@pytest.fixture
def in_hand() -> dict[int, Any]:
    return {1: SimpleNamespace(), 2: SimpleNamespace()}


def test_nothing_is_held_back_while_no_page_is_led_to_sign_in(in_hand: dict[int, Any]) -> None:
    watch = SignInWatch(in_hand)

    assert not watch.is_undecided()
    assert not watch.holds_back(1)


def test_all_but_the_page_that_is_led_to_sign_in_are_held_back(in_hand: dict[int, Any]) -> None:
    watch = SignInWatch(in_hand)

    watch.note(1)

    assert watch.is_undecided()
    assert (watch.is_led(1), watch.holds_back(1)) == (True, False)
    assert (watch.is_led(2), watch.holds_back(2), watch.holds_back(3)) == (False, True, True)


def test_it_is_decided_once_the_page_is_in_hand_no_more_however_it_ended(
    in_hand: dict[int, Any],
) -> None:
    watch = SignInWatch(in_hand)
    watch.note(1)

    del in_hand[1]
    undecided = watch.is_undecided()
    in_hand[1] = SimpleNamespace()

    assert not undecided
    assert not watch.holds_back(2), "the same row, leased again, has begun anew"
