"""Who interprets pages: worker processes, or this process itself."""

from typing import Protocol

from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.limits import PoolLimits
from crawler.interpretation.pool import WorkerPool

IN_PROCESS = -1
"""In place of a number of workers."""


class Interpreter(Protocol):
    network: str | None
    """How pages are kept off the network; None as long as nothing was started."""

    async def prepare(self) -> None:
        """Start ahead of the first page what can be started."""
        ...

    async def interpret(self, snapshot: Snapshot, answer: str | None = None) -> PageReport:
        """Return the report on *snapshot*; raises InterpretationBug or WorkerUnusable.

        *answer* is what a model said to the question of an earlier report on it.
        """
        ...

    async def close(self) -> None: ...


def make_interpreter(rules: Rules, limits: PoolLimits) -> Interpreter:
    if limits.workers != IN_PROCESS:
        return WorkerPool(rules, limits)
    # Workers import what reads pages; a crawl that has them need not.
    from crawler.interpretation.in_process import InProcess  # noqa: PLC0415

    return InProcess(rules, limits)
