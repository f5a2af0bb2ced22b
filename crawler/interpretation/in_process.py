"""Pages interpreted in the caller's own process: for tests and notebooks, and pages one trusts.

The report has the same bytes as a page worker's. The bounds do not: there is no network namespace
and no memory limit, and the deadline interrupts Python code only, in the main thread only.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.answer import report_of
from crawler.interpretation.limits import DEFAULT_LIMITS, PoolLimits
from crawler.interpretation.protocol import LENGTHS, REPLY, RULES, Reply, frame_snapshot
from crawler.interpretation.worker import answer_page


class OutOfTime(BaseException):
    """Not an Exception: nothing that a page is read with may take it for a flaw of the page."""


class InProcess:
    """What a ``WorkerPool`` is for a caller, without its processes."""

    def __init__(self, rules: Rules, limits: PoolLimits = DEFAULT_LIMITS) -> None:
        self._rules = rules
        self._limits = limits
        self.network: str | None = "in-process"

    async def prepare(self) -> None:
        """There is nothing to start."""

    async def close(self) -> None:
        """There is nothing to end."""

    async def interpret(self, snapshot: Snapshot, answer: str | None = None) -> PageReport:
        return interpret_here(snapshot, self._rules, answer, limits=self._limits)


def interpret_here(
    snapshot: Snapshot,
    rules: Rules,
    answer: str | None = None,
    *,
    limits: PoolLimits = DEFAULT_LIMITS,
) -> PageReport:
    """Return the report of a page worker on *snapshot*; raises InterpretationBug.

    Everything passes through the worker's protocol, so that no difference can come of leaving
    it out.
    """
    page = frame_snapshot(snapshot, answer)
    head_length, _ = LENGTHS.unpack_from(page)
    head, body = page[LENGTHS.size :][:head_length], page[LENGTHS.size + head_length :]
    try:
        with _deadline(limits.seconds):
            reply = answer_page(head, body, RULES.validate_json(RULES.dump_json(rules)))
    except OutOfTime:
        return report_of(RejectReason.EXTRACTION_TIMEOUT, limits)
    return report_of(_passed_on(reply), limits)


def _passed_on(reply: Reply) -> Reply:
    return REPLY.validate_json(REPLY.dump_json(reply))


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raise OutOfTime inside after so many seconds, where a signal can do so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous: Callable[[int, FrameType | None], Any] | int | None
    previous = signal.signal(signal.SIGALRM, _raise_out_of_time)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous or signal.SIG_DFL)


def _raise_out_of_time(_number: int, _frame: FrameType | None) -> None:
    raise OutOfTime
