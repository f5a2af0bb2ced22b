"""What the middlewares share: the row of a request, and the ways in which work on it can end."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured

from crawler.contracts.frontier import LeasedRow
from crawler.contracts.item import Observation
from crawler.contracts.meta import ROW
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.ports import CrawlRun
from crawler.contracts.retry import Layer, RetryDecision


class AccessStopped(IgnoreRequest):
    """Work on the request's row ends here; reaches the errback, which yields it as an item."""

    def __init__(
        self,
        outcome: Outcome,
        observation: Observation | None = None,
        decision: RetryDecision | None = None,
    ) -> None:
        super().__init__(f"{outcome.reason}: {outcome.detail}")
        self.outcome, self.observation, self.decision = outcome, observation, decision


class CoolingDown(IgnoreRequest):
    """Nothing may be sent to the scope before *until*: what waits for it is given back."""

    def __init__(
        self,
        until: float,
        *,
        reason: Reason = Reason.DEFER_RATE_LIMIT,
        layer: Layer = Layer.SERVER,
        benefit: str = "the scope is left alone until then; nothing was sent",
    ) -> None:
        super().__init__("the scope is cooling down")
        self.until, self.reason, self.layer, self.benefit = until, reason, layer, benefit


def row_of(request: Request) -> LeasedRow | None:
    """Return the frontier row of *request*; None for an auxiliary request such as robots.txt."""
    row = request.meta.get(ROW)
    return row if isinstance(row, LeasedRow) else None


def run_of(crawler: Crawler) -> CrawlRun:
    assert crawler.spider is not None
    run: CrawlRun = crawler.spider.run  # type: ignore[attr-defined]
    return run


def rendering_run_of(crawler: Crawler) -> CrawlRun:
    """Raises NotConfigured where no page is ever rendered: each middleware costs every page a turn."""
    run = run_of(crawler)
    if not run.site.config.access.representation.may_render:
        raise NotConfigured
    return run
