"""A disk that is really full, under the ledger."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.contracts.errors import StorageFailed
from crawler.ledger.admitting import Batch
from crawler.ledger.database import ledger_url
from crawler.ledger.operations import Admit, CommitPage, OpenRun
from crawler.ledger.queries import reading
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.writer import LedgerWriter
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    MemorySink,
    make_candidate,
    make_commit,
    make_opening,
    make_rows,
)
from tests.integration.ledger.test_writer import open_and_lease

WAIT = 20.0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small tmpfs")
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", tmp_path],
        capture_output=True,
        check=False,
    )
    if mount.returncode:
        pytest.skip(f"no tmpfs can be mounted here: {mount.stderr.decode().strip()}")
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def test_a_full_disk_ends_the_run_and_leaves_whole_pages(small_disk: Path) -> None:
    url = ledger_url(small_disk)
    writer = LedgerWriter(url, MemorySink(), "a", SITE, clock=lambda: NOW)
    writer.start()
    run, rows = open_and_lease(writer, 40)
    futures = []
    for number, row in enumerate(rows):
        page = make_commit(run, row, make_candidate(f"n{row.id}", "x" * 40_000))
        futures.append(writer.submit(CommitPage(page)))
        if number % 4 == 3:
            futures[-1].exception(WAIT)
    errors = [future.exception(WAIT) for future in futures]
    late = writer.submit(Admit(run.cycle, Batch(make_rows(3)))).exception(WAIT)
    writer.close()
    written = errors.count(None)
    with reading(url) as conn:
        funnel = read_funnel(conn, SITE)

    assert 0 < written < 40
    assert {type(error) for error in errors[written:]} == {StorageFailed}
    assert "full" in str(late)
    assert funnel["outcomes"] == {"eligible": written}
    assert funnel["records"]["accepted"] == written
    assert funnel["open"]["leased"] == 40 - written


def test_work_goes_on_when_there_is_room_again(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    url = ledger_url(small_disk)
    writer = LedgerWriter(url, MemorySink(), "a", SITE, clock=lambda: NOW)
    writer.start()
    run, rows = open_and_lease(writer, 5)
    free = os.statvfs(small_disk)
    ballast.write_bytes(b"\0" * (free.f_bavail * free.f_frsize))
    page = make_commit(run, rows[0], make_candidate("n1", "x" * 40_000))
    error = writer.submit(CommitPage(page)).exception(WAIT)
    writer.close()
    ballast.unlink()

    second = LedgerWriter(url, MemorySink(), "b", SITE, clock=lambda: NOW)
    second.start()
    again = second.submit(OpenRun(make_opening("b"))).result(WAIT)
    second.close()

    assert isinstance(error, StorageFailed)
    assert again.cycle == run.cycle
