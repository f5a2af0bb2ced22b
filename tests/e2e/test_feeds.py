"""Scrapy's own options: feeds hold accepted records only; data is for its owner alone."""

import csv
import json
import os
import stat
from pathlib import Path

import pytest

from tests.e2e.bulletins import EXAMPLE, article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import Server, page

pytestmark = pytest.mark.e2e


@pytest.fixture
def site(project: Project, server: Server) -> None:
    """Two records, a rejected page and one that is gone."""
    server.serve("/one", page(EXAMPLE))
    server.serve("/two", board(article("notice-2")))
    server.serve("/bad", board(article("")))
    write_bulletins(project, server, "/one", "/two", "/bad", "/gone")


def read_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


KNOWN_LATER = ("status", "cycle", "cycle_complete")
"""What a record has in the ledger alone: a feed is written while its cycle is open."""


@pytest.mark.usefixtures("site")
def test_a_line_of_a_feed_is_an_accepted_record(project: Project, tmp_path: Path) -> None:
    feed = tmp_path / "out.jl"

    finished = project.scrapy("crawl", "bulletins", "-o", str(feed))

    assert finished.code == 0, finished.stderr
    lines = read_lines(feed)
    assert sorted(str(line["id"]) for line in lines) == ["notice-1", "notice-2"]
    stored = {record["id"]: record for record in project.records("bulletins")}
    for record in stored.values():
        for name in KNOWN_LATER:
            del record["provenance"][name]
    assert {line["id"]: line for line in lines} == stored


@pytest.mark.usefixtures("site")
def test_a_feed_is_appended_to_or_overwritten(project: Project, tmp_path: Path) -> None:
    feed = tmp_path / "out.jl"

    for option in ("-o", "-o"):
        assert project.scrapy("crawl", "bulletins", option, str(feed)).code == 0
    appended = read_lines(feed)
    assert project.scrapy("crawl", "bulletins", "-O", str(feed)).code == 0

    assert len(appended) == 4
    assert len(read_lines(feed)) == 2


@pytest.mark.usefixtures("site")
def test_a_feed_may_be_one_json_document_or_a_table(project: Project, tmp_path: Path) -> None:
    document, table = tmp_path / "out.json", tmp_path / "out.csv"

    finished = project.scrapy("crawl", "bulletins", "-O", str(document), "-O", str(table))

    assert finished.code == 0, finished.stderr
    records = json.loads(document.read_text(encoding="utf-8"))
    assert sorted(record["id"] for record in records) == ["notice-1", "notice-2"]
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["title"] for row in rows) == ["Gate repaired", "Maintenance window announced"]


@pytest.mark.usefixtures("site")
def test_arguments_and_settings_are_taken(project: Project, server: Server, tmp_path: Path) -> None:
    log = tmp_path / "crawl.log"

    finished = project.scrapy(
        "crawl",
        "bulletins",
        "-a",
        "anything=7",
        settings={"USER_AGENT": "Larch/1.0", "LOG_FILE": log},
    )

    assert finished.code == 0, finished.stderr
    assert {hit.headers["user-agent"] for hit in server.log} == {"Larch/1.0"}
    assert "Spider closed (finished)" in log.read_text(encoding="utf-8")


@pytest.mark.usefixtures("site")
def test_nothing_goes_to_standard_output(project: Project) -> None:
    finished = project.scrapy("crawl", "bulletins")

    assert finished.stdout == ""
    assert (
        finished.stderr.splitlines()[-1]
        == "bulletins: finished (3 eligible, 1 gone; 2 records, 1 rejected)"
    )


@pytest.mark.usefixtures("site")
def test_data_is_readable_by_its_owner_only(project: Project) -> None:
    previous = os.umask(0)
    try:
        assert project.scrapy("crawl", "bulletins").code == 0
    finally:
        os.umask(previous)

    found = [project.data, *project.data.rglob("*")]
    modes = {path.relative_to(project.data): stat.S_IMODE(path.stat().st_mode) for path in found}
    folders = {path for path in modes if (project.data / path).is_dir()}
    assert len(modes) >= 4
    assert {modes[path] for path in folders} == {0o700}, modes
    assert {modes[path] for path in modes.keys() - folders} == {0o600}, modes
