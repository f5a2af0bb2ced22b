"""A browser as a run has it, for tests that show it documents of their own."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from datetime import date
from typing import Any, TypeVar

from scrapy import Spider
from scrapy.utils.test import get_crawler

from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.site.access import Access, Screenshot
from crawler.contracts.site.config import Authorization, SiteConfig
from crawler.contracts.site.record import RecordRules
from crawler.engine.browser import Browser
from crawler.settings import CHROMIUM_PATH, RENDERED_PAGES
from tests.e2e.server import Server

T = TypeVar("T")
HTML = (("Content-Type", "text/html; charset=utf-8"),)


class Desk:
    """Shows documents as if *server* had sent them; they may load what it serves."""

    def __init__(self, server: Server, **access: Any) -> None:
        self.server = server
        config = SiteConfig(
            site="desk",
            authorization=Authorization(basis="t", approved_by="t", expires=date(2099, 1, 1)),
            start=(server.url("/"),),
            access=Access(**{"permit_private": (server.authority,), **access}),
            record=RecordRules(type="notice"),
        )
        settings = {"CHROMIUM_PATH": CHROMIUM_PATH, "RENDERED_PAGES": RENDERED_PAGES}
        crawler = get_crawler(Spider, settings, prevent_warnings=True)
        self.browser = Browser(crawler, config, {"User-Agent": "desk/1", "Accept-Language": "en"})
        self.stats = crawler.stats

    async def show(
        self,
        html: str | bytes,
        target: str = "/doc",
        *,
        seconds: float = 10.0,
        headers: tuple[tuple[str, str], ...] = HTML,
        cookies: tuple[tuple[str, str], ...] = (),
        screenshot: Screenshot | None = None,
    ) -> Rendering:
        body = html.encode() if isinstance(html, str) else html
        url = self.server.url(target)
        return await self.browser.render(
            Document(url, headers, body, seconds, cookies, screenshot=screenshot)
        )

    async def count_contexts(self, seconds: float = 3.0) -> int:
        """Return how many pages are open still, once there are none or it has taken too long."""
        deadline = time.monotonic() + seconds
        while (browser := self.browser._process._browser) and browser.contexts:
            if time.monotonic() > deadline:
                return len(browser.contexts)
            await asyncio.sleep(0.05)
        return 0

    def count(self, stat: str) -> int:
        return self.stats.get_value(f"rendering/{stat}", 0) if self.stats else 0


def at_desk(server: Server, action: Callable[[Desk], Coroutine[Any, Any, T]], **access: Any) -> T:
    """Run *action* with a desk, and close its browser."""

    async def session() -> T:
        desk = Desk(server, **access)
        try:
            return await action(desk)
        finally:
            await desk.browser.close()

    return asyncio.run(session())
