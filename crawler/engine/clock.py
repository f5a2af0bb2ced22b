"""The time of day as a run sees it."""

import time

_SOURCE = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, as the clocks of other workers do."""


class SteadyClock:
    """Tells the time of day when it was made, and what has passed since, in seconds of the epoch.

    A clock that is set in the meantime, by hand or by a time server, neither ends a cool-down
    early nor prolongs one.
    """

    def __init__(self) -> None:
        self._offset = time.time() - time.clock_gettime(_SOURCE)

    def __call__(self) -> float:
        return self._offset + time.clock_gettime(_SOURCE)
