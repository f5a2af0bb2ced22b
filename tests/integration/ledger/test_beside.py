"""What was observed beside a page is filed before it, and never taken for it."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import RunInfo
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.contracts.snapshot import Capture, Representation
from crawler.ledger.pages import _publication, commit_page
from crawler.ledger.queries.captures import iterate_captures, iterate_pages_to_replay
from crawler.ledger.republish import republish_page
from tests.integration.ledger.builders import (
    NOW,
    make_capture,
    make_commit,
    new_sink,
    start,
    take,
)

RENDERED = Representation.RENDERED_DOM


def rendered_capture(run: RunInfo, url: str, *, is_eligible: bool) -> Capture:
    """Return a rendered page with its response, some JSON and a picture."""
    json, picture = (
        make_capture(run, f"{url}?{kind}", kind.encode(), is_eligible=False, representation=kind)
        for kind in (Representation.JSON, Representation.SCREENSHOT)
    )
    page = make_capture(run, url, b"<p>x</p>", is_eligible=is_eligible, representation=RENDERED)
    received = make_capture(run, url, b"<script>").snapshot
    return replace(page, original=received, beside=(json, picture))


@pytest.mark.parametrize("reason", [Reason.ELIGIBLE, Reason.SOFT_404, Reason.CHALLENGE_REVIEW])
def test_it_comes_before_its_page_and_is_as_eligible(engine: sa.Engine, reason: Reason) -> None:
    is_eligible = reason is Reason.ELIGIBLE
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        capture = rendered_capture(run, row.url, is_eligible=is_eligible)
        outcome = Outcome(reason, Kind.OK if is_eligible else Kind.SOFT_404)
        commit_page(conn, make_commit(run, row, capture=capture, outcome=outcome), new_sink(), NOW)
        filed = list(iterate_captures(conn))

    assert [(each.representation.value, each.is_eligible, each.reason) for each in filed] == [
        ("html", False, None),
        ("json", is_eligible, None),
        ("screenshot", is_eligible, None),
        ("rendered_dom", is_eligible, reason.value),
    ]


@pytest.mark.parametrize("reason", list(Reason))
def test_only_the_page_itself_is_read_again(engine: sa.Engine, reason: Reason) -> None:
    """Whatever other rules made of it since."""
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        capture = rendered_capture(run, row.url, is_eligible=True)
        commit = make_commit(run, row, capture=capture)
        commit_page(conn, commit, new_sink(), NOW)
        [page] = iterate_pages_to_replay(conn, run.cycle)
        again = replace(_publication(commit), outcome=Outcome(reason, Kind.SOFT_404))
        republish_page(conn, again, NOW)
        found = list(iterate_pages_to_replay(conn, run.cycle))

    assert page.capture.representation is RENDERED
    assert {each.capture.representation for each in found} <= {RENDERED}
