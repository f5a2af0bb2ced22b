"""Sessions as the ledger knows them: one holder, a mark for those that a site has refused."""

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from crawler.contracts.errors import SessionBusy, SessionExpired, StorageFailed
from crawler.contracts.frontier import LeasedRow, RunEnd, RunInfo
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.contracts.session import SessionUse
from crawler.ledger.locks import RETAKE_PAUSE, FileLock, NameTaken, try_lock
from crawler.ledger.pages import commit_page
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.redirects import redirect
from crawler.ledger.runs import close_run
from crawler.ledger.sessions import SessionHold
from crawler.ledger.tables import aliases, requests
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    lose_locks,
    make_commit,
    make_redirection,
    new_sink,
    start,
    take,
)

ROOT = Path(__file__).parents[3]
HOLDER = """
import sys
from crawler.ledger.sessions import SessionHold
hold = SessionHold(sys.argv[1], sys.argv[2], "members")
print("held", flush=True)
sys.stdin.read()
"""
OLD, NEW = SessionUse("members", "f" * 64), SessionUse("members", "e" * 64)
EXPIRED = Outcome(Reason.SESSION_EXPIRED, Kind.LOGIN)


def test_a_session_is_in_one_hand_until_the_process_dies(url: str) -> None:
    command = [sys.executable, "-c", HOLDER, url, SITE]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SessionBusy, match="'members'; it belongs to one at a time"):
            SessionHold(url, SITE, "members")
        others = [SessionHold(url, "other", "members"), SessionHold(url, SITE, "board")]
        holder.kill()
        holder.wait()

    mine = SessionHold(url, SITE, "members")
    with pytest.raises(SessionBusy):
        SessionHold(url, SITE, "members")
    mine.release()
    SessionHold(url, SITE, "members").release()
    for other in others:
        other.release()


def test_a_session_that_was_lost_unnoticed_is_taken_anew(url: str) -> None:
    hold = SessionHold(url, SITE, "members")
    hold.keep()
    lose_locks(url)

    hold.keep()

    with pytest.raises(SessionBusy):
        SessionHold(url, SITE, "members")
    hold.release()


def test_a_session_that_another_has_taken_meanwhile_is_kept_by_nobody_else(url: str) -> None:
    hold = SessionHold(url, SITE, "members")
    lose_locks(url)
    other = SessionHold(url, SITE, "members")

    for _ in range(2):
        with pytest.raises(SessionBusy, match="belongs to one at a time"):
            hold.keep()
    other.keep()
    other.release()
    hold.keep()
    hold.release()


def test_a_session_that_was_let_go_is_not_taken_again_by_who_asks_too_late(url: str) -> None:
    hold = SessionHold(url, SITE, "members")
    hold.release()

    hold.keep()

    SessionHold(url, SITE, "members").release()


@pytest.mark.postgres
def test_a_server_that_is_gone_is_a_storage_failure(postgres_url: str) -> None:
    hold = SessionHold(postgres_url, SITE, "members")
    database = sa.make_url(postgres_url).database
    maintenance = sa.make_url(postgres_url).set(database="postgres")
    engine = sa.create_engine(maintenance, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as conn:
        conn.exec_driver_sql(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS false')
        try:
            lose_locks(maintenance)
            with pytest.raises(StorageFailed):
                hold.keep()
        finally:
            conn.exec_driver_sql(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS true')
    hold.release()
    engine.dispose()


def test_names_of_any_length_are_held_apart(url: str) -> None:
    holds = [SessionHold(url, "a" * 100, "b" * length) for length in (63, 64)]

    with pytest.raises(SessionBusy):
        SessionHold(url, "a" * 100, "b" * 64)
    for hold in holds:
        hold.release()


def test_a_lost_lock_is_taken_again_though_somebody_looks_whether_its_owner_lives(
    tmp_path: Path,
) -> None:
    lock = FileLock(tmp_path, "session")
    lock.acquire()
    (tmp_path / "session.lock").unlink()
    looked_at = os.open(tmp_path / "session.lock", os.O_RDWR | os.O_CREAT)
    assert try_lock(looked_at, fcntl.LOCK_SH)
    threading.Timer(RETAKE_PAUSE, os.close, (looked_at,)).start()

    lock.keep()

    assert FileLock(tmp_path, "other").is_alive("session")
    lock.release()


def test_a_lock_is_not_taken_on_a_file_that_its_last_owner_removes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (FileLock(tmp_path, "session") for _ in range(3))
    first.acquire()

    def lock_late(descriptor: int, kind: int) -> bool:
        first.release()
        return try_lock(descriptor, kind)

    monkeypatch.setattr("crawler.ledger.locks.try_lock", lock_late)
    second.acquire()

    with pytest.raises(NameTaken):
        third.acquire()
    second.release()


def expire(conn: sa.Connection, run: RunInfo, row: LeasedRow, session: SessionUse = OLD) -> None:
    commit_page(
        conn, make_commit(run, row, outcome=EXPIRED, report=None, session=session), new_sink(), NOW
    )


def test_a_session_that_was_refused_opens_no_run_and_another_one_does(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=3, session=OLD)
        expire(conn, first, take(conn, first).rows[0])
        close_run(conn, first.run, RunEnd.SESSION_EXPIRED, NOW, {})
    with (
        engine.begin() as conn,
        pytest.raises(SessionExpired, match="refused the session 'members'"),
    ):
        start(conn, "b", session=OLD)
    with engine.begin() as conn:
        second = start(conn, "c", rows=3, session=NEW)
        funnel = read_funnel(conn, SITE)

    assert (second.cycle, second.is_new_cycle) == (first.cycle, False)
    assert (funnel["open"]["pending"], funnel["outcomes"]) == (3, {})


@pytest.mark.parametrize(
    ("site", "session"),
    [
        (SITE, SessionUse("board", OLD.fingerprint)),
        ("other", OLD),
        (SITE, None),
    ],
)
def test_a_refusal_is_of_one_session_of_one_site(
    engine: sa.Engine, site: str, session: SessionUse | None
) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=2, session=OLD)
        expire(conn, first, take(conn, first).rows[0])
        close_run(conn, first.run, RunEnd.SESSION_EXPIRED, NOW, {})

        start(conn, "b", site=site, session=session)


def test_a_page_that_ended_a_session_is_asked_for_once_more_as_it_was_admitted(
    engine: sa.Engine,
) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=2, session=OLD)
        row = take(conn, first).rows[0]
        away = make_redirection(first, row, "login", target_scope="elsewhere.example")
        redirect(conn, away, new_sink(), NOW)
        expire(conn, first, row)
        close_run(conn, first.run, RunEnd.SESSION_EXPIRED, NOW, {})

        second = start(conn, "b", rows=2, session=NEW)
        again = next(leased for leased in take(conn, second, "b").rows if leased.id == row.id)
        left = conn.scalar(sa.select(sa.func.count()).select_from(aliases))

    assert (again.url, again.redirects, again.attempts) == (row.requested_url, (), 0)
    assert again.scope == row.scope, "it is asked for at the pace of where it lies"
    assert left == 0, "another page may be led to the same sign-in page"


def test_a_page_that_was_on_its_way_to_sign_in_begins_anew(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=2, session=OLD)
        led, ended = take(conn, first).rows
        redirect(conn, make_redirection(first, led, "half-way"), new_sink(), NOW)
        expire(conn, first, ended)
        close_run(conn, first.run, RunEnd.SESSION_EXPIRED, NOW, {})

        second = start(conn, "b", rows=2, session=NEW)
        again = take(conn, second, "b").rows
        left = conn.scalar(sa.select(sa.func.count()).select_from(aliases))

    assert [(row.url, row.redirects) for row in again] == [
        (led.requested_url, ()),
        (ended.requested_url, ()),
    ]
    assert left == 0, "another page may be led where it was"


def test_a_cycle_waits_for_the_page_that_ended_the_session_though_it_was_the_last(
    engine: sa.Engine,
) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=1, session=OLD)
        expire(conn, first, take(conn, first).rows[0])
        close_run(conn, first.run, RunEnd.SESSION_EXPIRED, NOW, {})
        second = start(conn, "b", rows=1, session=NEW)
        expire(conn, second, take(conn, second, "b").rows[0], NEW)
        close_run(conn, second.run, RunEnd.SESSION_EXPIRED, NOW, {})
        third = start(conn, "c", rows=1)

    assert (second.cycle, second.is_new_cycle) == (first.cycle, False)
    assert third.is_new_cycle, "it was asked for twice"


def test_a_page_that_always_asks_to_sign_in_ends_no_third_session(engine: sa.Engine) -> None:
    last = SessionUse("members", "d" * 64)
    with engine.begin() as conn:
        for owner, session in (("a", OLD), ("b", NEW)):
            run = start(conn, owner, rows=2, session=session)
            expire(conn, run, take(conn, run, owner).rows[0], session)
            close_run(conn, run.run, RunEnd.SESSION_EXPIRED, NOW, {})

        third = start(conn, "c", rows=2, session=last)
        rows = take(conn, third, "c").rows
        ended = conn.scalars(sa.select(requests.c.id).where(requests.c.reason == EXPIRED.reason))

        assert len(rows) == 1
        assert len(ended.all()) == 1


def test_a_crawl_without_a_session_reopens_nothing(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=2, session=OLD)
        expire(conn, first, take(conn, first).rows[0])
        close_run(conn, first.run, RunEnd.SESSION_EXPIRED, NOW, {})
        start(conn, "b", rows=2)

        assert read_funnel(conn, SITE)["outcomes"] == {"session_expired": 1}


def test_any_number_of_pages_may_be_led_to_the_same_sign_in_page(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2, session=OLD)
        moves = [
            redirect(conn, make_redirection(run, row, "login", may_be_shared=True), new_sink(), NOW)
            for row in take(conn, run).rows
        ]

    assert [move.is_seen for move in moves] == [False, False]
