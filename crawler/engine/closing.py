"""Bringing a crawl to its end: for a reason of ours, and within a deadline in any case."""

import asyncio
from collections.abc import Callable
from typing import Any

from scrapy.crawler import Crawler

from crawler.admission.refusal import TransferAborted
from crawler.contracts.frontier import RunEnd


class Closing:
    """Setting SHUTDOWN_WAIT: seconds for which transfers may go on once the spider is closing."""

    def __init__(self, crawler: Crawler, wait: float, abort_work: Callable[[], None]) -> None:
        self._crawler = crawler
        self._abort_work = abort_work
        self._wait = wait
        self._wanted: RunEnd | None = None
        self._closing: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()

    @property
    def has_begun(self) -> bool:
        return self._wanted is not None or self._is_closing()

    def begin(self, end: RunEnd) -> None:
        """Close the spider; the first reason stands."""
        if self._wanted is None:
            self._wanted = end
            self._begun.set()
            self.proceed()

    def proceed(self) -> None:
        """Close the spider once the engine runs: closed before that, Scrapy never ends."""
        engine = self._crawler.engine
        if self._wanted is None or self._closing or engine is None or not engine.running:
            return
        # Nothing may wait for this task: the run's own end happens inside of it.
        closing = engine.close_spider_async(reason=self._wanted.value)
        self._closing = asyncio.get_running_loop().create_task(closing)

    def watch(self) -> None:
        """From now on, cut what hangs when the spider has been closing for too long."""
        self._watching = asyncio.get_running_loop().create_task(self._cut_stragglers())

    def stop_watching(self) -> None:
        if self._watching:
            self._watching.cancel()

    def abort_transfers(self) -> None:
        downloader: Any = self._crawler.engine.downloader if self._crawler.engine else None
        if downloader is not None:
            downloader.abort_transfers()
        self._abort_work()

    async def pause(self, seconds: float) -> None:
        """Return after *seconds*; raises TransferAborted when the run is ending before."""
        try:
            await asyncio.wait_for(self._begun.wait(), max(0.0, seconds))
        except TimeoutError:
            return
        raise TransferAborted

    async def _cut_stragglers(self) -> None:
        """Scrapy says when it has closed, not when it begins to."""
        while not self._is_closing():  # noqa: ASYNC110 - Scrapy sets no event for it
            await asyncio.sleep(0.1)
        self._begun.set()
        await asyncio.sleep(self._wait)
        self.abort_transfers()

    def _is_closing(self) -> bool:
        slot = self._crawler.engine._slot if self._crawler.engine else None
        return slot is not None and slot.closing is not None
