"""A process is stopped past its lease and goes on: what it had in hand is another's by then.

Whoever is stopped in the middle of a write keeps SQLite's lock: others wait for LEDGER_WAIT seconds
and end as ``storage_failed``. So the long stops here are outside a write, and one that may be
inside is shorter than the wait.
"""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.catalogue import SITE, build_catalogue, publish, write_site_file
from tests.e2e.invariants import check_all, read_committed
from tests.e2e.processes import Crawl, Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step

LEASE = 2.0
SLOW = 2.0
TO_START = 20.0
TO_END = 45.0

pytestmark = pytest.mark.e2e


def test_what_a_stalled_process_had_in_hand_is_done_by_another_and_not_twice(
    project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(30)
    publish(server, catalogue)
    server.compute("/item/20", lambda _: Step(catalogue.scripts["/item/20"][0].body, delay=SLOW))
    write_site_file(project, server, catalogue, concurrency=2)
    stalled = start_worker(crawls, "stalled")
    assert wait_until(lambda: bool(hits_on(server, "/item/20")), TO_START)

    suspend_outside_a_write(stalled, project.data)
    other = start_worker(crawls, "other")
    assert wait_until(lambda: len(hits_on(server, "/item/20")) == 2, TO_START)
    assert wait_until(lambda: not other.is_running, TO_END)
    committed = read_committed(project.data)
    stalled.resume()

    assert [other.wait(TO_END), stalled.wait(TO_END)] == [0, 0]
    assert [hit.headers["user-agent"] for hit in hits_on(server, "/item/20")] == [
        "stalled",
        "other",
    ]
    assert read_committed(project.data) == committed
    check_all(project.data, server, catalogue)


@pytest.mark.parametrize("work", [1, 15])
def test_a_process_stopped_in_the_middle_of_its_work_goes_on_beside_another(
    work: int, project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(120)
    publish(server, catalogue)
    write_site_file(project, server, catalogue)
    stalled = start_worker(crawls, "stalled")
    assert wait_until(lambda: len(server.log) > work, TO_START)

    suspend_outside_a_write(stalled, project.data)
    other = start_worker(crawls, "other")
    assert wait_until(lambda: len(hits_by(server, "other")) > 10, TO_START)
    committed = read_committed(project.data)
    stalled.resume()

    assert [stalled.wait(TO_END), other.wait(TO_END)] == [0, 0]
    assert committed.is_kept_by(read_committed(project.data))
    check_all(project.data, server, catalogue)


def test_a_process_stopped_at_any_moment_holds_nobody_up_for_good(
    project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(120)
    publish(server, catalogue)
    write_site_file(project, server, catalogue)
    stalled = start_worker(crawls, "stalled")
    assert wait_until(lambda: len(server.log) > 20, TO_START)
    other = start_worker(crawls, "other")

    stalled.suspend()
    time.sleep(LEASE + 1)
    stalled.resume()

    assert [stalled.wait(TO_END), other.wait(TO_END)] == [0, 0]
    check_all(project.data, server, catalogue)


def test_a_process_stopped_past_its_lease_with_nobody_beside_it_keeps_its_work(
    project: Project, server: Server, crawls: Crawls
) -> None:
    catalogue = build_catalogue(40)
    publish(server, catalogue)
    write_site_file(project, server, catalogue)
    alone = start_worker(crawls, "alone")
    assert wait_until(lambda: len(server.log) > 10, TO_START)

    alone.suspend()
    time.sleep(LEASE + 1)
    alone.resume()

    assert alone.wait(TO_END) == 0
    check_all(project.data, server, catalogue)


def start_worker(crawls: Crawls, name: str) -> Crawl:
    return crawls.start(SITE, {"USER_AGENT": name, "LEASE_SECONDS": LEASE})


def suspend_outside_a_write(crawl: Crawl, data: Path) -> None:
    crawl.suspend()
    while not is_writable(data):
        crawl.resume()
        time.sleep(0.01)
        crawl.suspend()


def is_writable(data: Path) -> bool:
    with closing(sqlite3.connect(data / "ledger.db", timeout=0.05)) as ledger:
        try:
            ledger.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
    return True


def hits_by(server: Server, name: str) -> list[Hit]:
    return [hit for hit in server.log if hit.headers["user-agent"] == name]


def hits_on(server: Server, target: str) -> list[Hit]:
    return [hit for hit in server.log if hit.target == target]
