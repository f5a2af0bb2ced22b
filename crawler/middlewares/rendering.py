"""Shows a fetched page to a browser where its row asks for what scripts make of it.

The document comes the way of all documents, so that its redirects, refusals, sizes and media types
have been judged before a script of it runs, and it is asked for once.
"""

from dataclasses import replace
from http.cookies import CookieError, SimpleCookie

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError, DownloadTimeoutError
from scrapy.http import Response

from crawler.classification.page import FetchedPage
from crawler.classification.verdict import judge_response
from crawler.contracts.item import Retained
from crawler.contracts.meta import RENDERING, RETAINED, SENT_AT
from crawler.contracts.ports import CrawlRun
from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.snapshot import Representation
from crawler.middlewares.access import rendering_run_of, row_of
from crawler.middlewares.cookies import CookiesMiddleware
from crawler.middlewares.decoding import header_pairs
from crawler.middlewares.deferral import DeferralMiddleware
from crawler.middlewares.live_session import LiveSession
from crawler.middlewares.observation import KEPT_FLAGS, elapsed_since


class RenderingMiddleware:
    """Puts a ``Rendering`` into the meta of a row's request. What no browser can make a page of,
    as a refusal or a PDF, stays as it was received.
    """

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._crawler = crawler
        self._run = run
        self._screenshot = run.site.config.access.screenshot

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RenderingMiddleware":
        return cls(crawler, rendering_run_of(crawler))

    def process_request(self, request: Request) -> None:
        request.meta.pop(RENDERING, None)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        row = row_of(request)
        choice = self._run.choose_representation(row) if row else None
        if choice is None or choice.representation.is_message:
            return response
        if not judge_response(_page_of(response)).is_eligible:
            return response
        try:
            rendering = await self._render(request, response, choice.representation)
            notes = (*rendering.notes, *choice.notes, *describe_missing(request))
            request.meta[RENDERING] = replace(rendering, notes=notes)
        except (DownloadTimeoutError, DownloadFailedError) as error:
            # Scrapy asks no middleware about what another one raised for a response.
            return await self._retry(request, error)
        return response

    async def _render(
        self, request: Request, response: Response, wanted: Representation
    ) -> Rendering:
        allowed: float = request.meta["download_timeout"]
        left = allowed - elapsed_since(request.meta.get(SENT_AT))
        if left <= 0:
            raise DownloadTimeoutError(f"no time is left to render {request.url}")
        document = Document(
            response.url,
            header_pairs(response),
            response.body,
            seconds=left,
            screenshot=self._screenshot if wanted is Representation.SCREENSHOT else None,
        )
        cookies = self._crawler.get_downloader_middleware(CookiesMiddleware)
        if cookies is None or cookies.session is None:
            return await self._run.render(replace(document, cookies=sent_cookies(request)))
        return await self._render_in(cookies.session, document)

    async def _render_in(self, session: LiveSession, document: Document) -> Rendering:
        # What the server has just set is in the session already, for the site's hosts alone.
        headers = tuple(pair for pair in document.headers if pair[0].lower() != "set-cookie")
        rendering = await self._run.render(
            replace(document, headers=headers, session=session.for_browser())
        )
        if rendering.changed is not None:
            session.follow(rendering.changed)
        return rendering

    async def _retry(self, request: Request, error: Exception) -> Request:
        deferral = self._crawler.get_downloader_middleware(DeferralMiddleware)
        assert deferral is not None
        continuation = await deferral.process_exception(request, error)
        assert continuation is not None
        return continuation


def describe_missing(request: Request) -> tuple[str, ...]:
    """Return why a page is rendered that was read as it was served."""
    retained: Retained | None = request.meta.get(RETAINED)
    return (f"rendered, since as served: {retained.missing}",) if retained else ()


def sent_cookies(request: Request) -> tuple[tuple[str, str], ...]:
    """Return the cookies of a request; those a browser would not take are left out."""
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load((request.headers.get("Cookie") or b"").decode("latin-1"))
    except CookieError:
        return ()
    return tuple((name, morsel.value) for name, morsel in jar.items())


def _page_of(response: Response) -> FetchedPage:
    flags = tuple(sorted(KEPT_FLAGS.intersection(response.flags)))
    return FetchedPage(response.url, response.status, header_pairs(response), response.body, flags)
