"""What may be asked of the writer: each operation is a frozen value that applies itself."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa

from crawler.contracts.bound import UNLIMITED, Limits
from crawler.contracts.collection import Collection
from crawler.contracts.frontier import (
    CommitResult,
    Deferral,
    Escalation,
    Lease,
    LeaseRequest,
    Pace,
    PageCommit,
    Redirection,
    RedirectionResult,
    RunEnd,
    RunInfo,
    RunOpening,
)
from crawler.contracts.model import AnswerKey, ModelAnswer
from crawler.contracts.snapshot import Capture
from crawler.ledger.admitting import Admission, Batch, admit_each
from crawler.ledger.answers import find_answer, keep_answer
from crawler.ledger.captures import Filing, GroupSink, file_captures
from crawler.ledger.escalation import escalate
from crawler.ledger.frontier import count_retries, defer, release
from crawler.ledger.judging import judge_again
from crawler.ledger.leasing import lease
from crawler.ledger.pages import commit_page, commit_pages
from crawler.ledger.reclaim import reclaim
from crawler.ledger.records import Publication, Published
from crawler.ledger.redirects import redirect
from crawler.ledger.republish import republish_page
from crawler.ledger.runs import close_run, open_run
from crawler.ledger.scopes import (
    Trip,
    bump_backoff,
    cool_scope,
    forgive_scope,
    reserve_send,
    trip_scope,
)

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Context:
    """What an operation may use beside the connection."""

    now: float
    owner: str
    lease_seconds: float
    sink: GroupSink
    is_alive: Callable[[str], bool]
    is_reclaim_due: bool = False


class Operation(Protocol[T_co]):
    """Applied inside a transaction that it shares with others; undone alone when it raises."""

    @property
    def is_urgent(self) -> bool:
        """Committed at once, instead of with what else comes in the next milliseconds."""
        ...

    def apply(self, conn: sa.Connection, context: Context) -> T_co: ...


class _Ordinary:
    __slots__ = ()

    @property
    def is_urgent(self) -> bool:
        return False


class _Urgent:
    __slots__ = ()

    @property
    def is_urgent(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class OpenRun(_Urgent):
    opening: RunOpening
    limits: Limits = UNLIMITED

    def apply(self, conn: sa.Connection, context: Context) -> RunInfo:
        reclaim(conn, context.owner, context.now, context.is_alive)
        return open_run(conn, self.opening, context.now, limits=self.limits)


@dataclass(frozen=True, slots=True)
class CloseRun(_Ordinary):
    run: str
    end: RunEnd
    counters: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, conn: sa.Connection, context: Context) -> tuple[Collection, ...]:
        return close_run(conn, self.run, self.end, context.now, self.counters)


@dataclass(frozen=True, slots=True)
class Admit(_Ordinary):
    cycle: int
    batch: Batch
    limits: Limits = UNLIMITED

    def apply(self, conn: sa.Connection, context: Context) -> Admission:
        [admission] = admit_each(conn, self.cycle, [self.batch], context.now, limits=self.limits)
        return admission


@dataclass(frozen=True, slots=True)
class LeaseRows:
    request: LeaseRequest

    @property
    def is_urgent(self) -> bool:
        """A worker with nothing in flight waits for this and for nothing else."""
        return not self.request.in_flight

    def apply(self, conn: sa.Connection, context: Context) -> Lease:
        if context.is_reclaim_due:
            reclaim(conn, context.owner, context.now, context.is_alive)
        return lease(conn, self.request, context.now, context.lease_seconds)


@dataclass(frozen=True, slots=True)
class ReleaseRow(_Ordinary):
    row: int
    token: str

    def apply(self, conn: sa.Connection, context: Context) -> bool:
        return release(conn, self.row, self.token)


@dataclass(frozen=True, slots=True)
class DeferRow(_Ordinary):
    deferral: Deferral

    def apply(self, conn: sa.Connection, context: Context) -> bool:
        return defer(conn, self.deferral, context.sink, context.now)


@dataclass(frozen=True, slots=True)
class CountRetries(_Urgent):
    cycle: int

    def apply(self, conn: sa.Connection, context: Context) -> int:
        return count_retries(conn, self.cycle)


@dataclass(frozen=True, slots=True)
class RedirectRow(_Ordinary):
    redirection: Redirection

    def apply(self, conn: sa.Connection, context: Context) -> RedirectionResult:
        return redirect(conn, self.redirection, context.sink, context.now)


@dataclass(frozen=True, slots=True)
class EscalateRow(_Ordinary):
    escalation: Escalation

    def apply(self, conn: sa.Connection, context: Context) -> float | None:
        seconds = context.lease_seconds
        return escalate(conn, self.escalation, context.sink, context.now, seconds)


@dataclass(frozen=True, slots=True)
class CommitPage(_Ordinary):
    """Neighbours of one cycle are committed together, see ``commit_together``."""

    commit: PageCommit
    limits: Limits = UNLIMITED

    def apply(self, conn: sa.Connection, context: Context) -> CommitResult:
        return commit_page(conn, self.commit, context.sink, context.now, limits=self.limits)


def commit_together(
    conn: sa.Connection, operations: Sequence[CommitPage], context: Context
) -> list[CommitResult]:
    commits = [operation.commit for operation in operations]
    return commit_pages(conn, commits, context.sink, context.now, limits=operations[0].limits)


@dataclass(frozen=True, slots=True)
class CoolScope(_Urgent):
    scope: str
    until: float

    def apply(self, conn: sa.Connection, context: Context) -> float:
        return cool_scope(conn, self.scope, self.until)


@dataclass(frozen=True, slots=True)
class BumpBackoff(_Urgent):
    scope: str

    def apply(self, conn: sa.Connection, context: Context) -> int:
        return bump_backoff(conn, self.scope, context.now)


@dataclass(frozen=True, slots=True)
class ForgiveScope(_Ordinary):
    scope: str

    def apply(self, conn: sa.Connection, context: Context) -> None:
        forgive_scope(conn, self.scope)


@dataclass(frozen=True, slots=True)
class TripScope(_Urgent):
    trip: Trip

    def apply(self, conn: sa.Connection, context: Context) -> float:
        return trip_scope(conn, self.trip, context.now)


@dataclass(frozen=True, slots=True)
class ReserveSend(_Urgent):
    """Find a moment in a scope's pace for a request without a row, such as robots.txt."""

    scope: str
    pace: Pace
    within: float = math.inf

    def apply(self, conn: sa.Connection, context: Context) -> float:
        return reserve_send(conn, self.scope, self.pace, context.now, self.within)


@dataclass(frozen=True, slots=True)
class FileCapture(_Ordinary):
    """Keep a capture of a request without a row."""

    capture: Capture
    cycle: int | None = None

    def apply(self, conn: sa.Connection, context: Context) -> None:
        filing = Filing(self.capture, None, self.cycle, None, None)
        file_captures(conn, [filing], context.sink)


@dataclass(frozen=True, slots=True)
class FindAnswer(_Urgent):
    key: AnswerKey

    def apply(self, conn: sa.Connection, context: Context) -> ModelAnswer | None:
        return find_answer(conn, self.key)


@dataclass(frozen=True, slots=True)
class KeepAnswer(_Urgent):
    answer: ModelAnswer

    def apply(self, conn: sa.Connection, context: Context) -> ModelAnswer:
        return keep_answer(conn, self.answer, context.now)


@dataclass(frozen=True, slots=True)
class JudgeCycle(_Ordinary):
    """Judge the collections of a cycle anew; an open one is judged when it closes."""

    cycle: int

    def apply(self, conn: sa.Connection, context: Context) -> tuple[Collection, ...]:
        return judge_again(conn, self.cycle)


@dataclass(frozen=True, slots=True)
class RepublishPage(_Ordinary):
    page: Publication

    def apply(self, conn: sa.Connection, context: Context) -> Published:
        return republish_page(conn, self.page, context.now)
