import pytest
from scrapy import Request

from crawler.engine.ready import ReadyQueue


def fill(*entries: tuple[str, float]) -> ReadyQueue:
    """Push one request for each (scope, time); its URL tells both and its number."""
    queue = ReadyQueue()
    for number, (scope, send_at) in enumerate(entries):
        queue.push(Request(f"http://{scope}.example/{number}"), scope, send_at)
    return queue


def pop(queue: ReadyQueue, now: float, *, closed: str = "", gap: float = 0.0) -> str | None:
    request = queue.pop(now, lambda scope: scope != closed, lambda scope: gap)
    return request.url.removeprefix("http://").replace(".example", "") if request else None


def test_nothing_is_given_before_it_is_due() -> None:
    queue = fill(("a", 10.0))

    assert pop(queue, 9.999) is None
    assert pop(queue, 10.0) == "a/0"
    assert len(queue) == 0


def test_what_has_been_due_longest_goes_first_whatever_its_scope() -> None:
    queue = fill(("a", 3.0), ("b", 1.0), ("a", 2.0), ("b", 4.0))

    assert [pop(queue, 5.0) for _ in range(5)] == ["b/1", "a/2", "a/0", "b/3", None]


def test_requests_due_at_once_keep_their_order() -> None:
    queue = fill(*[("a", 1.0)] * 5)

    assert [pop(queue, 1.0) for _ in range(5)] == [f"a/{number}" for number in range(5)]


def test_a_closed_scope_holds_up_no_other() -> None:
    queue = fill(("a", 1.0), ("b", 2.0))

    assert pop(queue, 5.0, closed="a") == "b/1"
    assert pop(queue, 5.0, closed="a") is None
    assert pop(queue, 5.0) == "a/0"


def test_what_was_held_up_is_no_burst() -> None:
    queue = fill(("a", 1.0), ("a", 1.5), ("b", 1.2))

    assert pop(queue, 10.0, gap=0.5) == "a/0"
    assert pop(queue, 10.0, gap=0.5) == "b/2"
    assert pop(queue, 10.0, gap=0.5) is None
    assert pop(queue, 10.4, gap=0.5) is None
    assert pop(queue, 10.5, gap=0.5) == "a/1"


@pytest.mark.parametrize(
    ("now", "expected"), [(0.0, 1.0), (1.0, 3.0), (2.9, 3.0), (3.0, None), (9.0, None)]
)
def test_the_next_time_is_of_a_scope_not_yet_due(now: float, expected: float | None) -> None:
    assert fill(("a", 1.0), ("a", 2.0), ("b", 3.0)).next_time(now) == expected


def test_the_next_time_of_a_scope_includes_its_gap() -> None:
    queue = fill(("a", 1.0), ("a", 1.0))
    pop(queue, 5.0, gap=2.0)

    assert queue.next_time(5.0) == 7.0


def test_an_empty_queue_has_no_next_time() -> None:
    assert ReadyQueue().next_time(0.0) is None
    assert pop(ReadyQueue(), 0.0) is None


def test_wanted_requests_are_taken_out_and_the_rest_keep_their_order() -> None:
    queue = fill(("a", 3.0), ("a", 1.0), ("b", 2.0), ("a", 2.0))

    taken = queue.take(lambda request: request.url.endswith("/1"))

    assert [request.url for request in taken] == ["http://a.example/1"]
    assert [pop(queue, 9.0) for _ in range(4)] == ["a/3", "b/2", "a/0", None]


def test_a_scope_or_all_of_them_can_be_emptied() -> None:
    queue = fill(("a", 1.0), ("b", 1.0), ("a", 2.0))

    assert len(queue.drain("a")) == 2
    assert queue.drain("a") == []
    assert [request.url for request in queue] == ["http://b.example/1"]
    assert len(queue.drain()) == 1
    assert len(queue) == 0
