from dataclasses import replace

import sqlalchemy as sa

from crawler.contracts.bound import Bound, Limits, Trail
from crawler.contracts.frontier import Pace
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.retry import Action
from crawler.contracts.snapshot import Hop, PageKind
from crawler.ledger.admitting import Batch, admit, admit_each
from crawler.ledger.frontier import count_retries, defer, release
from crawler.ledger.pages import commit_page
from crawler.ledger.queries.captures import iterate_captures
from crawler.ledger.queries.explain import explain
from crawler.ledger.queries.funnel import read_funnel, read_left_out
from crawler.ledger.redirects import redirect
from crawler.ledger.scopes import cool_scope
from crawler.ledger.tables import cycle_scopes, left_out
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_capture,
    make_commit,
    make_decision,
    make_deferral,
    make_redirection,
    make_row,
    make_rows,
    new_sink,
    start,
    take,
)


def test_a_url_is_admitted_once_and_counted_after_that(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        rows = (*make_rows(4), make_row(3))
        first = admit(conn, run.cycle, rows, NOW)
        second = admit(conn, run.cycle, rows, NOW)
        funnel = read_funnel(conn, SITE)

    assert (first.admitted, first.duplicates) == (2, 3)
    assert (second.admitted, second.duplicates) == (0, 5)
    assert (funnel["admitted"], funnel["duplicates"]) == (4, 8)


def test_a_refused_link_is_a_row_with_its_outcome(engine: sa.Engine) -> None:
    refused = Outcome(Reason.REFUSED_SCOPE, detail="other.example is not a host of the site")
    with engine.begin() as conn:
        run = start(conn)
        admit(conn, run.cycle, [make_row(5, refused=refused)], NOW)
        admit(conn, run.cycle, [make_row(5)], NOW)
        funnel = read_funnel(conn, SITE)
        [row] = explain(conn, "https://site.example/5")

    assert funnel["outcomes"] == {"refused_scope": 1}
    assert funnel["duplicates"] == 1
    assert (row.state, row.reason, row.detail) == ("done", "refused_scope", refused.detail)


def test_rows_beyond_the_limit_are_left_out_and_the_cycle_says_so(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        within = admit(conn, run.cycle, make_rows(4), NOW, limits=Limits(pages=4))
        before = read_left_out(conn, SITE)
        beyond = admit(conn, run.cycle, make_rows(6), NOW, limits=Limits(pages=4))
        funnel, left_out = read_funnel(conn, SITE), read_left_out(conn, SITE)

    assert (within.admitted, before) == (2, {})
    assert (beyond.admitted, beyond.duplicates, beyond.left_out) == (0, 4, {Bound.MAX_PAGES: 2})
    assert (funnel["admitted"], left_out) == (4, {"max_pages": 2})


def test_what_no_page_led_to_takes_one_row_for_each_bound_however_much_it_is(
    engine: sa.Engine,
) -> None:
    query = sa.select(left_out.c.row_id, left_out.c.bound, left_out.c.links)
    with engine.begin() as conn:
        run = start(conn, rows=2)
        for number in range(3):
            batch = Batch(make_rows(2, start=10 + number), left_out={Bound.MAX_DEPTH: 2})
            admit_each(conn, run.cycle, [batch], NOW, limits=Limits(pages=2))
        kept = conn.execute(query.order_by(left_out.c.bound)).all()

    assert kept == [(None, "max_depth", 6), (None, "max_pages", 6)]


def test_listings_and_shapes_are_counted_over_all_pages_of_a_cycle(engine: sa.Engine) -> None:
    limits = Limits(listings=2, per_shape=3)
    with engine.begin() as conn:
        run = start(conn, rows=1)
        for first in (10, 20):
            listings = make_rows(2, start=first, page_kind=PageKind.LISTING)
            shaped = make_rows(2, start=first + 5, shape="s")
            admit(conn, run.cycle, [*listings, *shaped], NOW, limits=limits)
        funnel, left_out = read_funnel(conn, SITE), read_left_out(conn, SITE)

    assert funnel["admitted"] == 1 + 2 + 3
    assert left_out == {"max_listings": 2, "max_per_shape": 1}


def test_a_listing_carries_what_the_one_before_it_showed_and_brought(engine: sa.Engine) -> None:
    shown = []
    with engine.begin() as conn:
        run = start(conn, rows=1)
        for number in (10, 11, 12):
            [row] = take(conn, run).rows
            shown.append((row.listed, row.barren))
            commit = replace(
                make_commit(run, row),
                links=make_rows(1, start=number, page_kind=PageKind.LISTING),
                trail=Trail(f"digest of {number}", row.barren),
                left_out={Bound.MAX_DEPTH: 1},
            )
            commit_page(conn, commit, new_sink(), NOW, limits=Limits(barren=3))
        [told] = explain(conn, "https://site.example/11")
        left_out = read_left_out(conn, SITE)

    assert shown == [("", 0), ("digest of 10", 1), ("digest of 11", 2)]
    assert told.left_out == {"max_barren": 1, "max_depth": 1}
    assert left_out == {"max_barren": 1, "max_depth": 3}


def test_many_rows_are_admitted_at_once(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        result = admit(conn, run.cycle, make_rows(1500), NOW)

    assert (result.admitted, result.duplicates) == (1499, 1)


def test_a_deferral_keeps_its_reason_and_its_capture(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        capture = make_capture(run, row.url, is_eligible=False, status=429)
        defer(conn, make_deferral(row, NOW + 30, capture=capture), new_sink(), NOW)
        [known] = explain(conn, row.fingerprint)
        [filed] = iterate_captures(conn, SITE)

    assert [(d.at, d.decision) for d in known.decisions] == [(NOW, make_decision())]
    assert (known.state, known.not_before, known.reason) == ("deferred", NOW + 30, None)
    assert (filed.status, filed.reason, filed.is_eligible) == (429, "defer_rate_limit", False)
    assert filed.row == row.id


def test_retries_are_counted_for_the_cycle_and_deferrals_are_not(engine: sa.Engine) -> None:
    retry = replace(make_decision(), action=Action.RETRY)
    with engine.begin() as conn:
        run = start(conn, rows=3)
        first, second, third = take(conn, run).rows
        for row, decision in ((first, retry), (second, retry), (third, make_decision())):
            defer(conn, make_deferral(row, NOW, decision=decision), new_sink(), NOW)
        fenced = replace(first, token="another")
        defer(conn, make_deferral(fenced, NOW, decision=retry), new_sink(), NOW)
        assert count_retries(conn, run.cycle) == 2


def test_a_redirect_keeps_its_row_and_goes_on_from_its_target(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        capture = make_capture(run, row.url, is_eligible=False, status=302)
        moved = redirect(
            conn, make_redirection(run, row, "moved", capture=capture), new_sink(), NOW
        )
        defer(conn, make_deferral(row, NOW), new_sink(), NOW)
        [again] = take(conn, run).rows
        admitted = admit(conn, run.cycle, [make_row(1, fingerprint="moved")], NOW)

    assert (moved.is_fenced, moved.is_seen, moved.send_at) == (False, False, NOW)
    assert (again.id, again.url, again.requested_url) == (
        row.id,
        "https://site.example/moved",
        row.url,
    )
    assert again.redirects == (Hop(row.url, 302),)
    assert (admitted.admitted, admitted.duplicates) == (0, 1)


def test_a_redirect_to_a_row_of_the_cycle_ends_as_seen(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, _second = take(conn, run).rows
        capture = make_capture(run, first.url, is_eligible=False, status=301)
        move = make_redirection(run, first, "fp1", capture=capture)
        result = redirect(conn, move, new_sink(), NOW)
        late = commit_page(conn, make_commit(run, first), new_sink(), NOW)
        [known] = explain(conn, "fp0")

    assert result.is_seen
    assert late.is_fenced
    assert (known.state, known.reason) == ("done", "redirected_to_seen")
    assert [(c.status, c.is_eligible) for c in known.captures] == [(301, False)]


def test_of_two_redirects_to_one_target_the_second_ends_as_seen(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        one = redirect(conn, make_redirection(run, first, "target"), new_sink(), NOW)
        two = redirect(conn, make_redirection(run, second, "target"), new_sink(), NOW)
        again = redirect(conn, make_redirection(run, first, "target"), new_sink(), NOW)

    assert (one.is_seen, two.is_seen, again.is_seen) == (False, True, False)


def test_a_redirect_to_itself_is_followed(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        result = redirect(conn, make_redirection(run, row, "fp0"), new_sink(), NOW)
        is_held = release(conn, row.id, row.token)

    assert not result.is_seen
    assert is_held


def test_a_row_is_asked_for_as_its_redirect_left_it(engine: sa.Engine) -> None:
    posted = make_row(
        0, method="POST", body=b"q=1", headers=(("X-Form", "1"), ("Content-Type", "text/plain"))
    )
    left = {"method": "GET", "body": b"", "headers": (("X-Form", "1"),)}
    with engine.begin() as conn:
        run = start(conn, seeds=(posted,))
        [row] = take(conn, run).rows
        redirect(conn, make_redirection(run, row, "moved", **left), new_sink(), NOW)
        redirect(conn, make_redirection(run, row, "again", **left), new_sink(), NOW)
        release(conn, row.id, row.token)
        [moved] = take(conn, run).rows
        late = NOW + 30 * 86400
        later = start(conn, seeds=(make_row(9),), now=late)
        carried = next(row for row in take(conn, later, now=late).rows if row.fingerprint == "fp0")

    assert (moved.url, moved.method, moved.body) == ("https://site.example/again", "GET", b"")
    assert moved.headers == (("X-Form", "1"),)
    assert (carried.url, carried.method, carried.body) == (posted.url, "POST", b"q=1")
    assert carried.headers == posted.headers


def test_only_scopes_that_may_be_sent_to_belong_to_a_cycle(engine: sa.Engine) -> None:
    refused = Outcome(Reason.REFUSED_SCOPE)
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        admit(conn, run.cycle, [make_row(5, scope="link.example", refused=refused)], NOW)
        away = {"target_scope": "away.example", "is_admitted": False}
        sent_away = redirect(conn, make_redirection(run, first, "t1", **away), new_sink(), NOW)
        moved = make_redirection(run, second, "t2", target_scope="www.example")
        redirect(conn, moved, new_sink(), NOW)
        known = set(conn.scalars(sa.select(cycle_scopes.c.scope)))
        release(conn, first.id, first.token)
        [again] = take(conn, run).rows

    assert known == {"site.example", "www.example"}
    assert (sent_away.is_fenced, sent_away.is_seen, sent_away.send_at) == (False, False, NOW)
    assert (again.id, again.url, again.scope) == (
        first.id,
        "https://site.example/t1",
        "site.example",
    )


def test_a_redirect_waits_for_the_pace_and_cool_down_of_its_target(engine: sa.Engine) -> None:
    pace = Pace(delay=2.0, concurrency=1)
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        cool_scope(conn, "other.example", NOW + 10)
        moves = [
            make_redirection(run, row, f"t{row.id}", target_scope="other.example", pace=pace)
            for row in (first, second)
        ]
        times = [redirect(conn, move, new_sink(), NOW).send_at for move in moves]
        defer(conn, make_deferral(first, NOW), new_sink(), NOW)
        lease = take(conn, run)

    assert times == [NOW + 10, NOW + 12]
    assert lease.rows == ()  # its scope is another now, and that one cools
