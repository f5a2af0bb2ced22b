"""What would change if a page were read again under other rules: pure comparison."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from crawler.contracts.outcome import Reason, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Candidate, Record, Rejection


class Change(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    REJECTED = "rejected"
    NO_LONGER_REJECTED = "no longer rejected"
    VERDICT = "verdict"


ACCEPTED = "accepted"

_Name = tuple[str, str]
"""Type and key of a record."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that would change, with what stands now and what would stand then."""

    url: str
    change: Change
    key: str = ""
    field: str = ""
    old: JsonValue = None
    """Of a field its value; of a record ``accepted`` or why it is rejected, None where it is
    not there; of a page its reason. Likewise ``new``."""
    new: JsonValue = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a page says under some rules."""

    accepted: Mapping[_Name, Mapping[str, JsonValue]]
    rejected: Mapping[_Name, str]
    of_page: tuple[str, ...]
    """Why more than a single record of known key is rejected."""

    def find_verdict(self, name: _Name) -> str | None:
        if name in self.accepted:
            return ACCEPTED
        of_all = self.of_page[0] if self.of_page and not self.accepted else None
        return self.rejected.get(name, of_all)


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
    new_reason = report.verdict.reason.value
    differences = []
    if new_reason != reason:
        differences.append(Difference(url, Change.VERDICT, old=reason, new=new_reason))
    if not report.verdict.is_eligible:
        return differences
    elsewhere = {
        _name(rejection.candidate)
        for rejection in rejected
        if rejection.reason is RejectReason.DUPLICATE_ID and rejection.candidate
    }
    old = _read(records, rejected, elsewhere)
    new = _read(report.candidates, report.rejections, elsewhere)
    of_records = list(_compare_records(url, old, new))
    return [*differences, *of_records, *_compare_rest(url, old, new, of_records)]


def count_verdicts(
    differences: Iterable[Difference],
) -> Counter[tuple[str, str | None, str | None]]:
    """Count what would be judged otherwise: (``page`` or ``record``, now, then)."""
    return Counter(
        ("page" if d.change is Change.VERDICT else "record", _as_text(d.old), _as_text(d.new))
        for d in differences
        if d.change is not Change.CHANGED
    )


def _as_text(verdict: JsonValue) -> str | None:
    return None if verdict is None else str(verdict)


def _name(candidate: Candidate | Record) -> _Name:
    return candidate.type, candidate.key


def _read(
    accepted: Iterable[Candidate | Record], rejected: Iterable[Rejection], elsewhere: set[_Name]
) -> _Reading:
    named: dict[_Name, str] = {}
    of_page: set[str] = set()
    for rejection in rejected:
        candidate = rejection.candidate
        if candidate is None or not candidate.key:
            of_page.add(rejection.reason.value)
        elif _name(candidate) not in elsewhere:
            named[_name(candidate)] = rejection.reason.value
    return _Reading(
        {
            _name(each): {field: value.value for field, value in each.fields.items()}
            for each in accepted
            if _name(each) not in elsewhere
        },
        named,
        tuple(sorted(of_page)),
    )


def _compare_records(url: str, old: _Reading, new: _Reading) -> Iterator[Difference]:
    names = old.accepted.keys() | new.accepted.keys() | old.rejected.keys() | new.rejected.keys()
    for name in sorted(names):
        was, is_now = old.find_verdict(name), new.find_verdict(name)
        if was != is_now:
            yield Difference(url, _name_change(was, is_now), name[1], old=was, new=is_now)
        elif was == ACCEPTED:
            yield from _compare_values(url, name[1], old.accepted[name], new.accepted[name])


def _name_change(old: str | None, new: str | None) -> Change:
    if new not in {None, ACCEPTED}:
        return Change.REJECTED
    if old not in {None, ACCEPTED}:
        return Change.NO_LONGER_REJECTED
    return Change.REMOVED if new is None else Change.ADDED


def _compare_values(
    url: str, key: str, old: Mapping[str, JsonValue], new: Mapping[str, JsonValue]
) -> Iterator[Difference]:
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Difference(url, Change.CHANGED, key, name, old.get(name), new.get(name))


def _compare_rest(
    url: str, old: _Reading, new: _Reading, told: Sequence[Difference]
) -> Iterator[Difference]:
    """Yield what is rejected without a key, unless the records of the page have told it."""
    was = set(old.of_page) - set(new.of_page) - {each.old for each in told}
    is_now = set(new.of_page) - set(old.of_page) - {each.new for each in told}
    for reason in sorted(was):
        yield Difference(url, Change.NO_LONGER_REJECTED, old=reason)
    for reason in sorted(is_now):
        yield Difference(url, Change.REJECTED, new=reason)
