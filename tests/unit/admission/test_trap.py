from time import process_time

import pytest

from crawler.admission.trap import find_trap
from crawler.contracts.outcome import Reason

AT = "https://hall.example"


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/a/b/a/b/a/b", "/a/b 3 times in a row"),
        ("/a/a/a/", "/a 3 times in a row"),
        ("/x/2027/news/2027/news/2027/news/1", "/2027/news 3 times in a row"),
        ("/events//events//events//events", "/events 3 times in a row"),
        ("/p" + "/a" * 3 + "/b", "/a 3 times in a row"),
        ("/" + "/".join(map(str, range(101))), "more than 100 parts of a path"),
    ],
)
def test_a_path_that_goes_in_circles_is_refused(path: str, detail: str) -> None:
    trap = find_trap(AT + path)

    assert trap is not None
    assert (trap.reason, trap.detail) == (Reason.REFUSED_TRAP, detail)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/a/b/a/b",
        "/a/b/a/c/a/d",
        "/a/A/a",
        "/2011/11/11/11",
        "/a/b/c/a/b/c",
        "/search?q=a/a/a",
        "/aaa",
        "/" + "/".join(map(str, range(100))),
    ],
)
def test_a_path_that_repeats_a_little_is_not(path: str) -> None:
    assert find_trap(AT + path) is None


@pytest.mark.parametrize(
    "path", ["/1" * 99, "".join(f"/{n % 40}x" for n in range(99)), "/1/2" * 49 + "/x"]
)
def test_all_links_of_a_page_with_the_longest_paths_are_looked_at_in_time(path: str) -> None:
    started = process_time()

    found = [find_trap(AT + path) for _ in range(1000)]

    assert found == [None] * 1000
    assert process_time() - started < 2
