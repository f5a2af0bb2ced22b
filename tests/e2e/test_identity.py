"""Documents that are not the ones asked for, however they came: by status, by script, or at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import pytest

from tests.e2e.bulletins import article, write_bulletins
from tests.e2e.ledger import Row, read_rows
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, Step, page, redirect

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

DELAY = 0.4
IDENTITY = {
    "canonical": True,
    "title": "Notice * | Board",
    "url_part": {"part": "last_segment", "selector": "b.no"},
}


def notice(key: str, script: str = "", title: str | None = None) -> Step:
    """A page about the notice *key*, as a server or a script may make it."""
    shown = title or f"Notice {key} | Board"
    number = f"<b class=no>No. {key}</b>"
    return page(f"<title>{shown}</title>{article(key)}{number}<script>{script}</script>")


HOME = page(f"<title>Board</title><link rel=canonical href=/>{article('home')}")
REWRITTEN = "document.title = 'Board'; document.querySelector('b').textContent = 'No. 6'"
"""What a script does after it has passed for the page: a gate that lets through to elsewhere."""
PASSED = "document.title = 'Notice 5 | Board'; document.querySelector('b').textContent = 'No. 5'"
PAGES: dict[str, tuple[Step, str]] = {
    "/a/5": (notice("5"), "eligible"),
    "/gate/5": (notice("x", PASSED), "eligible"),
    "/b/5": (HOME, "wrong_document"),
    "/c/5": (notice("6"), "wrong_document"),
    "/d/5": (redirect("/"), "wrong_document"),
    "/e/5": (page("<title>Moving</title>x<script>location = '/late'</script>"), "wrong_document"),
    "/f/5": (notice("5", REWRITTEN), "wrong_document"),
    "/g/5": (notice("5", title="Notice 5 | Other board"), "wrong_document"),
}


@dataclass(frozen=True, slots=True)
class Crawled:
    server: Server
    finished: Finished
    rows: dict[str, Row]
    records: list[str]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("identity")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server({target: (step,) for target, (step, _) in PAGES.items()}) as server:
        server.serve("/", HOME)
        server.serve("/late", notice("5"))
        access = {
            "permit_private": [server.authority],
            "representation": "rendered_dom",
            "identity": IDENTITY,
            "ready": {"present": ["article"]},
            "delay": DELAY,
            "concurrency": 4,
        }
        write_bulletins(project, server, *PAGES, access=access)
        finished = project.scrapy("crawl", "bulletins")
        rows = read_rows(project.data, "bulletins")
        records = sorted(record["id"] for record in project.records("bulletins"))
        yield Crawled(server, finished, rows, records)


@pytest.mark.parametrize("target", PAGES)
def test_only_the_document_that_was_asked_for_is_read(crawled: Crawled, target: str) -> None:
    assert crawled.finished.code == 0, crawled.finished.stderr
    assert crawled.rows[target].reason == PAGES[target][1], crawled.rows[target].detail
    assert crawled.server.hits(target) == 1


def test_another_document_gives_no_record(crawled: Crawled) -> None:
    assert crawled.records == ["5", "x"]


def test_rendered_pages_keep_the_delay_of_their_site(crawled: Crawled) -> None:
    asked = [hit.at for hit in crawled.server.log if hit.path != "/robots.txt"]
    apart = [later - earlier for earlier, later in pairwise(asked)]

    assert len(asked) == len(PAGES) + len({"/", "/late"}), "hops are documents, too"
    assert median(apart) >= DELAY - 0.05
    # What a busy machine sends late is closer to what comes after it, and further from the rest.
    assert asked[-1] - asked[0] >= (len(asked) - 1) * DELAY - 0.5
