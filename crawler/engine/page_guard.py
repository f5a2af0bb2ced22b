"""What stands between a rendered page and the network: every request it makes is decided here."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from crawler.admission.page_request import (
    PagePolicy,
    PageRefusal,
    PageRequest,
    decide_page_request,
)
from crawler.contracts.rendering import Document

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request, Route, WebSocketRoute

STAY = 204
"""A navigation that is answered with it leaves the page where it is (HTML, 7.4.5); one that is
aborted may leave the browser's own error page."""
SHOWN_HEADERS = frozenset({
    "content-language",
    "content-security-policy",
    "content-type",
    "cross-origin-embedder-policy",
    "cross-origin-opener-policy",
    "last-modified",
    "link",
    "permissions-policy",
    "referrer-policy",
    "refresh",
})  # fmt: skip
"""Headers that change what a document does; the rest is about its transfer."""


class PageGuard:
    """One page and the context it has to itself."""

    def __init__(self, document: Document, policy: PagePolicy) -> None:
        self._document = document
        self._policy = policy
        self._is_shown = False
        self._loading: set[Request] = set()
        self._quiet_since = 0.0
        self._page: Page | None = None
        self.refused: Counter[PageRefusal] = Counter()
        self.moved: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Where the page went, as soon as it goes anywhere."""

    async def watch(self, context: "BrowserContext") -> None:
        await context.route("**/*", self._decide)
        await context.route_web_socket("**/*", self._decide_web_socket)
        context.on("page", self._close_popup)

    def attach(self, page: "Page") -> None:
        self._page = page
        self._quiet_since = asyncio.get_running_loop().time()
        page.on("request", self._note_start)
        page.on("requestfinished", self._note_end)
        page.on("requestfailed", self._note_end)

    async def wait_for_quiet(self, seconds: float) -> None:
        """Return once nothing has been loading for so long."""
        loop = asyncio.get_running_loop()
        while True:
            left = self._quiet_since + seconds - loop.time()
            if not self._loading and left <= 0:
                return
            await asyncio.sleep(max(left, 0.01) if not self._loading else seconds)

    def describe(self) -> tuple[str, ...]:
        return tuple(f"refused {why}: {count}" for why, count in sorted(self.refused.items()))

    async def _decide(self, route: "Route", request: "Request") -> None:
        from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only

        with suppress(Error):  # The page was closed meanwhile.
            await self._answer(route, request)

    async def _answer(self, route: "Route", request: "Request") -> None:
        is_navigation = request.is_navigation_request()
        is_own = self._is_of_page(request)
        is_main = is_navigation and is_own and request.frame.parent_frame is None
        if is_main and not self._is_shown:
            await self._show(route)
            return
        refusal = decide_page_request(
            PageRequest(
                request.url,
                request.method,
                request.resource_type,
                is_navigation=is_navigation,
                is_popup=not is_own,
            ),
            self._policy,
        )
        if is_main and refusal not in {PageRefusal.METHOD, PageRefusal.MALFORMED}:
            self._move(request.url)
            await route.fulfill(status=STAY)
        elif refusal is None:
            await route.continue_()
        else:
            self.refused[refusal] += 1
            await (route.fulfill(status=STAY) if is_main else route.abort("blockedbyclient"))

    async def _show(self, route: "Route") -> None:
        """Answer with the response that was fetched: nothing is asked for a second time."""
        self._is_shown = True
        headers = shown_headers(self._document.headers)
        await route.fulfill(status=200, headers=headers, body=self._document.body)

    def _move(self, url: str) -> None:
        if not self.moved.done():
            self.moved.set_result(urldefrag(url).url)

    def _is_of_page(self, request: "Request") -> bool:
        from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only

        try:
            return request.frame.page is self._page
        except Error:  # A worker's, or of a window too new to have a page.
            return not request.is_navigation_request()

    def _decide_web_socket(self, route: "WebSocketRoute") -> None:
        refusal = decide_page_request(
            PageRequest(route.url, kind="websocket"),
            self._policy,
        )
        if refusal is None:
            route.connect_to_server()
        else:
            self.refused[refusal] += 1
            # Nothing is connected before it is asked for; the page sees a socket that fails.
            task = asyncio.ensure_future(route.close())
            task.add_done_callback(_forget)

    def _close_popup(self, page: "Page") -> None:
        if self._page is not None and page is not self._page:
            self.refused[PageRefusal.POPUP] += 1
            task = asyncio.ensure_future(page.close())
            task.add_done_callback(_forget)

    def _note_start(self, request: "Request") -> None:
        self._loading.add(request)

    def _note_end(self, request: "Request") -> None:
        self._loading.discard(request)
        self._quiet_since = asyncio.get_running_loop().time()


def shown_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers that a browser is shown: one value each, of printable text.

    Several cookies stand on lines of their own, as Playwright takes them. Only what was found to be
    a page is shown: without a type it is HTML.
    """
    shown: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        if key not in SHOWN_HEADERS | {"set-cookie"} or not value.isprintable():
            continue
        separator = "\n" if key == "set-cookie" else ", "
        shown[key] = f"{shown[key]}{separator}{value}" if key in shown else value
    return {"content-type": "text/html", **shown}


def _forget(task: "asyncio.Future[None]") -> None:
    if not task.cancelled():
        task.exception()
