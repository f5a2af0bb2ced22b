"""Which candidates of a page pass, and one rejection for each reason that keeps others out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Rejection

ORDER = (
    RejectReason.REQUIRED_FIELD,
    RejectReason.AMBIGUOUS_FIELD,
    RejectReason.INVALID_DATE,
    RejectReason.INVALID_VALUE,
    RejectReason.UNSUPPORTED_EVIDENCE,
    RejectReason.DISAGREEMENT,
)
"""Which problem of a record names its rejection; the others stand in the detail."""


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """What passed, and what did not."""

    accepted: tuple[Candidate, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def judge(
    records: Sequence[tuple[Candidate, Sequence[Rejection]]], reject: Literal["batch", "row"]
) -> RecordVerdict:
    """Apply ``record.reject``: one bad record rejects its page (``batch``), or only itself.

    A page is rejected once, naming its first bad record.
    """
    bad = [_combine(problems) for _, problems in records if problems]
    if not bad:
        return RecordVerdict(tuple(candidate for candidate, _ in records))
    if reject == "row":
        good = tuple(candidate for candidate, problems in records if not problems)
        return RecordVerdict(good, tuple(bad))
    if len(records) == 1:
        return RecordVerdict((), tuple(bad))
    return RecordVerdict((), (_of_page(bad[0], len(records)),))


def _combine(problems: Sequence[Rejection]) -> Rejection:
    """Return one rejection of a record, by its weightiest problem."""
    first, *others = sorted(problems, key=lambda problem: ORDER.index(problem.reason))
    detail = "; ".join(dict.fromkeys((first.detail, *(other.detail for other in others))))
    return replace(first, detail=detail)


def _of_page(rejection: Rejection, count: int) -> Rejection:
    key = rejection.candidate.key if rejection.candidate else ""
    detail = f"all {count} records of the page, for {key!r}: {rejection.detail}"
    return Rejection(rejection.reason, detail, rejection.field, values=rejection.values)
