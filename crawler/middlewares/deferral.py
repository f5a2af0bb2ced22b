"""Applies retry decisions: a retry or a deferral becomes a continuation, everything else an end."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.http import Response

from crawler.admission.refusal import AddressRefused, CertificateRefused, ProxyRefused
from crawler.admission.retry import (
    Attempt,
    ServerWish,
    TransportFailure,
    backoff_seconds,
    decide_retry,
)
from crawler.admission.retry_after import parse_retry_after
from crawler.contracts.frontier import Deferral, LeasedRow
from crawler.contracts.item import Observation, diagnostic_capture
from crawler.contracts.meta import OBSERVATION, SCOPE, SENT_AT
from crawler.contracts.outcome import Kind, Outcome, Reason, Verdict
from crawler.contracts.ports import CrawlRun
from crawler.contracts.retry import Action, RetryDecision
from crawler.middlewares.access import AccessStopped, CoolingDown, row_of, run_of
from crawler.middlewares.admission import deferred
from crawler.middlewares.observation import elapsed_since

FAILURES: tuple[tuple[type[Exception], TransportFailure], ...] = (
    (AddressRefused, TransportFailure.ADDRESS),
    (ProxyRefused, TransportFailure.ADDRESS),
    (CertificateRefused, TransportFailure.CERTIFICATE),
    (DownloadTimeoutError, TransportFailure.TIMEOUT),
    (CannotResolveHostError, TransportFailure.UNRESOLVABLE),
    (ResponseDataLossError, TransportFailure.DATA_LOSS),
    (DownloadCancelledError, TransportFailure.TOO_LARGE),
    (DownloadConnectionRefusedError, TransportFailure.CONNECTION),
    (DownloadFailedError, TransportFailure.CONNECTION),
)
"""Errors of the transport by what they mean, most specific first."""

KINDS = {Reason.TOO_LARGE: Kind.TOO_LARGE, Reason.TRUNCATED: Kind.TRUNCATED}
DECIDED_HERE = frozenset({
    Reason.DEFER_RATE_LIMIT,
    Reason.DEFER_SERVICE,
    Reason.ATTEMPTS_EXHAUSTED,
    Reason.INCOMPLETE_SNAPSHOT,
    Reason.TRUNCATED,
})  # fmt: skip
"""Verdicts that another request could change; the challenge middleware ends all others."""


class DeferralMiddleware:
    """Settings: DEFERRAL_MAX_RETRY_AFTER. Stats: ``deferral/<action>``, ``deferral/<reason>``."""

    def __init__(self, crawler: Crawler, run: CrawlRun, jitter: Callable[[], float]) -> None:
        self._stats = crawler.stats
        self._run = run
        self._jitter = jitter
        self._cap = crawler.settings.getfloat("DEFERRAL_MAX_RETRY_AFTER")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "DeferralMiddleware":
        return cls(crawler, run_of(crawler), random.random)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        row = row_of(request)
        if row is None:
            await self._cool_for_auxiliary(request, response)
            return response
        observation: Observation = request.meta[OBSERVATION]
        if observation.verdict.reason not in DECIDED_HERE:
            return response
        level = await self._refusals(request, observation.verdict, response)
        decision = await self._decide(
            observation.verdict, request, row, wish=_server_wish(response), level=level
        )
        if decision.action is Action.DEFER:
            decision = await self._join_cool_down(decision, row, self._wait_named(response))
        return await self._apply(decision, request, row, observation)

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        row = row_of(request)
        if row is None or isinstance(exception, IgnoreRequest):
            return None
        failure = next((name for cls, name in FAILURES if isinstance(exception, cls)), None)
        if failure is None:
            return None  # Not of the transport: the errback records it as a bug of ours.
        detail: str = getattr(exception, "detail", "")
        decision = await self._decide(failure, request, row, detail=detail)
        return await self._apply(decision, request, row, None)

    async def _decide(
        self,
        cause: Verdict | TransportFailure,
        request: Request,
        row: LeasedRow,
        *,
        wish: ServerWish | None = None,
        level: int = 0,
        detail: str = "",
    ) -> RetryDecision:
        budget = self._run.site.config.access.budget
        spent = row.spent_seconds + elapsed_since(request.meta.get(SENT_AT))
        attempt = Attempt(
            used=row.attempts + 1,
            allowed=budget.attempts,
            remaining_seconds=max(0.0, budget.seconds - spent),
            method=request.method,
        )
        decide = partial(
            decide_retry,
            cause,
            now=self._run.now(),
            jitter=self._jitter(),
            wish=wish,
            level=level,
            cap=self._cap,
            detail=detail,
        )
        decision = decide(attempt)
        if decision.action is not Action.RETRY:
            return decision
        left = max(0, budget.retries - await self._run.count_retries())
        return decide(replace(attempt, site_retries=left))

    async def _apply(
        self,
        decision: RetryDecision,
        request: Request,
        row: LeasedRow,
        observation: Observation | None,
    ) -> Request:
        self._stats.inc_value(f"deferral/{decision.action}")
        self._stats.inc_value(f"deferral/{decision.reason}")
        if decision.action is Action.STOP:
            kind = observation.verdict.kind if observation else KINDS.get(decision.reason)
            detail = "; ".join((*decision.evidence, decision.benefit))
            raise AccessStopped(Outcome(decision.reason, kind, detail), observation, decision)
        until = self._run.now() + decision.wait_seconds
        is_deferral = decision.action is Action.DEFER
        if is_deferral:
            await self._run.scopes.cool(row.scope, until, self._run.now())
        elapsed = elapsed_since(request.meta.get(SENT_AT))
        return deferred(
            request,
            Deferral(
                row=row.id,
                token=row.token,
                not_before=until,
                attempts=row.attempts + (0 if is_deferral else 1),
                deferrals=row.deferrals + (1 if is_deferral else 0),
                spent_seconds=row.spent_seconds
                + elapsed
                + (0.0 if is_deferral else decision.wait_seconds),
                decision=decision,
                capture=diagnostic_capture(observation) if observation else None,
            ),
        )

    async def _join_cool_down(
        self, decision: RetryDecision, row: LeasedRow, wait_named: float | None
    ) -> RetryDecision:
        """A cool-down in force holds for the row as well, and is all there is to a burst."""
        left = await self._run.scopes.cooling_until(row.scope) - self._run.now()
        if left <= 0:
            return decision
        return replace(decision, wait_seconds=max(left, decision.wait_seconds if wait_named else 0))

    async def _refusals(self, request: Request, verdict: Verdict, response: Response) -> int:
        if verdict.reason is not Reason.DEFER_RATE_LIMIT or self._wait_named(response):
            return 0
        return await self._run.scopes.refusals_in_a_row(request.meta[SCOPE], request.meta[SENT_AT])

    def _wait_named(self, response: Response) -> float | None:
        wish = _server_wish(response)
        return parse_retry_after(wish.retry_after, date_header=wish.date, now=self._run.now())

    async def _cool_for_auxiliary(self, request: Request, response: Response) -> None:
        """A robots file may be rate limited too: the whole scope then waits (RFC 6585, 4)."""
        wait = self._wait_named(response)
        is_limited = response.status == 429 or (response.status == 503 and wait)
        if not is_limited:
            return
        scope = request.meta[SCOPE]
        if not wait:
            level = await self._run.scopes.refusals_in_a_row(scope, request.meta[SENT_AT])
            wait = backoff_seconds(level)
        until = self._run.now() + min(wait, self._cap)
        self._stats.inc_value("deferral/auxiliary")
        await self._run.scopes.cool(scope, until, self._run.now())
        raise CoolingDown(until)


def _server_wish(response: Response) -> ServerWish:
    date = response.headers.get("Date")
    return ServerWish(
        tuple(value.decode("latin-1") for value in response.headers.getlist("Retry-After")),
        date.decode("latin-1") if date else None,
    )
