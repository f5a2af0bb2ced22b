from collections.abc import Iterable

import pytest

from crawler.admission.tempo import LONGEST, REMEMBERED, Tempo, note_answer, note_refusal


def after(latencies: Iterable[float], *, tempo: Tempo | None = None, base: float = 0.0) -> Tempo:
    tempo = tempo or Tempo()
    for latency in latencies:
        tempo = note_answer(tempo, latency, base)
    return tempo


@pytest.mark.parametrize(
    "latencies",
    [
        [0.05] * 100,
        [2.0] * 100,  # slow from the first, which is its nature
        [0.002] * 50 + [0.2] * 50,  # a hundredfold, but nobody waits for it
        [1.0] * 50 + [2.0] * 50,  # twice is weather
        [0.1] * 50 + [5.0] + [0.1] * 50,  # one outlier
        [3.0] * 3 + [0.1] * 97,  # a cold start
    ],
)
def test_a_scope_that_answers_as_usual_keeps_its_pace(latencies: list[float]) -> None:
    assert after(latencies).delay == 0


def test_a_scope_that_strains_is_asked_more_slowly_step_by_step() -> None:
    usual = after([0.1] * 20)
    strained = after([3.0] * 12, tempo=usual)
    for_long = after([3.0] * 12, tempo=strained)

    assert 0 < strained.delay < for_long.delay


def test_one_look_in_eight_answers_changes_the_pace() -> None:
    tempo, changes = after([0.1] * 20), 0
    for _ in range(40):
        slower = note_answer(tempo, 5.0, 0.0)
        changes += slower.delay > tempo.delay
        tempo = slower

    assert 4 <= changes <= 5


def test_it_recovers_when_the_scope_does() -> None:
    strained = after([3.0] * 30, tempo=after([0.1] * 20))

    assert after([0.1] * 200, tempo=strained).delay == 0


def test_a_delay_of_the_site_file_is_what_grows_and_what_is_returned_to() -> None:
    strained = after([3.0] * 8, tempo=after([0.1] * 20, base=1.0), base=1.0)

    assert strained.delay == pytest.approx(1.5)
    assert after([0.1] * 100, tempo=strained, base=1.0).delay == 0


def test_the_delay_has_a_limit_that_no_site_file_is_undercut_by() -> None:
    usual = after([0.1] * 20)
    assert after([9.0] * 2000, tempo=usual).delay == LONGEST
    assert after([9.0] * 2000, tempo=usual, base=60.0).delay == 60


def test_the_first_refusal_costs_its_cool_down_and_the_next_one_the_pace() -> None:
    once = note_refusal(after([0.1] * 20), 0.0)
    twice = note_refusal(after([0.1] * 20, tempo=once), 0.0)
    thrice = note_refusal(after([0.1] * 5, tempo=twice), 0.0)

    assert once.delay == 0
    assert 0 < twice.delay < thrice.delay


def test_a_refusal_is_forgotten_after_many_answers() -> None:
    once = note_refusal(after([0.1] * 20), 0.0)

    assert note_refusal(after([0.1] * REMEMBERED, tempo=once), 0.0).delay > 0
    assert note_refusal(after([0.1] * (REMEMBERED + 1), tempo=once), 0.0).delay == 0
