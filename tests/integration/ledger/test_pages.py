import pytest
import sqlalchemy as sa

from crawler.contracts.bound import Limits
from crawler.contracts.outcome import Kind, Outcome, Reason, RejectReason
from crawler.contracts.record import Rejection
from crawler.ledger.captures import GroupSink
from crawler.ledger.frontier import defer
from crawler.ledger.pages import commit_page, commit_pages
from crawler.ledger.queries.captures import find_captures, iterate_captures
from crawler.ledger.queries.explain import explain
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.queries.records import iterate_records, iterate_rejections
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    MemorySink,
    make_candidate,
    make_capture,
    make_commit,
    make_decision,
    make_deferral,
    make_rejection,
    make_report,
    make_row,
    make_rows,
    new_sink,
    start,
    take,
)

STOPPED = Outcome(Reason.CHALLENGE_REVIEW, Kind.CHALLENGE, "interstitial")


def test_everything_a_page_led_to_is_written(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        report = make_report(make_candidate("n1"), rejections=(make_rejection(),))
        page = make_commit(run, row, report=report, links=(*make_rows(3), make_row(2)))
        result = commit_page(conn, page, new_sink(), NOW)
        funnel = read_funnel(conn, SITE)
        [known] = explain(conn, row.url)

    assert result.accepted == ("n1",)
    assert result.version_of == {"n1": 1}
    assert (result.rejected, result.admitted, result.duplicates) == (1, 2, 2)
    assert funnel == {
        "site": SITE,
        "cycle": 1,
        "admitted": 3,
        "duplicates": 2,
        "open": {"pending": 2, "deferred": 0, "leased": 0},
        "outcomes": {"eligible": 1},
        "records": {"accepted": 1, "unchanged": 0, "rejected": {"required_field": 1}},
    }
    assert (known.state, known.reason, known.attempts) == ("done", "eligible", 1)
    assert [record.key for record in known.records] == ["n1"]
    assert [rejected.rejection for rejected in known.rejections] == [make_rejection()]
    assert len(known.captures) == 1
    assert known.report is not None
    assert known.report["candidates"] == 1


def test_pages_committed_together_are_as_those_committed_apart(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=4)
        first, second, third, stale = take(conn, run).rows
        defer(conn, make_deferral(stale, NOW + 5), new_sink(), NOW)
        pages = [
            make_commit(run, first, make_candidate("n1"), links=make_rows(6)),
            make_commit(run, second, outcome=STOPPED, links=()),
            make_commit(run, stale, make_candidate("n9")),
            make_commit(run, third, make_candidate("n3"), links=make_rows(7)),
        ]
        results = commit_pages(conn, pages, new_sink(), NOW)
        funnel = read_funnel(conn, SITE)

    assert [result.is_fenced for result in results] == [False, False, True, False]
    assert [result.accepted for result in results] == [("n1",), (), (), ("n3",)]
    assert [(r.admitted, r.duplicates) for r in results] == [(2, 4), (0, 0), (0, 0), (1, 6)]
    assert funnel["admitted"] == 7
    assert funnel["outcomes"] == {"challenge_review": 1, "eligible": 2}
    assert funnel["records"]["accepted"] == 2


def test_the_limit_holds_over_the_links_of_several_pages(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        pages = [
            make_commit(run, first, links=make_rows(3, start=10)),
            make_commit(run, second, links=make_rows(3, start=20)),
        ]
        results = commit_pages(conn, pages, new_sink(), NOW, limits=Limits(pages=6))

    assert [result.admitted for result in results] == [3, 1]


def test_a_page_that_is_not_eligible_publishes_nothing(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        capture = make_capture(run, row.url, is_eligible=False, status=403)
        page = make_commit(run, row, make_candidate(), outcome=STOPPED, capture=capture)
        result = commit_page(conn, page, new_sink(), NOW)
        found = list(iterate_records(conn))
        [filed] = iterate_captures(conn, SITE)

    assert (result.accepted, found) == ((), [])
    assert (filed.is_eligible, filed.kind, filed.reason) == (False, "challenge", "challenge_review")


def test_a_page_without_a_response_has_an_outcome_and_its_decision(engine: sa.Engine) -> None:
    outcome = Outcome(Reason.TIMEOUT_EXHAUSTED, detail="two time-outs")
    decision = make_decision(Reason.TIMEOUT_EXHAUSTED)
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        page = make_commit(
            run,
            row,
            outcome=outcome,
            capture=None,
            report=None,
            attempts=2,
            spent_seconds=61.5,
            decision=decision,
            trace="Traceback",
        )
        commit_page(conn, page, new_sink(), NOW + 3)
        [known] = explain(conn, row.url)

    assert (known.reason, known.detail, known.trace) == (
        outcome.reason,
        outcome.detail,
        "Traceback",
    )
    assert (known.attempts, known.spent_seconds, known.ended_at) == (2, 61.5, NOW + 3)
    assert [entry.decision for entry in known.decisions] == [decision]
    assert known.captures == ()


def test_a_rejected_page_counts_once(engine: sa.Engine) -> None:
    whole_page = Rejection(RejectReason.UNVERIFIED_EMPTY, "no article and no empty state")
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        report = make_report(rejections=(whole_page,))
        commit_page(conn, make_commit(run, row, report=report), new_sink(), NOW)
        funnel = read_funnel(conn, SITE)
        [stored] = iterate_rejections(conn, SITE)

    assert funnel["records"]["rejected"] == {"unverified_empty": 1}
    assert stored.rejection == whole_page
    assert (stored.url, stored.row, stored.rule_version) == (row.url, row.id, "r1")


def test_the_funnel_adds_up_with_every_outcome_there_is(engine: sa.Engine) -> None:
    ends = [reason for reason in Reason if not reason.is_deferral]
    with engine.begin() as conn:
        run = start(conn, rows=len(ends) + 3)
        rows = take(conn, run).rows
        pages = [
            make_commit(run, row, outcome=Outcome(reason))
            for row, reason in zip(rows, ends, strict=False)
        ]
        commit_pages(conn, pages, new_sink(), NOW)
        defer(conn, make_deferral(rows[-1], NOW + 9), new_sink(), NOW)
        funnel = read_funnel(conn, SITE)

    assert funnel["outcomes"] == dict.fromkeys(sorted(ends), 1)
    assert funnel["open"] == {"pending": 0, "deferred": 1, "leased": 2}
    assert funnel["admitted"] == sum(funnel["outcomes"].values()) + sum(funnel["open"].values())


def test_an_unchanged_body_is_archived_as_a_revisit_of_the_first(engine: sa.Engine) -> None:
    sink = MemorySink()
    with engine.begin() as conn:
        for number in range(3):
            run = start(conn, f"owner{number}")
            [row] = take(conn, run, f"owner{number}").rows
            page = make_commit(run, row, body=b"<p>the same</p>")
            commit_page(conn, page, GroupSink(sink), NOW)
            conn.execute(sa.text("DELETE FROM shares"))
        first, second, third = iterate_captures(conn, SITE)

    originals = [refers_to and refers_to.capture_id for _, refers_to in sink.appended]
    assert originals == [None, first.capture_id, first.capture_id]
    assert (first.refers_to, second.refers_to, third.refers_to) == (None, *originals[1:])
    refers_to = sink.appended[1][1]
    assert refers_to is not None
    assert (refers_to.final_url, refers_to.digest) == (first.final_url, first.digest)


@pytest.mark.parametrize(
    "change",
    [
        {"final_url": "https://site.example/elsewhere"},
        {"site": "events"},
        {"digest": "f" * 64},
    ],
    ids=["another URL", "another site", "another body"],
)
def test_what_is_not_the_same_page_is_archived_whole(
    engine: sa.Engine, change: dict[str, str]
) -> None:
    sink = MemorySink()
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        one = make_capture(run, first.url)
        other = make_capture(run, first.url, **change)  # type: ignore[arg-type]
        commit_page(conn, make_commit(run, first, capture=one), GroupSink(sink), NOW)
        commit_page(conn, make_commit(run, second, capture=other), GroupSink(sink), NOW)

    assert [refers_to for _, refers_to in sink.appended] == [None, None]


def test_nothing_refers_to_a_capture_of_the_same_group(engine: sa.Engine) -> None:
    """The operation that filed it could still be undone."""
    sink = MemorySink()
    group = GroupSink(sink)
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        for row in (first, second):
            page = make_commit(run, row, capture=make_capture(run, first.url))
            commit_page(conn, page, group, NOW)

    assert [refers_to for _, refers_to in sink.appended] == [None, None]


def test_hostile_text_is_stored_and_never_refused(engine: sa.Engine) -> None:
    nasty = "a\x00b\ud800' OR 1=1 --\u202e"
    candidate = make_candidate(nasty, nasty)
    with engine.begin() as conn:
        run = start(conn, seeds=(make_row(0, url=f"https://site.example/{nasty}"),))
        [row] = take(conn, run).rows
        report = make_report(
            candidate, rejections=(Rejection(RejectReason.INVALID_VALUE, nasty, nasty, candidate),)
        )
        outcome = Outcome(Reason.ELIGIBLE, Kind.OK, nasty)
        page = make_commit(run, row, report=report, outcome=outcome, trace=nasty)
        result = commit_page(conn, page, new_sink(), NOW)
        [record] = iterate_records(conn, SITE)
        [rejected] = iterate_rejections(conn, SITE)

    assert result.version_of == {nasty: 1}
    assert record.fields == candidate.fields
    assert record.key == "a\ufffdb\ufffd' OR 1=1 --\u202e"
    assert rejected.rejection.candidate == candidate


@pytest.mark.parametrize(
    ("cut", "is_found"), [(64, True), (12, True), (8, True), (7, False), (0, False)]
)
def test_a_capture_is_found_by_its_digest_or_the_start_of_it(
    engine: sa.Engine, cut: int, is_found: bool
) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        pages = [make_commit(run, row) for row in take(conn, run).rows]
        commit_pages(conn, pages, new_sink(), NOW)
        wanted, _ = iterate_captures(conn, SITE)
        found = find_captures(conn, wanted.digest[:cut].upper())

    assert found == ([wanted] if is_found else [])


def test_a_capture_is_found_by_its_id(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        commit_page(conn, make_commit(run, row), new_sink(), NOW)
        [wanted] = iterate_captures(conn, SITE)
        bare = wanted.capture_id.removeprefix("urn:uuid:")
        names = [wanted.capture_id, bare, f"<{wanted.capture_id}>"]

        assert [find_captures(conn, name) for name in names] == [[wanted]] * 3
        assert find_captures(conn, "urn:uuid:00000000-0000-0000-0000-000000000000") == []
        assert find_captures(conn, "../../etc/passwd%") == []
