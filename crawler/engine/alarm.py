"""One timer that rings at the earliest moment asked for."""

import asyncio
from collections.abc import Callable


class Alarm:
    """Scrapy looks for requests every five seconds: too late for a pace or a cool-down."""

    def __init__(self, ring: Callable[[], None], now: Callable[[], float]) -> None:
        self._ring, self._now = ring, now
        self._timer: asyncio.TimerHandle | None = None
        self._at = 0.0

    def set(self, when: float | None) -> None:
        """Ring at *when* (epoch seconds) at the latest; None asks for nothing."""
        now = self._now()
        if when is None or (self._timer is not None and now < self._at <= when):
            return
        self.cancel()
        self._at = when
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(0.0, when - now) + 0.001, self._go_off)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _go_off(self) -> None:
        self._timer = None
        self._ring()
