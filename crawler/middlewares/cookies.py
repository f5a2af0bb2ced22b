"""Scrapy's cookies, without a download in the middle of a crawl, and those of a named session."""

from collections import defaultdict
from collections.abc import Collection
from http.cookiejar import Cookie, DefaultCookiePolicy
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import cookies
from scrapy.http import Response
from scrapy.http.cookies import CookieJar
from tldextract import TLDExtract

from crawler.admission.refusal import TransferAborted
from crawler.admission.scope import site_origins
from crawler.admission.session import parse_origins
from crawler.contracts.ports import CrawlRun
from crawler.contracts.session import SessionCookie
from crawler.middlewares.access import row_of

# Scrapy asks the list's servers when the first cookie comes, and blocks the crawl meanwhile.
cookies._split_domain = TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
)


SAME_SITE = frozenset({"Strict", "Lax", "None"})


class CookiesMiddleware(cookies.CookiesMiddleware):
    """Settings: COOKIES_ENABLED, COOKIES_DEBUG. Judges domains by the bundled suffix list.

    A session's cookies go where RFC 6265 lets them, on requests with a row only: these have passed
    admission, and what has no row, as robots.txt, is the same for everybody. What the server sets
    is followed in memory until the run ends.
    """

    _run: CrawlRun | None = None
    _short_names: Collection[str] = ()

    def stored(self) -> list[SessionCookie]:
        """Return the cookies as they are now, those that the site has set among them."""
        return [as_session_cookie(cookie, self._short_names) for cookie in self.jars[None]]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        middleware.jars = defaultdict(_new_jar)
        run: CrawlRun | None = getattr(crawler.spider, "run", None)
        if run is not None and run.session is not None:
            middleware._run = run
            origins = parse_origins(site_origins(run.site.config))
            middleware._short_names = {url.host for url in origins if "." not in url.host}
            middleware.debug = False  # It would write the cookies down.
            for cookie in run.session.cookies:
                middleware.jars[None].set_cookie(as_stored(cookie))
        return middleware

    def process_request(self, request: Request, spider: object = None) -> None:
        if self._run is None:
            super().process_request(request)
            return
        if row_of(request) is None:
            return
        if self._run.is_session_over:
            raise TransferAborted
        super().process_request(request)

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        if self._run is not None and row_of(request) is None:
            return response
        return super().process_response(request, response)


def _new_jar() -> CookieJar:
    """By default http.cookiejar returns a cookie without a domain to hosts below its own, too."""
    strict = DefaultCookiePolicy.DomainStrictNonDomain
    return CookieJar(DefaultCookiePolicy(strict_ns_domain=strict))


def as_session_cookie(stored: Cookie, short_names: Collection[str] = ()) -> SessionCookie:
    """Return a cookie that http.cookiejar stores as a browser would know it.

    There, and there alone, a host without a dot such as one of *short_names* ends in ``.local``.
    """
    domain = stored.domain.removeprefix(".")
    short = domain.removesuffix(".local")
    rest = {name.lower(): value for name, value in stored._rest.items()}  # type: ignore[attr-defined]
    same_site = str(rest.get("samesite") or "Lax").capitalize()
    is_usable = same_site in SAME_SITE and (stored.secure or same_site != "None")
    return SessionCookie(
        name=stored.name,
        value=stored.value or "",
        host=short if short in short_names else domain,
        is_host_only=not stored.domain_specified,
        path=stored.path,
        expires=stored.expires,
        is_secure=stored.secure,
        is_http_only="httponly" in rest,
        same_site=same_site if is_usable else "Lax",
    )


def as_stored(cookie: SessionCookie) -> Cookie:
    """Return a cookie as http.cookiejar would have stored it."""
    host = cookie.host if "." in cookie.host else f"{cookie.host}.local"
    return Cookie(
        version=0,
        name=cookie.name,
        value=cookie.value,
        port=None,
        port_specified=False,
        domain=host if cookie.is_host_only else f".{host}",
        domain_specified=not cookie.is_host_only,
        domain_initial_dot=not cookie.is_host_only,
        path=cookie.path,
        path_specified=True,
        secure=cookie.is_secure,
        expires=None if cookie.expires is None else int(cookie.expires),
        discard=cookie.expires is None,
        comment=None,
        comment_url=None,
        rest={"SameSite": cookie.same_site} | ({"HttpOnly": ""} if cookie.is_http_only else {}),
    )
