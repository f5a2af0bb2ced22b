"""Scrapy's cookies, without a download in the middle of a crawl, and those of a named session."""

from collections import defaultdict
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import cookies
from scrapy.http import Response
from tldextract import TLDExtract

from crawler.admission.scope import site_origins
from crawler.admission.session import parse_origins
from crawler.contracts.ports import CrawlRun
from crawler.middlewares.access import row_of
from crawler.middlewares.cookie_jar import BoundedCookieJar
from crawler.middlewares.live_session import LiveSession

# Scrapy asks the list's servers when the first cookie comes, and blocks the crawl meanwhile.
cookies._split_domain = TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
)


class CookiesMiddleware(cookies.CookiesMiddleware):
    """Settings: COOKIES_ENABLED, COOKIES_DEBUG. Judges domains by the bundled suffix list.

    A session's cookies go where RFC 6265 lets them, on requests with a row only: these have passed
    admission, and what has no row, as robots.txt, is the same for everybody.
    """

    session: LiveSession | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        middleware.jars = defaultdict(BoundedCookieJar)
        run: CrawlRun | None = getattr(crawler.spider, "run", None)
        if run is not None and run.session is not None:
            origins = parse_origins(site_origins(run.site.config))
            middleware.session = LiveSession(run.session, middleware.jars[None], origins)
            middleware.debug = False  # It would write the cookies down.
        return middleware

    def process_request(self, request: Request, spider: object = None) -> None:
        if self.session is not None and row_of(request) is None:
            return
        has_jar = any(True for _ in self.jars[request.meta.get("cookiejar")])
        if has_jar or request.cookies or "Cookie" in request.headers:  # Most sites set none.
            super().process_request(request)

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        if self.session is not None and row_of(request) is None:
            return response
        if "Set-Cookie" not in response.headers:
            return response
        return super().process_response(request, response)
