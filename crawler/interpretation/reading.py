"""What was read of one page."""

from dataclasses import dataclass

from crawler.contracts.page import PageReport
from crawler.contracts.record import Candidate


@dataclass(frozen=True, slots=True)
class Reading:
    """A report, and every candidate that was read for it, rejected ones included."""

    report: PageReport
    candidates: tuple[Candidate, ...] = ()
    left_alone: int = 0
    """JSON-LD nodes of the type that were not read: the page is about another one."""
