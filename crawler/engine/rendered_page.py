"""One page shown once: its steps, what is waited for, and what it holds in the end."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urldefrag, urlsplit

from scrapy.exceptions import DownloadFailedError

from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.site.access import Access, Ready, Step
from crawler.document.loaded import LEFT_OUT
from crawler.engine import page_scripts
from crawler.engine.conditions import (
    DEFAULT_QUIET,
    conditions_of,
    describe,
    is_named,
    step_argument,
)
from crawler.engine.page_guard import PageGuard
from crawler.engine.page_loads import PageLoads
from crawler.engine.page_picture import take_picture

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

T = TypeVar("T")

CAPTURE_SECONDS = 2.0
"""Kept of a page's time, or a fifth where that is less, for reading what is there by then."""
PICTURE_SECONDS = 5.0
"""The same where a picture is to be taken, too."""
PICTURE_SHARE = 0.8
"""Of what is left of a page's time then: what was read must not be lost for the picture."""
HINT_SECONDS = 5.0
"""How long quiet is waited for where no site file asks for it: some pages are never quiet."""
KEPT_CHARACTERS = 1 << 20
"""Of a document that is too large: evidence of what it was."""


class RenderedPage:
    """Raises DownloadFailedError when the page crashes or leaves the web; the caller keeps time."""

    def __init__(
        self, document: Document, access: Access, guard: PageGuard, loads: PageLoads
    ) -> None:
        self._document = document
        self._access = access
        self._guard = guard
        self._loads = loads
        self._crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def show(self, context: "BrowserContext", page: "Page") -> Rendering:
        self._page = page
        self._deadline = asyncio.get_running_loop().time() + self._document.seconds
        page.on("crash", lambda _: self._fail("the page crashed"))
        self._guard.attach(page)
        self._loads.attach(page)
        is_settled = await self._settle_in_time()
        rendering = None if self._guard.moved.done() else await self._unless_gone(self._read())
        if rendering is None:
            return await self._describe_move(context)
        return rendering if is_settled else _unsettled(rendering)

    async def _settle_in_time(self) -> bool:
        """Leave enough of the deadline to keep what is there when it is not ready."""
        seconds = PICTURE_SECONDS if self._document.screenshot else CAPTURE_SECONDS
        reserve = min(seconds, self._document.seconds / 5)
        try:
            async with asyncio.timeout(self._document.seconds - reserve):
                await self._unless_gone(self._settle())
        except TimeoutError:
            return False
        return True

    async def _settle(self) -> None:
        await self._page.goto(self._document.url, wait_until="commit", timeout=0)
        for step in self._access.steps:
            await self._repeat(step)
        await self._wait_until_ready(self._access.ready)
        await self._loads.wait(self._access.ready.loaded)

    async def _repeat(self, step: Step) -> None:
        argument = step_argument(step, self._access.ready)
        for _ in range(step.times):
            before = self._loads.count
            word = await self._page.evaluate(page_scripts.ROUND, argument)
            has_loaded = word == "still" and self._loads.count > before
            if word != "grew" and not has_loaded:
                return

    async def _wait_until_ready(self, ready: Ready) -> None:
        if is_named(ready):
            await self._page.evaluate(page_scripts.WAIT, conditions_of(ready))
            if ready.network_quiet:
                await self._guard.wait_for_quiet(ready.network_quiet)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(HINT_SECONDS):
                await self._page.evaluate(page_scripts.WAIT, conditions_of(ready))
                await self._guard.wait_for_quiet(DEFAULT_QUIET)

    async def _read(self) -> Rendering:
        ready, limit = self._access.ready, self._access.budget.bytes
        unseen = await self._page.evaluate(page_scripts.CONDITIONS, conditions_of(ready))
        unloaded = self._loads.find_missing(ready.loaded)
        unmet = (*unseen, *(f"{each}: nothing that fits was loaded" for each in unloaded))
        sizes = {"most": limit, "kept": KEPT_CHARACTERS}
        found = await self._page.evaluate(page_scripts.CONTENT, sizes)
        body = found["text"].encode("utf-8", "replace")
        is_over = found["isOver"] or len(body) > limit
        observed = {"too_large": is_over, LEFT_OUT: not self._loads.is_whole}
        rendering = Rendering(
            url=self._address(),
            body=body[:KEPT_CHARACTERS] if is_over else body,
            flags=tuple(flag for flag, is_so in observed.items() if is_so),
            readiness=() if unmet else describe(ready),
            unmet=unmet,
            notes=(*self._guard.describe(), *self._loads.describe()),
            loaded=self._loads.collect(),
        )
        return await self._with_picture(rendering)

    async def _with_picture(self, rendering: Rendering) -> Rendering:
        """What a page does when its picture is taken, as loading more, is no part of it any more; one
        without a picture is worth keeping, and says so.
        """
        spec = self._document.screenshot
        if spec is None:
            return rendering
        left = self._deadline - asyncio.get_running_loop().time()
        shot = await take_picture(self._page, spec, min(PICTURE_SECONDS, left * PICTURE_SHARE))
        if isinstance(shot, str):
            return replace(rendering, notes=(*rendering.notes, f"no picture: {shot}"))
        return replace(rendering, shot=shot)

    def _address(self) -> str:
        """A script may have changed it, within the origin; an error page is no page."""
        url = urldefrag(self._page.url).url
        if urlsplit(url).scheme not in {"http", "https"}:
            raise DownloadFailedError(f"the browser ended at {url[:100]}")
        return url

    async def _describe_move(self, context: "BrowserContext") -> Rendering:
        target = self._guard.moved.result()
        session = self._document.session
        known = {each.name for each in session.cookies} if session else set()
        found = await context.cookies(target)
        return Rendering(
            url=self._document.url,
            moved_to=target,
            cookies=tuple(
                (each["name"], each["value"]) for each in found if each["name"] not in known
            ),
            notes=self._guard.describe(),
        )

    async def _unless_gone(self, work: Coroutine[Any, Any, T]) -> Any:
        """Await *work*, but no longer than the page stays what it is."""
        task = asyncio.ensure_future(work)
        ends: set[asyncio.Future[Any]] = {task, self._crashed, self._guard.moved}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        if task.cancelled() or task.exception() is not None:
            if self._crashed.done():
                return self._crashed.result()
            if self._guard.moved.done():
                return None
        return task.result()

    def _fail(self, why: str) -> None:
        if not self._crashed.done():
            self._crashed.set_exception(DownloadFailedError(why))
            self._crashed.exception()  # Looked at: a page may crash when all is read.


def _unsettled(rendering: Rendering) -> Rendering:
    """Say of a page that ran out of time what it did not show until then."""
    unmet = rendering.unmet or ("steps and quiet: not reached in time",)
    return replace(
        rendering,
        flags=(*rendering.flags, "unsettled"),
        readiness=tuple(f"not in time: {condition}" for condition in unmet),
    )
