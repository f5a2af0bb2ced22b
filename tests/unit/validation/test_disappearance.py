from dataclasses import replace
from typing import Any

import pytest

from crawler.contracts.collection import Collection, Gap
from crawler.validation.disappearance import FormerPage, Proof, has_vanished, prove_absence

VANISHED = {
    "its page is listed no more": FormerPage(was_listing=False, is_listed=False),
    "its page is gone, whatever a listing holds itself": FormerPage(
        was_listing=False, is_listed=False, end="gone", has_nameless=True
    ),
    "its page is gone": FormerPage(was_listing=False, is_listed=False, end="gone"),
    "its page says it is not there": FormerPage(was_listing=False, is_listed=False, end="soft_404"),
    "its page is without it": FormerPage(was_listing=False, is_listed=False, end="eligible"),
    "no page of the listing has it": FormerPage(was_listing=True, is_listed=False, end="eligible"),
    "the listing has fewer pages": FormerPage(was_listing=True, is_listed=False, end="gone"),
}


@pytest.mark.parametrize("page", VANISHED.values(), ids=VANISHED)
def test_a_record_has_vanished(page: FormerPage) -> None:
    assert has_vanished(page, Proof.OF_COLLECTIONS)


NOT_READ = {
    **{
        f"its page ended as {end}": FormerPage(was_listing=False, is_listed=False, end=end)
        for end in (
            "timeout_exhausted",
            "challenge_review",
            "http_status",
            "refused_robots",
            "redirected_to_seen",
            "internal_error",
            "not_modified",
        )
    },
    "its page was rejected": FormerPage(
        was_listing=False, is_listed=False, end="eligible", has_rejections=True
    ),
    "it was rejected on a listing": FormerPage(was_listing=True, is_listed=True, end="eligible"),
    "it may be one that was rejected on a listing and has no key": FormerPage(
        was_listing=True, is_listed=False, end="eligible", has_nameless=True
    ),
    "it moved to a listing and was rejected": FormerPage(was_listing=False, is_listed=True),
}


@pytest.mark.parametrize("page", NOT_READ.values(), ids=NOT_READ)
def test_a_record_that_was_only_not_read_has_not(page: FormerPage) -> None:
    assert not has_vanished(page, Proof.OF_COLLECTIONS)


BY_PAGES = {
    "its page is gone": (FormerPage(was_listing=False, is_listed=False, end="gone"), True),
    "its start address is gone": (
        FormerPage(was_listing=True, is_listed=False, end="gone", was_alone=True),
        True,
    ),
    "a listing with others is gone": (
        FormerPage(was_listing=True, is_listed=False, end="gone"),
        False,
    ),
    "its page is listed no more": (FormerPage(was_listing=False, is_listed=False), False),
    "its page is without it": (
        FormerPage(was_listing=False, is_listed=False, end="eligible"),
        False,
    ),
}


@pytest.mark.parametrize(("page", "is_gone"), BY_PAGES.values(), ids=BY_PAGES)
def test_where_a_start_address_is_gone_only_pages_tell(page: FormerPage, *, is_gone: bool) -> None:
    assert has_vanished(page, Proof.OF_PAGES) is is_gone
    assert not has_vanished(page, Proof.NOTHING)


def make_collection(row: int, *gaps: Gap, **changes: Any) -> Collection:
    found = Collection(row, "https://site.example/", 1, 2, 2, None, gaps=dict.fromkeys(gaps, ""))
    return replace(found, **changes)


WHOLE, GONE, SHORT = (
    make_collection(1),
    make_collection(2, Gap.PAGE_FAILED),
    make_collection(3, Gap.COUNT_DIFFERS),
)
PROOFS = {
    "all are complete": ((WHOLE, WHOLE), Proof.OF_COLLECTIONS),
    "one start is gone": ((WHOLE, GONE), Proof.OF_PAGES),
    "one is short": ((WHOLE, GONE, SHORT), Proof.NOTHING),
    "a window": ((WHOLE, make_collection(4, is_window=True)), Proof.NOTHING),
    "none": ((), Proof.NOTHING),
}


@pytest.mark.parametrize(("collections", "proof"), PROOFS.values(), ids=PROOFS)
def test_a_cycle_proves_absence_by_what_it_has(
    collections: tuple[Collection, ...], proof: Proof
) -> None:
    assert prove_absence(collections, {GONE.row}) is proof
