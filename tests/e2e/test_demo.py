"""The demo site, whose every fault has one right outcome."""

from collections.abc import Iterator

import pytest

from tests.demo.site import open_demo_site, write_site_files
from tests.e2e.project import Project
from tests.e2e.server import Server

pytestmark = pytest.mark.e2e


@pytest.fixture
def demo(project: Project) -> Iterator[Server]:
    with open_demo_site() as running:
        write_site_files(project.sites, running.authority)
        yield running


def test_each_page_of_the_notices_board_has_the_outcome_it_should(
    project: Project, demo: Server
) -> None:
    finished = project.scrapy("crawl", "notices")

    assert finished.code == 0, finished.stderr
    assert project.outcomes("notices") == {
        "site": "notices",
        "cycle": 1,
        "admitted": 14,
        "duplicates": 2,
        "open": {"pending": 0, "deferred": 0, "leased": 0},
        "outcomes": {
            "eligible": 10,
            "authorization_review": 1,
            "redirected_to_seen": 1,
            "refused_robots": 1,
            "soft_404": 1,
        },
        "records": {"accepted": 6, "unchanged": 0, "rejected": {"invalid_date": 1}},
    }
    assert demo.hits("/robots.txt") == 1
    assert demo.hits("/notices/reading-room-repairs") == 2
    assert demo.hits("/notices/members-minutes") == 1
    assert demo.hits("/notices/opening-hours") == 1
    assert demo.hits("/notices/drafts/budget") == 0


def test_each_page_of_the_programme_has_the_outcome_it_should(
    project: Project, demo: Server
) -> None:
    finished = project.scrapy("crawl", "programme")

    assert finished.code == 0, finished.stderr
    assert project.outcomes("programme") == {
        "site": "programme",
        "cycle": 1,
        "admitted": 10,
        "duplicates": 0,
        "open": {"pending": 0, "deferred": 0, "leased": 0},
        "outcomes": {"eligible": 9, "challenge_review": 1},
        "records": {"accepted": 6, "unchanged": 0, "rejected": {"required_field": 1}},
    }
    refused, allowed = demo.times("/programme/choir-fair")
    assert allowed - refused >= 2
    assert demo.hits("/programme/patrons-gala") == 1
