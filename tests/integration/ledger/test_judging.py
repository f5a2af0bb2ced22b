"""Whether a cycle's collections are whole, and which records it shows to have vanished."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
import sqlalchemy as sa

from crawler.contracts.bound import Bound, Limits
from crawler.contracts.collection import Collection, Gap, ListedPage
from crawler.contracts.frontier import LeasedRow, NewRow, PageCommit, RunEnd, RunInfo
from crawler.contracts.outcome import Outcome, Reason, RejectReason
from crawler.contracts.record import Rejection, Standing, Status
from crawler.contracts.snapshot import PageKind
from crawler.ledger.judging import judge_again
from crawler.ledger.pages import _publication, commit_page
from crawler.ledger.queries.collections import find_judged_cycle
from crawler.ledger.queries.explain import explain
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.queries.records import iterate_records
from crawler.ledger.records import Publication
from crawler.ledger.redirects import redirect
from crawler.ledger.republish import republish_page
from crawler.ledger.runs import close_run
from crawler.ledger.tables import disappearances, records
from crawler.ledger.text import name_record, shorten
from crawler.reporting.collections import iterate_incomplete
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_candidate,
    make_capture,
    make_commit,
    make_redirection,
    make_rejection,
    make_report,
    make_row,
    new_sink,
    start,
    take,
)

LISTING = make_row(0, page_kind=PageKind.LISTING)
DAY = 86400.0


def detail(name: str) -> NewRow:
    return replace(make_row(0), url=f"https://site.example/{name}", fingerprint=name)


def listing(*details: str, **changes: object) -> ListedPage:
    return replace(ListedPage(details=details), **changes)  # type: ignore[arg-type]


def name(key: str) -> str:
    return shorten(name_record(SITE, "notice", key))


def crawl(
    conn: sa.Connection,
    page: ListedPage,
    ends: Mapping[str, Reason | RejectReason | str],
    *,
    seeds: tuple[NewRow, ...] = (LISTING,),
    end: RunEnd = RunEnd.FINISHED,
) -> tuple[RunInfo, tuple[Collection, ...]]:
    """Go through one cycle: a listing that leads to *ends*, a record's key or another end each."""
    run = start(conn, f"owner {id(page)}", seeds=seeds)
    links = tuple(map(detail, page.details))
    for row in take(conn, run, f"owner {id(page)}").rows:
        commit = make_commit(run, row, listing=page, links=links)
        commit_page(conn, commit, new_sink(), NOW)
    for row in take(conn, run, f"owner {id(page)}").rows:
        if row.fingerprint in ends:
            commit_page(conn, finish(run, row, ends[row.fingerprint]), new_sink(), NOW)
    return run, close_run(conn, run.run, end, NOW, {})


def finish(run: RunInfo, row: LeasedRow, end: Reason | RejectReason | str) -> PageCommit:
    if isinstance(end, Reason):
        return make_commit(run, row, outcome=Outcome(end), capture=None, report=None)
    if isinstance(end, RejectReason):
        return make_commit(run, row, report=make_report(rejections=(make_rejection(end),)))
    return make_commit(run, row, make_candidate(end))


def vanished(conn: sa.Connection) -> list[tuple[int, str]]:
    query = sa.select(disappearances.c.cycle, records.c.key).join(records)
    return [(cycle, key) for cycle, key in conn.execute(query.order_by(records.c.key))]


# Completeness


def test_a_cycle_that_ends_is_judged_with_it(engine: sa.Engine) -> None:
    ends = {"a": "n1", "b": Reason.GONE, "c": RejectReason.REQUIRED_FIELD}
    with engine.begin() as conn:
        run, told = crawl(conn, listing("a", "b", "c", expected=3), ends)
        judged = find_judged_cycle(conn, SITE)

    assert told == (
        Collection(
            row=1,
            url="https://site.example/0",
            pages=1,
            items=3,
            accepted=1,
            expected=3,
            failed={"gone": 1, "required_field": 1},
        ),
    )
    assert judged is not None
    assert (judged.cycle, judged.number, judged.collections) == (run.cycle, 1, told)


def test_a_start_address_is_explained_with_its_collection(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        _, [told] = crawl(conn, listing("a", expected=2), {"a": "n1"})
        [of_start] = explain(conn, LISTING.url)
        [of_item] = explain(conn, "https://site.example/a")

    assert (of_start.collection, of_item.collection) == (told, None)


def test_a_collection_that_its_page_found_incomplete_is_told_once(engine: sa.Engine) -> None:
    alone, paged = (Rejection(RejectReason.INCOMPLETE_COLLECTION, "1 of 2 records"),), ()
    with engine.begin() as conn:
        for visit, rejections in enumerate((alone, paged)):
            run = start(conn, f"visit {visit}", seeds=(LISTING,))
            [row] = take(conn, run, f"visit {visit}").rows
            report = make_report(make_candidate("n1"), rejections=rejections)
            page = ListedPage(records=(name("n1"),), expected=2)
            commit = make_commit(run, row, report=report, listing=page)
            commit_page(conn, commit, new_sink(), NOW)
            close_run(conn, run.run, RunEnd.FINISHED, NOW, {})
            found = list(iterate_incomplete(conn, SITE))

            assert len(found) == 1 - len(rejections)

    [told] = found
    assert told.rejection.detail == "1 items, the page states 2"
    assert (told.row, told.url, told.rule_version) == (row.id, LISTING.url, "r1")
    assert commit.capture is not None
    assert told.capture_id == commit.capture.snapshot.capture_id


def test_what_was_never_read_is_told_by_its_outcome_alone(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        commit_page(conn, finish(run, row, Reason.TIMEOUT_EXHAUSTED), new_sink(), NOW)
        [collection] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

        assert not collection.is_complete
        assert list(iterate_incomplete(conn, SITE)) == []


def test_an_open_cycle_is_not_judged(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run, told = crawl(conn, listing("a", "b"), {"a": "n1"}, end=RunEnd.STOPPED)

        assert told == ()
        assert find_judged_cycle(conn, SITE) is None
        assert judge_again(conn, run.cycle) == ()


def test_a_cycle_closed_by_a_later_run_is_judged_as_it_would_have_been(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        first, _ = crawl(conn, listing("a", "b"), {"a": "n1"}, end=RunEnd.STOPPED)
        start(conn, "late", seeds=(LISTING,), now=NOW + 8 * DAY)
        [told] = judge_again(conn, first.cycle)

    assert set(told.gaps) == {Gap.ITEMS_OPEN}
    assert told.failed == {"cancelled": 1}


def test_links_beyond_the_limit_are_a_gap(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        page = listing("a", "b", following=("p2",))
        links = (detail("a"), detail("b"), replace(LISTING, fingerprint="p2", url="https://x.y/"))
        commit = make_commit(run, row, listing=page, links=links)
        commit_page(conn, commit, new_sink(), NOW, limits=Limits(pages=2))
        [row] = take(conn, run).rows
        commit_page(conn, make_commit(run, row, make_candidate("n1")), new_sink(), NOW)
        [told] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

    assert set(told.gaps) == {Gap.PAGE_NOT_ADMITTED, Gap.ITEMS_OPEN}
    assert (told.items, told.accepted) == (2, 1)


@pytest.mark.parametrize(
    ("bound", "gaps"),
    [(Bound.REPEATED_LISTING, set()), (Bound.MAX_DEPTH, {Gap.PAGE_NOT_ADMITTED})],
)
def test_a_page_that_repeats_the_one_before_it_is_the_last(
    engine: sa.Engine, bound: Bound, gaps: set[Gap]
) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        page = listing("a", following=("p2",))
        commit = make_commit(run, row, listing=page, links=(detail("a"),), left_out={bound: 1})
        commit_page(conn, commit, new_sink(), NOW)
        [row] = take(conn, run).rows
        commit_page(conn, make_commit(run, row, make_candidate("n1")), new_sink(), NOW)
        [told] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

    assert set(told.gaps) == gaps


def test_an_item_that_failed_is_asked_for_again_though_its_listing_is_the_same(  # DU04
    engine: sa.Engine,
) -> None:
    page = listing("a", "b", "c", expected=3)
    with engine.begin() as conn:
        _, [first] = crawl(conn, page, {"a": "n1", "b": "n2", "c": Reason.ATTEMPTS_EXHAUSTED})
        second, [then] = crawl(conn, replace(page), {"a": "n1", "b": "n2", "c": "n3"})

        assert first.failed == {"attempts_exhausted": 1}
        assert (then.accepted, then.failed) == (3, {})
        assert standings(conn)["n3"] == ("new", second.cycle_number)


def test_an_entry_inserted_far_down_a_known_list_is_collected(engine: sa.Engine) -> None:  # DU05
    known = [f"p{number}" for number in range(60)]
    late = [*known[:40], "late", *known[40:]]
    with engine.begin() as conn:
        crawl(conn, listing(*known), {name: name for name in known})
        second, [told] = crawl(conn, listing(*late), {name: name for name in late})

        assert (told.is_complete, told.accepted) == (True, 61)
        assert standings(conn)["late"] == ("new", second.cycle_number)


def test_a_document_made_anew_at_every_visit_stays_one_record(engine: sa.Engine) -> None:  # DU02
    with engine.begin() as conn:
        for visit in range(26):
            run = start(conn, f"visit {visit}", seeds=(LISTING,))
            [row] = take(conn, run, f"visit {visit}").rows
            body = b"%%PDF-1.7 /CreationDate (D:2027%04d)" % visit
            commit = make_commit(run, row, make_candidate("n1"), body=body)
            commit_page(conn, replace(commit, listing=ListedPage()), new_sink(), NOW)
            close_run(conn, run.run, RunEnd.FINISHED, NOW, {})
        [record] = iterate_records(conn, SITE)

    assert (record.version, record.standing) == (
        1,
        Standing(Status.UNCHANGED, 26, is_cycle_complete=True),
    )


def test_pages_that_redirect_are_known_by_every_address(engine: sa.Engine) -> None:
    """One moved to a new address that is listed too, another leads to one that is listed."""
    page = listing("a", "new-a", "b", "c", expected=2)
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        links = (detail("a"), detail("b"), detail("c"))
        commit_page(conn, make_commit(run, row, listing=page, links=links), new_sink(), NOW)
        a, b, c = take(conn, run).rows
        redirect(conn, make_redirection(run, a, "new-a"), new_sink(), NOW)
        redirect(conn, make_redirection(run, b, "c"), new_sink(), NOW)
        commit_page(conn, make_commit(run, a, make_candidate("n1")), new_sink(), NOW)
        commit_page(conn, make_commit(run, c, make_candidate("n2")), new_sink(), NOW)
        [told] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

    assert (told.is_complete, told.items, told.accepted) == (True, 2, 2)


def test_two_pages_with_one_record_are_one_item(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        _, [told] = crawl(conn, listing("a", "b", expected=2), {"a": "n1", "b": "n1"})

    assert (told.items, told.accepted, told.duplicates) == (1, 1, 1)
    assert told.gaps == {Gap.COUNT_DIFFERS: "1 items, the page states 2"}


def test_records_on_the_listing_are_counted_once(engine: sa.Engine) -> None:
    first = ListedPage(records=(name("n1"), name("n2")), following=("p2",), expected=3)
    second = ListedPage(records=(name("n2"), name("n3")), expected=3)
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        links = (replace(LISTING, fingerprint="p2", url="https://site.example/p2", depth=1),)
        candidates = map(make_candidate, ("n1", "n2"))
        commit = make_commit(run, row, *candidates, listing=first, links=links)
        commit_page(conn, commit, new_sink(), NOW)
        [row] = take(conn, run).rows
        commit = make_commit(run, row, make_candidate("n2"), listing=second)
        commit_page(conn, commit, new_sink(), NOW)
        [told] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

    assert (told.is_complete, told.pages, told.items) == (True, 2, 3)
    assert (told.accepted, told.failed) == (2, {"rejected": 1})


def test_a_page_read_again_changes_the_verdict(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        commit = make_commit(run, row, listing=listing(expected=1))
        commit_page(conn, commit, new_sink(), NOW)
        [before] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})
        again = replace(_publication(commit), listing=listing(expected=0))
        republish_page(conn, again, NOW)
        [after] = judge_again(conn, run.cycle)
        judged = find_judged_cycle(conn, SITE)

    assert (before.is_complete, after.is_complete) == (False, True)
    assert judged is not None
    assert judged.collections == (after,)


# Vanished records


def test_a_record_that_is_listed_no_more_has_vanished_and_stays(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        second, _ = crawl(conn, listing("a"), {"a": "n1"})
        kept = conn.scalars(sa.select(records.c.current_version)).all()
        told = read_funnel(conn, SITE)["records"]

        assert vanished(conn) == [(second.cycle, "n2")]
        assert kept == [1, 1]
        assert told == {"accepted": 0, "unchanged": 1, "rejected": {}, "vanished": 1}


GONE = {
    "gone": Reason.GONE,
    "soft_404": Reason.SOFT_404,
    "another record in its place": "n3",
}


@pytest.mark.parametrize("end", GONE.values(), ids=GONE)
def test_a_record_whose_page_is_without_it_has_vanished(
    engine: sa.Engine, end: Reason | str
) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        second, _ = crawl(conn, listing("a", "b"), {"a": "n1", "b": end})

        assert vanished(conn) == [(second.cycle, "n2")]


NOT_READ = {
    "time-out": Reason.TIMEOUT_EXHAUSTED,
    "challenge": Reason.CHALLENGE_REVIEW,
    "rejected": RejectReason.REQUIRED_FIELD,
}


@pytest.mark.parametrize("end", NOT_READ.values(), ids=NOT_READ)
def test_a_record_whose_page_was_not_read_has_not(
    engine: sa.Engine, end: Reason | RejectReason
) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        _, [told] = crawl(conn, listing("a", "b"), {"a": "n1", "b": end})

        assert told.is_complete
        assert vanished(conn) == []


UNPROVEN = {
    "a count that differs": listing("a", expected=2),
    "a window on the newest": listing("a", is_window=True),
}


@pytest.mark.parametrize("page", UNPROVEN.values(), ids=UNPROVEN)
def test_nothing_vanishes_from_a_cycle_that_proves_nothing(
    engine: sa.Engine, page: ListedPage
) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        crawl(conn, page, {"a": "n1"})

        assert vanished(conn) == []


@pytest.mark.parametrize(("keys", "expected"), [(("n1",), ["n1"]), (("n1", "n2"), [])])
def test_a_start_address_that_is_gone_takes_the_record_that_was_alone_on_it(
    engine: sa.Engine, keys: tuple[str, ...], expected: list[str]
) -> None:
    other = replace(LISTING, url="https://site.example/other", fingerprint="other")
    with engine.begin() as conn:
        for visit in range(2):
            run = start(conn, f"visit {visit}", seeds=(LISTING, other))
            first, second = take(conn, run, f"visit {visit}").rows
            page = ListedPage(records=tuple(map(name, keys)))
            commit = make_commit(run, first, *map(make_candidate, keys), listing=page)
            ended = finish(run, first, Reason.GONE) if visit else commit
            commit_page(conn, ended, new_sink(), NOW)
            commit = make_commit(run, second, make_candidate("n9"), listing=listing())
            commit_page(conn, commit, new_sink(), NOW)
            close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

        assert [key for _, key in vanished(conn)] == expected


def test_nothing_vanishes_when_code_decided_where_to_look(engine: sa.Engine) -> None:
    coded = replace(detail("z"), callback="parse_more")
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        crawl(conn, listing("a"), {"a": "n1", "z": "n9"}, seeds=(LISTING, coded))

        assert vanished(conn) == []


def test_nothing_vanishes_because_its_start_address_was_dropped(engine: sa.Engine) -> None:
    other = replace(LISTING, url="https://site.example/other", fingerprint="other")
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"}, seeds=(LISTING, other))
        crawl(conn, listing("a"), {"a": "n1"}, seeds=(LISTING,))

        assert vanished(conn) == []


def test_nothing_vanishes_because_its_session_was_not_used(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        for session, keys in (("members", ("n1", "n2")), ("", ("n1",))):
            run = start(conn, session, seeds=(LISTING,))
            [row] = take(conn, run, session).rows
            capture = make_capture(run, row.url, session=session)
            commit = make_commit(run, row, *map(make_candidate, keys), capture=capture)
            page = ListedPage(records=tuple(map(name, keys)))
            commit_page(conn, replace(commit, listing=page), new_sink(), NOW)
            close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

        assert vanished(conn) == []


def test_a_record_vanishes_once_and_may_come_back_and_vanish_again(engine: sa.Engine) -> None:
    both, one = listing("a", "b"), listing("a")
    with engine.begin() as conn:
        crawl(conn, both, {"a": "n1", "b": "n2"})
        second, _ = crawl(conn, one, {"a": "n1"})
        crawl(conn, replace(one), {"a": "n1"})
        once = vanished(conn)
        crawl(conn, replace(both), {"a": "n1", "b": "n2"})
        last, _ = crawl(conn, replace(one, is_count_due=False), {"a": "n1"})

        assert once == [(second.cycle, "n2")]
        assert vanished(conn) == [(second.cycle, "n2"), (last.cycle, "n2")]


def test_judging_twice_says_it_once(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        second, told = crawl(conn, listing("a"), {"a": "n1"})
        before = vanished(conn)

        assert judge_again(conn, second.cycle) == told
        assert vanished(conn) == before


def test_a_record_of_a_listing_vanishes_unless_it_was_only_rejected(engine: sa.Engine) -> None:
    keys = ("n1", "n2", "n3")
    first = ListedPage(records=tuple(map(name, keys)))
    second = ListedPage(records=(name("n1"), name("n2")))
    with engine.begin() as conn:
        for page, accepted in ((first, keys), (second, ("n1",))):
            run = start(conn, f"owner {len(accepted)}", seeds=(LISTING,))
            [row] = take(conn, run, f"owner {len(accepted)}").rows
            commit = make_commit(run, row, *map(make_candidate, accepted), listing=page)
            commit_page(conn, commit, new_sink(), NOW)
            close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

        assert vanished(conn) == [(run.cycle, "n3")]


def test_no_record_of_a_listing_vanishes_beside_one_whose_key_cannot_be_read(
    engine: sa.Engine,
) -> None:
    first = ListedPage(records=(name("n1"), name("n2")))
    second = ListedPage(records=(name("n1"), name("list#Evening")), has_nameless=True)
    with engine.begin() as conn:
        for page, accepted in ((first, ("n1", "n2")), (second, ("n1",))):
            run = start(conn, f"owner {len(accepted)}", seeds=(LISTING,))
            [row] = take(conn, run, f"owner {len(accepted)}").rows
            commit = make_commit(run, row, *map(make_candidate, accepted), listing=page)
            commit_page(conn, commit, new_sink(), NOW)
            [told] = close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

        assert told.is_complete
        assert vanished(conn) == []


def test_a_record_of_another_site_does_not_vanish(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, "other", seeds=(LISTING,), site="events")
        [row] = take(conn, run, "other").rows
        commit = make_commit(run, row, make_candidate("e1"), site="events", listing=listing())
        commit_page(conn, commit, new_sink(), NOW)
        close_run(conn, run.run, RunEnd.FINISHED, NOW, {})
        crawl(conn, listing("a"), {"a": "n1"})

        assert vanished(conn) == []


# What is told of records


def standings(conn: sa.Connection) -> dict[str, tuple[str, int] | None]:
    return {
        record.key: (record.standing.status.value, record.standing.cycle)
        if record.standing
        else None
        for record in iterate_records(conn, SITE)
    }


def test_a_record_is_told_with_the_cycle_that_last_had_something_to_say_of_it(
    engine: sa.Engine,
) -> None:
    every, told = listing("a", "b", "c", "d"), []
    with engine.begin() as conn:
        crawl(conn, every, {"a": "n1", "b": "n2", "c": "n3", "d": "n4"})
        told.append(standings(conn))
        crawl(conn, listing("a", "b", "c"), {"a": "n1", "b": "n2", "c": Reason.TIMEOUT_EXHAUSTED})
        told.append(standings(conn))
        crawl(conn, replace(every), {"a": Reason.GONE, "b": "n2", "c": "n3", "d": "n4"})
        told.append(standings(conn))

    assert told == [
        dict.fromkeys(("n1", "n2", "n3", "n4"), ("new", 1)),
        {"n1": ("unchanged", 2), "n2": ("unchanged", 2), "n3": ("new", 1), "n4": ("vanished", 2)},
        {
            "n1": ("vanished", 3),
            "n2": ("unchanged", 3),
            "n3": ("unchanged", 3),
            "n4": ("unchanged", 3),
        },
    ]


def test_a_record_with_another_title_has_changed(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        for title in ("Old", "New"):
            run = start(conn, title, seeds=(LISTING,))
            [row] = take(conn, run, title).rows
            commit_page(conn, make_commit(run, row, make_candidate("n1", title)), new_sink(), NOW)
            close_run(conn, run.run, RunEnd.FINISHED, NOW, {})

        assert standings(conn) == {"n1": ("changed", 2)}


def test_a_record_corrected_in_the_cycle_that_found_it_is_still_new(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        run = start(conn, seeds=(LISTING,))
        [row] = take(conn, run).rows
        commit = make_commit(run, row, make_candidate("n1", "Old"))
        commit_page(conn, commit, new_sink(), NOW)
        corrected = (make_candidate("n1", "New"),)
        again = replace(_publication(commit), candidates=corrected, rule_version="r2")
        republish_page(conn, again, NOW)

        assert standings(conn) == {"n1": ("new", 1)}
        [record] = iterate_records(conn, SITE)
        assert record.version == 2


def test_a_record_that_rules_take_back_falls_back_to_what_was_said_before(
    engine: sa.Engine,
) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b"), {"a": "n1", "b": "n2"})
        second, _ = crawl(conn, listing("a", "b", "c"), {"a": "n1", "b": "n2", "c": "n3"})
        [row] = [e for e in explain(conn, "https://site.example/b") if e.cycle_number == 2]
        page = Publication(
            SITE, "source", second.cycle, row.row, row.captures[0].capture_id, "", "", "", "1", "r2"
        )
        republish_page(conn, page, NOW)
        judge_again(conn, second.cycle)

        assert standings(conn)["n2"] == ("vanished", 2)


def test_a_record_says_whether_its_cycle_is_complete(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        crawl(conn, listing("a", "b", expected=9), {"a": "n1", "b": "n2"})
        crawl(conn, listing("a", "b"), {"a": "n1", "b": Reason.TIMEOUT_EXHAUSTED})
        crawl(conn, listing("b"), {}, end=RunEnd.STOPPED)
        told = [record.standing for record in iterate_records(conn, SITE)]

    assert told == [
        Standing(Status.UNCHANGED, 2, is_cycle_complete=True),
        Standing(Status.NEW, 1, is_cycle_complete=False),
    ]
