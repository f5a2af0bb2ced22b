"""Pages that a trusted sitemap says are unchanged since they gave records."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import FormerReading, NewRow, RunEnd
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.contracts.record import Candidate
from crawler.ledger.admitting import admit
from crawler.ledger.pages import commit_page
from crawler.ledger.queries.explain import explain
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.runs import close_run
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_candidate,
    make_commit,
    make_row,
    new_sink,
    start,
    take,
)

ELIGIBLE = Outcome(Reason.ELIGIBLE, Kind.OK)
GONE = Outcome(Reason.GONE, Kind.ERROR_PAGE)
READ_AT = 1_800_000_000.0
"""When builders say that a page was observed."""
STANDS = FormerReading(READ_AT - 1, "r1")
PAGE = make_row(7, unless_read=STANDS)


def read_once(conn: sa.Connection, *candidates: Candidate, **changes: Any) -> None:
    """Crawl a cycle of the site in which the page is read; *changes* are those of its opening."""
    run = start(conn, seeds=(make_row(7),), **changes)
    [row] = take(conn, run).rows
    outcome = ELIGIBLE if candidates else GONE
    commit_page(conn, make_commit(run, row, *candidates, outcome=outcome), new_sink(), NOW)
    close_run(conn, run.run, RunEnd.FINISHED, NOW, {})


def offer(conn: sa.Connection, row: NewRow) -> dict[str, int]:
    """Offer a page to the next cycle, beside one that was never read."""
    run = start(conn, rows=1)
    admit(conn, run.cycle, [row, make_row(8, unless_read=STANDS)], NOW)
    outcomes: dict[str, int] = read_funnel(conn, SITE)["outcomes"]
    return outcomes


@pytest.mark.parametrize(
    ("reading", "outcomes"),
    [
        (STANDS, {"not_modified": 1}),
        (FormerReading(READ_AT, "r1"), {}),
        (FormerReading(READ_AT + 1, "r1"), {}),
        (FormerReading(READ_AT - 1, "r2"), {}),
        (None, {}),
    ],
    ids=["read later", "read at that moment", "changed later", "other rules", "not said"],
)
def test_a_page_that_was_read_since_is_not_read_again(
    engine: sa.Engine, reading: FormerReading | None, outcomes: dict[str, int]
) -> None:
    with engine.begin() as conn:
        read_once(conn, make_candidate("n1"))

        assert offer(conn, replace(PAGE, unless_read=reading)) == outcomes


def test_why_a_page_is_not_read_again_is_said(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        read_once(conn, make_candidate("n1"))
        offer(conn, PAGE)
        told, *_ = explain(conn, PAGE.url)

    assert (told.reason, told.detail) == (
        "not_modified",
        "read at 2027-01-15T08:00:00+00:00; its sitemap names no change since",
    )


def test_a_page_that_gave_no_records_is_read_again(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        read_once(conn)

        assert offer(conn, PAGE) == {}


def test_what_another_site_read_says_nothing(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        read_once(conn, make_candidate("n1"), site="other")

        assert offer(conn, PAGE) == {}


def test_a_row_that_is_refused_stays_refused(engine: sa.Engine) -> None:
    refused = replace(PAGE, refused=Outcome(Reason.REFUSED_AUTHORIZATION))
    with engine.begin() as conn:
        read_once(conn, make_candidate("n1"))

        assert offer(conn, refused) == {"refused_authorization": 1}
