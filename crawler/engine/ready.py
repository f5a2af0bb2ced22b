"""Leased requests that wait in this worker for their turn."""

import heapq
from collections.abc import Callable, Iterator
from itertools import count

from scrapy import Request


class ReadyQueue:
    """Requests by scope, each with the epoch second before which it may not be sent."""

    def __init__(self) -> None:
        self._heaps: dict[str, list[tuple[float, int, Request]]] = {}
        self._closed_until: dict[str, float] = {}
        self._order = count()

    def __len__(self) -> int:
        return sum(map(len, self._heaps.values()))

    def __iter__(self) -> Iterator[Request]:
        return (entry[2] for heap in self._heaps.values() for entry in heap)

    def push(self, request: Request, scope: str, send_at: float) -> None:
        heapq.heappush(self._heaps.setdefault(scope, []), (send_at, next(self._order), request))

    def pop(
        self,
        now: float,
        is_open: Callable[[str], bool],
        gap: Callable[[str], float] = lambda scope: 0.0,
    ) -> Request | None:
        """Return the request that has been due longest in a scope that is open for sending.

        Those that could not be sent when they were due do not follow each other within the
        scope's *gap* in seconds: what was held up must not become a burst.
        """
        due = [
            (heap[0][0], scope)
            for scope, heap in self._heaps.items()
            if heap and self._due(scope) <= now and is_open(scope)
        ]
        if not due:
            return None
        scope = min(due)[1]
        self._closed_until[scope] = now + gap(scope)
        return heapq.heappop(self._heaps[scope])[2]

    def next_time(self, now: float) -> float | None:
        """Return when the next request falls due, in a scope open or not; None when none will."""
        times = [self._due(scope) for scope, heap in self._heaps.items() if heap]
        return min((time for time in times if time > now), default=None)

    def _due(self, scope: str) -> float:
        return max(self._heaps[scope][0][0], self._closed_until.get(scope, 0.0))

    def take(self, is_wanted: Callable[[Request], bool]) -> list[Request]:
        """Take out the requests of which *is_wanted* is true."""
        taken = [request for request in self if is_wanted(request)]
        for heap in self._heaps.values() if taken else ():
            heap[:] = [entry for entry in heap if not is_wanted(entry[2])]
            heapq.heapify(heap)
        return taken

    def drain(self, scope: str | None = None) -> list[Request]:
        """Take out all requests of *scope*, or of every scope."""
        scopes = list(self._heaps) if scope is None else [scope]
        return [entry[2] for name in scopes for entry in self._heaps.pop(name, [])]
