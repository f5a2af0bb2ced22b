import pytest

from crawler.contracts.outcome import RejectReason
from crawler.contracts.site.collect import Collect, Complete
from crawler.document.document import Document
from crawler.validation.completeness import find_shortfall, find_unverified_empty
from tests.unit.document.pages import make_snapshot

EMPTY = Collect(complete=Complete(empty=".none"))


def test_an_empty_page_that_says_so_is_accepted() -> None:
    document = Document(make_snapshot("<p class=none>No notices.</p>"))

    assert find_unverified_empty(document, EMPTY, None) is None


@pytest.mark.parametrize(
    ("collect", "sought", "detail"),
    [
        (EMPTY, None, "no record, and .none matches nothing"),
        (EMPTY, "record.each 'li'", "record.each 'li' finds nothing, and .none matches nothing"),
        (
            Collect(),
            "collect.links 'a'",
            "collect.links 'a' finds nothing, and the site file names no sign of an empty page",
        ),
    ],
)
def test_an_empty_page_that_does_not_is_rejected_with_what_it_lacks(
    collect: Collect, sought: str | None, detail: str
) -> None:
    rejection = find_unverified_empty(Document(make_snapshot("<p>x</p>")), collect, sought)

    assert rejection is not None
    assert rejection.reason is RejectReason.UNVERIFIED_EMPTY
    assert rejection.detail == detail


def test_fewer_rows_than_the_page_says_are_incomplete() -> None:
    rejection = find_shortfall(Collect(), 2, 3)

    assert rejection is not None
    assert rejection.reason is RejectReason.INCOMPLETE_COLLECTION
    assert rejection.detail == "2 of 3 records"


WHOLE = {
    "as many": (Collect(), 3, 3),
    "more": (Collect(), 4, 3),
    "not said": (Collect(), 0, None),
    "one page of several": (Collect(next="a.next"), 1, 3),
}


@pytest.mark.parametrize(("collect", "rows", "expected"), WHOLE.values(), ids=WHOLE)
def test_one_page_tells_a_shortfall_only_when_it_is_all(
    collect: Collect, rows: int, expected: int | None
) -> None:
    assert find_shortfall(collect, rows, expected) is None
