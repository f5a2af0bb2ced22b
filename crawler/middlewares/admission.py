"""Lets a request pass only when its source is authorised, in scope and not cooling down."""

from dataclasses import replace
from datetime import UTC, datetime

from scrapy import Request
from scrapy.crawler import Crawler

from crawler.admission.decision import admission_policy, decide_admission
from crawler.admission.scope import scope_of
from crawler.contracts.frontier import Deferral, LeasedRow
from crawler.contracts.meta import DEFERRAL, OBSERVATION, SCOPE
from crawler.contracts.outcome import Reason
from crawler.contracts.ports import CrawlRun
from crawler.contracts.retry import Action, Layer, RetryDecision
from crawler.middlewares.access import (
    AccessStopped,
    CoolingDown,
    row_of,
    run_of,
)

SHORT_WAIT = 1.0
"""Seconds for which a request may wait inside of Scrapy, where nothing else sees it."""


class AdmissionMiddleware:
    """Asked for every hop and for requests without a row alike. Stat: ``admission/<reason>``."""

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._stats = crawler.stats
        self._run = run
        self._policy = admission_policy(run.site.config)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "AdmissionMiddleware":
        return cls(crawler, run_of(crawler))

    async def process_request(self, request: Request) -> Request | None:
        row = row_of(request)
        request.meta.pop(OBSERVATION, None)
        today = datetime.fromtimestamp(self._run.now(), UTC).date()
        refusal = decide_admission(request.url, self._policy, today=today)
        if refusal is not None:
            self._stats.inc_value(f"admission/{refusal.reason}")
            raise AccessStopped(refusal)
        scope = row.scope if row else scope_of(request.url, self._run.site.config.access.scope)
        request.meta[SCOPE] = scope
        if row is None:
            await self._take_turn(scope)
        until = await self._run.scopes.cooling_until(scope)
        if until > self._run.now():
            cooling = CoolingDown(until)
            if row is None:
                raise cooling
            return deferred(request, wait_for_scope(row, cooling, self._run))
        return None

    async def _take_turn(self, scope: str) -> None:
        """Wait for as long as pace alone explains; what is further away is a cool-down."""
        pace = self._run.scopes.pace
        until = await self._run.take_turn(scope, SHORT_WAIT + 2 * pace.concurrency * pace.delay)
        if until is not None:
            raise CoolingDown(until)


def deferred(request: Request, deferral: Deferral) -> Request:
    """Return the continuation that gives the row of *request* back to the frontier."""
    return request.replace(meta={**request.meta, DEFERRAL: deferral}, dont_filter=True)


def wait_for_turn(row: LeasedRow, until: float, run: CrawlRun) -> Deferral:
    """Give *row* back unsent until its scope's pace allows one more; counts as nothing."""
    cooling = CoolingDown(
        until,
        reason=Reason.DEFER_SERVICE,
        layer=Layer.ROBOTS,
        benefit="its turn comes then: while robots.txt was read, the one it had went by",
    )
    return replace(wait_for_scope(row, cooling, run), deferrals=row.deferrals)


def wait_for_scope(row: LeasedRow, cooling: CoolingDown, run: CrawlRun) -> Deferral:
    """Give *row* back unsent until its scope has cooled down; costs no attempt."""
    budget = run.site.config.access.budget
    return Deferral(
        row=row.id,
        token=row.token,
        not_before=cooling.until,
        attempts=row.attempts,
        deferrals=row.deferrals + 1,
        spent_seconds=row.spent_seconds,
        decision=RetryDecision(
            action=Action.DEFER,
            reason=cooling.reason,
            layer=cooling.layer,
            benefit=cooling.benefit,
            remaining_attempts=max(0, budget.attempts - row.attempts),
            remaining_seconds=max(0.0, budget.seconds - row.spent_seconds),
            wait_seconds=max(0.0, cooling.until - run.now()),
        ),
    )
