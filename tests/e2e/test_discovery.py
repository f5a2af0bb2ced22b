"""Detail pages by URL pattern, further listings by what pages call them or by a counter."""

import pytest

from tests.e2e.project import Project
from tests.e2e.server import Server, page

pytestmark = pytest.mark.e2e

FIELDS = {"name": ["css:h1::text"], "starts_at": ["css:time::attr(datetime)"]}
RECORD = {"type": "event", "fields": FIELDS}


def serve_events(server: Server, *numbers: int) -> None:
    for number in numbers:
        event = f"<h1>Evening {number}</h1><time datetime=2027-01-0{number}>then</time>"
        server.serve(f"/events/{number}/x", page(f"<title>On</title>{event}<p>{'music ' * 200}"))


def listing(*links: str) -> str:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<title>All</title><h1>All</h1><ul>{items}</ul><p>{'what is on ' * 100}</p>"


def test_a_site_is_collected_by_pattern_and_found_pages(project: Project, server: Server) -> None:
    serve_events(server, 1, 2, 3)
    near_misses = ("/events/1/share", "/events/1/x?ical=1", "/login", "/events/2/x?utm_source=a")
    more = '<a href="/list?page=2">Next page</a>'
    loop = '<a href="/list?page=2">Next page</a><a href="/list">Previous</a>'
    server.serve("/list", page(listing("/events/1/x", "/events/2/x", *near_misses) + more))
    server.serve("/list?page=2", page(listing("/events/2/x?utm_source=b", "/events/3/x") + loop))
    collect = {"match": ["/events/<int>/*"], "next": "auto"}
    project.write_site("hall", server, start=["/list"], collect=collect, record=RECORD)

    crawl = project.scrapy("crawl", "hall")

    assert crawl.code == 0, crawl.stderr
    outcomes = project.outcomes("hall")
    assert outcomes["outcomes"] == {"eligible": 5}
    assert outcomes["records"]["accepted"] == 3
    assert project.collections("hall")["complete"] is True
    assert [server.hits(f"/events/{number}/x") for number in (1, 2, 3)] == [1, 1, 1]
    assert server.hits("/login") == server.hits("/events/1/share") == 0


def test_counted_pages_end_where_one_leads_to_nothing(project: Project, server: Server) -> None:
    serve_events(server, 1, 2)
    server.serve("/list", page(listing("/events/1/x")))
    server.serve("/list?page=2", page(listing("/events/2/x")))
    server.serve("/list?page=3", page(listing()))
    server.serve("/list?page=4", page(listing("/events/9/x")))
    collect = {"links": "li a", "pages": {"param": "page"}}
    project.write_site("hall", server, start=["/list"], collect=collect, record=RECORD)

    crawl = project.scrapy("crawl", "hall")

    assert crawl.code == 0, crawl.stderr
    outcomes = project.outcomes("hall")
    assert outcomes["outcomes"] == {"eligible": 5}
    assert outcomes["records"] == {"accepted": 2, "unchanged": 0, "rejected": {}}
