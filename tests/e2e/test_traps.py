"""Listings that never end: each stops by a bound that the run, the outcomes and the page name."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.e2e.processes import Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step, page

pytestmark = pytest.mark.e2e

COLLECT = {"match": ["/events/<int>"], "next": "a[rel=next]", "max_barren": 3}
RECORD = {
    "type": "event",
    "fields": {"name": ["css:h1::text"], "starts_at": ["css:time::attr(datetime)"]},
}


def event(hit: Hit) -> Step:
    number = hit.path.rpartition("/")[2]
    words = f"<p>{'music ' * 200}"
    return page(f"<h1>Evening {number}</h1><time datetime=2027-01-{number[:2]}>then</time>{words}")


def listing(following: str, *numbers: int) -> Step:
    items = "".join(f'<li><a href="/events/{number}">{number}</a></li>' for number in numbers)
    words = f"<p>{'what is on ' * 100}"
    return page(f'<h1>All</h1><ul>{items}</ul><a rel=next href="{following}">on</a>{words}')


def number_of(hit: Hit) -> int:
    return int(parse_qs(urlsplit(hit.target).query).get("n", ["1"])[0])


def last_again(hit: Hit) -> Step:
    """Three pages; a number behind the last one shows the last one."""
    number = number_of(hit)
    return listing(f"/last?n={number + 1}", 100 + min(number, 3), 110 + min(number, 3))


def months(hit: Hit) -> Step:
    """A calendar of every month there will ever be, with events in two of them."""
    number = number_of(hit)
    return listing(f"/months?n={number + 1}", *((120 + number,) if number in {1, 4} else ()))


def sessions(hit: Hit) -> Step:
    """Two pages that lead to each other under a new name every time."""
    number = number_of(hit)
    return listing(f"/sessions?n={number + 1}", *((131, 132) if number % 2 else (133, 134)))


def circles(hit: Hit) -> Step:
    return listing(f"{hit.path}/list/more", 140 + len(hit.path) // 10)


TRAPS: dict[str, Callable[[Hit], Step]] = {
    "/last": last_again,
    "/months": months,
    "/sessions": sessions,
    "/list/more": circles,
    "/list/more/list/more": circles,
    **{f"/events/{number}": event for number in range(100, 150)},
}


def serve_traps(server: Server) -> None:
    for path, answer in TRAPS.items():
        server.compute(path, answer)


def test_every_trap_ends_by_a_bound_that_is_named(project: Project, server: Server) -> None:
    serve_traps(server)
    start = ["/last", "/months", "/sessions", "/list/more"]
    project.write_site("hall", server, start=start, collect=COLLECT, record=RECORD)

    finished = project.scrapy("crawl", "hall")

    assert finished.code == 0, finished.stderr
    told = "hall: links left out: 2 by max_barren, 1 by repeated_listing\n"
    assert told in finished.stderr
    asked = Counter(hit.path for hit in server.log if not hit.path.startswith("/events/"))
    assert asked == {
        "/robots.txt": 1,
        "/last": 3 + 1,
        "/months": 4 + 3,
        "/sessions": 2 + 3,
        "/list/more": 1,
        "/list/more/list/more": 1,
    }
    outcomes = project.outcomes("hall")
    judged = project.collections("hall")
    gaps = {each["url"]: each["gaps"] for each in judged["collections"]}
    assert gaps == {  # DU07: a repeated page is the end, a bound is none
        server.url("/last"): {},
        server.url("/months"): {
            "page_not_admitted": "further pages left out: 1 by max_barren",
            "page_unread": "a page was rejected: unverified_empty, and 4 more",
        },
        server.url("/sessions"): {"page_not_admitted": "further pages left out: 1 by max_barren"},
        server.url("/list/more"): {
            "page_failed": f"{server.url('/list/more' * 3)} ended as refused_trap"
        },
    }
    assert judged["left_out"] == {"max_barren": 2, "repeated_listing": 1}
    assert outcomes["outcomes"] == {"eligible": 18 + 6 + 2 + 4 + 2, "refused_trap": 1}
    for target, reason in (
        ("/last?n=4", "left out   1 links of the page: repeated_listing"),
        ("/list/more/list/more/list/more", "/list/more 3 times in a row"),
    ):
        assert reason in project.scrapy("explain", server.url(target)).stdout


def test_a_crawl_that_is_killed_in_a_trap_stops_at_the_same_place(
    project: Project, server: Server, crawls: Crawls
) -> None:
    serve_traps(server)
    server.compute("/months", lambda hit: replace(months(hit), delay=0.2))
    project.write_site("hall", server, start=["/months"], collect=COLLECT, record=RECORD)
    killed = crawls.start("hall")
    assert wait_until(lambda: any("n=6" in hit.target for hit in server.log), 30)
    killed.kill()

    finished = project.scrapy("crawl", "hall")

    assert finished.code == 0, finished.stderr
    targets = {hit.target for hit in server.log if hit.path == "/months"}
    assert targets == {"/months", *(f"/months?n={number}" for number in range(2, 8))}
    assert project.collections("hall")["left_out"] == {"max_barren": 1}
    assert len(project.records("hall")) == 2
