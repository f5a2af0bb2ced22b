"""What would change if a page were read again under other rules: pure comparison."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from crawler.contracts.outcome import Reason, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Record, Rejection


class Change(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    REJECTED = "rejected"
    NO_LONGER_REJECTED = "no longer rejected"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that would change, with what stands now and what would stand then."""

    url: str
    change: Change
    key: str = ""
    field: str = ""
    old: JsonValue = None
    new: JsonValue = None


def compare_page(
    url: str,
    records: Iterable[Record],
    rejected: Sequence[Rejection],
    report: PageReport,
    *,
    reason: str = Reason.ELIGIBLE.value,
) -> list[Difference]:
    """Return how *report* differs from the ledger's outcome, records and rejections of a page.

    A report that ran out of time or memory differs in nothing: it says nothing of the page. Nor
    does a record that another page of the cycle holds: no single page can tell.
    """
    if any(rejection.reason.is_resource_outcome for rejection in report.rejections):
        return []
    differences = []
    if report.verdict.reason != reason:
        new_reason = report.verdict.reason.value
        differences.append(Difference(url, Change.VERDICT, old=reason, new=new_reason))
    if not report.verdict.is_eligible:
        return differences
    old = {(record.type, record.key): record for record in records}
    elsewhere = {
        (rejection.candidate.type, rejection.candidate.key)
        for rejection in rejected
        if rejection.reason is RejectReason.DUPLICATE_ID and rejection.candidate
    }
    new = {
        (candidate.type, candidate.key): candidate
        for candidate in report.candidates
        if (candidate.type, candidate.key) not in elsewhere
    }
    differences += [
        Difference(url, Change.REMOVED, key[1]) for key in sorted(old.keys() - new.keys())
    ]
    differences += [
        Difference(url, Change.ADDED, key[1]) for key in sorted(new.keys() - old.keys())
    ]
    for key in sorted(old.keys() & new):
        before = {name: value.value for name, value in old[key].fields.items()}
        differences += _compare_values(url, key[1], before, new[key].values)
    stored = [
        rejection.reason.value
        for rejection in rejected
        if rejection.candidate is None
        or (rejection.candidate.type, rejection.candidate.key) not in elsewhere
    ]
    return differences + _compare_rejections(url, stored, report)


def _compare_values(
    url: str, key: str, old: dict[str, JsonValue], new: dict[str, JsonValue]
) -> list[Difference]:
    return [
        Difference(url, Change.CHANGED, key, name, old.get(name), new.get(name))
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


def _compare_rejections(url: str, old: list[str], report: PageReport) -> list[Difference]:
    new = [rejection.reason.value for rejection in report.rejections]
    return [
        *(
            Difference(url, Change.NO_LONGER_REJECTED, old=reason)
            for reason in sorted(set(old) - set(new))
        ),
        *(Difference(url, Change.REJECTED, new=reason) for reason in sorted(set(new) - set(old))),
    ]
