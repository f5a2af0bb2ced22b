import sqlalchemy as sa

from crawler.contracts.frontier import Pace
from crawler.ledger.scopes import (
    ScopeState,
    Trip,
    bump_backoff,
    cool_scope,
    forgive_scope,
    read_scope,
    reserve_send,
    trip_scope,
)
from tests.integration.ledger.builders import NOW

SCOPE = "site.example"


def test_the_longest_cool_down_wins(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        assert cool_scope(conn, SCOPE, NOW + 30) == NOW + 30
        assert cool_scope(conn, SCOPE, NOW + 10) == NOW + 30
        assert cool_scope(conn, SCOPE, NOW + 50) == NOW + 50
        assert read_scope(conn, SCOPE).not_before == NOW + 50


def test_an_unknown_scope_may_be_asked(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        assert read_scope(conn, "new.example") == ScopeState(0.0, 0.0, 0)


def test_refusals_in_a_row_are_counted_until_one_succeeds(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        counts = [bump_backoff(conn, SCOPE, NOW) for _ in range(3)]
        forgive_scope(conn, SCOPE)
        again = bump_backoff(conn, SCOPE, NOW)
        other = bump_backoff(conn, "other.example", NOW)

    assert (counts, again, other) == ([1, 2, 3], 1, 1)


def test_refusals_while_a_scope_cools_down_are_of_one_burst(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        cool_scope(conn, SCOPE, NOW + 10)
        counts = [bump_backoff(conn, SCOPE, NOW + wait) for wait in (0, 1, 10, 11)]

    assert counts == [1, 1, 2, 3]


def test_requests_without_a_row_keep_the_pace_too(engine: sa.Engine) -> None:
    pace = Pace(delay=1.5, concurrency=1)
    with engine.begin() as conn:
        times = [reserve_send(conn, SCOPE, pace, NOW) for _ in range(3)]
        far = [reserve_send(conn, SCOPE, pace, NOW, within=1.0) for _ in range(2)]
        cool_scope(conn, SCOPE, NOW + 60)
        cooled = reserve_send(conn, SCOPE, pace, NOW)
        unpaced = reserve_send(conn, "fast.example", Pace(0.0, 1), NOW)

    assert times == [NOW, NOW + 1.5, NOW + 3]
    assert far == [NOW + 4.5] * 2  # too far away to be kept, so the next is told the same
    assert (cooled, unpaced) == (NOW + 60, NOW)


def test_a_breaker_stays_open_twice_as_long_each_time_until_a_page_is_served(
    engine: sa.Engine,
) -> None:
    trip = Trip(SCOPE, 100.0, "ten pages in a row were refused")
    with engine.begin() as conn:
        first = trip_scope(conn, trip, NOW)
        same_refusals = trip_scope(conn, trip, NOW + 50)
        second = trip_scope(conn, trip, NOW + 100)
        state = read_scope(conn, SCOPE)
        forgive_scope(conn, SCOPE)
        forgiven = read_scope(conn, SCOPE)
        afresh = trip_scope(conn, trip, NOW + 1000)

    assert (first, same_refusals, second) == (NOW + 100, NOW + 100, NOW + 300)
    assert (state.trips, state.tripped_by) == (2, trip.cause)
    assert (forgiven.trips, forgiven.tripped_by) == (0, None)
    assert afresh == NOW + 1100


def test_a_breaker_never_shortens_the_cool_down_a_server_asked_for(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        cool_scope(conn, SCOPE, NOW + 500)
        until = trip_scope(conn, Trip(SCOPE, 100.0, "refused"), NOW)

    assert until == NOW + 500
