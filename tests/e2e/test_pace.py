"""Pace and concurrency are the site file's, not those of Scrapy's settings."""

from itertools import pairwise
from typing import Any

import pytest

from tests.e2e.project import Project
from tests.e2e.server import Server, Step, page

PAGES = 12
LINKS = "".join(f'<li><a href="/item/{n}">{n}</a></li>' for n in range(PAGES))

pytestmark = pytest.mark.e2e


def crawl(project: Project, server: Server, slowness: float, **access: Any) -> list[float]:
    """Return when each page was asked for; each takes *slowness* seconds."""
    server.serve("/", page(f"<title>All</title><ul>{LINKS}</ul>"))
    server.serve(
        "/item/*", Step(b"<title>One</title><article><h2>One</h2></article>", delay=slowness)
    )
    record = {"type": "notice", "each": "article", "fields": {"title": "css:h2::text"}}
    collect = {"links": "li a[href]"}
    project.write_site("paced", server, start=["/"], collect=collect, access=access, record=record)
    finished = project.scrapy("crawl", "paced", settings={"DOWNLOAD_DELAY": 2})
    assert finished.code == 0, finished.stderr
    return [hit.at for hit in server.log if hit.path.startswith("/item/")]


def test_a_permitted_private_address_is_asked_without_pauses(
    project: Project, server: Server
) -> None:
    times = crawl(project, server, slowness=0)

    assert len(times) == PAGES
    assert max(times) - min(times) < PAGES, "with its usual pauses it takes twice as long"


def test_a_site_may_have_more_in_flight_than_the_default(project: Project, server: Server) -> None:
    crawl(project, server, slowness=0.3, concurrency=8)

    assert server.most_in_flight == 8


def test_the_delay_of_the_site_file_is_kept_between_requests(
    project: Project, server: Server
) -> None:
    times = crawl(project, server, slowness=0, delay=0.1)

    assert min(later - earlier for earlier, later in pairwise(times)) > 0.05
    assert max(times) - min(times) < 2 * PAGES
