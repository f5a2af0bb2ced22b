import asyncio
import errno
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import LeasedRow, LeaseRequest, RunEnd, RunInfo
from crawler.contracts.snapshot import Capture, Location, Snapshot
from crawler.ledger.admitting import Batch
from crawler.ledger.database import make_lock, open_ledger
from crawler.ledger.gate import ScopeReader
from crawler.ledger.operations import (
    Admit,
    BumpBackoff,
    CloseRun,
    CommitPage,
    Context,
    CoolScope,
    DeferRow,
    FileCapture,
    ForgiveScope,
    LeaseRows,
    OpenRun,
    Operation,
    RedirectRow,
    ReleaseRow,
    RepublishPage,
    ReserveSend,
)
from crawler.ledger.queries import reading
from crawler.ledger.queries.captures import iterate_captures, iterate_locations
from crawler.ledger.queries.funnel import list_runs, read_funnel
from crawler.ledger.records import Publication
from crawler.ledger.scopes import bump_backoff
from crawler.ledger.tables import requests
from crawler.ledger.writer import LedgerWriter, close_failed_run
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    UNPACED,
    MemorySink,
    lose_locks,
    make_candidate,
    make_capture,
    make_commit,
    make_deferral,
    make_opening,
    make_redirection,
    make_row,
    make_rows,
)

WAIT = 10.0
"""Seconds after which a test gives up on a future: none comes near."""


class FailingSink(MemorySink):
    """Raises what it is told to, from the capture on that it is told of."""

    def __init__(self, *, on_append: Exception | None = None, on_sync: Exception | None = None):
        super().__init__()
        self._on_append, self._on_sync = on_append, on_sync

    def append(self, capture: Capture, *, refers_to: Snapshot | None = None) -> Location:
        if self._on_append and len(self.appended) == 1:
            raise self._on_append
        return super().append(capture, refers_to=refers_to)

    def sync(self) -> None:
        if self._on_sync:
            raise self._on_sync
        super().sync()


@dataclass(frozen=True)
class Raise:
    """An operation with a bug: it writes, then raises."""

    run: RunInfo
    error: Exception
    is_urgent: bool = False

    def apply(self, conn: sa.Connection, context: Context) -> None:
        conn.execute(sa.update(requests).values(priority=99))
        raise self.error


StartWriter = Callable[..., LedgerWriter]


def hold_still() -> float:
    return NOW


@pytest.fixture
def start_writer(url: str) -> Iterator[StartWriter]:
    writers: list[LedgerWriter] = []

    def start(sink: MemorySink | None = None, owner: str = "a", **given: Any) -> LedgerWriter:
        options: dict[str, Any] = {"clock": hold_still, "group_seconds": 0.01} | given
        writer = LedgerWriter(options.pop("url", url), sink or MemorySink(), owner, SITE, **options)
        writer.start()
        writers.append(writer)
        return writer

    yield start
    for writer in writers:
        writer.close()


def open_and_lease(writer: LedgerWriter, count: int) -> tuple[RunInfo, tuple[LeasedRow, ...]]:
    run = writer.submit(OpenRun(make_opening(rows=count))).result(WAIT)
    request = LeaseRequest(run.cycle, "a", count, UNPACED)
    return run, writer.submit(LeaseRows(request)).result(WAIT).rows


def commit_all(
    writer: LedgerWriter, run: RunInfo, rows: tuple[LeasedRow, ...]
) -> list[Future[Any]]:
    pages = [make_commit(run, row, make_candidate(f"n{row.id}")) for row in rows]
    return [writer.submit(CommitPage(page)) for page in pages]


def read_outcomes(url: str) -> dict[str, Any]:
    with reading(url) as conn:
        funnel = read_funnel(conn, SITE)
        return {
            "open": sum(funnel["open"].values()),
            "outcomes": funnel["outcomes"],
            "accepted": funnel["records"]["accepted"],
            "captures": len(list(iterate_locations(conn))),
        }


def untouched(count: int) -> dict[str, Any]:
    return {"open": count, "outcomes": {}, "accepted": 0, "captures": 0}


def test_pages_are_written_and_their_captures_synced_first(
    url: str, start_writer: StartWriter
) -> None:
    sink = MemorySink()
    writer = start_writer(sink)
    run, rows = open_and_lease(writer, 30)
    results = [future.result(WAIT) for future in commit_all(writer, run, rows)]

    assert [result.accepted for result in results] == [(f"n{row.id}",) for row in rows]
    assert sink.synced == len(sink.appended) == 30
    expected = {"open": 0, "outcomes": {"eligible": 30}, "accepted": 30, "captures": 30}
    assert read_outcomes(url) == expected


def test_nothing_is_visible_before_its_capture_is_durable(
    url: str, start_writer: StartWriter
) -> None:
    seen: list[dict[str, Any]] = []

    class WatchingSink(MemorySink):
        def sync(self) -> None:
            seen.append(read_outcomes(url))
            super().sync()

    writer = start_writer(WatchingSink())
    run, rows = open_and_lease(writer, 2)
    [future.result(WAIT) for future in commit_all(writer, run, rows)]

    assert seen
    assert seen[0] == untouched(2)


def test_an_operation_that_raises_is_undone_alone(url: str, start_writer: StartWriter) -> None:
    sink = MemorySink()
    writer = start_writer(sink, group_seconds=0.2)
    run, rows = open_and_lease(writer, 4)
    before = commit_all(writer, run, rows[:2])
    bug = writer.submit(Raise(run, KeyError("bug")))
    after = commit_all(writer, run, rows[2:])

    assert isinstance(bug.exception(WAIT), KeyError)
    assert [f.result(WAIT).is_fenced for f in before + after] == [False] * 4
    assert len(sink.appended) == 4  # though the group was applied twice
    assert writer.failure is None
    assert read_outcomes(url)["outcomes"] == {"eligible": 4}
    with reading(url) as conn:
        assert set(conn.scalars(sa.select(requests.c.priority))) == {0}


STORAGE_ERRORS = {
    "disk full at append": {"on_append": OSError(errno.ENOSPC, "No space left on device")},
    "disk full at sync": {"on_sync": OSError(errno.ENOSPC, "No space left on device")},
    "input/output error": {"on_sync": OSError(errno.EIO, "Input/output error")},
    "bug in sync": {"on_sync": ValueError("closed file")},
}


@pytest.mark.parametrize("errors", STORAGE_ERRORS.values(), ids=STORAGE_ERRORS)
def test_a_storage_error_fails_the_group_and_all_that_follows(
    url: str, start_writer: StartWriter, errors: dict[str, Exception]
) -> None:
    failures: list[StorageFailed] = []
    sink = FailingSink(**errors)
    writer = start_writer(sink, group_seconds=0.1, on_failure=failures.append)
    run, rows = open_and_lease(writer, 3)
    futures = commit_all(writer, run, rows)

    assert {type(future.exception(WAIT)) for future in futures} == {StorageFailed}
    late = writer.submit(CloseRun(run.run, RunEnd.FINISHED))
    assert late.done()
    assert late.exception() is failures[0] is writer.failure
    assert len(failures) == 1
    assert read_outcomes(url) == untouched(3)


def test_work_continues_after_the_cause_is_gone(url: str, start_writer: StartWriter) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    writer = start_writer(FailingSink(on_sync=full))
    run, rows = open_and_lease(writer, 3)
    [future.exception(WAIT) for future in commit_all(writer, run, rows)]
    writer.close()
    assert close_failed_run(url, run.run, {"pages": 3}, clock=lambda: NOW)

    second = start_writer(owner="b")
    again = second.submit(OpenRun(make_opening("b", rows=3))).result(WAIT)
    request = LeaseRequest(again.cycle, "b", 9, UNPACED)
    rows = second.submit(LeaseRows(request)).result(WAIT).rows
    [future.result(WAIT) for future in commit_all(second, again, rows)]

    assert again.cycle == run.cycle
    assert read_outcomes(url)["outcomes"] == {"eligible": 3}
    with reading(url) as conn:
        ends = {entry.owner: entry.ended_as for entry in list_runs(conn, SITE)}
        assert ends == {"a": "storage_failed", "b": None}
        assert set(conn.scalars(sa.select(requests.c.interrupted))) == {0}


def test_a_ledger_locked_for_too_long_fails_the_writer(sqlite_url: str) -> None:
    writer = LedgerWriter(sqlite_url, MemorySink(), "a", SITE, wait=0.3)
    writer.start()
    run, rows = open_and_lease(writer, 2)
    path = sqlite_url.removeprefix("sqlite:///")
    backup = sqlite3.connect(path, isolation_level=None)
    backup.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    error = commit_all(writer, run, rows)[0].exception(WAIT)
    waited = time.monotonic() - started
    backup.execute("ROLLBACK")
    backup.close()
    writer.close()

    assert isinstance(error, StorageFailed)
    assert "locked" in str(error)
    assert 0.2 < waited < 3
    assert read_outcomes(sqlite_url) == untouched(2)


def test_a_ledger_locked_for_a_moment_is_waited_for(sqlite_url: str) -> None:
    writer = LedgerWriter(sqlite_url, MemorySink(), "a", SITE, wait=5)
    writer.start()
    run, rows = open_and_lease(writer, 2)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    futures = commit_all(writer, run, rows)
    time.sleep(0.2)
    assert not any(future.done() for future in futures)
    other.execute("ROLLBACK")
    other.close()

    assert [future.result(WAIT).is_fenced for future in futures] == [False, False]
    writer.close()


def test_a_damaged_ledger_is_not_written(sqlite_url: str) -> None:
    writer = LedgerWriter(sqlite_url, MemorySink(), "a", SITE)
    writer.start()
    open_and_lease(writer, 400)
    writer.close()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xa5" * (len(content) - 8192)
    path.write_bytes(content)

    with pytest.raises(StorageFailed, match="malformed"):
        LedgerWriter(sqlite_url, MemorySink(), "b", SITE).start()
    with pytest.raises(StorageFailed, match="malformed"), reading(sqlite_url):
        pass

    assert path.read_bytes() == content


def test_an_urgent_operation_does_not_wait_for_company(url: str, start_writer: StartWriter) -> None:
    writer = start_writer(group_seconds=30)
    ordinary = writer.submit(ForgiveScope("site.example"))
    started = time.monotonic()
    until = writer.submit(CoolScope("site.example", NOW + 9)).result(WAIT)
    reader = ScopeReader(url)

    assert until == reader.read_not_before("site.example") == NOW + 9
    assert reader.read_not_before("other.example") == 0.0
    assert time.monotonic() - started < 5
    assert ordinary.result(WAIT) is None
    reader.close()


def test_a_cool_down_is_read_while_another_writes(sqlite_url: str) -> None:
    writer = LedgerWriter(sqlite_url, MemorySink(), "a", SITE)
    writer.start()
    reader = ScopeReader(sqlite_url, wait=0.1)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert reader.read_not_before("site.example") == 0.0
    other.execute("INSERT INTO scopes (scope, not_before) VALUES ('site.example', 7.0)")
    assert reader.read_not_before("site.example") == 0.0
    other.execute("COMMIT")
    other.close()

    assert reader.read_not_before("site.example") == 7.0
    reader.close()
    writer.close()


def test_a_group_is_delivered_in_one_piece(start_writer: StartWriter) -> None:
    deliveries: list[int] = []

    def deliver(settle: Callable[[], None]) -> None:
        deliveries.append(threading.get_ident())
        settle()

    writer = start_writer(deliver=deliver, group_seconds=0.3)
    futures = [writer.submit(ForgiveScope(f"{number}.example")) for number in range(50)]
    [future.result(WAIT) for future in futures]

    assert len(deliveries) == 1
    assert deliveries[0] != threading.get_ident()


def test_futures_are_resolved_on_an_event_loop(start_writer: StartWriter) -> None:
    async def crawl() -> list[int]:
        loop = asyncio.get_running_loop()
        writer = start_writer(deliver=loop.call_soon_threadsafe)
        futures = [writer.submit(BumpBackoff("site.example")) for _ in range(3)]
        return [await asyncio.wait_for(asyncio.wrap_future(f), WAIT) for f in futures]

    assert asyncio.run(crawl()) == [1, 2, 3]


def test_nobody_waits_in_vain_when_the_event_loop_is_closed(start_writer: StartWriter) -> None:
    loop = asyncio.new_event_loop()
    writer = start_writer(deliver=loop.call_soon_threadsafe)
    loop.close()

    assert writer.submit(BumpBackoff("site.example")).result(WAIT) == 1


def test_nobody_waits_in_vain_when_a_callback_has_a_bug(start_writer: StartWriter) -> None:
    def fail(anything: object) -> None:
        raise LookupError("bug")

    full = OSError(errno.ENOSPC, "No space left on device")
    writer = start_writer(FailingSink(on_sync=full), on_failure=fail)
    run, rows = open_and_lease(writer, 2)
    errors = [future.exception(WAIT) for future in commit_all(writer, run, rows)]

    assert [type(error) for error in errors] == [StorageFailed] * 2


def test_closing_writes_what_is_queued(url: str, start_writer: StartWriter) -> None:
    writer = start_writer(group_seconds=30)
    writer.submit(OpenRun(make_opening(rows=5))).result(WAIT)
    futures = [
        writer.submit(Admit(1, Batch(make_rows(300)))),
        writer.submit(Admit(1, Batch(make_rows(600)))),
    ]
    writer.close()
    writer.close()

    assert [future.result(0).admitted for future in futures] == [295, 300]
    late = writer.submit(ForgiveScope("site.example"))
    assert isinstance(late.exception(0), StorageFailed)


def test_leases_are_renewed_without_being_asked(url: str, start_writer: StartWriter) -> None:
    writer = start_writer(clock=time.time, lease_seconds=0.6)
    _, [row] = open_and_lease(writer, 1)
    deadline = time.monotonic() + WAIT
    until = row.lease_until
    while until == row.lease_until and time.monotonic() < deadline:
        time.sleep(0.05)
        with reading(url) as conn:
            until = conn.scalars(sa.select(requests.c.lease_until)).one()

    assert until is not None
    assert until > row.lease_until


def test_an_idle_writer_uses_no_time(start_writer: StartWriter) -> None:
    start_writer()
    before = time.process_time()
    time.sleep(0.3)

    assert time.process_time() - before < 0.05


def test_two_owners_of_one_name_are_refused(start_writer: StartWriter) -> None:
    start_writer(owner="same")
    with pytest.raises(StorageFailed, match="another process"):
        start_writer(owner="same")


def test_a_peer_is_noticed_and_its_leaving_too(
    request: pytest.FixtureRequest, start_writer: StartWriter
) -> None:
    is_shared = "postgresql" in request.node.name
    first = start_writer()
    run, _ = open_and_lease(first, 3)
    lease = LeaseRows(LeaseRequest(run.cycle, "a", 0, UNPACED))
    assert first.has_peers is is_shared
    second = start_writer(owner="b")
    other = second.submit(OpenRun(make_opening("b"))).result(WAIT)
    first.submit(ForgiveScope("site.example")).result(WAIT)
    assert first.has_peers
    second.submit(CloseRun(other.run, RunEnd.STOPPED)).result(WAIT)

    assert not first.submit(lease).result(WAIT).has_peers
    assert first.has_peers is is_shared


def test_every_operation_can_be_submitted(url: str, start_writer: StartWriter) -> None:
    writer = start_writer()
    run, rows = open_and_lease(writer, 4)
    robots = make_capture(run, "https://site.example/robots.txt", is_eligible=False)
    page = Publication(
        site=SITE,
        source_id="source",
        cycle=run.cycle,
        row=rows[0].id,
        capture_id="",
        digest="",
        observed_at="",
        url="",
        extractor_version="1",
        rule_version="r1",
    )
    operations: tuple[Operation[Any], ...] = (
        FileCapture(robots),
        ReleaseRow(rows[1].id, rows[1].token),
        DeferRow(make_deferral(rows[2], NOW + 9)),
        RedirectRow(make_redirection(run, rows[3], "target")),
        ReserveSend("site.example", UNPACED),
        RepublishPage(page),
        Admit(run.cycle, Batch([make_row(77)])),
        CloseRun(run.run, RunEnd.STOPPED),
    )
    results = [writer.submit(operation).result(WAIT) for operation in operations]

    assert results[1:3] == [True, True]
    with reading(url) as conn:
        [filed] = iterate_captures(conn, SITE)
    assert (filed.row, filed.is_eligible) == (None, False)


def test_a_writer_takes_its_lock_anew_when_that_was_lost(
    start_writer: StartWriter, url: str
) -> None:
    start_writer(lease_seconds=0.3)
    engine = open_ledger(url)
    others = make_lock(engine, "b")
    lose_locks(url)

    deadline = time.monotonic() + WAIT
    while not (is_alive := others.is_alive("a")) and time.monotonic() < deadline:
        time.sleep(0.02)

    assert is_alive
    engine.dispose()


@dataclass(frozen=True)
class LockInTurn:
    """Locks one scope, and the other once somebody else has that one."""

    first: str
    second: str
    is_first_locked: threading.Event
    may_go_on: threading.Event
    is_urgent: bool = False

    def apply(self, conn: sa.Connection, context: Context) -> int:
        count = bump_backoff(conn, self.first, now=0.0)
        self.is_first_locked.set()
        self.may_go_on.wait(WAIT)
        bump_backoff(conn, self.second, now=0.0)
        return count


@pytest.mark.postgres
def test_a_group_that_loses_a_deadlock_is_applied_again(postgres_url: str) -> None:
    sink = MemorySink()
    writer = LedgerWriter(postgres_url, sink, "a", SITE, group_seconds=0.2)
    writer.start()
    run, rows = open_and_lease(writer, 1)
    engine = sa.create_engine(postgres_url)
    is_locked, may_go_on = threading.Event(), threading.Event()
    with engine.connect() as other:
        other.exec_driver_sql("SET deadlock_timeout = '60s'")  # so the writer is the one to lose
        other.commit()
        bump_backoff(other, "two", now=0.0)
        page = writer.submit(CommitPage(make_commit(run, rows[0], make_candidate())))
        future = writer.submit(LockInTurn("one", "two", is_locked, may_go_on))
        assert is_locked.wait(WAIT)
        may_go_on.set()
        bump_backoff(other, "one", now=0.0)
        other.commit()
    engine.dispose()

    assert future.result(WAIT) == 2
    assert page.result(WAIT).accepted == ("n1",)
    assert len(sink.appended) == 1
    writer.close()
