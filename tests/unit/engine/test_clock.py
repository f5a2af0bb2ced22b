import time

import pytest

from crawler.engine.clock import SteadyClock

DAY = 86_400.0


def test_it_tells_the_time_of_day() -> None:
    clock = SteadyClock()
    assert abs(clock() - time.time()) < 0.5


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_clock_that_is_set_meanwhile_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    clock = SteadyClock()
    before, real = clock(), time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    assert 0 <= clock() - before < 1


def test_it_goes_on() -> None:
    clock = SteadyClock()
    before = clock()
    time.sleep(0.02)
    assert 0.02 <= clock() - before < 1
