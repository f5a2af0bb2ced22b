from dataclasses import replace

import sqlalchemy as sa

from crawler.contracts.frontier import Escalation, LeasedRow, RunInfo
from crawler.contracts.need import PageNeed, RenderingNeed, Shown
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.retry import Action, Layer, RetryDecision
from crawler.contracts.snapshot import PageKind, Representation
from crawler.ledger.escalation import escalate
from crawler.ledger.needs import read_needs
from crawler.ledger.pages import commit_page, commit_pages
from crawler.ledger.queries.captures import iterate_pages_to_replay
from crawler.ledger.queries.explain import explain
from crawler.ledger.reclaim import reclaim
from tests.integration.ledger.builders import (
    LEASE_SECONDS,
    NOW,
    SITE,
    make_capture,
    make_commit,
    new_sink,
    start,
    take,
)

RENDER = RetryDecision(
    Action.RENDER,
    Reason.INCOMPLETE_SNAPSHOT,
    Layer.REPRESENTATION,
    "its scripts may add what is missing",
    remaining_attempts=1,
    remaining_seconds=80.0,
    evidence=("h1 matches nothing",),
)
DETAIL, RENDERED = PageKind.DETAIL, Representation.RENDERED_DOM


def escalation(run: RunInfo, row: LeasedRow) -> Escalation:
    moved = replace(row, representation=RENDERED, spent_seconds=2.0)
    capture = make_capture(run, row.url, is_eligible=False)
    return Escalation(moved, Kind.SHELL, capture, RENDER)


def test_a_row_goes_on_with_its_lease_and_has_one_outcome(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        until = escalate(conn, escalation(run, row), new_sink(), NOW + 30, LEASE_SECONDS)
        [between] = explain(conn, row.url)
        rendered = make_capture(run, row.url, b"<p>rendered</p>", representation=RENDERED)
        result = commit_page(conn, make_commit(run, row, capture=rendered), new_sink(), NOW + 31)
        [after] = explain(conn, row.url)
        [replayed] = iterate_pages_to_replay(conn, run.cycle)

    assert until == NOW + 30 + LEASE_SECONDS
    assert (between.state, between.reason, between.spent_seconds) == ("leased", None, 2.0)
    assert [each.decision for each in between.decisions] == [RENDER]
    assert not result.is_fenced
    assert (after.reason, len(after.decisions)) == ("eligible", 1)
    assert [(each.representation.value, each.is_eligible) for each in after.captures] == [
        ("html", False),
        ("rendered_dom", True),
    ]
    assert replayed.capture.representation is RENDERED


def test_a_row_whose_worker_died_is_leased_again_to_be_rendered(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        escalate(conn, escalation(run, row), new_sink(), NOW, LEASE_SECONDS)
        start(conn, "b", now=NOW + 1)
        reclaim(conn, "b", NOW + 1, lambda owner: False)
        [again] = take(conn, run, "b", now=NOW + 1).rows
        late = commit_page(conn, make_commit(run, row), new_sink(), NOW + 2)

    assert again.representation is RENDERED
    assert (again.attempts, again.spent_seconds) == (0, 2.0)
    assert late.is_fenced


def test_what_comes_too_late_changes_nothing(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        commit_page(conn, make_commit(run, row), new_sink(), NOW)
        until = escalate(conn, escalation(run, row), new_sink(), NOW, LEASE_SECONDS)
        [known] = explain(conn, row.url)

    assert until is None
    assert (known.reason, known.decisions, len(known.captures)) == ("eligible", (), 1)


def need(shown: Shown, missing: str = "") -> PageNeed:
    return PageNeed(DETAIL, shown, "s", missing)


def test_what_pages_showed_is_kept_with_their_commit_and_told_to_the_next_run(
    engine: sa.Engine,
) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=4)
        rows = take(conn, run).rows
        needs = [need(Shown.NEEDED, "h1"), need(Shown.NEEDED, "h2"), need(Shown.AT_ONCE), None]
        commits = [make_commit(run, row, need=each) for row, each in zip(rows, needs, strict=True)]
        results = commit_pages(conn, commits[:2], new_sink(), NOW)
        results += commit_pages(conn, commits[2:], new_sink(), NOW)
        fenced = commit_page(conn, commits[0], new_sink(), NOW)
        other = start(conn, "b", site="other")
        next_run = start(conn, "c", rows=1, now=NOW + 1)

    known = RenderingNeed("s", in_a_row=2, at_once=1, decided=2, missing="h2")
    assert results[-2].needs == {DETAIL: known}
    assert fenced.needs == {}
    assert next_run.needs == {DETAIL: known}
    assert (run.needs, other.needs) == ({}, {})


def test_kinds_and_sites_are_told_apart(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        rows = take(conn, run).rows
        kinds = [need(Shown.NEEDED, "h1"), replace(need(Shown.WHOLE), kind=PageKind.LISTING)]
        commits = [make_commit(run, row, need=each) for row, each in zip(rows, kinds, strict=True)]
        commit_pages(conn, commits, new_sink(), NOW)

        assert {kind: known.in_a_row for kind, known in read_needs(conn, SITE).items()} == {
            PageKind.DETAIL: 1,
            PageKind.LISTING: 0,
        }
        assert read_needs(conn, "other") == {}
