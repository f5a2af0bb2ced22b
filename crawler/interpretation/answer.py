"""What a worker's reply, or the lack of one, says of its page."""

from crawler.contracts.errors import CrawlerError
from crawler.contracts.outcome import ELIGIBLE, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Rejection
from crawler.interpretation.limits import PoolLimits
from crawler.interpretation.protocol import Reply


class InterpretationBug(CrawlerError):
    """Interpretation raised; carries the worker's trace."""

    def __init__(self, trace: str) -> None:
        super().__init__(trace.strip().splitlines()[-1] if trace.strip() else "no trace")
        self.trace = trace


def report_of(answer: Reply | RejectReason, limits: PoolLimits) -> PageReport:
    """Return what a reply, or the lack of one, says of its page; raises InterpretationBug."""
    if isinstance(answer, RejectReason):
        return _resource_report(answer, limits)
    if answer.is_out_of_memory:
        return _resource_report(RejectReason.EXTRACTION_CRASH, limits)
    if answer.report is None:
        raise InterpretationBug(answer.trace or "")
    return answer.report


def _resource_report(reason: RejectReason, limits: PoolLimits) -> PageReport:
    """The page was fetched well; only its interpretation ran out of time or memory."""
    detail = {
        RejectReason.EXTRACTION_TIMEOUT: f"no report within {limits.seconds:g} s",
        RejectReason.EXTRACTION_CRASH: f"the page worker ended (limit {limits.memory >> 20} MiB)",
    }[reason]
    return PageReport(verdict=ELIGIBLE, rejections=(Rejection(reason, detail),))
