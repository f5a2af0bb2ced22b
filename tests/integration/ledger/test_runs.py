import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import RunEnd
from crawler.contracts.outcome import Outcome, Reason
from crawler.ledger.frontier import defer
from crawler.ledger.pages import commit_page
from crawler.ledger.queries.funnel import list_runs, read_funnel
from crawler.ledger.redirects import redirect
from crawler.ledger.runs import close_run, open_run
from crawler.ledger.tables import requests
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_commit,
    make_deferral,
    make_opening,
    make_redirection,
    make_row,
    new_sink,
    start,
    take,
)

DAY = 86400.0


def test_the_first_run_opens_the_first_cycle_with_its_seeds(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=3)
        funnel = read_funnel(conn, SITE)

    assert (run.cycle_number, run.is_new_cycle) == (1, True)
    assert funnel["admitted"] == 3
    assert funnel["open"] == {"pending": 3, "deferred": 0, "leased": 0}


def test_a_stopped_run_is_continued_in_its_cycle(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=3)
        take(conn, first, want=1)
        close_run(conn, first.run, RunEnd.STOPPED, NOW + 5, {"pages": 0})
        second = start(conn, "b", rows=3, now=NOW + 9)
        entries = list_runs(conn, SITE)
        funnel = read_funnel(conn, SITE)

    assert (second.cycle, second.is_new_cycle) == (first.cycle, False)
    assert [(e.ended_as, e.ended_at, e.counters) for e in entries] == [
        ("stopped", NOW + 5, {"pages": 0}),
        (None, None, {}),
    ]
    assert funnel["admitted"] == 3
    assert funnel["duplicates"] == 0


def test_a_finished_cycle_is_followed_by_the_next(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn)
        [row] = take(conn, first).rows
        commit_page(conn, make_commit(first, row), new_sink(), NOW)
        close_run(conn, first.run, RunEnd.FINISHED, NOW, {})
        second = start(conn, "b")

    assert (second.cycle_number, second.is_new_cycle) == (2, True)
    assert second.cycle > first.cycle


def test_a_run_killed_after_its_last_page_leaves_a_finished_cycle(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn)
        [row] = take(conn, first).rows
        commit_page(conn, make_commit(first, row), new_sink(), NOW)
        second = start(conn, "b")

    assert second.cycle_number == 2


def test_two_runs_work_on_one_cycle(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=2)
        second = start(conn, "b", rows=2)
        close_run(conn, first.run, RunEnd.FINISHED, NOW, {})
        third = start(conn, "c")

    assert second.cycle == first.cycle == third.cycle


def test_an_old_cycle_is_closed_and_its_open_rows_open_the_next(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=4)
        done, put_off, leased, _pending = take(conn, first).rows
        commit_page(conn, make_commit(first, done), new_sink(), NOW)
        defer(conn, make_deferral(put_off, NOW + 99 * DAY), new_sink(), NOW)
        seeds = (make_row(0), make_row(9))
        second = start(conn, "b", now=NOW + 8 * DAY, seeds=seeds)
        reasons = conn.execute(
            sa.select(requests.c.fingerprint, requests.c.reason)
            .where(requests.c.cycle == first.cycle)
            .order_by(requests.c.id)
        ).all()
        late = commit_page(conn, make_commit(first, leased), new_sink(), NOW)
        close_run(conn, first.run, RunEnd.FINISHED, NOW, {})
        carried = [row.fingerprint for row in take(conn, second, "b").rows]

    assert [tuple(found) for found in reasons] == [
        ("fp0", "eligible"),
        ("fp1", "deferral_expired"),
        ("fp2", "cancelled"),
        ("fp3", "cancelled"),
    ]
    assert (second.cycle_number, second.is_new_cycle) == (2, True)
    assert carried == ["fp0", "fp9", "fp1", "fp2", "fp3"]
    assert late.is_fenced


def test_what_a_redirect_led_elsewhere_is_carried_over_to_where_it_was_admitted(
    engine: sa.Engine,
) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=1)
        [row] = take(conn, first).rows
        away = make_redirection(first, row, "there", target_scope="elsewhere.example")
        redirect(conn, away, new_sink(), NOW)
        close_run(conn, first.run, RunEnd.STOPPED, NOW, {})
        second = start(conn, "b", now=NOW + 8 * DAY, seeds=(make_row(9),))
        _seed, again = take(conn, second, "b").rows

    assert (again.url, again.scope) == (row.requested_url, row.scope)


def test_counts_stay_true_when_a_cycle_is_carried_over(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        start(conn, rows=5)
        start(conn, "b", now=NOW + 8 * DAY, rows=2)
        funnel = read_funnel(conn, SITE)

    assert funnel["admitted"] == 5
    assert funnel["open"]["pending"] == 5


@pytest.mark.parametrize(("age", "number"), [(7 * DAY, 1), (7 * DAY + 1, 2)])
def test_a_cycle_is_old_only_beyond_its_limit(engine: sa.Engine, age: float, number: int) -> None:
    with engine.begin() as conn:
        start(conn)
        run = start(conn, "b", now=NOW + age)

    assert run.cycle_number == number


def test_a_cycle_without_a_url_does_not_open(engine: sa.Engine) -> None:
    with engine.begin() as conn, pytest.raises(ValueError, match="cannot open without a URL"):
        open_run(conn, make_opening(seeds=()), NOW)


def test_refused_seeds_are_rows_with_an_outcome(engine: sa.Engine) -> None:
    refused = Outcome(Reason.REFUSED_AUTHORIZATION, detail="expired")
    with engine.begin() as conn:
        run = start(conn, seeds=(make_row(0, refused=refused),))
        lease = take(conn, run)
        funnel = read_funnel(conn, SITE)

    assert lease.rows == ()
    assert not lease.open_rows
    assert funnel["outcomes"] == {"refused_authorization": 1}


def test_sites_do_not_see_each_others_cycles(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = start(conn, rows=2)
        other = start(conn, "b", rows=3, site="events")

    assert other.cycle != first.cycle
    assert other.cycle_number == 1


def test_what_a_run_was_started_under_is_kept(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        start(conn, versions='{"scrapy":"2.19.0"}')
        [entry] = list_runs(conn, SITE)

    assert (entry.site_hash, entry.authorization_hash) == ("s" * 64, "a" * 64)
    assert (entry.rule_version, entry.versions) == ("r1", {"scrapy": "2.19.0"})
    assert (entry.started_at, entry.cycle_number) == (NOW, 1)
