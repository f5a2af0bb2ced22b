from dataclasses import replace
from typing import Any

import pytest

from crawler.contracts.collection import Collection, Gap, ListedPage
from crawler.contracts.outcome import RejectReason
from crawler.validation.collection import CycleEnds, ListingRow, judge_collections

FIRST = ListedPage(details=("a", "b"), following=("p2",), expected=3)
SECOND = ListedPage(details=("c",), expected=3)
ALL_ACCEPTED = (("a", "accepted"), ("b", "accepted"), ("c", "accepted"))
NAMED = {"p1": 1, "p2": 2, "p3": 3}


def row(
    number: int, page: ListedPage | None, reason: str = "eligible", **changes: Any
) -> ListingRow:
    listing = ListingRow(number, f"https://site.example/{number}", reason, number == 1, page)
    return replace(listing, **changes)


def judge(
    *pages: ListedPage | None,
    ends: tuple[tuple[str, str], ...] = ALL_ACCEPTED,
    **changes: object,
) -> Collection:
    listings = [row(number, page) for number, page in enumerate(pages, 1)]
    cycle = CycleEnds(
        listings, {name: r for name, r in NAMED.items() if r <= len(pages)}, pages=ends
    )
    [found] = judge_collections(replace(cycle, **changes))  # type: ignore[arg-type]
    return found


def test_a_listing_is_complete_when_the_items_of_all_its_pages_are_as_many_as_it_says() -> None:
    assert judge(FIRST, SECOND) == Collection(
        row=1, url="https://site.example/1", pages=2, items=3, accepted=3, expected=3
    )


def test_an_item_that_moved_to_the_next_page_is_one_item() -> None:
    shifted = ListedPage(details=("b", "c"), expected=4)

    found = judge(replace(FIRST, expected=4), shifted)

    assert (found.items, found.expected) == (3, 4)
    assert found.gaps == {Gap.COUNT_DIFFERS: "3 items, the page states 4"}


def test_items_that_failed_have_an_end_and_are_named_beside_it() -> None:
    ends = (("a", "accepted"), ("b", "gone"), ("c", "required_field"))

    found = judge(FIRST, SECOND, ends=ends)

    assert found.is_complete
    assert (found.items, found.accepted) == (3, 1)
    assert found.failed == {"gone": 1, "required_field": 1}


@pytest.mark.parametrize("end", ["deferral_expired", "cancelled"])
def test_an_item_that_nobody_got_to_has_no_end(end: str) -> None:
    found = judge(FIRST, SECOND, ends=(*ALL_ACCEPTED[:2], ("c", end)))

    assert found.gaps == {Gap.ITEMS_OPEN: f"items that nobody got to: 1 {end}"}


def test_an_item_that_was_not_admitted_has_no_end() -> None:
    found = judge(FIRST, SECOND, ends=ALL_ACCEPTED[:2])

    assert found.gaps == {Gap.ITEMS_OPEN: "items that nobody got to: 1 not_admitted"}
    assert found.failed == {"not_admitted": 1}


def test_two_addresses_of_one_record_are_one_item() -> None:
    found = judge(FIRST, SECOND, ends=(*ALL_ACCEPTED[:2], ("c", "duplicate_id")))

    assert (found.items, found.duplicates) == (2, 1)
    assert set(found.gaps) == {Gap.COUNT_DIFFERS}


def test_two_addresses_of_one_page_are_one_item() -> None:
    ends = (("a", "accepted"), ("b", "accepted"), ("c", "redirected_to_seen"))

    found = judge(FIRST, SECOND, ends=ends, moved={"c": "b"})

    assert (found.items, found.failed) == (2, {})
    assert set(found.gaps) == {Gap.COUNT_DIFFERS}


def test_redirects_are_followed_to_their_end_and_never_in_a_circle() -> None:
    ends = (("a", "accepted"), ("d", "accepted"))
    moved = {"c": "x", "x": "d", "b": "y", "y": "b"}

    found = judge(replace(FIRST, expected=None), SECOND, ends=ends, moved=moved)

    assert found.accepted == 2
    assert found.failed == {"not_admitted": 1}


COUNTS = {
    "stated on one page only": ((3, None), 3, set()),
    "other on each page": ((3, 4), None, {Gap.COUNTS_DISAGREE}),
    "less than there are": ((2, 2), 2, {Gap.COUNT_DIFFERS}),
    "more than there are": ((9, 9), 9, {Gap.COUNT_DIFFERS}),
    "stated nowhere": ((None, None), None, {Gap.COUNT_MISSING}),
}


@pytest.mark.parametrize(("stated", "expected", "gaps"), COUNTS.values(), ids=COUNTS)
def test_the_count_agrees_with_what_the_pages_say(
    stated: tuple[int | None, int | None], expected: int | None, gaps: set[Gap]
) -> None:
    first, second = (
        replace(page, expected=count, is_count_due=True)
        for page, count in zip((FIRST, SECOND), stated, strict=True)
    )

    found = judge(first, second)

    assert (found.expected, set(found.gaps)) == (expected, gaps)


def test_a_listing_that_states_no_count_is_complete_at_its_last_page() -> None:
    found = judge(replace(FIRST, expected=None), replace(SECOND, expected=None))

    assert found.is_complete


def test_a_listing_that_says_it_is_empty_needs_no_count() -> None:
    found = judge(ListedPage(is_count_due=True), ends=())

    assert (found.is_complete, found.items, found.pages) == (True, 0, 1)


def test_a_page_that_failed_leaves_a_gap() -> None:
    listings = [row(1, FIRST), row(2, None, "timeout_exhausted")]

    found = judge(listings=listings, listing_named=NAMED)

    assert found.gaps[Gap.PAGE_FAILED] == "https://site.example/2 ended as timeout_exhausted"


def test_a_start_page_that_failed_leaves_a_gap() -> None:
    found = judge(listings=[row(1, None, "challenge_review")], ends=())

    assert (found.pages, set(found.gaps)) == (0, {Gap.PAGE_FAILED})


def test_a_page_beyond_the_limits_leaves_a_gap() -> None:
    found = judge(replace(FIRST, expected=2), ends=ALL_ACCEPTED)

    assert found.gaps == {Gap.PAGE_NOT_ADMITTED: "further pages left out: 1 by a bound"}


@pytest.mark.parametrize(
    ("bound", "gaps"),
    [
        ("repeated_listing", {}),
        ("max_barren", {Gap.PAGE_NOT_ADMITTED: "further pages left out: 1 by max_barren"}),
    ],
)
def test_a_page_that_repeats_the_one_before_it_is_the_last(
    bound: str, gaps: dict[Gap, str]
) -> None:
    last = replace(SECOND, following=("p9",))

    found = judge(listings=[row(1, FIRST), row(2, last, bounds=(bound,))], listing_named=NAMED)

    assert found.gaps == gaps


@pytest.mark.parametrize("reason", ["gone", "soft_404"])
def test_a_guessed_page_that_does_not_exist_is_the_end(reason: str) -> None:
    first = replace(FIRST, expected=2, is_following_guessed=True)
    listings = [row(1, first), row(2, None, reason)]

    assert judge(listings=listings, listing_named=NAMED).is_complete


@pytest.mark.parametrize(
    "following", [(row(2, None, "http_status"),), ()], ids=["failed", "left out"]
)
def test_no_guessed_page_is_missed_where_the_count_agrees(
    following: tuple[ListingRow, ...],
) -> None:
    first = replace(FIRST, expected=2, is_following_guessed=True)
    named = NAMED if following else {"p1": 1}

    assert judge(listings=[row(1, first), *following], listing_named=named).is_complete


def test_a_guessed_page_beyond_the_limits_is_missed_where_no_count_is_stated() -> None:
    found = judge(replace(FIRST, expected=None, is_following_guessed=True))

    assert set(found.gaps) == {Gap.PAGE_NOT_ADMITTED}


@pytest.mark.parametrize(
    ("reason", "is_guessed"), [("gone", False), ("http_status", True), ("truncated", True)]
)
def test_any_other_page_that_failed_is_not(reason: str, *, is_guessed: bool) -> None:
    first = replace(FIRST, expected=None, is_following_guessed=is_guessed)
    listings = [row(1, first), row(2, None, reason)]

    assert set(judge(listings=listings, listing_named=NAMED).gaps) == {Gap.PAGE_FAILED}


def test_a_page_whose_items_cannot_be_told_leaves_a_gap() -> None:
    unread = replace(SECOND, unread=RejectReason.EXTRACTION_TIMEOUT)

    found = judge(FIRST, unread)

    assert found.gaps == {Gap.PAGE_UNREAD: "a page was rejected: extraction_timeout"}


def test_a_page_that_lists_more_than_is_read_leaves_a_gap() -> None:
    assert set(judge(FIRST, replace(SECOND, is_cut=True)).gaps) == {Gap.PAGE_CUT}


def test_a_page_that_leads_to_itself_or_back_is_read_once() -> None:  # DU07
    second = replace(SECOND, following=("p2", "p1"))

    assert judge(FIRST, second) == judge(FIRST, SECOND)


def test_a_page_that_redirects_to_one_of_the_listing_is_that_page() -> None:
    first = replace(FIRST, following=("p3",))
    listings = [row(1, first), row(2, SECOND), row(3, None, "redirected_to_seen", same_as=2)]

    found = judge(listings=listings, listing_named=NAMED)

    assert (found.is_complete, found.pages) == (True, 2)


def test_pages_that_redirect_to_each_other_fail() -> None:
    listings = [
        row(1, replace(FIRST, expected=2)),
        row(2, None, "redirected_to_seen", same_as=3),
        row(3, None, "redirected_to_seen", same_as=2),
    ]

    found = judge(listings=listings, listing_named=NAMED)

    assert set(found.gaps) == {Gap.PAGE_FAILED}


def test_each_start_address_has_its_own_verdict() -> None:
    other = ListedPage(details=("c", "d"), expected=2)
    listings = [row(1, FIRST), row(2, SECOND), row(3, other, is_start=True)]

    first, second = judge_collections(CycleEnds(listings, NAMED, pages=ALL_ACCEPTED))

    assert first.is_complete
    assert (second.items, set(second.gaps)) == (2, {Gap.ITEMS_OPEN})


def test_records_on_the_listing_itself_are_its_items() -> None:
    first = ListedPage(records=("r1", "r2"), following=("p2",), expected=3)
    second = ListedPage(records=("r2", "r3"), expected=3)

    found = judge(first, second, ends=(), accepted=("r1", "r3", "r9"))

    assert found.is_complete
    assert (found.items, found.accepted, found.failed) == (3, 2, {"rejected": 1})


def test_records_without_a_key_that_say_the_same_are_one() -> None:
    first = ListedPage(records=("r1", "r2"), following=("p2",), unkeyed=(("r1", "x"), ("r2", "y")))
    second = ListedPage(records=("r3", "r4"), unkeyed=(("r3", "y"), ("r4", "z")))

    found = judge(first, second, ends=(), accepted=("r1", "r2", "r3", "r4"))

    assert (found.items, found.accepted) == (3, 3)


def test_a_next_page_that_the_site_file_does_not_know_leaves_a_gap() -> None:
    found = judge(FIRST, replace(SECOND, ignored_next="https://site.example/3"))

    assert found.gaps == {
        Gap.NEXT_IGNORED: "a page names a next one that nothing leads to: https://site.example/3"
    }


SHOWS = "a page shows that there is more, and nothing leads on: text '1-2 of 3'"


def test_further_pages_that_a_reader_sees_leave_a_gap_unless_the_count_is_reached() -> None:
    shown = replace(SECOND, more_sign="text '1-2 of 3'")
    uncounted = (replace(FIRST, expected=None), replace(shown, expected=None))

    assert judge(*uncounted).gaps == {Gap.MORE_SHOWN: SHOWS}
    assert judge(FIRST, shown).gaps == {}


def test_a_verdict_as_json_names_every_gap() -> None:
    told = judge(FIRST, replace(SECOND, is_cut=True), ends=ALL_ACCEPTED[:2]).as_json()

    assert told["complete"] is False
    assert told["gaps"].keys() == {"page_cut", "items_open"}
