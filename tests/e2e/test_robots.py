"""A robots file that cannot be read allows nothing, and condemns nothing either."""

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import RESET, Server, Step, page

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    "failure", [Step(status=500), Step(status=503), RESET], ids=["500", "503", "reset"]
)
def test_an_unreadable_robots_file_defers_its_site(
    project: Project, server: Server, failure: Step
) -> None:
    server.serve("/robots.txt", failure)
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    crawl = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 0})

    assert crawl.code == 4
    assert server.hits("/bulletins") == 0
    assert server.hits("/robots.txt") == 2
    assert project.outcomes("bulletins")["open"] == {"pending": 0, "deferred": 1, "leased": 0}


def test_one_bad_moment_of_a_robots_file_costs_nothing(project: Project, server: Server) -> None:
    server.serve("/robots.txt", Step(status=503), page("User-agent: *\nDisallow: /other"))
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0
    assert server.hits("/bulletins") == 1
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 1}


def test_a_login_page_in_place_of_a_robots_file_allows_nothing(
    project: Project, server: Server
) -> None:
    server.serve("/robots.txt", page("<form action=/login><input type=password></form>"))
    server.serve("/bulletins", board(article("a")))
    write_bulletins(project, server, "/bulletins")

    project.scrapy("crawl", "bulletins")

    assert server.hits("/bulletins") == 0
    assert project.outcomes("bulletins")["outcomes"] == {"refused_robots": 1}
