"""The browser of a run: started for the first page that needs it, and gone with the run.

Nothing of Playwright is imported before that. Each page has a context to itself: what it stores
ends with it, and closing the context ends whatever the page is doing.
"""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError, DownloadTimeoutError

from crawler.admission.egress import egress_policy
from crawler.admission.page_request import page_policy
from crawler.admission.refusal import TransferAborted
from crawler.contracts.errors import CrawlerError
from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.site import SiteConfig
from crawler.engine.chromium import Launch, plan_launch
from crawler.engine.egress import EgressProxy
from crawler.engine.page_guard import PageGuard
from crawler.engine.page_scripts import NO_WINDOWS
from crawler.engine.rendered_page import RenderedPage

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext, Page
    from scrapy_playwright.provider import PlaywrightBrowserProvider

logger = logging.getLogger(__name__)

OPEN_SECONDS = 10.0
CLOSE_SECONDS = 2.0
"""For a page, and for the browser, to close by itself before it is killed."""
MAX_STARTS = 6
"""Of the browser in one run: what kills it more often will go on doing so."""


class BrowserUnusable(CrawlerError):
    """No page can be rendered in this run any more."""


class Browser:
    """Settings: CHROMIUM_PATH, RENDERED_PAGES. Stats: ``rendering/pages``, ``rendering/browsers``,
    ``rendering/moved``, ``rendering/unready``, ``rendering/timeouts``, ``rendering/failed``,
    ``rendering/refused/<why>``, ``rendering/open_pages``.
    """

    def __init__(self, crawler: Crawler, config: SiteConfig, headers: Mapping[str, str]) -> None:
        """*headers* are those of every request; a page tells the same of itself."""
        self._crawler = crawler
        self._stats = crawler.stats
        self._config = config
        self._headers = headers
        self._policy = page_policy(config)
        self._proxy = EgressProxy(egress_policy(config, is_open=True))
        self._places = asyncio.Semaphore(max(1, crawler.settings.getint("RENDERED_PAGES")))
        self._starting = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._provider: PlaywrightBrowserProvider | None = None
        self._browser: PlaywrightBrowser | None = None
        self._launch: Launch | None = None
        self._playwright_error: type[Exception] = DownloadFailedError
        """Playwright's own, once it is loaded."""
        self._starts = 0
        self._open = 0
        self._is_ending = False

    @property
    def is_sandboxed(self) -> bool | None:
        """None before a browser was started."""
        return None if self._launch is None else self._launch.is_sandboxed

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
        return await answer

    def abort_all(self) -> None:
        """End every rendering, and refuse later ones; each ends as ``TransferAborted``."""
        self._is_ending = True
        self._proxy.abort_all()
        for task in tuple(self._tasks):
            task.cancel()

    async def close(self) -> None:
        self.abort_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stop()
        await asyncio.to_thread(self._proxy.stop)

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
        await self._ready_browser()  # Its start is no page's time.
        guard = PageGuard(document, self._policy)
        try:
            async with asyncio.timeout(document.seconds):
                context, page = await self._find_page(document, guard, opened)
                shown = RenderedPage(document, self._config.access, guard)
                rendering = await shown.show(context, page)
        except TimeoutError:
            self._stats.inc_value("rendering/timeouts")
            message = f"Rendering {document.url} took longer than {document.seconds:g} seconds."
            return DownloadTimeoutError(message)
        except (self._playwright_error, DownloadFailedError) as error:
            self._stats.inc_value("rendering/failed")
            return DownloadFailedError(f"rendering: {_first_line(error)}")
        finally:
            for why, count in guard.refused.items():
                self._stats.inc_value(f"rendering/refused/{why}", count)
        self._count(rendering)
        return rendering

    def _count(self, rendering: Rendering) -> None:
        if rendering.moved_to is not None:
            self._stats.inc_value("rendering/moved")
        elif "unsettled" in rendering.flags or rendering.unmet:
            self._stats.inc_value("rendering/unready")

    async def _find_page(
        self, document: Document, guard: PageGuard, opened: AsyncExitStack
    ) -> "tuple[BrowserContext, Page]":
        """A browser that cannot even open a page is of no use to the others either."""
        while True:  # Until it has been started too often.
            browser = await self._ready_browser()
            try:
                async with asyncio.timeout(OPEN_SECONDS):
                    return await self._open_page(browser, document, guard, opened)
            except (self._playwright_error, TimeoutError):
                logger.warning("the browser opens no page: it is restarted")
                await self._kill(browser)

    async def _open_page(
        self,
        browser: "PlaywrightBrowser",
        document: Document,
        guard: PageGuard,
        opened: AsyncExitStack,
    ) -> "tuple[BrowserContext, Page]":
        context = await browser.new_context(**self._context_options())
        opened.push_async_callback(self._close_context, context, browser)
        await self._prepare(context, document, guard)
        return context, await context.new_page()

    async def _prepare(
        self, context: "BrowserContext", document: Document, guard: PageGuard
    ) -> None:
        await guard.watch(context)
        await context.add_init_script(NO_WINDOWS)
        if document.cookies:
            await context.add_cookies([
                {"name": name, "value": value, "url": document.url}
                for name, value in document.cookies
            ])  # fmt: skip

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
        if not await _finish(context.close()):
            logger.warning("a page does not close: the browser is restarted")
            await self._kill(browser)

    async def _kill(self, browser: "PlaywrightBrowser") -> None:
        async with self._starting:
            if self._browser is browser:
                await self._stop()

    async def _ready_browser(self) -> "PlaywrightBrowser":
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                await self._stop()
                self._browser = await self._start()
            return self._browser

    async def _start(self) -> "PlaywrightBrowser":
        from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only
        from scrapy_playwright.handler import Config  # noqa: PLC0415
        from scrapy_playwright.provider import PlaywrightBrowserProvider  # noqa: PLC0415

        self._playwright_error = Error
        if self._starts >= MAX_STARTS:
            raise BrowserUnusable(f"the browser ended {self._starts} times in this run")
        config = Config.from_settings(self._crawler.settings)
        config.launch_options = await self._launch_options()
        self._starts += 1
        self._stats.inc_value("rendering/browsers")
        self._provider = PlaywrightBrowserProvider(config)
        try:
            await self._provider.start()
            browser: PlaywrightBrowser = await self._provider.launch_browser()
        except (Error, OSError) as error:
            await self._stop()
            raise BrowserUnusable(f"the browser does not start: {_first_line(error)}") from error
        return browser

    async def _launch_options(self) -> dict[str, Any]:
        if self._launch is None:
            self._launch = plan_launch(self._crawler.settings.get("CHROMIUM_PATH") or "")
            await asyncio.to_thread(self._proxy.start)
        return {
            **self._launch.options(self._proxy.address),
            # The crawl ends on a signal, and the browser when the crawl is done with it.
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
        }

    async def _stop(self) -> None:
        """Close browser and driver. A driver whose pipe is closed kills its browser and ends."""
        browser, provider = self._browser, self._provider
        self._browser = self._provider = None
        if browser is not None:
            await _finish(browser.close())
        if provider is not None:
            await _finish(provider.close())


async def _finish(closing: Coroutine[Any, Any, None]) -> bool:
    """Return whether *closing* came to an end of any kind in good time."""
    task = asyncio.ensure_future(closing)
    task.add_done_callback(_note_error)
    await asyncio.wait({task}, timeout=CLOSE_SECONDS)
    if not task.done():
        task.cancel()
        return False
    return True


def _note_error(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.debug("while closing: %s", error)  # Mostly that it is closed already.


def _settle(answer: "asyncio.Future[Rendering]", result: Rendering | Exception) -> None:
    if answer.done():  # Nobody waits any more.
        return
    if isinstance(result, Rendering):
        answer.set_result(result)
    else:
        answer.set_exception(result)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
