"""Records over pages and cycles, and what a second reading of a page does."""

from dataclasses import replace
from itertools import permutations

import pytest
import sqlalchemy as sa

from crawler.contracts.frontier import CommitResult, PageCommit, RunInfo
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Rejection
from crawler.ledger.pages import commit_page, commit_pages
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.queries.records import (
    iterate_last_seen,
    iterate_records,
    iterate_rejections,
)
from crawler.ledger.records import Publication
from crawler.ledger.republish import republish_page
from crawler.ledger.tables import observations, record_versions, shares
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_candidate,
    make_commit,
    make_rejection,
    make_report,
    new_sink,
    start,
    take,
)


def crawl_once(conn: sa.Connection, owner: str, *candidates: Candidate) -> CommitResult:
    """Run a whole cycle with one page."""
    run = start(conn, owner)
    [row] = take(conn, run, owner).rows
    conn.execute(sa.delete(shares))
    return commit_page(conn, make_commit(run, row, *candidates), new_sink(), NOW)


def read_values(conn: sa.Connection) -> list[tuple[str, object, int]]:
    return [(r.key, r.fields["title"].value, r.version) for r in iterate_records(conn, SITE)]


def test_a_record_that_did_not_change_gets_no_new_version(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first = crawl_once(conn, "a", make_candidate("n1"))
        second = crawl_once(conn, "b", make_candidate("n1"))
        funnel = read_funnel(conn, SITE)
        versions = conn.scalar(sa.select(sa.func.count()).select_from(record_versions))
        seen = conn.scalar(sa.select(sa.func.count()).select_from(observations))

    assert (first.accepted, second.accepted, second.unchanged) == (("n1",), (), ("n1",))
    assert second.version_of == {"n1": 1}
    assert funnel["records"] == {"accepted": 0, "unchanged": 1, "rejected": {}}
    assert (versions, seen) == (1, 2)


def test_a_record_that_changed_gets_the_next_version(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        crawl_once(conn, "a", make_candidate("n1", "old"))
        second = crawl_once(conn, "b", make_candidate("n1", "new"))
        third = crawl_once(conn, "c", make_candidate("n1", "old"))
        values = read_values(conn)

    assert (second.version_of, third.version_of) == ({"n1": 2}, {"n1": 3})
    assert values == [("n1", "old", 3)]


def test_a_record_keeps_all_that_says_where_it_came_from(engine: sa.Engine) -> None:
    candidate = make_candidate("n1")
    with engine.begin() as conn:
        run = start(conn)
        [row] = take(conn, run).rows
        page = make_commit(run, row, candidate)
        commit_page(conn, page, new_sink(), NOW)
        [record] = iterate_records(conn)
        [seen] = iterate_last_seen(conn, SITE)

    assert page.capture is not None
    snapshot = page.capture.snapshot
    assert (record.capture_id, record.snapshot_sha256) == (snapshot.capture_id, snapshot.digest)
    assert (record.site, record.source_id, record.type) == (SITE, "source", "notice")
    assert (record.schema_version, record.rule_version) == ("notices.v1", "r1")
    assert (record.extractor_version, record.url) == ("1", row.url)
    assert record.observed_at == seen.observed_at == "2027-01-15T08:00:00Z"
    assert record.fields == candidate.fields


def test_records_come_in_the_order_of_rows_and_then_of_the_page(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        later = make_commit(run, second, make_candidate("z"), make_candidate("b"))
        sooner = make_commit(run, first, make_candidate("y"), make_candidate("c"))
        commit_pages(conn, [later, sooner], new_sink(), NOW)
        keys = [record.key for record in iterate_records(conn)]

    assert keys == ["y", "c", "z", "b"]


TITLES = {0: "zero", 1: "one", 2: "two"}
SAME = dict.fromkeys(TITLES, "same")


@pytest.mark.parametrize("is_together", [True, False], ids=["one group", "three groups"])
@pytest.mark.parametrize("before", [None, "zero", "one", "other"])
@pytest.mark.parametrize("titles", [TITLES, SAME], ids=["all differ", "all the same"])
def test_of_three_pages_with_one_key_the_first_row_wins_in_any_order(
    sqlite_engine: sa.Engine, titles: dict[int, str], before: str | None, is_together: bool
) -> None:
    """What an agent may use, and the funnel, are a function of the rows alone."""
    ends = set()
    for order in permutations(range(3)):
        with sqlite_engine.connect() as conn:
            if before is not None:
                crawl_once(conn, "a", make_candidate("n1", before))
            commit_in_order(conn, order, titles, is_together=is_together)
            funnel = read_funnel(conn, SITE)["records"]
            [record] = iterate_records(conn)
            rejected = [found.row for found in iterate_rejections(conn, SITE)]
            rows = conn.scalars(sa.select(observations.c.row_id)).all()
            values = record.fields["title"].value
            ends.add((values, str(funnel), *sorted(rejected), max(rows)))
            conn.rollback()

    [end] = ends
    first = 1 if before is None else 2
    status = "unchanged" if before == titles[0] else "accepted"
    assert end[0] == titles[0]
    assert f"'{status}': 1" in end[1]
    assert end[1].endswith("'rejected': {'duplicate_id': 2}}")
    assert end[2:] == (first + 1, first + 2, first)


def commit_in_order(
    conn: sa.Connection, order: tuple[int, ...], titles: dict[int, str], *, is_together: bool
) -> None:
    run = start(conn, "b", rows=3)
    rows = take(conn, run, "b").rows
    pages = [make_commit(run, rows[n], make_candidate("n1", titles[n])) for n in order]
    batches = [pages] if is_together else [[page] for page in pages]
    for batch in batches:
        commit_pages(conn, batch, new_sink(), NOW)


def test_a_record_taken_over_is_read_from_the_winning_page(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        late = make_commit(run, first, make_candidate("n1", "same"))
        early = make_commit(run, second, make_candidate("n1", "same"))
        commit_page(conn, early, new_sink(), NOW)
        result = commit_page(conn, late, new_sink(), NOW)
        [record] = iterate_records(conn)
        [rejected] = iterate_rejections(conn, SITE)

    assert late.capture is not None
    assert early.capture is not None
    assert result.version_of == {"n1": 1}
    assert record.capture_id == late.capture.snapshot.capture_id
    assert rejected.capture_id == early.capture.snapshot.capture_id
    assert rejected.rejection.reason is RejectReason.DUPLICATE_ID
    assert rejected.rejection.candidate == make_candidate("n1", "same")


def test_a_number_given_out_never_comes_to_mean_something_else(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        early = commit_page(
            conn, make_commit(run, second, make_candidate("n1", "theirs")), new_sink(), NOW
        )
        late = commit_page(
            conn, make_commit(run, first, make_candidate("n1", "ours")), new_sink(), NOW
        )
        values = read_values(conn)

    assert (early.version_of, late.version_of) == ({"n1": 1}, {"n1": 2})
    assert values == [("n1", "ours", 2)]


def test_only_the_doubled_record_of_a_page_is_rejected(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        commit_page(conn, make_commit(run, first, make_candidate("n1")), new_sink(), NOW)
        page = make_commit(run, second, make_candidate("n1"), make_candidate("n2"))
        result = commit_page(conn, page, new_sink(), NOW)

    assert (result.accepted, result.rejected) == (("n2",), 1)


def test_the_same_key_of_another_type_or_site_is_another_record(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
        first, second = take(conn, run).rows
        event = make_candidate("n1", type="event")
        one = commit_page(conn, make_commit(run, first, make_candidate("n1")), new_sink(), NOW)
        other = commit_page(conn, make_commit(run, second, event), new_sink(), NOW)

    assert (one.accepted, other.accepted) == (("n1",), ("n1",))


def test_a_page_that_ran_out_of_time_leaves_the_record_it_had(engine: sa.Engine) -> None:
    slow = Rejection(RejectReason.EXTRACTION_TIMEOUT, "10 s")
    with engine.begin() as conn:
        crawl_once(conn, "a", make_candidate("n1"))
        run = start(conn, "b")
        [row] = take(conn, run, "b").rows
        page = make_commit(run, row, report=make_report(rejections=(slow,)))
        commit_page(conn, page, new_sink(), NOW)
        values = read_values(conn)
        funnel = read_funnel(conn, SITE)

    assert values == [("n1", "Title", 1)]
    assert funnel["records"]["rejected"] == {"extraction_timeout": 1}


def commit_two(conn: sa.Connection, *titles: str) -> tuple[RunInfo, list[Publication]]:
    """Commit a page for each title, all under the key n1, and return them as replay sees them."""
    run = start(conn, rows=len(titles))
    pages = [
        make_commit(run, row, make_candidate("n1", title))
        for row, title in zip(take(conn, run).rows, titles, strict=True)
    ]
    commit_pages(conn, pages, new_sink(), NOW)
    return run, [replayed(run, page) for page in pages]


def replayed(run: RunInfo, page: PageCommit) -> Publication:
    assert page.capture is not None
    assert page.report is not None
    snapshot = page.capture.snapshot
    return Publication(
        site=SITE,
        source_id="source",
        cycle=run.cycle,
        row=page.row,
        capture_id=snapshot.capture_id,
        digest=snapshot.digest,
        observed_at="2027-01-15T08:00:00Z",
        url=snapshot.final_url,
        extractor_version="1",
        rule_version="r1",
        candidates=page.report.candidates,
    )


def read_everything(conn: sa.Connection) -> list[object]:
    rejected = [found.rejection for found in iterate_rejections(conn, SITE)]
    return [list(iterate_records(conn)), rejected, read_funnel(conn, SITE)["records"]]


@pytest.mark.parametrize("rule_version", ["r1", "r2"])
def test_a_page_replayed_twice_is_published_once(engine: sa.Engine, rule_version: str) -> None:
    with engine.begin() as conn:
        _, [page] = commit_two(conn, "title")
        before = read_everything(conn)
        again = replace(page, rule_version=rule_version)
        results = [republish_page(conn, again, NOW) for _ in range(2)]
        after = read_everything(conn)
        versions = conn.scalar(sa.select(sa.func.count()).select_from(record_versions))

    assert [result.version_of for result in results] == [{"n1": 1}] * 2
    assert after == before
    assert versions == 1


def test_a_new_reading_is_a_new_version_and_the_old_one_is_withdrawn(engine: sa.Engine) -> None:
    other = make_candidate("n1", "read anew")
    with engine.begin() as conn:
        _, [page] = commit_two(conn, "title")
        changed = replace(page, rule_version="r2", candidates=(other,))
        result = republish_page(conn, changed, NOW)
        funnel = read_funnel(conn, SITE)["records"]
        after = read_values(conn)
        republish_page(conn, page, NOW)
        back = read_values(conn)

    assert result.version_of == {"n1": 2}
    assert after == [("n1", "read anew", 2)]
    assert funnel == {"accepted": 1, "unchanged": 0, "rejected": {}}
    assert back == [("n1", "title", 3)]


def test_a_record_no_longer_read_is_no_longer_offered(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        _, [page] = commit_two(conn, "title")
        gone = replace(page, rule_version="r2", candidates=(), rejections=(make_rejection(),))
        republish_page(conn, gone, NOW)
        funnel = read_funnel(conn, SITE)["records"]

        assert list(iterate_records(conn)) == []
        assert funnel == {"accepted": 0, "unchanged": 0, "rejected": {"required_field": 1}}


def test_rejections_of_a_former_reading_are_replaced(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        _, [page] = commit_two(conn, "title")
        rejected = replace(page, rejections=(make_rejection(),))
        republish_page(conn, rejected, NOW)
        republish_page(conn, rejected, NOW)
        with_rejection = read_funnel(conn, SITE)["records"]
        republish_page(conn, page, NOW)
        without = read_funnel(conn, SITE)["records"]

    assert with_rejection["rejected"] == {"required_field": 1}
    assert without == {"accepted": 1, "unchanged": 0, "rejected": {}}


def test_a_reading_that_ran_out_of_time_replaces_nothing(engine: sa.Engine) -> None:
    crash = Rejection(RejectReason.EXTRACTION_CRASH, "memory")
    with engine.begin() as conn:
        _, [page] = commit_two(conn, "title")
        before = read_everything(conn)
        republish_page(conn, replace(page, candidates=(), rejections=(crash,)), NOW)

        assert read_everything(conn) == before


def test_a_duplicate_takes_the_place_that_the_first_page_gives_up(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        _, [first, second] = commit_two(conn, "first", "second")
        republish_page(conn, replace(first, candidates=(make_candidate("other"),)), NOW)
        republish_page(conn, second, NOW)
        funnel = read_funnel(conn, SITE)["records"]
        values = sorted(read_values(conn))

    assert [(key, title) for key, title, _ in values] == [("n1", "second"), ("other", "Title")]
    assert funnel == {"accepted": 2, "unchanged": 0, "rejected": {}}


def test_replaying_every_page_in_row_order_changes_nothing(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        _, pages = commit_two(conn, "first", "second", "third")
        before = read_everything(conn)[0], read_funnel(conn, SITE)
        for page in pages:
            republish_page(conn, page, NOW)

        assert (read_everything(conn)[0], read_funnel(conn, SITE)) == before


def test_an_old_page_replayed_does_not_replace_what_a_later_cycle_found(
    engine: sa.Engine,
) -> None:
    with engine.begin() as conn:
        _, [page] = commit_two(conn, "old")
        conn.execute(sa.delete(shares))
        crawl_once(conn, "b", make_candidate("n1", "new"))
        old = replace(page, rule_version="r2", candidates=(make_candidate("n1", "older"),))
        republish_page(conn, old, NOW)

        assert read_values(conn) == [("n1", "new", 2)]
