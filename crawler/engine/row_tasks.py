"""Work that goes on beside the engine, and which rows it moves."""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import LeasedRow, RunEnd
from crawler.engine.background import Background

if TYPE_CHECKING:
    from crawler.engine.run import Run


class RowTasks:
    def __init__(self, run: "Run") -> None:
        self._run = run
        self._background = Background(lambda: run.end(RunEnd.FAILED))
        self.moving: set[int] = set()
        """Rows in hand that have no request just now, since one of these tasks makes it."""

    def spawn(
        self, work: Coroutine[Any, Any, None], row: LeasedRow | None = None
    ) -> asyncio.Task[None]:
        """Run *work* beside the engine; *row* is the one that it moves, if it moves one."""
        if row is None:
            return self._background.start(work)
        self.moving.add(row.id)
        return self._background.start(self._move(work, row))

    async def finish(self) -> None:
        await self._background.finish()

    async def _move(self, work: Coroutine[Any, Any, None], row: LeasedRow) -> None:
        """No error may travel into Scrapy, where nobody waits for it and a row would be lost."""
        try:
            await work
        except StorageFailed:
            raise
        except Exception as error:  # noqa: BLE001 - a bug of ours: the page ends with it
            self._run.mishaps.report_bug(row, error)
        finally:
            self.moving.discard(row.id)
