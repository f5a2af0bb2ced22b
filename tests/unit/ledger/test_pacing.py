import pytest

from crawler.ledger.pacing import Share, find_part, grant_slots, plan_sends

NOW = 1000.0


@pytest.mark.parametrize(
    ("next_at", "delay", "want", "expected"),
    [
        pytest.param(0.0, 0.0, 3, (NOW,) * 3, id="without a delay all go at once"),
        pytest.param(0.0, 0.5, 9, (NOW, NOW + 0.5), id="no more than may be sent in a second"),
        pytest.param(0.0, 0.4, 9, (NOW, NOW + 0.4), id="a third would go within the second too"),
        pytest.param(0.0, 5.0, 9, (NOW,), id="one, however long the delay"),
        pytest.param(NOW + 0.9, 0.5, 9, (NOW + 0.9,), id="after those planned before"),
        pytest.param(NOW + 1.0, 0.5, 9, (), id="none when the next second is taken"),
        pytest.param(NOW + 0.5, 0.0, 2, (NOW + 0.5,) * 2, id="another's pace is kept"),
        pytest.param(0.0, 0.1, 2, (NOW, NOW + 0.1), id="no more than wanted"),
        pytest.param(0.0, 0.1, 0, (), id="none wanted"),
    ],
)
def test_send_times_keep_the_pace(
    next_at: float, delay: float, want: int, expected: tuple[float, ...]
) -> None:
    assert plan_sends(now=NOW, next_at=next_at, delay=delay, want=want).at == expected


def test_the_scope_is_free_one_delay_after_the_last_send() -> None:
    sends = plan_sends(now=NOW, next_at=0.0, delay=0.25, want=3)

    assert sends.next_at == NOW + 0.75


@pytest.mark.parametrize(
    ("mine", "in_flight", "ceiling", "others", "slots"),
    [
        pytest.param(None, 0, 8, (), 8, id="alone: all of it"),
        pytest.param(None, 0, 8, (Share(8, 8),), 0, id="all taken: wait"),
        pytest.param(Share(8, 8), 8, 8, (Share(0, 8),), 8, id="shrinks no lower than in transfer"),
        pytest.param(Share(8, 8), 5, 8, (Share(0, 8),), 5, id="shrinks as transfers end"),
        pytest.param(Share(8, 8), 1, 8, (Share(0, 8),), 4, id="shrinks to its part"),
        pytest.param(Share(0, 8), 0, 8, (Share(5, 8),), 3, id="grows into what is free"),
        pytest.param(Share(3, 8), 3, 8, (Share(4, 8),), 4, id="grows to its part"),
        pytest.param(None, 0, 2, (Share(1, 2), Share(1, 2)), 0, id="more owners than slots"),
        pytest.param(Share(8, 8), 0, 8, (Share(0, 2),), 1, id="the lowest limit holds for all"),
        pytest.param(None, 0, 2, (Share(8, 8),), 0, id="and those with more give way first"),
        pytest.param(Share(4, 8), 0, 8, (), 8, id="grows again when the others are gone"),
    ],
)
def test_shares_never_exceed_the_concurrency(
    mine: Share | None, in_flight: int, ceiling: int, others: tuple[Share, ...], slots: int
) -> None:
    granted = grant_slots(mine=mine, in_flight=in_flight, ceiling=ceiling, others=others)

    assert granted == slots


@pytest.mark.parametrize(
    ("ceiling", "others", "part"),
    [
        pytest.param(8, (), 8, id="alone: all of it"),
        pytest.param(8, (Share(0, 8),), 4, id="half, though the other has nothing yet"),
        pytest.param(5, (Share(5, 5),), 2, id="what cannot be shared out stays unused"),
        pytest.param(2, (Share(1, 2),) * 3, 1, id="never nothing"),
        pytest.param(8, (Share(0, 2),), 1, id="of the lowest limit"),
    ],
)
def test_owners_have_equal_parts(ceiling: int, others: tuple[Share, ...], part: int) -> None:
    assert find_part(ceiling, others) == part
