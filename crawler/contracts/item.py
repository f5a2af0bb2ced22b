"""What passes through the item pipelines, stage by stage.

``Snapshot`` or ``AccessFailure`` → (extraction) ``InterpretedPage`` → (validation) ``JudgedPage``
→ (archival) ``PublishedPage``.
A page that must be rendered first leaves validation as ``EscalatedPage``, and comes in again.
"""

from dataclasses import dataclass

from crawler.contracts.frontier import CommitResult, Escalation, LeasedRow, PageCommit
from crawler.contracts.outcome import Outcome, Verdict
from crawler.contracts.page import PageReport
from crawler.contracts.retry import RetryDecision
from crawler.contracts.snapshot import Capture, Snapshot


@dataclass(frozen=True, slots=True)
class Observation:
    """A response as it came back for a row: the snapshot and the first half of its verdict."""

    row: LeasedRow
    snapshot: Snapshot
    verdict: Verdict
    request_headers: tuple[tuple[str, str], ...] = ()
    method: str = "GET"
    elapsed_seconds: float = 0.0
    """Since the request was let through."""
    original: Snapshot | None = None
    """The response that the snapshot is a rendering of, unless it is filed already."""
    beside: tuple[Capture, ...] = ()
    """What was observed while the page was shown."""
    notes: tuple[str, ...] = ()
    missing: str = ""
    """What the page lacked as it was served, and was rendered for; empty where it was not."""


@dataclass(frozen=True, slots=True)
class Retained:
    """A response that was not enough by itself, on its way to be rendered."""

    snapshot: Snapshot
    missing: str


def diagnostic_capture(observation: Observation) -> Capture:
    """Return the capture of a response that is evidence of a failure, and no content."""
    return Capture(
        observation.snapshot,
        is_eligible=False,
        method=observation.method,
        request_headers=observation.request_headers,
        notes=observation.notes,
        original=observation.original,
        beside=observation.beside,
    )


@dataclass(frozen=True, slots=True)
class AccessFailure:
    """Why there is no eligible snapshot for a row; the diagnostic one, if anything came back."""

    row: LeasedRow
    outcome: Outcome
    observation: Observation | None = None
    decision: RetryDecision | None = None
    trace: str | None = None
    elapsed_seconds: float = 0.0
    """Of the row's last request."""


@dataclass(frozen=True, slots=True)
class InterpretedPage:
    """A snapshot with the report on it, or with the trace of the bug that prevented one."""

    observation: Observation
    report: PageReport | None
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page whose outcome is decided and not yet durable."""

    commit: PageCommit


@dataclass(frozen=True, slots=True)
class EscalatedPage:
    """A page whose work goes on: it comes back rendered, and has its outcome then."""

    escalation: Escalation


@dataclass(frozen=True, slots=True)
class PublishedPage:
    """A page whose outcome, links, snapshot and records are in the ledger and the archive."""

    commit: PageCommit
    result: CommitResult
