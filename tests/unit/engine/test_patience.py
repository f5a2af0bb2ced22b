from crawler.engine.patience import Patience

A, B = "a.example", "b.example"


def wait(patience: Patience, scope: str, *spans: tuple[float, float]) -> None:
    for now, until in spans:
        patience.add(scope, now, until)


def test_cool_downs_add_up_until_they_are_too_long() -> None:
    patience = Patience(longest=3)
    wait(patience, A, (0, 1), (1, 2), (2, 3))
    assert not patience.is_over((), now=2, next_due=3)

    wait(patience, A, (3, 4))
    assert patience.is_over((), now=3, next_due=4)


def test_cool_downs_that_overlap_count_once() -> None:
    patience = Patience(longest=3)
    wait(patience, A, *[(0.1 * n, 2 + 0.1 * n) for n in range(8)])
    assert not patience.is_over((), now=1, next_due=2.8)


def test_a_page_that_came_begins_the_sum_anew() -> None:
    patience = Patience(longest=3)
    wait(patience, A, (0, 3))
    patience.reset(A)
    wait(patience, A, (3, 6))
    assert not patience.is_over((), now=3, next_due=6)


def test_nothing_is_over_while_another_scope_has_work_to_come() -> None:
    patience = Patience(longest=3)
    wait(patience, A, (0, 5))
    assert not patience.is_over((B,), now=1, next_due=5)
    assert not patience.is_over((), now=1, next_due=2), "something else is due before"
    assert patience.is_over((A,), now=1, next_due=5)

    wait(patience, B, (1, 2))
    assert not patience.is_over((), now=1, next_due=5)
    assert patience.is_over((), now=2, next_due=5)
