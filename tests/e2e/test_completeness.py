"""Two cycles over one programme of two pages: what is complete, and what has vanished."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Record, Rejection
from crawler.ledger.database import ledger_url
from crawler.ledger.queries import reading
from crawler.ledger.queries.collections import find_judged_cycle
from crawler.ledger.queries.records import StoredRejection, iterate_records
from crawler.reporting.collections import iterate_incomplete
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, page

pytestmark = pytest.mark.e2e

CHALLENGE = page("<title>Just a moment...</title>", 403, cf_mitigated="challenge")


def evening(number: int) -> str:
    event = f"<h1>Evening {number}</h1><time datetime=2027-01-0{number}>then</time>"
    return f"<title>On</title>{event}<p>{'music ' * 200}"


def listing(total: int, *numbers: int, following: str = "") -> str:
    items = "".join(f'<li><a href="/{n}">{n}</a></li>' for n in numbers)
    return f"<title>All</title><p class=total>{total} evenings</p><ul>{items}</ul>{following}"


@dataclass(frozen=True, slots=True)
class Story:
    """What was known after each cycle, and what was printed at its end."""

    project: Project
    ends: list[Finished] = field(default_factory=list)
    collections: list[dict[str, Any]] = field(default_factory=list)
    rejected: list[list[StoredRejection]] = field(default_factory=list)
    records: list[dict[str, tuple[str, int]]] = field(default_factory=list)

    def crawl(self) -> None:
        self.ends.append(self.project.scrapy("crawl", "hall"))
        collection, rejected, records = self.read()
        self.collections.append(collection)
        self.rejected.append(rejected)
        self.records.append(records)

    def read(self) -> tuple[dict[str, Any], list[StoredRejection], dict[str, tuple[str, int]]]:
        with reading(ledger_url(self.project.data)) as conn:
            judged = find_judged_cycle(conn, "hall")
            assert judged is not None
            [collection] = judged.collections
            rejected = list(iterate_incomplete(conn, "hall"))
            return collection.as_json(), rejected, standings(iterate_records(conn, "hall"))


def standings(records: Iterable[Record]) -> dict[str, tuple[str, int]]:
    return {
        str(record.fields["name"].value): (record.standing.status.value, record.standing.cycle)
        for record in records
        if record.standing
    }


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    folder = tmp_path_factory.mktemp("story")
    project = Project(sites=folder / "sites", data=folder / "data")
    project.sites.mkdir()
    told = Story(project)
    following = '<a rel=next href="/list?page=2">on</a>'
    with Server() as server:
        project.write_site(
            "hall",
            server,
            start=["/list"],
            collect={
                "links": "li a",
                "next": "a[rel=next]",
                "complete": {"expected_count": ".total"},
            },
            record={
                "type": "event",
                "fields": {"name": ["css:h1::text"], "starts_at": ["css:time::attr(datetime)"]},
            },
        )
        for number in range(1, 6):
            server.serve(f"/{number}", page(evening(number)))
        # While the first page was read, the list moved on by one: 3 is on both, 4 on neither.
        server.serve("/list", page(listing(5, 1, 2, 3, following=following)))
        server.serve("/list?page=2", page(listing(5, 3, 5)))
        told.crawl()
        server.serve("/list?page=2", page(listing(5, 4, 5)))
        told.crawl()
        server.serve("/list", page(listing(4, 1, 2, 3, following=following)))
        server.serve("/list?page=2", page(listing(4, 4)))
        server.serve("/2", page("<h1>No such evening</h1>", 404))
        server.serve("/3", CHALLENGE)
        told.crawl()
    return told


def test_a_list_that_moved_on_between_two_pages_is_incomplete(story: Story) -> None:
    gap = "4 items, the page states 5"
    collection, [rejected] = story.collections[0], story.rejected[0]

    assert collection["complete"] is False
    assert collection["gaps"] == {"count_differs": gap}
    assert (collection["pages"], collection["items"], collection["accepted"]) == (2, 4, 4)
    assert rejected.rejection == Rejection(RejectReason.INCOMPLETE_COLLECTION, gap)
    assert rejected.capture_id
    told = story.project.scrapy("explain", collection["url"]).stdout
    assert "  collection complete: 4 items of 4\n" in told
    assert f"  collection incomplete: 4 items of 5\n             count_differs: {gap}\n" in told
    *_, line, end = story.ends[0].stderr.splitlines()
    assert line == f"hall: incomplete: {collection['url']}: {gap}"
    assert end == "hall: finished (6 eligible; 4 records)"
    assert "the cycle is closed; complete collections: 0 of 1" in story.ends[0].stderr


def test_the_next_cycle_may_be_complete(story: Story) -> None:
    assert story.collections[1]["complete"] is True
    assert "the cycle is closed; complete collections: 1 of 1" in story.ends[1].stderr
    assert "incomplete:" not in story.ends[1].stderr
    assert story.rejected[1] == []
    assert story.records[1] == {
        **{f"Evening {n}": ("unchanged", 2) for n in (1, 2, 3, 5)},
        "Evening 4": ("new", 2),
    }


def test_items_that_failed_are_counted_and_what_is_gone_has_vanished(story: Story) -> None:
    collection = story.collections[2]

    assert collection["complete"] is True
    assert (collection["items"], collection["accepted"]) == (4, 2)
    assert collection["failed"] == {"challenge_review": 1, "gone": 1}
    assert story.records[2] == {
        "Evening 1": ("unchanged", 3),
        "Evening 2": ("vanished", 3),
        "Evening 3": ("unchanged", 2),
        "Evening 4": ("unchanged", 3),
        "Evening 5": ("vanished", 3),
    }


def test_records_can_be_chosen_by_what_became_of_them(story: Story) -> None:
    chosen = story.project.records("hall", "--status", "vanished")

    assert sorted(record["name"] for record in chosen) == ["Evening 2", "Evening 5"]
    assert {record["provenance"]["status"] for record in chosen} == {"vanished"}


def test_outcomes_count_what_has_vanished(story: Story) -> None:
    assert story.project.outcomes("hall")["records"]["vanished"] == 2
    lines = story.project.scrapy("outcomes", "hall").stdout.splitlines()
    assert ["hall", "3", "records", "vanished", "2"] in [line.split() for line in lines]


def test_replay_comes_to_the_same_verdict(story: Story) -> None:
    told = story.project.scrapy("replay", "hall", "--apply")

    assert told.code == 0, told.stderr
    assert story.read() == (story.collections[2], [], story.records[2])


def test_a_table_says_what_is_complete(story: Story) -> None:
    told = story.project.scrapy("outcomes", "--collections").stdout

    [head, line] = told.splitlines()
    assert head.split()[2:6] == ["state", "items", "expected", "accepted"]
    assert line.split() == ["hall", "3", "complete", "4", "4", "2", story.collections[2]["url"]]
