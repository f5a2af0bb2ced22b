"""Work that goes on beside a crawl, and that its end waits for."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from crawler.contracts.errors import StorageFailed

logger = logging.getLogger(__name__)


class Background:
    """*on_bug* is called for what nobody waits for and nobody foresaw."""

    def __init__(self, on_bug: Callable[[], None]) -> None:
        self._on_bug = on_bug
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._guard(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _guard(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except StorageFailed:
            logger.debug(
                "dropped: storage has failed, as its writer has reported, and the run ends"
            )
        except Exception:
            logger.exception("a bug beside the crawl ends the run")
            self._on_bug()
