"""Real processes on one ledger: side by side, killed, and stopped past their leases."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crawler.contracts.frontier import Lease, LeaseRequest, Pace
from crawler.ledger.operations import CommitPage, LeaseRows, OpenRun
from crawler.ledger.queries import reading
from crawler.ledger.queries.captures import iterate_captures
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.queries.records import iterate_records
from crawler.ledger.writer import LedgerWriter
from tests.integration.ledger.builders import (
    SITE,
    MemorySink,
    make_candidate,
    make_commit,
    make_opening,
)
from tests.integration.ledger.worker import DEATHS, LEASE_SECONDS, PACE, ROWS

ROOT = Path(__file__).parents[3]
WAIT = 20.0

Worker = subprocess.Popen[str]
StartWorker = Callable[[str, str], Worker]


@pytest.fixture
def start_worker(url: str) -> Iterator[StartWorker]:
    workers: list[Worker] = []

    def start(owner: str, mode: str) -> Worker:
        command = [sys.executable, "-m", "tests.integration.ledger.worker", url, owner, mode]
        pipe = subprocess.PIPE
        worker = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        workers.append(worker)
        return worker

    yield start
    for worker in workers:
        worker.kill()
        worker.communicate()


@pytest.fixture
def writer(url: str) -> Iterator[LedgerWriter]:
    writer = LedgerWriter(url, MemorySink(), "here", SITE, group_seconds=0.005)
    yield writer
    writer.close()


def read_line(worker: Worker) -> Any:
    assert worker.stdout is not None
    return json.loads(worker.stdout.readline())


def go_on(worker: Worker) -> None:
    assert worker.stdin is not None
    worker.stdin.write("go on\n")
    worker.stdin.flush()


def lease_until_some(writer: LedgerWriter, cycle: int, seconds: float) -> Lease:
    """Ask as a scheduler does, until there is a row or *seconds* are over."""
    deadline = time.monotonic() + seconds
    request = LeaseRequest(cycle, "here", 3, Pace(0.0, 3))
    while True:
        lease = writer.submit(LeaseRows(request)).result(WAIT)
        if lease.rows or time.monotonic() > deadline:
            return lease
        time.sleep(0.05)


def test_two_processes_share_rows_pace_and_concurrency(url: str, start_worker: StartWorker) -> None:
    workers = [start_worker(owner, "crawl") for owner in ("a", "b")]
    assert [read_line(worker) for worker in workers] == ["ready"] * 2
    for worker in workers:
        go_on(worker)
    outputs = [worker.communicate(timeout=60)[0] for worker in workers]
    sent = [[json.loads(line) for line in output.splitlines()] for output in outputs]
    everything = sent[0] + sent[1]
    planned = sorted(entry["planned"] for entry in everything)

    assert [worker.returncode for worker in workers] == [0, 0]
    assert Counter(entry["row"] for entry in everything) == Counter(range(1, ROWS + 1))
    assert all(sent)  # both had some
    assert min(b - a for a, b in pairwise(planned)) >= PACE.delay * 0.999
    assert all(entry["started"] >= entry["planned"] for entry in everything)
    assert count_most_at_once(everything) <= PACE.concurrency
    with reading(url) as conn:
        assert read_funnel(conn, SITE)["outcomes"] == {"eligible": ROWS}
        assert len(list(iterate_records(conn))) == ROWS


def count_most_at_once(sent: list[dict[str, float]]) -> int:
    events = [(entry["started"], 1) for entry in sent] + [(entry["ended"], -1) for entry in sent]
    flying = most = 0
    for _, change in sorted(events):
        flying += change
        most = max(most, flying)
    return most


def test_rows_of_a_killed_process_are_given_out_at_once(
    start_worker: StartWorker, writer: LedgerWriter
) -> None:
    worker = start_worker("victim", "hold")
    held = read_line(worker)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    writer.start()
    run = writer.submit(OpenRun(make_opening("here", rows=ROWS))).result(WAIT)
    lease = lease_until_some(writer, run.cycle, seconds=5)  # A lease holds for a minute.

    assert not run.is_new_cycle
    assert [row.id for row in lease.rows] == held == [1, 2, 3]


def test_a_peer_takes_over_from_a_killed_process(
    start_worker: StartWorker, writer: LedgerWriter
) -> None:
    writer.start()
    run = writer.submit(OpenRun(make_opening("here", rows=3))).result(WAIT)
    worker = start_worker("victim", "hold")
    held = read_line(worker)
    waiting = lease_until_some(writer, run.cycle, seconds=0)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    lease = lease_until_some(writer, run.cycle, seconds=5)

    assert waiting.rows == ()
    assert waiting.has_peers
    assert [row.id for row in lease.rows] == held
    assert not lease.has_peers


def test_a_process_stopped_past_its_lease_is_fenced_when_it_continues(
    url: str, start_worker: StartWorker, writer: LedgerWriter
) -> None:
    worker = start_worker("stalled", "hold")
    held = read_line(worker)
    worker.send_signal(signal.SIGSTOP)
    writer.start()
    run = writer.submit(OpenRun(make_opening("here", rows=ROWS))).result(WAIT)
    early = lease_until_some(writer, run.cycle, seconds=0)
    lease = lease_until_some(writer, run.cycle, seconds=LEASE_SECONDS + 5)
    pages = [make_commit(run, row, make_candidate(f"n{row.id}")) for row in lease.rows]
    results = [writer.submit(CommitPage(page)).result(WAIT) for page in pages]
    worker.send_signal(signal.SIGCONT)
    output, _ = worker.communicate("go on\n", timeout=WAIT)

    assert [row.id for row in early.rows] == []
    assert [row.id for row in lease.rows] == held
    assert [result.is_fenced for result in results] == [False] * 3
    assert json.loads(output) == [False] * 3
    with reading(url) as conn:
        funnel = read_funnel(conn, SITE)
        assert [record.version for record in iterate_records(conn)] == [1] * 3
    assert funnel["outcomes"] == {"eligible": 3}
    assert funnel["records"] == {"accepted": 3, "unchanged": 0, "rejected": {}}


@pytest.mark.parametrize("death", DEATHS)
def test_a_death_at_any_step_leaves_a_page_whole_or_pending(
    url: str, start_worker: StartWorker, writer: LedgerWriter, death: str
) -> None:
    worker = start_worker("victim", death)
    held = read_line(worker)
    go_on(worker)
    assert worker.wait(WAIT) == -signal.SIGKILL
    before = count_pages(url)
    writer.start()
    run = writer.submit(OpenRun(make_opening("here", rows=ROWS))).result(WAIT)
    rows = lease_until_some(writer, run.cycle, seconds=5).rows
    pages = [make_commit(run, row, make_candidate(f"n{row.id}")) for row in rows]
    results = [writer.submit(CommitPage(page)).result(WAIT) for page in pages]
    after = count_pages(url)

    assert before == (DEATHS[death],) * 3
    assert [row.id for row in rows][: 3 - before[0]] == held[before[0] :]
    assert [result.is_fenced for result in results] == [False] * 3
    assert after == (before[0] + 3,) * 3


def count_pages(url: str) -> tuple[int, int, int]:
    """Return how many outcomes, captures and records there are."""
    with reading(url) as conn:
        return (
            sum(read_funnel(conn, SITE)["outcomes"].values()),
            len(list(iterate_captures(conn, SITE))),
            len(list(iterate_records(conn, SITE))),
        )
