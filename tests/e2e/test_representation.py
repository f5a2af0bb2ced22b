"""``representation: auto``: pages that are whole as served cost no browser, shells are rendered."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bulletins import article, write_bulletins
from tests.e2e.ledger import Row, connected, read_rows
from tests.e2e.processes import Crawls, wait_until
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, Step, page

pytestmark = pytest.mark.e2e

DETAILS = 6
QUICK = 3
"""Details served at once; the others give these the time to be rendered and committed."""
AUTO: dict[str, Any] = {
    "representation": "auto",
    "ready": {"absent": [".loading"]},
    "concurrency": 1,
}


def shell(key: str) -> Step:
    """A page whose article is written by a script."""
    written = json.dumps(article(key)).replace("</", "<\\/")
    return page(
        f"<title>Notice</title><main>Board of notices, see below</main><script>"
        f"document.querySelector('main').innerHTML = {written}</script>"
    )


MOVES = "<title>Notice</title><main>Moved</main><script>location = '/landed'</script>"


def static(key: str) -> Step:
    return page(f"<title>Notice</title><main>{article(key)}</main><script>var seen = 1</script>")


def stat(crawl: Finished, name: str) -> int:
    found = re.search(rf"'{re.escape(name)}': (\d+)", crawl.stderr)
    return int(found[1]) if found else 0


def representations(data: Path, target: str) -> list[tuple[str, int, str | None]]:
    """Return representation, eligibility and reason of what was filed of a page, oldest first."""
    query = (
        "SELECT representation, eligible, reason FROM captures WHERE url LIKE ? AND row_id IS NOT "
        "NULL ORDER BY id"
    )
    with connected(data) as ledger:
        return [tuple(found) for found in ledger.execute(query, (f"%{target}",))]


@dataclass(frozen=True, slots=True)
class Crawled:
    project: Project
    server: Server
    first: Finished
    first_rows: dict[str, Row]
    hits: dict[str, int]
    second: Finished


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """A listing that is whole as served, and details that are not, crawled twice."""
    folder: Path = tmp_path_factory.mktemp("auto")
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server:
        targets = [f"/notice/{number}" for number in range(DETAILS)]
        server.serve("/moves", page(MOVES))
        server.serve("/landed", shell("landed"))
        links = "".join(f"<li><a href={link}>{link}</a></li>" for link in ("/moves", *targets))
        server.serve("/board", page(f"<main><ul>{links}</ul></main><script>var seen</script>"))
        for number, target in enumerate(targets):
            server.serve(target, replace(shell(f"n{number}"), delay=0.6 * (number >= QUICK)))
        write_bulletins(project, server, "/board", collect={"links": "main a[href]"}, access=AUTO)
        first = project.scrapy("crawl", "bulletins")
        rows = read_rows(project.data, "bulletins")
        hits = {target: server.hits(target) for target in ("/board", "/moves", "/landed", *targets)}
        second = project.scrapy("crawl", "bulletins")
        yield Crawled(project, server, first, rows, hits, second)


def test_each_document_is_asked_for_once_and_each_page_has_one_outcome(crawled: Crawled) -> None:
    assert crawled.first.code == 0, crawled.first.stderr
    assert set(crawled.hits.values()) == {1}
    assert {(row.reason, row.attempts) for row in crawled.first_rows.values()} == {("eligible", 1)}
    assert len(crawled.project.records("bulletins")) == DETAILS + 1


def test_a_page_that_is_whole_as_served_costs_no_browser(crawled: Crawled) -> None:
    kept = representations(crawled.project.data, "/board")

    assert kept == [("html", 1, "eligible")] * 2
    assert stat(crawled.first, "rendering/pages") == DETAILS + 2


def test_a_served_page_whose_scripts_go_elsewhere_is_followed_there(crawled: Crawled) -> None:
    row = crawled.first_rows["/moves"]
    kept = representations(crawled.project.data, "/moves")

    assert (row.hops, row.url) == ((("/moves", 200),), crawled.server.url("/landed"))
    assert kept[:4] == [
        ("html", 0, "incomplete_snapshot"),
        ("html", 0, None),
        ("html", 0, None),
        ("rendered_dom", 1, "eligible"),
    ]


def test_what_was_served_is_filed_before_what_became_of_it(crawled: Crawled) -> None:
    first_cycle = representations(crawled.project.data, "/notice/0")[:2]

    assert first_cycle == [("html", 0, "incomplete_snapshot"), ("rendered_dom", 1, "eligible")]
    assert crawled.project.scrapy("verify").code == 0


def test_the_decision_is_kept_and_shown(crawled: Crawled) -> None:
    [decision] = crawled.first_rows["/notice/0"].decisions
    told = crawled.project.scrapy("explain", crawled.server.url("/notice/0")).stdout

    assert (decision["action"], decision["layer"]) == ("render", "representation")
    assert decision["evidence"] == ["article matches nothing"]
    assert decision["remaining_attempts"] == 1
    assert 80 < decision["remaining_seconds"] < 90
    assert "render (incomplete_snapshot): representation; its scripts may add" in told
    assert "rendering  detail pages at once: " in told


def test_after_three_pages_that_needed_it_the_kind_is_rendered_at_once(crawled: Crawled) -> None:
    assert QUICK <= stat(crawled.first, "rendering/need/needed") < DETAILS
    assert stat(crawled.first, "rendering/escalated") == 1 + stat(
        crawled.first, "rendering/need/needed"
    )
    assert stat(crawled.first, "rendering/need/at_once") > 0


def test_the_next_run_remembers_it(crawled: Crawled) -> None:
    assert crawled.second.code == 0, crawled.second.stderr
    assert stat(crawled.second, "rendering/escalated") == 0
    assert stat(crawled.second, "rendering/need/at_once") == DETAILS + 1
    assert stat(crawled.second, "rendering/need/whole") == 1


def test_pages_of_another_representation_are_no_source_of_records(
    crawled: Crawled, tmp_path: Path
) -> None:
    project = Project(sites=tmp_path / "sites", data=crawled.project.data)
    access = {**AUTO, "representation": "html"}
    write_bulletins(
        project, crawled.server, "/board", collect={"links": "main a[href]"}, access=access
    )

    replay = project.scrapy("replay", "bulletins", "--json")

    [report] = replay.json
    details = [each for each in report["differences"] if "/notice/" in each["url"]]
    assert len(details) == DETAILS
    assert {(each["change"], each["new"]) for each in details} == {
        ("verdict", "representation_mismatch")
    }


def test_a_site_of_whole_pages_starts_no_browser(project: Project, server: Server) -> None:
    server.serve("/board", static("a"))
    write_bulletins(project, server, "/board", access=AUTO)

    crawl = project.scrapy("crawl", "bulletins", settings={"CHROMIUM_PATH": "/nonexistent"})

    assert crawl.code == 0, crawl.stderr
    assert read_rows(project.data, "bulletins")["/board"].reason == "eligible"


def test_a_page_is_rendered_after_all_where_the_run_was_killed(
    project: Project, server: Server, crawls: Crawls
) -> None:
    server.serve("/board", shell("a"))
    write_bulletins(project, server, "/board", access=AUTO)
    hanging = project.data.parent / "hanging-browser"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o700)
    crawl = crawls.start("bulletins", settings={"CHROMIUM_PATH": hanging})
    assert wait_until(lambda: _is_escalated(project.data), 20)

    crawl.kill()
    again = project.scrapy("crawl", "bulletins")

    row = read_rows(project.data, "bulletins")["/board"]
    assert again.code == 0, again.stderr
    assert (row.reason, [each["action"] for each in row.decisions]) == ("eligible", ["render"])
    assert server.hits("/board") == 2, "what was retained died with the process"
    assert [record["title"] for record in project.records("bulletins")] == ["Gate repaired"]


def _is_escalated(data: Path) -> bool:
    if not (data / "ledger.db").exists():
        return False
    with connected(data) as ledger:
        tables = ledger.execute("SELECT name FROM sqlite_master WHERE name = 'decisions'")
        return bool(tables.fetchall()) and bool(
            ledger.execute("SELECT 1 FROM decisions").fetchall()
        )
