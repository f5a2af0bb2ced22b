from crawler.contracts.outcome import RejectReason
from crawler.validation.duplicates import find_duplicate
from tests.unit.validation.candidates import make_candidate


def test_different_keys_are_no_duplicates() -> None:
    assert find_duplicate([make_candidate("a"), make_candidate("A"), make_candidate("b")]) is None


def test_a_key_that_stands_twice_rejects_the_page_and_is_named() -> None:
    rejection = find_duplicate([make_candidate("a"), make_candidate("b"), make_candidate("a")])

    assert rejection is not None
    assert rejection.reason is RejectReason.DUPLICATE_ID
    assert rejection.candidate is None
    assert "'a'" in rejection.detail
