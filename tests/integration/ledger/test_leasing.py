from itertools import pairwise

import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import Pace
from crawler.contracts.outcome import Outcome, Reason
from crawler.ledger.admitting import admit
from crawler.ledger.database import open_ledger
from crawler.ledger.frontier import defer, release
from crawler.ledger.pages import commit_page
from crawler.ledger.scopes import Trip, cool_scope, forgive_scope, read_scope, trip_scope
from crawler.ledger.tables import requests, shares
from tests.integration.ledger.builders import (
    NOW,
    make_commit,
    make_deferral,
    make_row,
    make_rows,
    new_sink,
    start,
    take,
)

SCOPE = "site.example"


def test_rows_are_given_out_by_priority_then_in_order_of_admission(engine: sa.Engine) -> None:
    seeds = (make_row(0), make_row(1, priority=5), make_row(2), make_row(3, priority=5))
    with engine.begin() as conn:
        run = start(conn, seeds=seeds)
        lease = take(conn, run, want=3)

    assert [row.fingerprint for row in lease.rows] == ["fp1", "fp3", "fp0"]
    assert lease.open_rows
    assert lease.next_due == NOW  # a row is left, and may be asked for at once


@pytest.mark.postgres
def test_no_more_rows_are_given_out_than_wanted_whatever_the_plan(postgres_url: str) -> None:
    engine = open_ledger(postgres_url)
    with engine.begin() as conn:
        run = start(conn, rows=20)
        for method in ("hashjoin", "mergejoin", "hashagg", "sort", "material", "memoize"):
            conn.exec_driver_sql(f"SET LOCAL enable_{method} = off")
        lease = take(conn, run, want=4)
    engine.dispose()

    assert [row.fingerprint for row in lease.rows] == ["fp0", "fp1", "fp2", "fp3"]


def test_a_lease_probes_a_scope_once_however_many_refused_links_lead_elsewhere(
    sqlite_engine: sa.Engine,
) -> None:
    refused = Outcome(Reason.REFUSED_SCOPE)
    foreign = [make_row(n, scope=f"h{n}.example", refused=refused) for n in range(100, 200)]
    statements: list[str] = []
    with sqlite_engine.begin() as conn:
        run = start(conn, rows=3)
        admit(conn, run.cycle, [*foreign, make_row(9, scope="www.example")], NOW)
        cool_scope(conn, "www.example", NOW + 5)
        sa.event.listen(conn, "before_cursor_execute", lambda *call: statements.append(call[2]))
        lease = take(conn, run, pace=Pace(0.5, 16))
        taken = take(conn, run, pace=Pace(0.5, 16), now=NOW + 0.5)

    assert len(lease.rows) == 2
    assert lease.next_due == NOW  # that scope is planned as far as its horizon, with one row left
    assert (len(taken.rows), taken.next_due) == (1, NOW + 5)
    assert sum("JOIN cycle_scopes" in statement for statement in statements) == 2
    assert len(statements) < 40


def test_a_leased_row_is_given_to_nobody_else(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=3)
        start(conn, "b")
        first = take(conn, run, want=2)
        second = take(conn, run, "b", pace=Pace(0.0, 32))

    assert {row.id for row in first.rows}.isdisjoint(row.id for row in second.rows)


def test_a_row_comes_as_it_was_admitted(engine: sa.Engine) -> None:
    row = make_row(
        0,
        method="POST",
        body=b"\x00\xff",
        headers=(("Accept", "text/html"), ("Accept", "b\xe9")),
        callback="parse_page",
        cb_kwargs='{"a":1}',
        priority=3,
        depth=2,
    )
    with engine.begin() as conn:
        run = start(conn, seeds=(row,))
        [leased] = take(conn, run).rows

    names = "url fingerprint scope page_kind representation method body headers callback cb_kwargs"
    assert {name: getattr(leased, name) for name in names.split()} == {
        name: getattr(row, name) for name in names.split()
    }
    assert leased.requested_url == row.url
    assert (leased.priority, leased.depth) == (3, 2)
    assert (leased.attempts, leased.deferrals, leased.redirects) == (0, 0, ())
    assert leased.lease_until == NOW + 60


def test_two_owners_share_the_pace_of_a_scope(engine: sa.Engine) -> None:
    pace = Pace(delay=0.25, concurrency=16)
    with engine.begin() as conn:
        run = start(conn, rows=50)
        start(conn, "b")
        first = take(conn, run, pace=pace)
        second = take(conn, run, "b", pace=pace, now=NOW + 0.5)
        start(conn, "c")
        third = take(conn, run, "c", pace=pace, now=NOW + 0.5)

    times = [row.send_at for lease in (first, second, third) for row in lease.rows]
    assert times[:4] == [NOW, NOW + 0.25, NOW + 0.5, NOW + 0.75]
    assert all(later - sooner >= 0.25 for sooner, later in pairwise(times))
    assert third.next_due is not None
    assert third.next_due > NOW + 0.5


def test_a_cooled_scope_is_skipped_and_the_other_goes_on(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(make_row(0), make_row(1, scope="other.example")))
        cool_scope(conn, SCOPE, NOW + 30)
        lease = take(conn, run)
        later = take(conn, run, now=NOW + 30)

    assert [row.scope for row in lease.rows] == ["other.example"]
    assert lease.next_due == NOW + 30
    assert [row.scope for row in later.rows] == [SCOPE]


def test_no_scope_starves_beside_a_big_one(engine: sa.Engine) -> None:
    seeds = (*make_rows(40), make_row(90, scope="other.example"))
    with engine.begin() as conn:
        run = start(conn, seeds=seeds)
        lease = take(conn, run, want=8)

    assert {row.scope for row in lease.rows} == {SCOPE, "other.example"}


@pytest.mark.parametrize(("ahead", "is_deferred"), [(30, True), (0, False), (-5, False)])
def test_a_deferred_row_comes_back_when_it_is_due(
    engine: sa.Engine, ahead: float, is_deferred: bool
) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        assert defer(conn, make_deferral(row, NOW + ahead, attempts=1), new_sink(), NOW)
        lease = take(conn, run)
        due = take(conn, run, now=NOW + 30) if is_deferred else lease

    assert bool(lease.rows) is not is_deferred
    assert lease.next_due == (NOW + ahead if is_deferred else None)
    [again] = due.rows
    assert (again.id, again.attempts, again.deferrals, again.spent_seconds) == (row.id, 1, 1, 0.5)
    assert again.token != row.token


def test_the_frontier_is_finished_only_when_every_row_has_an_outcome(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        assert take(conn, run).open_rows
        commit_page(conn, make_commit(run, first), new_sink(), NOW)
        defer(conn, make_deferral(second, NOW + 9), new_sink(), NOW)
        assert take(conn, run).open_rows
        [second] = take(conn, run, now=NOW + 9).rows
        commit_page(conn, make_commit(run, second), new_sink(), NOW)
        lease = take(conn, run)

    assert not lease.open_rows
    assert lease.next_due is None
    assert lease.slots == {}


def test_an_owner_without_a_slot_gets_no_row_and_looks_again(engine: sa.Engine) -> None:
    pace = Pace(0.0, 1)
    with engine.begin() as conn:
        run = start(conn, rows=4)
        start(conn, "b")
        first = take(conn, run, want=1, pace=pace)
        second = take(conn, run, "b", pace=pace)

    assert first.slots == {SCOPE: 1}
    assert second.rows == ()
    assert second.slots == {SCOPE: 0}
    assert second.next_due == NOW + 0.5
    assert second.has_peers


def test_a_busy_owner_keeps_to_its_part_and_gives_up_the_rest_as_transfers_end(
    engine: sa.Engine,
) -> None:
    pace = Pace(0.0, 4)
    with engine.begin() as conn:
        run = start(conn, rows=40)
        start(conn, "b")
        assert take(conn, run, want=4, pace=pace).slots == {SCOPE: 4}
        assert take(conn, run, "b", pace=pace).slots == {SCOPE: 0}
        assert take(conn, run, want=1, pace=pace, in_flight={SCOPE: 4}).slots == {SCOPE: 2}
        assert take(conn, run, "b", pace=pace).slots == {SCOPE: 0}
        assert take(conn, run, want=1, pace=pace, in_flight={SCOPE: 3}).slots == {SCOPE: 2}
        assert take(conn, run, "b", want=1, pace=pace).slots == {SCOPE: 1}
        assert take(conn, run, want=1, pace=pace, in_flight={SCOPE: 1}).slots == {SCOPE: 2}
        assert take(conn, run, "b", want=1, pace=pace, in_flight={SCOPE: 1}).slots == {SCOPE: 2}


def test_a_share_ends_with_the_last_row(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        commit_page(conn, make_commit(run, row), new_sink(), NOW)
        take(conn, run)
        left = conn.scalar(sa.select(sa.func.count()).select_from(shares))

    assert left == 0


def test_who_waits_for_anothers_rows_looks_again_in_a_second(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        start(conn, "b")
        take(conn, run)
        own = take(conn, run)
        other = take(conn, run, "b")

    assert own.next_due is None  # its own rows end through its own doing
    assert other.next_due == NOW + 1


def test_a_released_row_is_pending_again_as_it_was(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        assert release(conn, row.id, row.token)
        assert not release(conn, row.id, row.token)
        [again] = take(conn, run).rows

    assert (again.id, again.attempts) == (row.id, 0)


def test_pace_advances_with_what_was_given_out_and_no_further(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        take(conn, run, pace=Pace(delay=0.1, concurrency=8))
        state = read_scope(conn, SCOPE)

    assert state.next_at == pytest.approx(NOW + 0.2)


def test_leasing_and_its_probes_scan_no_table(sqlite_url: str) -> None:
    engine = open_ledger(sqlite_url)
    seen: list[str] = []
    with engine.begin() as conn:
        run = start(conn, rows=30)
        start(conn, "b")

    @sa.event.listens_for(engine, "before_cursor_execute")
    def note(conn: object, cursor: object, statement: str, *args: object) -> None:
        if "requests" in statement and not statement.startswith("EXPLAIN"):
            seen.append(statement)

    with engine.begin() as conn:
        take(conn, run)
        take(conn, run, "b")
        plans = [
            detail
            for statement in dict.fromkeys(seen)
            for *_, detail in conn.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", tuple([0] * statement.count("?"))
            )
        ]
    engine.dispose()

    assert len(set(seen)) >= 5
    assert [plan for plan in plans if plan.startswith("SCAN requests")] == []
    assert requests.name in "".join(plans)


def test_a_scope_that_has_only_refused_is_tried_with_one_page_at_a_time(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=4)
        trip_scope(conn, Trip(SCOPE, 60.0, "refused"), NOW)
        cooling = take(conn, run)
        tried = take(conn, run, now=NOW + 60)
        while_it_is_tried = take(conn, run, now=NOW + 61)
        forgive_scope(conn, SCOPE)
        forgiven = take(conn, run, now=NOW + 62)

    assert (len(cooling.rows), cooling.next_due) == (0, NOW + 60)
    assert len(tried.rows) == 1
    assert set(tried.tripped) == {SCOPE}
    assert len(while_it_is_tried.rows) == 0
    assert len(forgiven.rows) == 3
    assert not forgiven.tripped


def test_a_scope_that_strains_is_planned_at_its_own_delay(engine: sa.Engine) -> None:
    slowed = {SCOPE: 0.25}
    with engine.begin() as conn:
        run = start(conn, rows=10)
        rows = take(conn, run, pace=Pace(0.1, 16), delays=slowed).rows

    assert [row.send_at - NOW for row in rows] == pytest.approx([0, 0.25, 0.5, 0.75])
