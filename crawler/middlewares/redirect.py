"""Redirects as Scrapy follows them, without the referrer and without decoding pages in vain.

Every hop has been archived before it gets here, and its target passes admission like any URL.
"""

from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares import redirect
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.contracts.meta import OBSERVATION
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.middlewares.access import AccessStopped


class _NoReferrer(redirect.BaseRedirectMiddleware):
    def handle_referer(self, request: Request, response: Response) -> None:
        request.headers.pop("Referer", None)

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        try:
            return super()._redirect(redirected, request, reason)
        except IgnoreRequest as error:
            detail = f"redirect limit: more than {self.max_redirect_times} hops"
            outcome = Outcome(Reason.HTTP_STATUS, Kind.ERROR_PAGE, detail)
            raise AccessStopped(outcome, request.meta.get(OBSERVATION)) from error

    def _engine_started(self) -> None:
        """The base class looks for the referrer middleware here and warns that it is missing."""


class RedirectMiddleware(_NoReferrer, redirect.RedirectMiddleware):
    """Settings: REDIRECT_ENABLED, REDIRECT_MAX_TIMES."""


class MetaRefreshMiddleware(_NoReferrer, redirect.MetaRefreshMiddleware):
    """Settings: METAREFRESH_ENABLED, METAREFRESH_MAXDELAY, METAREFRESH_IGNORE_TAGS."""

    SEARCHED = 16_384
    """Bytes that can hold the 4,096 characters in which Scrapy looks, in any encoding."""

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        if b"refresh" not in response.body[: self.SEARCHED].lower():
            return response
        return super().process_response(request, response)
