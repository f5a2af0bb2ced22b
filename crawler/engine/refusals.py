"""Refusals in a row: those of one burst are one."""

import asyncio
from dataclasses import dataclass
from time import monotonic

from crawler.engine.store import Store


@dataclass(frozen=True, slots=True)
class _Counted:
    at: float
    total: asyncio.Task[int]
    """How many refusals the scope had in a row by then, this one included."""


class Refusals:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._last: dict[str, _Counted] = {}

    async def count(self, scope: str, sent_at: float) -> int:
        """Return how many refusals in a row there are now.

        A request that was sent (on the monotonic clock) before the last refusal was counted could
        not heed it: its own refusal says nothing new.
        """
        last = self._last.get(scope)
        if last is None or sent_at > last.at:
            counting = asyncio.get_running_loop().create_task(self._store.count_refusal(scope))
            last = self._last[scope] = _Counted(monotonic(), counting)
        return await asyncio.shield(last.total)
