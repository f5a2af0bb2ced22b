"""Redirects as Scrapy follows them, without the referrer and without decoding pages in vain.

Every hop has been archived before it gets here, and its target passes admission like any URL.
"""

from typing import Any, Self
from urllib.parse import urldefrag

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import redirect
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.admission.decision import refuse_unreadable
from crawler.contracts.item import Observation
from crawler.contracts.meta import OBSERVATION, RENDERING
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.contracts.rendering import Rendering
from crawler.middlewares.access import AccessStopped, rendering_run_of, row_of, run_of
from crawler.middlewares.challenge import is_followable

MOST_VISITS = 3
"""Of one URL on one way: a page may set a cookie and ask to be asked again, and another after it."""


class _NoReferrer(redirect.BaseRedirectMiddleware):
    def handle_referer(self, request: Request, response: Response) -> None:
        request.headers.pop("Referer", None)

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        row = row_of(request)
        if row is None:
            return super()._redirect(redirected, request, reason)
        # Scrapy counts hops in the request, which a deferral ends; the row knows them all.
        request.meta["redirect_times"] = len(row.redirects)
        observation: Observation = request.meta[OBSERVATION]
        way = (*(hop.url for hop in row.redirects), row.url)
        if count_visits(way, redirected.url) > MOST_VISITS:
            raise AccessStopped(_turning(way, redirected.url), observation)
        try:
            followed = super()._redirect(redirected, request, reason)
        except IgnoreRequest as error:
            raise AccessStopped(self._too_many(), observation) from error
        spent, budget = row.spent_seconds + observation.elapsed_seconds, self._seconds()
        if spent >= budget:
            raise AccessStopped(_too_slow(len(row.redirects) + 1, spent, budget), observation)
        return followed

    def _too_many(self) -> Outcome:
        detail = f"redirect limit: more than {self.max_redirect_times} hops"
        return Outcome(Reason.HTTP_STATUS, Kind.ERROR_PAGE, detail)

    def _seconds(self) -> float:
        return run_of(self.crawler).site.config.access.budget.seconds

    def _engine_started(self) -> None:
        """The base class looks for the referrer middleware here and warns that it is missing."""


class RedirectMiddleware(_NoReferrer, redirect.RedirectMiddleware):
    """Settings: REDIRECT_ENABLED, REDIRECT_MAX_TIMES."""

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        if not is_followable(response):
            return response
        try:
            followed = super().process_response(request, response)
        except ValueError as error:  # The target is no URL to Scrapy.
            raise _refuse(request, response) from error
        if isinstance(followed, Response) and row_of(request):
            raise _refuse(request, response)
        return followed


class MetaRefreshMiddleware(_NoReferrer, redirect.MetaRefreshMiddleware):
    """Settings: METAREFRESH_ENABLED, METAREFRESH_MAXDELAY, METAREFRESH_IGNORE_TAGS."""

    SEARCHED = 16_384
    """Bytes that can hold the 4,096 characters in which Scrapy looks, in any encoding."""

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        is_rendered = RENDERING in request.meta  # A browser has refreshed what it wanted to.
        if is_rendered or b"refresh" not in response.body[: self.SEARCHED].lower():
            return response
        try:
            return super().process_response(request, response)
        except ValueError:  # The target is no URL to Scrapy: the page is what there is.
            return response


class ScriptedRedirectMiddleware(_NoReferrer):
    """Follows where the scripts of a rendered page went, with the cookies they set."""

    enabled_setting = "REDIRECT_ENABLED"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        rendering_run_of(crawler)
        return super().from_crawler(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        rendering: Rendering | None = request.meta.get(RENDERING)
        if rendering is None or rendering.moved_to is None:
            return response
        try:
            target = request.replace(
                url=rendering.moved_to, method="GET", body=b"", cookies=dict(rendering.cookies)
            )
        except ValueError as error:
            raise AccessStopped(
                refuse_unreadable(rendering.moved_to), request.meta.get(OBSERVATION)
            ) from error
        return self._redirect(target, request, "script")


def count_visits(way: tuple[str, ...], target: str) -> int:
    """Return how often *target* has been asked for once it is followed from the end of *way*."""
    return [urldefrag(url).url for url in (*way, target)].count(urldefrag(target).url)


def _turning(way: tuple[str, ...], target: str) -> Outcome:
    detail = (
        f"redirect loop: {target[:200]} was asked for {MOST_VISITS} times, "
        f"hop {len(way)} not followed"
    )
    return Outcome(Reason.HTTP_STATUS, Kind.ERROR_PAGE, detail)


def _too_slow(hops: int, spent: float, budget: float) -> Outcome:
    detail = (
        f"budget.seconds is used up: {spent:.1f} s of {budget:g} s, redirect {hops} not followed"
    )
    return Outcome(Reason.TIMEOUT_EXHAUSTED, detail=detail)


def _refuse(request: Request, response: Response) -> AccessStopped:
    target = (response.headers["Location"] or b"").decode("latin-1").strip()
    return AccessStopped(refuse_unreadable(target), request.meta.get(OBSERVATION))
