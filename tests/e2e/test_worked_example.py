"""The example that started the project, and every way in which it can go wrong.

Each way is a page of its own, so that one crawl serves them all; those that make their scope cool
down have a host of their own, too.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.bulletins import EXAMPLE, article, board, write_bulletins
from tests.e2e.ledger import Row, read_rows, read_versions
from tests.e2e.project import Finished, Project
from tests.e2e.server import SILENCE, Server, Step, page

pytestmark = pytest.mark.e2e

DIGEST = "6ed8df5a98ee53e2889feb5ef7ed4dd8d549dba82882580418d4ca9656b7d46b"
CHALLENGE = page(
    "<html><head><title>Just a moment...</title>"
    '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script></head>'
    "<body><h1>Checking your browser</h1></body></html>"
)
BUSY = page("<h1>Busy</h1>", 503)
LIMITED = page("<h1>Slow down</h1>", 429)


@dataclass(frozen=True, slots=True)
class Case:
    """What the server answers in turn, how often it is asked, and what comes of the page."""

    steps: tuple[Step, ...]
    requests: int
    reason: str
    rejections: tuple[str, ...] = ()


def case(*steps: Step, requests: int = 1, reason: str = "eligible", rejected: str = "") -> Case:
    return Case(steps, requests, reason, (rejected,) if rejected else ())


def rejected(*articles: str, reason: str) -> Case:
    return case(board(*articles), rejected=reason)


ENDS = {
    "time-out then success": case(SILENCE, board(article("late")), requests=2),
    "two time-outs": case(SILENCE, requests=2, reason="timeout_exhausted"),
    "503 then success": case(BUSY, board(article("soon")), requests=2),
    "503 twice": case(BUSY, requests=2, reason="attempts_exhausted"),
    "401": case(page("<h1>Who are you?</h1>", 401), reason="authorization_review"),
    "403": case(page("<h1>Not for you</h1>", 403), reason="authorization_review"),
    "404": case(page("<h1>Not here</h1>", 404), reason="gone"),
    "500": case(page("<h1>Broken</h1>", 500), reason="http_status"),
    "challenge": case(CHALLENGE, reason="challenge_review"),
    "wrong media type": case(
        page(article("text"), content_type="text/plain"), reason="representation_mismatch"
    ),
    "media type in another spelling": case(
        page(f"<main>{article('spelling')}</main>", content_type="Text/HTML; charset=x")
    ),
    "empty body": case(page(""), requests=2, reason="incomplete_snapshot"),
    "empty body, then a page": case(page(""), board(article("filled")), requests=2),
    "region missing": case(page(article("bare")), reason="incomplete_snapshot"),
    "heading missing": rejected(article("h-0", ""), reason="required_field"),
    "heading empty": rejected(article("h-1", "<h2> </h2>"), reason="required_field"),
    "heading doubled": rejected(
        article("h-2", "<h2>Gate repaired</h2><h2>Gate broken</h2>"), reason="required_field"
    ),
    "id empty": rejected(article(""), reason="required_field"),
    "date invalid": rejected(article("d", published="2026-13-10"), reason="invalid_date"),
    "id duplicated": rejected(
        article("good"), article("twin"), article("twin"), reason="duplicate_id"
    ),
    "article nested": rejected(
        article("outer", f"<h2>Gate repaired</h2>{article('inner')}"), reason="nested_record"
    ),
    "article unclosed": rejected(
        article("open").removesuffix("</article>"), reason="record_structure"
    ),
    "no article": rejected("<p>Nothing new.</p>", reason="unverified_empty"),
    "no article, as declared": case(board("<p class=none>No bulletins.</p>")),
}
DEFERRALS = {
    "429 with Retry-After": (1, "defer_rate_limit", 120.0, (page("Slow", 429, retry_after="120"),)),
    "429 without": (1, "defer_rate_limit", None, (LIMITED,)),
    "503 with Retry-After": (1, "defer_service", 90.0, (page("Later", 503, retry_after="90"),)),
    "503 then 429": (2, "defer_rate_limit", None, (BUSY, LIMITED)),
}
"""Requests until due, reason, seconds asked for if any, answers."""


def target(name: str) -> str:
    return "/" + "-".join(name.lower().replace(",", "").split())


# The example itself


def test_a_page_that_is_busy_once_becomes_one_record_with_its_snapshot(
    project: Project, server: Server
) -> None:
    server.serve("/bulletins", BUSY, page(EXAMPLE))
    write_bulletins(project, server, "/bulletins", source_id="fixture:bulletins")

    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 0, finished.stderr
    assert server.hits("/bulletins") == 2
    (record,) = project.records("bulletins")
    assert (record["id"], record["title"], record["published"]) == (
        "notice-1",
        "Maintenance window announced",
        "2026-09-10",
    )
    provenance = record["provenance"]
    assert provenance["schema_version"] == "bulletins.v1"
    assert provenance["source_id"] == "fixture:bulletins"
    assert provenance["snapshot_sha256"] == DIGEST


def test_a_snapshot_replayed_twice_publishes_once(project: Project, server: Server) -> None:
    server.serve("/bulletins", page(EXAMPLE))
    write_bulletins(project, server, "/bulletins")
    assert project.scrapy("crawl", "bulletins").code == 0
    published = project.records("bulletins")
    server.forget()

    replays = [project.scrapy("replay", "bulletins", "--apply") for _ in range(2)]

    assert [replay.code for replay in replays] == [0, 0], replays
    assert project.records("bulletins") == published
    assert server.log == ()


# Every way that ends in this crawl


@dataclass(frozen=True, slots=True)
class Crawled:
    project: Project
    server: Server
    finished: Finished
    hits: dict[str, int]
    rows: dict[str, Row]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """One crawl of all of ENDS."""
    project = make_project(tmp_path_factory.mktemp("ends"))
    with Server({target(name): case.steps for name, case in ENDS.items()}) as server:
        write_bulletins(
            project,
            server,
            *map(target, ENDS),
            collect={"complete": {"empty": ".none"}},
            access={"ready": {"present": ["main"]}, "timeout": 0.5, "concurrency": 16},
        )
        finished = project.scrapy("crawl", "bulletins")
        hits = {name: server.hits(target(name)) for name in ENDS}
        yield Crawled(project, server, finished, hits, read_rows(project.data, "bulletins"))


def make_project(folder: Path) -> Project:
    (folder / "sites").mkdir()
    return Project(sites=folder / "sites", data=folder / "data")


@pytest.mark.parametrize(("name", "expected"), ENDS.items(), ids=ENDS)
def test_each_way_ends_as_it_should(crawled: Crawled, name: str, expected: Case) -> None:
    row = crawled.rows[target(name)]

    assert crawled.hits[name] == expected.requests
    assert (row.reason, row.rejections) == (expected.reason, expected.rejections)
    assert row.state == "done"


@pytest.mark.parametrize("name", [name for name, end in ENDS.items() if end.rejections])
def test_a_rejected_page_keeps_its_snapshot(crawled: Crawled, name: str) -> None:
    assert crawled.rows[target(name)].statuses == (200,)


def test_only_the_good_pages_publish(crawled: Crawled) -> None:
    assert crawled.finished.code == 0
    assert "scheduler/lost" not in crawled.finished.stderr
    assert set(read_versions(crawled.project.data, "bulletins")) == {
        "late",
        "soon",
        "spelling",
        "filled",
    }


def test_the_ways_add_up(crawled: Crawled) -> None:
    funnel = crawled.project.outcomes("bulletins")

    assert funnel["admitted"] == len(ENDS) == sum(funnel["outcomes"].values())
    assert funnel["open"] == {"pending": 0, "deferred": 0, "leased": 0}


def test_replay_gives_the_same_verdicts_and_asks_for_nothing(crawled: Crawled) -> None:
    crawled.server.forget()

    replayed = crawled.project.scrapy("replay", "bulletins", "--apply")

    assert replayed.code == 0, replayed.stderr
    assert crawled.server.log == ()
    again = read_rows(crawled.project.data, "bulletins")
    assert {n: (r.reason, r.rejections) for n, r in again.items()} == {
        n: (r.reason, r.rejections) for n, r in crawled.rows.items()
    }


# Every way that waits


@dataclass(frozen=True, slots=True)
class Waiting:
    finished: Finished
    servers: dict[str, Server]
    rows: dict[str, Row]


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Waiting]:
    """One crawl of all of DEFERRALS, each on a host of its own."""
    project = make_project(tmp_path_factory.mktemp("waits"))
    with ExitStack() as stack:
        servers = {
            name: stack.enter_context(Server({target(name): steps}, host=f"127.0.0.{number}"))
            for number, (name, (*_, steps)) in enumerate(DEFERRALS.items(), 2)
        }
        write_bulletins(
            project,
            next(iter(servers.values())),
            *(server.url(target(name)) for name, server in servers.items()),
            access={"permit_private": [server.authority for server in servers.values()]},
        )
        # Long enough for a retry's own pause, too short for any of the cool-downs.
        finished = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 3})
        yield Waiting(finished, servers, read_rows(project.data, "bulletins"))


@pytest.mark.parametrize("name", DEFERRALS)
def test_a_deferred_page_is_left_alone_until_it_is_due(waiting: Waiting, name: str) -> None:
    requests, reason, asked, _ = DEFERRALS[name]
    row = waiting.rows[target(name)]

    assert waiting.servers[name].hits(target(name)) == requests
    assert (row.state, row.reason) == ("deferred", None)
    decision = row.decisions[-1]
    assert (decision["action"], decision["reason"]) == ("defer", reason)
    assert asked in {None, decision["wait_seconds"]}
    assert row.not_before is not None
    assert abs(row.not_before - time.time() - decision["wait_seconds"]) < 60


def test_the_value_a_server_asked_for_is_kept(waiting: Waiting) -> None:
    decision = waiting.rows[target("429 with Retry-After")].decisions[-1]

    assert decision["evidence"] == ["Retry-After: 120"]


def test_a_crawl_that_would_have_to_wait_longer_ends_as_deferred(waiting: Waiting) -> None:
    assert waiting.finished.code == 4, waiting.finished.stderr


def test_the_wait_a_server_asks_for_is_kept_and_not_outstayed(
    project: Project, server: Server
) -> None:
    server.serve("/bulletins", page("Slow", 429, retry_after="1"), page(EXAMPLE))
    write_bulletins(project, server, "/bulletins")

    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 0, finished.stderr
    first, second = server.times("/bulletins")
    assert 1.0 <= second - first <= 1.4
    row = read_rows(project.data, "bulletins")["/bulletins"]
    assert (row.reason, row.statuses) == ("eligible", (429, 200))


def test_a_rate_limited_robots_file_keeps_everything_from_its_host(
    project: Project, server: Server
) -> None:
    server.serve("/robots.txt", page("Slow", 429, retry_after="60"))
    server.compute("/*", lambda hit: board(article(hit.path)))
    write_bulletins(project, server, *(f"/{number}" for number in range(8)))

    crawls = [
        project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 0}) for _ in range(2)
    ]

    assert [crawl.code for crawl in crawls] == [4, 4], crawls[0].stderr
    assert [hit.path for hit in server.log] == ["/robots.txt"]
    rows = read_rows(project.data, "bulletins")
    assert {row.state for row in rows.values()} <= {"deferred", "pending"}
