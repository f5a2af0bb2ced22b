"""Lets a request pass only when its source is authorised, in scope and not cooling down."""

from datetime import UTC, datetime

from scrapy import Request
from scrapy.crawler import Crawler

from crawler.admission.decision import admission_policy, decide_admission
from crawler.admission.scope import scope_of
from crawler.contracts.frontier import Deferral, LeasedRow
from crawler.contracts.meta import DEFERRAL, OBSERVATION, SCOPE
from crawler.contracts.ports import CrawlRun
from crawler.contracts.retry import Action, RetryDecision
from crawler.middlewares.access import (
    AccessStopped,
    CoolingDown,
    row_of,
    run_of,
)


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
        until = await self._run.cooling_until(scope)
        if until > self._run.now():
            cooling = CoolingDown(until)
            if row is None:
                raise cooling
            return deferred(request, wait_for_scope(row, cooling, self._run))
        if row is None:
            await self._run.take_turn(scope)
        return None


def deferred(request: Request, deferral: Deferral) -> Request:
    """Return the continuation that gives the row of *request* back to the frontier."""
    return request.replace(meta={**request.meta, DEFERRAL: deferral}, dont_filter=True)


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
