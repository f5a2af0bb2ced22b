"""The pages that the browser of a run shows, a few at a time.

Each has a context to itself: what it stores ends with it, and closing the context ends whatever the
page is doing.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError, DownloadTimeoutError

from crawler.admission.egress import egress_policy
from crawler.admission.page_capture import capture_policy
from crawler.admission.page_request import page_policy
from crawler.admission.refusal import TransferAborted
from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.session import Session
from crawler.contracts.site.access import Screenshot
from crawler.contracts.site.config import SiteConfig
from crawler.engine.browser_process import BrowserProcess, finish, first_line
from crawler.engine.page_guard import PageGuard
from crawler.engine.page_loads import PageLoads
from crawler.engine.page_scripts import NO_WINDOWS
from crawler.engine.page_session import list_cookies, read_changes, storage_state
from crawler.engine.rendered_page import RenderedPage

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext, Page

logger = logging.getLogger(__name__)

OPEN_SECONDS = 10.0
CHANGES_SECONDS = 1.0
"""For asking the browser what a page has made of its session."""
CHANGES_SHARE = 0.5
"""Of what is left of a page's time then: what was read must not be lost for it."""


class Browser:
    """Settings: RENDERED_PAGES. Stats: ``rendering/pages``, ``rendering/moved``,
    ``rendering/unready``, ``rendering/captured``, ``rendering/pictures``, ``rendering/timeouts``,
    ``rendering/failed``, ``rendering/refused/<why>``, ``rendering/open_pages``.
    """

    def __init__(self, crawler: Crawler, config: SiteConfig, headers: Mapping[str, str]) -> None:
        """*headers* are those of every request; a page tells the same of itself."""
        self._crawler = crawler
        self._stats = crawler.stats
        self._config = config
        self._headers = headers
        self._policy = page_policy(config)
        self._capture_policy = capture_policy(config)
        self._process = BrowserProcess(
            crawler,
            egress_policy(config, is_open=True),
            needs_sandbox=config.access.untrusted,
        )
        self._places = asyncio.Semaphore(max(1, crawler.settings.getint("RENDERED_PAGES")))
        self._tasks: set[asyncio.Task[Any]] = set()
        self._open = 0
        self._is_ending = False

    @property
    def is_sandboxed(self) -> bool | None:
        """None before a browser was started."""
        return self._process.is_sandboxed

    async def render(self, document: Document) -> Rendering:
        """Return when the deadline has come at the latest, with the page closed or being closed.

        Raises DownloadTimeoutError, DownloadFailedError, TransferAborted, or CrawlerError when no
        page can be rendered in this run.
        """
        if self._is_ending:
            raise TransferAborted
        answer: asyncio.Future[Rendering] = asyncio.get_running_loop().create_future()
        task = asyncio.ensure_future(self._work(document, answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before its first step has had no chance to answer.
        task.add_done_callback(lambda _: _settle(answer, TransferAborted()))
        return await answer

    def abort_all(self) -> None:
        """End every rendering, and refuse later ones; each ends as ``TransferAborted``."""
        self._is_ending = True
        self._process.abort_transfers()
        for task in tuple(self._tasks):
            task.cancel()

    async def close(self) -> None:
        self.abort_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._process.close()

    async def _work(self, document: Document, answer: "asyncio.Future[Rendering]") -> None:
        """Answer first and close the page then; its place is free when it is closed."""
        try:
            async with self._places, AsyncExitStack() as opened:
                self._note_page(1)
                opened.callback(self._note_page, -1)
                _settle(answer, await self._render(document, opened))
        except asyncio.CancelledError:
            _settle(answer, TransferAborted())
        except Exception as error:  # noqa: BLE001 - whoever awaits the answer handles it
            _settle(answer, error)

    def _note_page(self, change: int) -> None:
        self._open += change
        if change > 0:
            self._stats.inc_value("rendering/pages")
            self._stats.max_value("rendering/open_pages", self._open)

    async def _render(self, document: Document, opened: AsyncExitStack) -> Rendering | Exception:
        await self._process.ready()  # Its start is no page's time.
        guard = PageGuard(document, self._policy)
        try:
            async with asyncio.timeout(document.seconds) as allowed:
                context, page = await self._find_page(document, guard, opened)
                loads = PageLoads(self._capture_policy)
                shown = RenderedPage(document, self._config.access, guard, loads)
                rendering = await shown.show(context, page)
                left = (allowed.when() or 0.0) - asyncio.get_running_loop().time()
                seconds = min(CHANGES_SECONDS, left * CHANGES_SHARE)
                changed = await self._read_changes(context, document, seconds)
        except TimeoutError:
            self._stats.inc_value("rendering/timeouts")
            message = f"Rendering {document.url} took longer than {document.seconds:g} seconds."
            return DownloadTimeoutError(message)
        except (self._process.error, DownloadFailedError) as error:
            self._stats.inc_value("rendering/failed")
            return DownloadFailedError(f"rendering: {first_line(error)}")
        finally:
            for why, count in guard.refused.items():
                self._stats.inc_value(f"rendering/refused/{why}", count)
        self._count(rendering)
        return replace(rendering, changed=changed)

    async def _read_changes(
        self, context: "BrowserContext", document: Document, seconds: float
    ) -> Session | None:
        if document.session is None:
            return None
        try:
            async with asyncio.timeout(seconds):
                return await read_changes(context, document.session)
        except (self._process.error, TimeoutError):
            return None  # The page is what was asked for.

    def _count(self, rendering: Rendering) -> None:
        if rendering.moved_to is not None:
            self._stats.inc_value("rendering/moved")
        elif "unsettled" in rendering.flags or rendering.unmet:
            self._stats.inc_value("rendering/unready")
        self._stats.inc_value("rendering/captured", len(rendering.loaded))
        self._stats.inc_value("rendering/pictures", int(rendering.shot is not None))

    async def _find_page(
        self, document: Document, guard: PageGuard, opened: AsyncExitStack
    ) -> "tuple[BrowserContext, Page]":
        """A browser that cannot even open a page is of no use to the others either."""
        while True:  # Until it has been started too often.
            browser = await self._process.ready()
            try:
                async with asyncio.timeout(OPEN_SECONDS):
                    return await self._open_page(browser, document, guard, opened)
            except (self._process.error, TimeoutError):
                logger.warning("the browser opens no page: it is restarted")
                await self._process.kill(browser)

    async def _open_page(
        self,
        browser: "PlaywrightBrowser",
        document: Document,
        guard: PageGuard,
        opened: AsyncExitStack,
    ) -> "tuple[BrowserContext, Page]":
        context = await browser.new_context(
            **self._context_options(),
            **window_options(document.screenshot),
            storage_state=storage_state(document.session),
        )
        opened.push_async_callback(self._close_context, context, browser)
        await self._prepare(context, document, guard)
        return context, await context.new_page()

    async def _prepare(
        self, context: "BrowserContext", document: Document, guard: PageGuard
    ) -> None:
        await guard.watch(context)
        await context.add_init_script(NO_WINDOWS)
        if cookies := list_cookies(document):
            await self._give_cookies(context, cookies)

    async def _give_cookies(self, context: "BrowserContext", cookies: list[Any]) -> None:
        try:
            await context.add_cookies(cookies)
        except self._process.error:
            for cookie in cookies:  # One that this browser does not take must cost no page.
                with suppress(self._process.error):
                    await context.add_cookies([cookie])

    def _context_options(self) -> dict[str, Any]:
        agents = {name.lower(): value for name, value in self._headers.items()}
        options: dict[str, Any] = {
            "service_workers": "block",  # one would answer in the place of the site
            "accept_downloads": False,
            "ignore_https_errors": False,
            "reduced_motion": "reduce",
            "timezone_id": "UTC",
            "user_agent": agents.get("user-agent"),
        }
        if language := agents.get("accept-language"):
            options["extra_http_headers"] = {"Accept-Language": language}
        return options

    async def _close_context(self, context: "BrowserContext", browser: "PlaywrightBrowser") -> None:
        """A page that will not close takes the browser with it; its neighbours are retried."""
        if not await finish(context.close()):
            logger.warning("a page does not close: the browser is restarted")
            await self._process.kill(browser)


def window_options(screenshot: Screenshot | None) -> dict[str, Any]:
    """Return the window that a picture is taken through."""
    if screenshot is None:
        return {}
    return {
        "viewport": {"width": screenshot.width, "height": screenshot.height},
        "device_scale_factor": screenshot.scale,
    }


def _settle(answer: "asyncio.Future[Rendering]", result: Rendering | Exception) -> None:
    if answer.done():  # Nobody waits any more.
        return
    if isinstance(result, Rendering):
        answer.set_result(result)
    else:
        answer.set_exception(result)
