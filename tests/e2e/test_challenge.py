"""Pages in another's place are fetched once: neither retried nor followed, and kept as evidence.

With the middleware at 540 a 503 challenge was sent three times, at 560 a meta refresh was followed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import Row, read_rows
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, Step, page

pytestmark = pytest.mark.e2e

TITLE = "<title>Just a moment...</title><h1>Checking your browser</h1>"
REFRESH = '<meta http-equiv="refresh" content="0;url=%s">'
FORM = "<form action=/login><input type=password></form>"
STANDS_IN: dict[str, tuple[Step, str]] = {
    "/challenge": (page(TITLE), "challenge_review"),
    "/challenge-503": (page(TITLE, 503), "challenge_review"),
    "/challenge-503-later": (page(TITLE, 503, retry_after="1"), "challenge_review"),
    "/challenge-403": (page(TITLE, 403), "challenge_review"),
    "/challenge-refresh": (page(REFRESH % "/followed" + TITLE), "challenge_review"),
    "/challenge-refresh-itself": (
        page(REFRESH % "/challenge-refresh-itself" + TITLE, 503),
        "challenge_review",
    ),
    "/challenge-header": (page(article("hidden"), cf_mitigated="challenge"), "challenge_review"),
    "/block": (page("<h1>Sorry, you have been blocked</h1>"), "challenge_review"),
    "/captcha": (page("<script src=https://js.hcaptcha.com/1/api.js></script>", 403),
                 "challenge_review"),
    "/login": (page("<title>Sign in</title>" + FORM), "authorization_review"),
    "/consent": (page(REFRESH % "/followed" + "<title>Cookie consent</title>Accept?"),
                 "authorization_review"),
    "/country": (page("<p>This page is not available in your country</p>"),
                 "authorization_review"),
    "/error": (page("<title>Error</title><h1>Something went wrong</h1>"), "http_status"),
    "/missing": (page("<title>Page not found</title><main>Nothing here</main>"), "soft_404"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crawled:
    server: Server
    finished: Finished
    rows: dict[str, Row]
    records: int


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """One crawl of all of them, and of a page that is in order."""
    folder: Path = tmp_path_factory.mktemp("challenges")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    steps = {target: (step,) for target, (step, _) in STANDS_IN.items()}
    with Server({**steps, "/good": (board(article("good")),)}) as server:
        write_bulletins(project, server, *STANDS_IN, "/good")
        # Ten refusals in a row would end it.
        finished = project.scrapy("crawl", "bulletins", settings={"BREAKER_REFUSALS": 0})
        rows = read_rows(project.data, "bulletins")
        yield Crawled(server, finished, rows, len(project.records("bulletins")))


@pytest.mark.parametrize("target", STANDS_IN)
def test_a_page_in_anothers_place_is_fetched_once_and_kept(crawled: Crawled, target: str) -> None:
    row = crawled.rows[target]

    assert crawled.server.hits(target) == 1
    assert row.reason == STANDS_IN[target][1]
    assert row.state == "done"
    assert len(row.statuses) == 1


def test_nothing_is_followed_and_nothing_published_but_the_good_page(crawled: Crawled) -> None:
    assert crawled.finished.code == 0
    assert crawled.server.hits("/followed") == 0
    assert crawled.records == 1
