"""A worker that was thought dead comes back: nothing it says about its old leases counts."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import LeasedRow, RunInfo
from crawler.ledger.captures import GroupSink
from crawler.ledger.frontier import defer, release, renew
from crawler.ledger.pages import commit_page
from crawler.ledger.reclaim import reclaim
from crawler.ledger.redirects import redirect
from crawler.ledger.tables import (
    aliases,
    captures,
    decisions,
    observations,
    record_versions,
    records,
    rejections,
    requests,
)
from tests.integration.ledger.builders import (
    NOW,
    MemorySink,
    make_candidate,
    make_capture,
    make_commit,
    make_deferral,
    make_redirection,
    make_rejection,
    make_report,
    make_row,
    start,
    take,
)

WRITTEN = (
    aliases,
    captures,
    decisions,
    observations,
    record_versions,
    records,
    rejections,
)
LATE = NOW + 61

Write = Callable[[sa.Connection, RunInfo, LeasedRow, GroupSink], bool]


def commit(conn: sa.Connection, run: RunInfo, row: LeasedRow, sink: GroupSink) -> bool:
    report = make_report(make_candidate(), rejections=(make_rejection(),))
    page = make_commit(run, row, report=report, links=(make_row(7),))
    return not commit_page(conn, page, sink, LATE).is_fenced


def put_off(conn: sa.Connection, run: RunInfo, row: LeasedRow, sink: GroupSink) -> bool:
    capture = make_capture(run, row.url, is_eligible=False)
    return defer(conn, make_deferral(row, LATE + 9, capture=capture), sink, LATE)


def move_on(conn: sa.Connection, run: RunInfo, row: LeasedRow, sink: GroupSink) -> bool:
    capture = make_capture(run, row.url, is_eligible=False)
    move = make_redirection(run, row, "elsewhere", capture=capture)
    return not redirect(conn, move, sink, LATE).is_fenced


def give_back(conn: sa.Connection, run: RunInfo, row: LeasedRow, sink: GroupSink) -> bool:
    return release(conn, row.id, row.token)


def extend(conn: sa.Connection, run: RunInfo, row: LeasedRow, sink: GroupSink) -> bool:
    return renew(conn, "a", LATE, 60) > 0


WRITES: dict[str, Write] = {
    "commit": commit,
    "deferral": put_off,
    "redirect": move_on,
    "release": give_back,
    "renewal": extend,
}


def read_all(conn: sa.Connection) -> list[object]:
    rows = conn.execute(sa.select(requests).order_by(requests.c.id)).all()
    counts = [conn.scalar(sa.select(sa.func.count()).select_from(table)) for table in WRITTEN]
    return [rows, counts]


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("is_leased_again", [True, False], ids=["leased again", "pending again"])
def test_a_late_write_changes_nothing(
    engine: sa.Engine, write: Write, is_leased_again: bool
) -> None:
    sink = MemorySink()
    with engine.begin() as conn:
        run = start(conn)
        start(conn, "b")
        [row] = take(conn, run).rows
        assert reclaim(conn, "b", LATE, lambda owner: True) == 1
        if is_leased_again:
            assert take(conn, run, "b", now=LATE).rows
        before = read_all(conn)

        assert not write(conn, run, row, GroupSink(sink))

        assert read_all(conn) == before
    assert sink.appended == []


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_the_same_write_in_time_is_written(engine: sa.Engine, write: Write) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        before = read_all(conn)

        assert write(conn, run, row, GroupSink(MemorySink()))

        assert read_all(conn) != before


def test_a_page_committed_twice_is_written_once(engine: sa.Engine) -> None:
    """As after a commit whose acknowledgement was lost."""
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        page = make_commit(run, row, make_candidate())
        assert commit_page(conn, page, GroupSink(MemorySink()), NOW).accepted == ("n1",)
        before = read_all(conn)

        assert commit_page(conn, page, GroupSink(MemorySink()), NOW).is_fenced

        assert read_all(conn) == before
