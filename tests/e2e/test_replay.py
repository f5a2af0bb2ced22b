"""Pages read again with the server gone: the same on any day, under new rules, despite damage."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bulletins import board, write_bulletins
from tests.e2e.ledger import connected, read_versions
from tests.e2e.project import Finished, Project
from tests.e2e.server import Script, Server, page

pytestmark = pytest.mark.e2e

OLD_RULE = "css:h2::text"
NEW_RULE = "css:.long::text"
COSTLY_RULE = "xpath:.//*//*//*//*[@none]"
"""Finds nothing anywhere, and takes long to find it in a deep tree."""


def notice(key: str, published: str = "2026-09-10") -> str:
    return (
        f'<article data-id="{key}" data-published="{published}">'
        f'<h2>Café {key}</h2><p class="long">Terrace of café {key} shut</p></article>'
    )


PAGES = {
    "/a": board(notice("a-1"), notice("a-2")),
    "/b": board(notice("b-1")),
    "/c": board(
        '<article data-id="c-1" data-published="2026-09-10"><p class="long">C</p></article>'
    ),
    "/d": board(notice("d-1").replace('class="long"', 'class="short"')),
    "/slow": board(
        '<article data-id="slow" data-published="2026-09-10">'
        f"<h2 class=long>Slow</h2>{'<div>' * 1_500}{'</div>' * 1_500}</article>"
    ),
}
"""Two records, one, one rejected for its heading that the new rule accepts, the reverse, and one
that both rules read alike."""
CHANGES = [
    ("/a", "changed", "a-1", "title", "Café a-1", "Terrace of café a-1 shut"),
    ("/a", "changed", "a-2", "title", "Café a-2", "Terrace of café a-2 shut"),
    ("/b", "changed", "b-1", "title", "Café b-1", "Terrace of café b-1 shut"),
    ("/c", "no longer rejected", "c-1", "", "required_field", "accepted"),
    ("/d", "rejected", "d-1", "", "accepted", "required_field"),
]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A crawl whose server is gone; each test works on a copy."""
    return crawl_in(tmp_path_factory.mktemp("crawled"))


def crawl_in(folder: Path) -> Project:
    project = Project(sites=folder / "sites", data=folder / "data")
    project.sites.mkdir()
    with Server({target: (step,) for target, step in PAGES.items()}) as server:
        write_bulletins(project, server, *PAGES)
        finished = project.scrapy("crawl", "bulletins")
    assert finished.code == 0, finished.stderr
    return project


@pytest.fixture
def copy(crawled: Project, tmp_path: Path) -> Project:
    return copy_to(crawled, tmp_path)


def copy_to(project: Project, folder: Path) -> Project:
    shutil.copytree(project.sites.parent, folder, dirs_exist_ok=True)
    return Project(sites=folder / "sites", data=folder / "data")


def change_rule(project: Project, old: str = OLD_RULE, new: str = NEW_RULE) -> None:
    text = (project.sites / "bulletins.yaml").read_text()
    assert text.count(old) == 1
    project.write_text("bulletins.yaml", text.replace(old, new))


def replay(project: Project, *args: str, **settings: object) -> Any:
    """Return what ``replay --json`` says of the one site."""
    finished = project.scrapy("replay", "bulletins", "--json", *args, settings=settings)
    assert (finished.code, finished.stderr) == (0, "")
    [told] = finished.json
    return told


def changes(told: Any) -> list[tuple[object, ...]]:
    return [
        (
            "/" + d["url"].rpartition("/")[2],
            *(d[k] for k in ("change", "key", "field", "old", "new")),
        )
        for d in told["differences"]
    ]


# Nothing changed


def test_pages_read_again_without_their_server_differ_in_nothing(copy: Project) -> None:
    before = copy.records("bulletins")

    told = replay(copy, "--apply")

    assert told == {
        "site": "bulletins",
        "pages": 5,
        "applied": True,
        "failures": [],
        "verdicts": [],
        "differences": [],
    }
    assert copy.records("bulletins") == before


def test_the_body_of_a_page_about_one_thing_is_read_again_alike(tmp_path: Path) -> None:
    project = Project(sites=tmp_path / "sites", data=tmp_path / "data")
    project.sites.mkdir()
    described = {
        "@type": "SpecialAnnouncement",
        "identifier": "n-1",
        "headline": "Café shut",
        "datePublished": "2026-09-10",
    }
    script = f"<script type=application/ld+json>{json.dumps(described)}</script>"
    text = "<main><h1>Café shut</h1><p>The <em>terrace</em> is shut.</p></main>"
    pages: dict[str, Script] = {
        "/": (page("<main><a href=/n-1>One</a></main>"),),
        "/n-1": (page(script + text),),
    }
    with Server(pages) as server:
        write_bulletins(
            project, server, "/", record={"type": "notice"}, collect={"links": "main a[href]"}
        )
        finished = project.scrapy("crawl", "bulletins")
    assert finished.code == 0, finished.stderr
    (record,) = project.records("bulletins")

    assert record["body_markdown"] == "# Café shut\n\nThe *terrace* is shut."
    assert replay(project, "--apply")["differences"] == []
    assert project.records("bulletins") == [record]


def test_a_table_of_no_difference_is_one_message(copy: Project) -> None:
    finished = copy.scrapy("replay", "bulletins")

    assert (finished.code, finished.stdout) == (0, "")
    assert finished.stderr == "bulletins: same; pages read again: 5\n"


# The rules changed


def test_new_rules_show_what_they_would_change_and_change_nothing(copy: Project) -> None:
    before = copy.records("bulletins"), copy.outcomes("bulletins")
    change_rule(copy)

    told = replay(copy)
    shown = copy.scrapy("replay", "bulletins")

    assert changes(told) == CHANGES
    assert told["verdicts"] == [
        {"of": "record", "old": "required_field", "new": "accepted", "count": 1},
        {"of": "record", "old": "accepted", "new": "required_field", "count": 1},
    ]
    assert shown.stderr.splitlines() == [
        "bulletins: record: required_field -> accepted: 1",
        "bulletins: record: accepted -> required_field: 1",
        "bulletins: 3 changed, 1 no longer rejected, 1 rejected; pages read again: 5",
    ]
    assert len(shown.stdout.splitlines()) == 1 + len(CHANGES)
    assert (copy.records("bulletins"), copy.outcomes("bulletins")) == before


def test_new_rules_are_applied_once(copy: Project) -> None:
    before = {record["id"]: record for record in copy.records("bulletins")}
    change_rule(copy)

    first, second = replay(copy, "--apply"), replay(copy, "--apply")

    assert changes(first) == CHANGES
    assert changes(second) == []
    assert read_versions(copy.data, "bulletins") == {
        "a-1": 2,
        "a-2": 2,
        "b-1": 2,
        "c-1": 1,
        "slow": 1,
    }
    [rejected] = copy.records("bulletins", "--rejected")
    assert rejected["url"].endswith("/d")
    assert rejected["rejection"]["reason"] == "required_field"
    for record in copy.records("bulletins"):
        old = before.get(record["id"], record)
        for name in ("observed_at", "capture_id", "snapshot_sha256"):
            assert record["provenance"][name] == old["provenance"][name]


def test_rules_that_are_changed_back_give_back_the_old_records(copy: Project) -> None:
    before = {record["id"]: record["title"] for record in copy.records("bulletins")}
    change_rule(copy)
    replay(copy, "--apply")
    change_rule(copy, NEW_RULE, OLD_RULE)

    replay(copy, "--apply")

    assert {record["id"]: record["title"] for record in copy.records("bulletins")} == before
    assert replay(copy)["differences"] == []


def test_replay_does_not_make_an_observation_fresh(copy: Project) -> None:
    seen = "SELECT observed_at FROM observations"
    with connected(copy.data) as ledger:
        before = [at for (at,) in ledger.execute(seen)]
    change_rule(copy)

    replay(copy, "--apply")

    with connected(copy.data) as ledger:
        after = [at for (at,) in ledger.execute(seen)]
        captured = [at for (at,) in ledger.execute("SELECT observed_at FROM captures")]
    assert len(before) == 5
    assert set(after) <= set(captured)


def test_a_page_that_runs_out_of_time_replaces_nothing(copy: Project) -> None:
    change_rule(copy, OLD_RULE, COSTLY_RULE)

    told = replay(copy, "--apply", PAGE_TIMEOUT=0.5)

    assert read_versions(copy.data, "bulletins")["slow"] == 1
    assert {url for url, *_ in changes(told)} == {"/a", "/b", "/d"}


# The same everywhere


PLACES: dict[str, dict[str, str]] = {
    "first to see the day": {
        "TZ": "Pacific/Kiritimati",
        "PYTHONHASHSEED": "1",
        "LC_ALL": "C",
        "LANG": "C",
    },
    "last to see it": {
        "TZ": "Pacific/Pago_Pago",
        "PYTHONHASHSEED": "4242",
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "0",
    },
}


@contextmanager
def at(place: Mapping[str, str], mask: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in place.items():
            patch.setenv(name, value)
        previous = os.umask(mask)
        try:
            yield
        finally:
            os.umask(previous)


def test_replay_says_the_same_bytes_at_any_place(crawled: Project, tmp_path: Path) -> None:
    told = []
    for name, place in PLACES.items():
        project = copy_to(crawled, tmp_path / f"été {name} 日本")
        change_rule(project)
        with at(place, 0o077):
            told.append(project.scrapy("replay", "bulletins", "--json", "--apply"))
            told.append(project.scrapy("records", "bulletins"))

    assert [each.code for each in told] == [0] * 4, told
    assert told[0] == told[2]
    assert told[1] == told[3]
    assert "Terrace of café a-1 shut" in told[0].stdout


def test_a_crawl_reads_the_same_records_at_any_place(crawled: Project, tmp_path: Path) -> None:
    read = [describe(crawled)]
    for name, place in PLACES.items():
        folder = tmp_path / f"été {name} 日本"
        folder.mkdir()
        with at(place, 0o077):
            read.append(describe(crawl_in(folder)))

    assert read[0] == read[1] == read[2]


def describe(project: Project) -> list[Any]:
    """Return the records without what names one observation."""
    passing = ("capture_id", "observed_at", "url", "rule_version")
    records = project.records("bulletins")
    for record in records:
        for name in passing:
            record["provenance"].pop(name)
        for evidence in record["evidence"].values():
            for name in ("capture_id", "rule_version"):
                evidence.pop(name, None)
    return sorted(records, key=lambda record: str(record["id"]))


# Damage


@dataclass(frozen=True, slots=True)
class Stored:
    """Where the capture of a page lies."""

    capture_id: str
    file: str
    offset: int
    length: int


def find_capture(project: Project, target: str) -> Stored:
    query = """
        SELECT capture_id, file, byte_offset, byte_length FROM captures
        WHERE url LIKE '%' || ? AND eligible = 1
    """
    with connected(project.data) as ledger:
        [row] = ledger.execute(query, (target,)).fetchall()
    return Stored(*row)


def flip_byte(project: Project, target: str) -> None:
    stored = find_capture(project, target)
    path = project.data / "archive" / stored.file
    content = bytearray(path.read_bytes())
    content[stored.offset + stored.length // 2] ^= 0x10
    path.write_bytes(content)


def swap_captures(project: Project, one: str, other: str) -> None:
    """Let the ledger find under *one* what is whole and well, and is the page *other*."""
    found = find_capture(project, other)
    with closing(sqlite3.connect(project.data / "ledger.db")) as ledger:
        ledger.execute(
            "UPDATE captures SET file = ?, byte_offset = ?, byte_length = ? "
            "WHERE url LIKE '%' || ? AND eligible = 1",
            (found.file, found.offset, found.length, one),
        )
        ledger.commit()


def remove_archive(project: Project) -> None:
    for path in (project.data / "archive").glob("eligible-*"):
        path.unlink()


def assert_only_b_is_missing(finished: Finished) -> None:
    assert finished.code == 1
    [told] = finished.json
    assert [failure["url"].rpartition("/")[2] for failure in told["failures"]] == ["b"]
    assert changes(told) == [change for change in CHANGES if change[0] != "/b"]
    [message] = finished.stderr.splitlines()
    assert "/b: SnapshotCorrupt" in message


def test_a_flipped_byte_costs_its_page_and_no_other(copy: Project) -> None:
    change_rule(copy)
    flip_byte(copy, "/b")

    finished = copy.scrapy("replay", "bulletins", "--apply", "--json")

    assert_only_b_is_missing(finished)
    versions = read_versions(copy.data, "bulletins")
    assert versions == {"a-1": 2, "a-2": 2, "b-1": 1, "c-1": 1, "slow": 1}


def test_another_page_in_the_place_of_a_snapshot_is_no_snapshot(copy: Project) -> None:
    change_rule(copy)
    swap_captures(copy, "/b", "/a")

    assert_only_b_is_missing(copy.scrapy("replay", "bulletins", "--json"))


def test_damage_is_found_wherever_the_snapshot_is_shown(copy: Project) -> None:
    flip_byte(copy, "/b")
    capture = find_capture(copy, "/b").capture_id

    shown = copy.scrapy("snapshot", capture)
    verified = copy.scrapy("verify", "--json")

    assert (shown.code, shown.stdout) == (1, "")
    assert find_capture(copy, "/b").file in shown.stderr
    assert verified.code == 1
    assert verified.json["intact"] is False
    assert sum(len(file["damaged"]) for file in verified.json["files"]) >= 1


def test_an_archive_that_is_gone_is_said_page_by_page(copy: Project) -> None:
    before = copy.records("bulletins")
    remove_archive(copy)

    replayed = copy.scrapy("replay", "bulletins", "--apply", "--json")
    verified = copy.scrapy("verify", "--json")

    assert replayed.code == 1
    [told] = replayed.json
    assert (len(told["failures"]), told["differences"]) == (5, [])
    assert copy.records("bulletins") == before
    assert verified.code == 1


def test_a_capture_that_no_ledger_knows_is_told_and_no_damage(copy: Project) -> None:
    capture = find_capture(copy, "/b").capture_id
    with closing(sqlite3.connect(copy.data / "ledger.db")) as ledger:
        ledger.execute("DELETE FROM captures WHERE capture_id = ?", (capture,))
        ledger.commit()

    verified = copy.scrapy("verify", "--json")

    assert verified.code == 0, verified.stdout
    assert sum(file["unindexed"] for file in verified.json["files"]) == 1


# Mistakes


def test_a_site_whose_file_has_gone_is_said_and_others_are_read(copy: Project) -> None:
    with Server({"/": (board(notice("z")),)}) as server:
        file = write_bulletins(copy, server, "/", name="allotments")
        assert copy.scrapy("crawl", "allotments").code == 0
    file.unlink()

    finished = copy.scrapy("replay", "--json")

    assert finished.code == 1
    assert [told["site"] for told in finished.json] == ["bulletins"]
    [message] = finished.stderr.splitlines()
    assert "allotments" in message


def test_a_site_file_that_is_wrong_is_said_with_its_line(copy: Project) -> None:
    before = copy.records("bulletins")
    copy.write_text("bulletins.yaml", "site: bulletins\nstart: 7\n")

    finished = copy.scrapy("replay", "bulletins", "--apply")

    assert (finished.code, finished.stdout) == (1, "")
    assert "bulletins.yaml:2" in finished.stderr
    assert copy.records("bulletins") == before


def test_what_a_record_rests_on_is_still_told_by_explain(copy: Project) -> None:
    change_rule(copy)
    replay(copy, "--apply")
    url = copy.records("bulletins")[0]["provenance"]["url"]

    [row] = json.loads(copy.scrapy("explain", url, "--json").stdout)

    assert [record["version"] for record in row["records"]] == [2, 2]
    assert row["reason"] == "eligible"


def test_a_page_misjudged_for_a_wrong_rule_is_read_again_and_not_fetched_again(
    project: Project, server: Server
) -> None:
    server.serve("/a", board(notice("a-1")))
    write_bulletins(project, server, "/a", access={"ready": {"present": ["main.missing"]}})
    project.scrapy("crawl", "bulletins")
    misjudged = project.outcomes("bulletins")["outcomes"]
    write_bulletins(project, server, "/a", access={"ready": {"present": ["main"]}})

    [shown] = project.scrapy("replay", "bulletins", "--json").json
    project.scrapy("replay", "bulletins", "--apply")
    [again] = project.scrapy("replay", "bulletins", "--json").json

    assert misjudged == {"incomplete_snapshot": 1}
    changes = [(d["change"], d["key"], d["old"], d["new"]) for d in shown["differences"]]
    assert changes == [
        ("verdict", "", "incomplete_snapshot", "eligible"),
        ("added", "a-1", None, "accepted"),
    ]
    assert again["differences"] == []
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 1}
    assert [record["id"] for record in project.records("bulletins")] == ["a-1"]
    assert server.hits("/a") == 1


def test_an_error_page_is_not_read_again_whatever_the_rules(
    project: Project, server: Server
) -> None:
    server.serve("/gone", page("<main>gone</main>", 404))
    server.serve("/empty", page(""))
    write_bulletins(project, server, "/gone", "/empty")
    project.scrapy("crawl", "bulletins")

    [shown] = project.scrapy("replay", "bulletins", "--json").json

    assert shown["differences"] == []
    assert project.outcomes("bulletins")["outcomes"] == {"gone": 1, "incomplete_snapshot": 1}
