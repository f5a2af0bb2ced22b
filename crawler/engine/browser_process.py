"""The browser of a run: started for the first page that needs it, and gone with the run.

Nothing of Playwright is imported before that.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError

from crawler.admission.egress import EgressPolicy
from crawler.contracts.errors import CrawlerError
from crawler.engine.chromium import Launch, plan_launch
from crawler.engine.egress import EgressProxy

if TYPE_CHECKING:
    from playwright.async_api import Browser
    from scrapy_playwright.provider import PlaywrightBrowserProvider

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 2.0
"""For a page, the browser and its driver to close by themselves."""
MAX_STARTS = 6
"""Of the browser in one run: what kills it more often will go on doing so."""


class BrowserUnusable(CrawlerError):
    """No page can be rendered in this run any more."""


class BrowserProcess:
    """Driver, browser and the proxy that is their only way out. Setting: CHROMIUM_PATH. Stats:
    ``rendering/browsers``, ``egress/<event>``.
    """

    def __init__(
        self, crawler: Crawler, policy: EgressPolicy, *, needs_sandbox: bool = False
    ) -> None:
        self._crawler = crawler
        self._needs_sandbox = needs_sandbox
        self._proxy = EgressProxy(policy)
        self._changing = asyncio.Lock()
        self._provider: PlaywrightBrowserProvider | None = None
        self._browser: Browser | None = None
        self._launch: Launch | None = None
        self._starts = 0
        self.error: type[Exception] = DownloadFailedError
        """What Playwright raises, once it is loaded."""
        crawler.signals.connect(self._report_egress, signal=signals.spider_closed)

    @property
    def is_sandboxed(self) -> bool | None:
        """None before a browser was started."""
        return None if self._launch is None else self._launch.is_sandboxed

    async def ready(self) -> "Browser":
        """Return the running browser, started if need be. Raises CrawlerError."""
        async with self._changing:
            if self._browser is None or not self._browser.is_connected():
                await self._stop()
                self._browser = await self._start()
            return self._browser

    async def kill(self, browser: "Browser") -> None:
        """End *browser*, unless another one has taken its place."""
        async with self._changing:
            if self._browser is browser:
                await self._stop()

    def abort_transfers(self) -> None:
        self._proxy.abort_all()

    async def close(self) -> None:
        async with self._changing:
            await self._stop()
        await asyncio.to_thread(self._proxy.stop)

    def _report_egress(self) -> None:
        """In time for the stats, which are told before the browser has gone."""
        if self._launch is not None:
            for event, count in self._proxy.counts.items():
                self._crawler.stats.set_value(f"egress/{event}", count)

    async def _start(self) -> "Browser":
        from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only
        from scrapy_playwright.handler import Config  # noqa: PLC0415
        from scrapy_playwright.provider import PlaywrightBrowserProvider  # noqa: PLC0415

        self.error = Error
        if self._starts >= MAX_STARTS:
            raise BrowserUnusable(f"the browser ended {self._starts} times in this run")
        config = Config.from_settings(self._crawler.settings)
        config.launch_options = await self._launch_options()
        self._starts += 1
        self._crawler.stats.inc_value("rendering/browsers")
        self._provider = PlaywrightBrowserProvider(config)
        try:
            await self._provider.start()
            browser: Browser = await self._provider.launch_browser()
        except (Error, OSError) as error:
            await self._stop()
            raise BrowserUnusable(f"the browser does not start: {first_line(error)}") from error
        return browser

    async def _launch_options(self) -> dict[str, Any]:
        if self._launch is None:
            launch = plan_launch(self._crawler.settings.get("CHROMIUM_PATH") or "")
            self._judge_sandbox(launch)
            await asyncio.to_thread(self._proxy.start)
            self._launch = launch
        return {
            **self._launch.options(self._proxy.address),
            # The crawl ends on a signal, and the browser when the crawl is done with it.
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
        }

    def _judge_sandbox(self, launch: Launch) -> None:
        if launch.is_sandboxed:
            return
        if self._needs_sandbox:
            raise BrowserUnusable(
                "access.untrusted asks for the browser's sandbox, which root does not have: "
                "run the crawler as another user"
            )
        logger.warning("the browser runs without its sandbox, which root does not have")

    async def _stop(self) -> None:
        """Close browser and driver. A driver whose pipe is closed kills its browser and ends."""
        browser, provider = self._browser, self._provider
        self._browser = self._provider = None
        if browser is not None:
            await finish(browser.close())
        if provider is not None:
            await finish(provider.close())


async def finish(closing: Coroutine[Any, Any, None]) -> bool:
    """Return whether *closing* came to an end of any kind in good time."""
    task = asyncio.ensure_future(closing)
    task.add_done_callback(_note_error)
    await asyncio.wait({task}, timeout=CLOSE_SECONDS)
    if not task.done():
        task.cancel()
        return False
    return True


def first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _note_error(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.debug("while closing: %s", error)  # Mostly that it is closed already.
