from dataclasses import replace

import pytest

from crawler.contracts.evidence import FieldValue
from crawler.contracts.outcome import ELIGIBLE, Kind, Reason, RejectReason, Verdict
from crawler.contracts.page import PageReport
from crawler.contracts.record import Candidate, Record, Rejection
from crawler.replay.difference import Change, Difference, compare_page, count_verdicts

URL = "https://board.example/1"


def make_record(key: str = "n", **values: str | None) -> Record:
    return Record(
        site="board",
        source_id="board",
        type="notice",
        key=key,
        version=1,
        schema_version="v1",
        extractor_version="1",
        rule_version="r1",
        capture_id="urn:uuid:1",
        snapshot_sha256="d",
        observed_at="2026-09-10T00:00:00Z",
        url=URL,
        content_hash="c",
        session=None,
        fields=make_fields(values),
    )


def make_candidate(key: str = "n", **values: str | None) -> Candidate:
    return Candidate("notice", key, "v1", make_fields(values))


def make_fields(values: dict[str, str | None]) -> dict[str, FieldValue]:
    return {name: FieldValue(value, None) for name, value in values.items()}


def report(*candidates: Candidate, rejected: tuple[Rejection, ...] = ()) -> PageReport:
    return PageReport(ELIGIBLE, candidates=candidates, rejections=rejected)


def reject(reason: RejectReason, candidate: Candidate | None = None) -> Rejection:
    return Rejection(reason, "because", candidate=candidate)


def compare(
    page: PageReport, *records: Record, rejected: tuple[Rejection, ...] = ()
) -> list[Difference]:
    return compare_page(URL, records, rejected, page)


def test_the_same_reading_differs_in_nothing() -> None:
    same = report(make_candidate(title="A"))

    assert compare(same, make_record(title="A")) == []


def test_a_changed_value_is_told_with_its_field_old_and_new() -> None:
    now = report(make_candidate(title="B", office="x", room=None))
    before = make_record(title="A", office="x", floor="2")

    assert compare(now, before) == [
        Difference(URL, Change.CHANGED, "n", "floor", "2", None),
        Difference(URL, Change.CHANGED, "n", "title", "A", "B"),
    ]


def test_records_come_and_go_by_type_and_key() -> None:
    now = report(
        make_candidate("b"), make_candidate("c"), replace(make_candidate("a"), type="event")
    )

    assert compare(now, make_record("a"), make_record("b")) == [
        Difference(URL, Change.ADDED, "a", new="accepted"),
        Difference(URL, Change.REMOVED, "a", old="accepted"),
        Difference(URL, Change.ADDED, "c", new="accepted"),
    ]


def test_a_record_that_is_accepted_before_and_after_another_has_one_difference_each() -> None:
    """Each row stands for itself: ``record.reject: row``."""
    bad, otherwise = make_candidate("bad"), make_candidate("otherwise")
    stored = (
        reject(RejectReason.REQUIRED_FIELD, bad),
        reject(RejectReason.DISAGREEMENT, otherwise),
    )
    now = report(
        bad,
        rejected=(
            reject(RejectReason.INVALID_DATE, make_candidate("good")),
            reject(RejectReason.INVALID_DATE, otherwise),
        ),
    )

    differences = compare(now, make_record("good"), rejected=stored)

    assert differences == [
        Difference(URL, Change.NO_LONGER_REJECTED, "bad", old="required_field", new="accepted"),
        Difference(URL, Change.REJECTED, "good", old="accepted", new="invalid_date"),
        Difference(URL, Change.REJECTED, "otherwise", old="disagreement", new="invalid_date"),
    ]
    assert count_verdicts(differences) == {
        ("record", "required_field", "accepted"): 1,
        ("record", "accepted", "invalid_date"): 1,
        ("record", "disagreement", "invalid_date"): 1,
    }


def test_a_page_rejected_as_a_whole_takes_every_record_along() -> None:
    """As ``record.reject: batch`` does; why stands on the page, which has no key."""
    stored = (make_record("a"), make_record("b"))

    differences = compare(report(rejected=(reject(RejectReason.REQUIRED_FIELD),)), *stored)

    assert [(d.change, d.key, d.old, d.new) for d in differences] == [
        (Change.REJECTED, "a", "accepted", "required_field"),
        (Change.REJECTED, "b", "accepted", "required_field"),
    ]


def test_a_record_that_is_gone_from_a_page_that_keeps_others_is_removed() -> None:
    now = report(make_candidate("a"), rejected=(reject(RejectReason.REQUIRED_FIELD),))

    differences = compare(now, make_record("a"), make_record("b"))

    assert [(d.change, d.key, d.old, d.new) for d in differences] == [
        (Change.REMOVED, "b", "accepted", None),
        (Change.REJECTED, "", None, "required_field"),
    ]


def test_values_are_no_verdicts() -> None:
    differences = compare(report(make_candidate(title="B")), make_record(title="A"))

    assert count_verdicts(differences) == {}


def test_a_rejection_is_told_when_it_is_new_and_when_it_is_gone() -> None:
    stored = (reject(RejectReason.REQUIRED_FIELD), reject(RejectReason.INVALID_DATE))
    now = report(rejected=(reject(RejectReason.INVALID_DATE), reject(RejectReason.DUPLICATE_ID)))

    assert compare(now, rejected=stored) == [
        Difference(URL, Change.NO_LONGER_REJECTED, old="required_field"),
        Difference(URL, Change.REJECTED, new="duplicate_id"),
    ]


def test_a_page_that_is_no_longer_eligible_is_one_difference() -> None:
    verdict = Verdict(Kind.SHELL, Reason.INCOMPLETE_SNAPSHOT)

    assert compare(PageReport(verdict), make_record(title="A")) == [
        Difference(URL, Change.VERDICT, old="eligible", new="incomplete_snapshot")
    ]
    assert count_verdicts(compare(PageReport(verdict))) == {
        ("page", "eligible", "incomplete_snapshot"): 1
    }


@pytest.mark.parametrize("reason", RejectReason)
def test_only_a_resource_outcome_says_nothing_of_the_page(reason: RejectReason) -> None:
    now = report(rejected=(reject(reason),))

    differences = compare(now, make_record())

    is_silent = reason in {RejectReason.EXTRACTION_TIMEOUT, RejectReason.EXTRACTION_CRASH}
    assert (differences == []) == is_silent


def test_a_record_that_another_page_holds_is_no_difference() -> None:
    twin = make_candidate("twin")
    stored = (reject(RejectReason.DUPLICATE_ID, twin),)

    assert compare(report(make_candidate(), twin), make_record(), rejected=stored) == []


def test_a_record_rejected_for_another_reason_is_a_difference_once_it_is_read() -> None:
    bad = make_candidate("bad")
    stored = (reject(RejectReason.REQUIRED_FIELD, bad),)

    assert compare(report(make_candidate(), bad), make_record(), rejected=stored) == [
        Difference(URL, Change.NO_LONGER_REJECTED, "bad", old="required_field", new="accepted"),
    ]
