from typing import Any

import pytest

from crawler.contracts.collection import ListedPage
from crawler.contracts.outcome import ELIGIBLE, Kind, Reason, RejectReason, Verdict
from crawler.contracts.page import Link, PageReport
from crawler.contracts.record import Candidate, Rejection
from crawler.contracts.site.collect import ApiSource, Collect, Complete, FeedSource
from crawler.contracts.snapshot import PageKind, Representation
from crawler.validation.listing import summarise_listing


def summarise(
    report: PageReport,
    collect: Collect | None = None,
    representation: Representation = Representation.HTML,
) -> Any:
    return summarise_listing(
        report,
        collect or Collect(),
        representation,
        url="https://site.example/list",
        name_page=lambda url: url.rpartition("/")[2],
        name_record=lambda key: f"r-{key}",
    )


def link(name: str, kind: PageKind = PageKind.DETAIL, **changes: Any) -> Link:
    return Link(f"https://site.example/{name}", kind, "a", **changes)


def test_a_page_lists_each_item_once_and_the_pages_behind_it() -> None:
    links = (link("a"), link("b"), link("x/a"), link("p2", PageKind.LISTING))

    found = summarise(PageReport(ELIGIBLE, links=links, expected_count=2, is_cut=True))

    assert found == ListedPage(details=("a", "b"), following=("p2",), expected=2, is_cut=True)


def test_rejected_records_are_listed_too() -> None:
    rejection = Rejection(RejectReason.REQUIRED_FIELD, "all 2 records of the page")

    found = summarise(PageReport(ELIGIBLE, keys=("1", "2"), rejections=(rejection,)))

    assert found == ListedPage(records=("r-1", "r-2"))


def test_a_page_that_is_not_eligible_lists_nothing() -> None:
    assert summarise(PageReport(Verdict(Kind.SHELL, Reason.INCOMPLETE_SNAPSHOT))) is None


def test_a_page_is_guessed_when_no_page_links_to_it() -> None:
    guessed = link("p2", PageKind.LISTING, is_guessed=True)

    assert summarise(PageReport(ELIGIBLE, links=(guessed,))).is_following_guessed
    assert not summarise(PageReport(ELIGIBLE)).is_following_guessed


SELECTED = Collect(complete=Complete(expected_count=".n"))
DUE = {
    "a selector": (SELECTED, Representation.HTML, True),
    "a selector in a browser": (SELECTED, Representation.RENDERED_DOM, True),
    "a selector in what has no elements": (SELECTED, Representation.FEED, False),
    "a path": (Collect(api=ApiSource(total="$.total")), Representation.JSON, True),
    "no path": (Collect(api=ApiSource()), Representation.JSON, False),
    "no selector": (Collect(), Representation.HTML, False),
}


@pytest.mark.parametrize(("collect", "representation", "is_due"), DUE.values(), ids=DUE)
def test_a_count_is_due_where_the_site_file_names_its_place(
    collect: Collect, representation: Representation, *, is_due: bool
) -> None:
    assert summarise(PageReport(ELIGIBLE), collect, representation).is_count_due is is_due


ONE = Rejection(
    RejectReason.RECORD_STRUCTURE, "of one record", candidate=Candidate("notice", "1", "v1", {})
)
UNREAD = {
    "broken structure": (("1",), Rejection(RejectReason.RECORD_STRUCTURE, ""), True),
    "out of time": ((), Rejection(RejectReason.EXTRACTION_TIMEOUT, ""), True),
    "not shown to be empty": ((), Rejection(RejectReason.UNVERIFIED_EMPTY, ""), True),
    "unusable selector": ((), Rejection(RejectReason.INVALID_VALUE, ""), True),
    "all records for one": (("1", "2"), Rejection(RejectReason.INVALID_VALUE, ""), False),
    "the same id twice": (("1",), Rejection(RejectReason.DUPLICATE_ID, ""), False),
    "one record": (("1",), ONE, False),
}


@pytest.mark.parametrize(("keys", "rejection", "is_unread"), UNREAD.values(), ids=UNREAD)
def test_a_rejection_may_leave_open_what_a_page_lists(
    keys: tuple[str, ...], rejection: Rejection, *, is_unread: bool
) -> None:
    following = (link("p2", PageKind.LISTING),)
    found = summarise(PageReport(ELIGIBLE, keys=keys, links=following, rejections=(rejection,)))

    assert found.unread == (rejection.reason if is_unread else None)


WINDOWS = {
    "a feed": (Collect(feed=FeedSource()), Representation.FEED, True),
    "a feed read to its last part": (
        Collect(feed=FeedSource(follow_next=True)),
        Representation.FEED,
        False,
    ),
    "the page that names a feed": (Collect(feed=FeedSource()), Representation.HTML, False),
}


@pytest.mark.parametrize(("collect", "representation", "is_window"), WINDOWS.values(), ids=WINDOWS)
def test_a_feed_shows_the_newest_entries_only(
    collect: Collect, representation: Representation, *, is_window: bool
) -> None:
    assert summarise(PageReport(ELIGIBLE), collect, representation).is_window is is_window


def test_a_record_without_a_key_is_known_by_what_it_says() -> None:
    keys = ("https://site.example/list#Evening|2027-01-01", "https://site.example/list#row-2", "7")

    [(name, _)] = summarise(PageReport(ELIGIBLE, keys=keys)).unkeyed

    assert name == "r-https://site.example/list#Evening|2027-01-01"


LIST = "https://site.example/list"
NAMELESS = {
    "all have a key": (("7", "8"), (), False),
    "one without a key was accepted": (("7", f"{LIST}#Evening"), (f"{LIST}#Evening",), False),
    "one without a key was rejected": (("7", f"{LIST}#Evening"), ("7",), True),
    "one that says nothing was rejected": (("7", f"{LIST}#row-2"), ("7",), True),
    "all were rejected for one": (("7", f"{LIST}#Evening"), (), True),
}


@pytest.mark.parametrize(("keys", "accepted", "has_nameless"), NAMELESS.values(), ids=NAMELESS)
def test_a_rejected_record_without_a_key_may_be_any(
    keys: tuple[str, ...], accepted: tuple[str, ...], *, has_nameless: bool
) -> None:
    candidates = tuple(Candidate("notice", key, "v1", {}) for key in accepted)
    report = PageReport(ELIGIBLE, keys=keys, candidates=candidates)

    assert summarise(report).has_nameless is has_nameless
