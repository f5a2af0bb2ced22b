import pytest

from crawler.ledger.claims import NOTHING_HELD, Held, Ruling, rule_on

SAME, OTHER = "same", "other"


@pytest.mark.parametrize(
    ("held", "ruling"),
    [
        pytest.param(NOTHING_HELD, Ruling.PUBLISH, id="new"),
        pytest.param(Held(1, 1, SAME, 4, 2), Ruling.UNCHANGED, id="as in an earlier cycle"),
        pytest.param(Held(1, 1, OTHER, 4, 2), Ruling.PUBLISH, id="changed since"),
        pytest.param(Held(None, 1, None), Ruling.PUBLISH, id="withdrawn"),
        pytest.param(Held(1, 1, SAME), Ruling.UNCHANGED, id="claim given up, content the same"),
        pytest.param(Held(1, 1, SAME, 5, 9), Ruling.DUPLICATE, id="a lower row has it"),
        pytest.param(Held(1, 1, OTHER, 5, 9), Ruling.DUPLICATE, id="a lower row has another"),
        pytest.param(Held(1, 1, SAME, 5, 10), Ruling.DUPLICATE, id="twice on the page"),
        pytest.param(Held(1, 1, SAME, 5, 11), Ruling.TAKE_OVER, id="a higher row has it"),
        pytest.param(Held(1, 1, OTHER, 6, 1), Ruling.OUTDATED, id="a later cycle has it"),
    ],
)
def test_the_lowest_row_of_the_latest_cycle_wins(held: Held, ruling: Ruling) -> None:
    assert rule_on(held, cycle=5, row=10, content_hash=SAME) is ruling
