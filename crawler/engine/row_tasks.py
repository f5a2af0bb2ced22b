"""Work that goes on beside the engine, and which rows it moves."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import LeasedRow, RunEnd

if TYPE_CHECKING:
    from crawler.engine.run import Run

logger = logging.getLogger(__name__)


class RowTasks:
    def __init__(self, run: "Run") -> None:
        self._run = run
        self._tasks: set[asyncio.Task[None]] = set()
        self.moving: set[int] = set()
        """Rows in hand that have no request just now, since one of these tasks makes it."""

    def spawn(
        self, work: Coroutine[Any, Any, None], row: LeasedRow | None = None
    ) -> asyncio.Task[None]:
        """Run *work* beside the engine; *row* is the one that it moves, if it moves one."""
        if row is not None:
            self.moving.add(row.id)
        task = asyncio.get_running_loop().create_task(self._guard(work, row))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _guard(self, work: Coroutine[Any, Any, None], row: LeasedRow | None) -> None:
        """No error may travel into Scrapy, where nobody waits for it and a row would be lost."""
        try:
            await work
        except StorageFailed:
            logger.debug("dropped: storage has failed and the run is ending")
        except Exception as error:
            if row is None:
                logger.exception("a bug in the scheduler ends the run")
                self._run.end(RunEnd.FAILED)
            else:
                self._run.mishaps.report_bug(row, error)
        finally:
            if row is not None:
                self.moving.discard(row.id)
