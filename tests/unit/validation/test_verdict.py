from crawler.contracts.outcome import RejectReason
from crawler.validation.verdict import judge
from tests.unit.validation.candidates import make_candidate, make_problem

GOOD, BAD, WORSE = make_candidate("good"), make_candidate("bad"), make_candidate("worse")
MIXED = [(GOOD, ()), (BAD, [make_problem(BAD)]), (WORSE, [make_problem(WORSE)])]


def test_without_problems_all_pass() -> None:
    verdict = judge([(GOOD, ()), (BAD, ())], "batch")

    assert verdict.accepted == (GOOD, BAD)
    assert verdict.rejections == ()


def test_one_bad_record_rejects_its_page_once_and_is_named() -> None:
    verdict = judge(MIXED, "batch")

    (rejection,) = verdict.rejections
    assert verdict.accepted == ()
    assert rejection.candidate is None
    assert rejection.detail == "all 3 records of the page, for 'bad': bad"


def test_by_row_only_the_bad_records_are_rejected() -> None:
    verdict = judge(MIXED, "row")

    assert verdict.accepted == (GOOD,)
    assert [rejection.candidate for rejection in verdict.rejections] == [BAD, WORSE]


def test_the_only_record_of_a_page_is_rejected_as_itself() -> None:
    verdict = judge([(BAD, [make_problem(BAD)])], "batch")

    assert [rejection.candidate for rejection in verdict.rejections] == [BAD]


def test_the_weightiest_problem_names_the_rejection_and_the_others_are_told() -> None:
    problems = [
        make_problem(BAD, RejectReason.INVALID_DATE, "no date"),
        make_problem(BAD, RejectReason.REQUIRED_FIELD, "no title"),
    ]

    (rejection,) = judge([(BAD, problems)], "batch").rejections

    assert rejection.reason is RejectReason.REQUIRED_FIELD
    assert rejection.detail == "no title; no date"


def test_a_page_without_records_has_no_verdict_here() -> None:
    verdict = judge([], "batch")

    assert (verdict.accepted, verdict.rejections) == ((), ())
