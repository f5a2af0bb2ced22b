"""An export is the old file or the new one, whole, at whatever moment it is interrupted."""

import csv
import json
import os
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.processes import Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step

pytestmark = pytest.mark.e2e

RECORDS = 5_000
MANY = 20
OLD = '{"id": "old"}\n'


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """So many records that an export of them takes a while."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server:
        server.serve("/all", board(*(article(f"n-{number}") for number in range(RECORDS))))
        write_bulletins(project, server, "/all")
        finished = project.scrapy("crawl", "bulletins", settings={"PAGE_TIMEOUT": 60})
        assert finished.code == 0, finished.stderr
    return project


@dataclass(frozen=True, slots=True)
class Interrupted:
    code: int
    content: str
    left: list[str]
    """Names in the folder of the export."""


def interrupt(project: Project, target: Path, number: signal.Signals, layout: str) -> Interrupted:
    """Start an export to *target*, and send it a signal once it has begun to write."""
    target.write_text(OLD)

    def has_begun() -> bool:
        return any(
            path.stat().st_size for path in target.parent.iterdir() if path.name != target.name
        )

    with project.start("records", "--format", layout, "-o", str(target)) as process:
        assert wait_until(has_begun, 30)
        process.send_signal(number)
        process.communicate(timeout=30)
    left = sorted(path.name for path in target.parent.iterdir())
    return Interrupted(process.wait(), target.read_text(), left)


@pytest.mark.parametrize("layout", ["jsonl", "json"])
def test_an_export_that_is_killed_leaves_the_file_that_was_there(
    large: Project, tmp_path: Path, layout: str
) -> None:
    interrupted = interrupt(large, tmp_path / "out", signal.SIGKILL, layout)

    assert (interrupted.code, interrupted.content) == (-signal.SIGKILL, OLD)


def test_an_export_that_is_interrupted_leaves_nothing_else(large: Project, tmp_path: Path) -> None:
    interrupted = interrupt(large, tmp_path / "out", signal.SIGINT, "jsonl")

    assert interrupted.code != 0
    assert interrupted.content == OLD
    assert interrupted.left == ["out"]


@pytest.mark.parametrize("layout", ["jsonl", "json", "csv"])
def test_an_export_replaces_what_was_there(large: Project, tmp_path: Path, layout: str) -> None:
    target = tmp_path / "out"
    target.write_text(OLD)

    finished = large.scrapy("records", "--format", layout, "-o", str(target))

    assert (finished.code, finished.stdout, finished.stderr) == (0, "", "")
    assert target.read_text() == large.scrapy("records", "--format", layout).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("target", ["missing/out", "."])
def test_an_export_that_has_no_place_is_one_message(
    large: Project, tmp_path: Path, target: str
) -> None:
    finished = large.scrapy("records", "-o", str(tmp_path / target))

    assert (finished.code, finished.stdout) == (1, "")
    assert len(finished.stderr.splitlines()) == 1, finished.stderr
    assert list(tmp_path.iterdir()) == []


# Feeds of a crawl


@pytest.fixture
def gate() -> "Gate":
    return Gate()


class Gate:
    """Answers its page only once it is open."""

    is_open = False

    def answer(self, hit: Hit) -> Step:
        assert wait_until(lambda: self.is_open, 30)
        return board(article(hit.path.strip("/")))


@pytest.fixture
def slow(project: Project, server: Server, gate: Gate) -> None:
    """Two pages at once, and a third that waits at the gate."""
    for name in ("a", "b"):
        server.serve(f"/{name}", many(name))
    server.compute("/late", gate.answer)
    write_bulletins(project, server, "/a", "/b", "/late", access={"delay": 0, "timeout": 60})


def many(name: str) -> Step:
    """Return more records than a file keeps in its buffer."""
    return board(*(article(f"{name}-{number}") for number in range(MANY)))


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


@pytest.mark.usefixtures("slow")
def test_a_feed_appears_when_it_is_complete(
    project: Project, server: Server, gate: Gate, tmp_path: Path
) -> None:
    feed = tmp_path / "out.jl"
    feed.write_text(OLD)

    with project.start("crawl", "bulletins", "-o", str(feed)) as crawl:
        assert wait_until(lambda: server.hits("/late") == 1, 30)
        time.sleep(0.3)
        meanwhile = feed.read_text()
        gate.is_open = True
        crawl.communicate(timeout=30)

    assert crawl.returncode == 0
    assert meanwhile == OLD
    first, *others = ids(feed)
    assert first == "old"
    assert Counter(key[0] for key in others) == {"a": MANY, "b": MANY, "l": 1}
    assert [path.name for path in tmp_path.glob("*out*")] == ["out.jl"]


@pytest.mark.usefixtures("slow")
def test_a_crawl_that_is_killed_leaves_the_feed_that_was_there(
    project: Project, server: Server, gate: Gate, crawls: Crawls, tmp_path: Path
) -> None:
    feed = tmp_path / "out.json"
    feed.write_text("[]")

    crawl = crawls.start("bulletins", {"FEEDS": json.dumps({str(feed): {"format": "json"}})})
    assert wait_until(lambda: server.hits("/late") == 1, 30)
    time.sleep(0.3)
    crawl.kill()
    gate.is_open = True

    assert feed.read_text() == "[]"


@pytest.mark.usefixtures("slow")
def test_a_full_batch_is_delivered_while_the_crawl_goes_on(
    project: Project, server: Server, gate: Gate, tmp_path: Path
) -> None:
    batch = tmp_path / "out-1.jl"

    with project.start(
        "crawl",
        "bulletins",
        "-o",
        f"{tmp_path}/out-%(batch_id)d.jl",
        settings={"FEED_EXPORT_BATCH_ITEM_COUNT": 2 * MANY},
    ) as crawl:
        delivered = wait_until(batch.exists, 20) and ids(batch)
        is_running = crawl.poll() is None and server.hits("/late") == 1
        gate.is_open = True
        crawl.communicate(timeout=30)

    assert Counter(key[0] for key in delivered or ()) == {"a": MANY, "b": MANY}
    assert is_running
    assert ids(tmp_path / "out-2.jl") == ["late"]


def test_a_feed_that_cannot_be_continued_is_replaced(
    project: Project, server: Server, tmp_path: Path
) -> None:
    server.serve("/a", board(article("a")))
    write_bulletins(project, server, "/a")
    feeds = [tmp_path / f"out.{layout}" for layout in ("json", "csv", "xml")]
    options = [part for feed in feeds for part in ("-o", str(feed))]

    sizes = []
    for _ in range(2):
        assert project.scrapy("crawl", "bulletins", *options).code == 0
        sizes.append([feed.stat().st_size for feed in feeds])

    assert min(sizes[0]) > 100
    assert sizes[0] == sizes[1]
    assert len(json.loads(feeds[0].read_text())) == 1


def test_a_table_of_a_feed_cannot_run_in_a_spreadsheet(
    project: Project, server: Server, tmp_path: Path
) -> None:
    server.serve("/a", board(article("a", "<h2>=1+1</h2>")))
    write_bulletins(project, server, "/a")

    assert project.scrapy("crawl", "bulletins", "-o", f"{tmp_path}/out.csv").code == 0

    with (tmp_path / "out.csv").open(newline="") as file:
        [row] = csv.DictReader(file)
    assert row["title"] == "'=1+1"
    assert json.loads(row["provenance"])["key"] == "a"


def test_a_feed_may_go_to_a_pipe(project: Project, server: Server, tmp_path: Path) -> None:
    server.serve("/a", board(article("a")))
    write_bulletins(project, server, "/a")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        finished = project.scrapy("crawl", "bulletins", "-o", f"{pipe}:jl")
        printed, _ = reader.communicate(timeout=10)

    assert finished.code == 0, finished.stderr
    assert json.loads(printed)["id"] == "a"
    assert pipe.is_fifo()
