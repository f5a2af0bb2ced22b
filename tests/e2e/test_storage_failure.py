"""When ledger or archive cannot be written, the run ends at once and nothing is half accepted."""

import os
import random
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_ends, read_rows, read_versions
from tests.e2e.project import Process, Project
from tests.e2e.server import SILENCE, Hit, Server, Step, page

pytestmark = pytest.mark.e2e

COUNT = 40


def serve_large_pages(server: Server, count: int = COUNT) -> list[str]:
    """Serve pages that do not compress, 300 kB each, slowly enough for several commits."""

    def answer(hit: Hit) -> Step:
        noise = random.Random(hit.path).randbytes(150_000).hex()
        return replace(page(f"{article(hit.path)}<p hidden>{noise}</p>"), delay=0.06)

    server.compute("/p/*", answer)
    return [f"/p/{number}" for number in range(count)]


def serve_pages(server: Server, delay: float = 0.02) -> list[str]:
    server.compute("/p/*", lambda hit: Step(board(article(hit.path)).body, delay=delay))
    return [f"/p/{number}" for number in range(COUNT)]


def assert_nothing_half_accepted(project: Project) -> None:
    """Every record belongs to a page that ended as eligible, and every such page has its record."""
    rows = read_rows(project.data, "bulletins")
    eligible = {target for target, row in rows.items() if row.reason == "eligible"}
    assert set(read_versions(project.data, "bulletins")) == eligible
    assert all(200 in rows[target].statuses for target in eligible)
    assert {row.reason for row in rows.values()} <= {None, "eligible"}


def assert_continues(project: Project, targets: list[str]) -> None:
    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 0, finished.stderr
    assert set(read_versions(project.data, "bulletins")) == set(targets)
    assert project.outcomes("bulletins")["cycle"] == 1
    assert set(read_versions(project.data, "bulletins").values()) == {1}
    verified = project.scrapy("verify")
    assert verified.code == 0, verified.stdout + verified.stderr


# A full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=4m", "tmpfs"]
    mounted = subprocess.run(
        ["mount", *options, folder], capture_output=True, encoding="utf-8", check=False
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a file system")
def test_a_full_disk_ends_the_run_and_it_goes_on_when_there_is_room(
    project: Project, server: Server, small_disk: Path
) -> None:
    project = replace(project, data=small_disk / "data")
    targets = serve_large_pages(server)
    server.serve("/hangs", SILENCE)
    write_bulletins(project, server, *targets, "/hangs", access={"timeout": 300})

    with project.start("crawl", "bulletins") as process:
        wait_for_full(small_disk, process)
        _, stderr = process.communicate(timeout=60)

    assert process.returncode == 3, stderr
    assert "storage_failed" in stderr
    assert_nothing_half_accepted(project)
    assert 0 < len(read_versions(project.data, "bulletins")) < COUNT

    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    server.serve("/hangs", board(article("/hangs")))
    assert_continues(project, [*targets, "/hangs"])


def wait_for_full(disk: Path, process: Process) -> None:
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        status = os.statvfs(disk)
        if status.f_bavail * status.f_frsize < 300_000:
            return
        time.sleep(0.02)


# A ledger that another process holds


@contextmanager
def held(project: Project) -> Iterator[None]:
    """Keep the write lock of the ledger, as a backup might."""
    path = project.data / "ledger.db"
    with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as ledger:
        ledger.execute("BEGIN IMMEDIATE")
        yield
        ledger.execute("ROLLBACK")


def wait_for_hits(server: Server, count: int) -> None:
    deadline = time.monotonic() + 20
    while len(server.log) < count:
        assert time.monotonic() < deadline, "the crawl did not begin"
        time.sleep(0.01)


@pytest.mark.parametrize("is_hanging", [False, True], ids=["quick server", "hanging server"])
def test_a_ledger_held_too_long_ends_the_run_and_it_goes_on_afterwards(
    project: Project, server: Server, is_hanging: bool
) -> None:
    targets = serve_pages(server)
    server.serve("/hangs", *([SILENCE] if is_hanging else [board(article("/hangs"))]))
    write_bulletins(project, server, "/hangs", *targets, access={"timeout": 300})

    with project.start("crawl", "bulletins", settings={"LEDGER_WAIT": 1}) as process:
        wait_for_hits(server, 15)
        with held(project):
            _, stderr = process.communicate(timeout=60)

    assert process.returncode == 3, stderr
    assert "Traceback" not in stderr
    assert_nothing_half_accepted(project)
    asked = len(server.log)
    assert asked < COUNT

    server.serve("/hangs", board(article("/hangs")))
    assert_continues(project, [*targets, "/hangs"])
    assert len(server.log) - asked <= COUNT + 2


def test_a_ledger_held_for_less_than_the_wait_is_waited_for(
    project: Project, server: Server
) -> None:
    targets = serve_pages(server)
    write_bulletins(project, server, *targets)

    with project.start("crawl", "bulletins", settings={"LEDGER_WAIT": 5}) as process:
        wait_for_hits(server, 15)
        with held(project):
            time.sleep(1.5)
        _, stderr = process.communicate(timeout=60)

    assert process.returncode == 0, stderr
    assert [server.hits(target) for target in targets] == [1] * COUNT
    assert set(read_versions(project.data, "bulletins")) == set(targets)


def test_a_ledger_that_is_held_from_the_start_sends_nothing(
    project: Project, server: Server
) -> None:
    targets = serve_pages(server, delay=0)
    write_bulletins(project, server, targets[0])
    assert project.scrapy("crawl", "bulletins").code == 0
    server.forget()

    with held(project):
        finished = project.scrapy("crawl", "bulletins", settings={"LEDGER_WAIT": 1})

    assert finished.code == 3, finished.stderr
    assert "Traceback" not in finished.stderr
    assert server.log == ()
    assert read_ends(project.data)[0] == "finished"
    assert project.scrapy("crawl", "bulletins").code == 0


def test_a_data_folder_that_cannot_be_written_is_named(
    project: Project, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    write_bulletins(project, server, "/p/1")

    finished = project.scrapy(
        "crawl", "bulletins", settings={"DATA_DIR": tmp_path / "file" / "data"}
    )

    assert finished.code == 3, finished.stderr
    assert "Traceback" not in finished.stderr
    assert server.log == ()
