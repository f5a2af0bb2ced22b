"""What reading pages may cost."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """What a page may cost."""

    workers: int = 1
    """At most; -1: none, see ``interpreter``."""
    seconds: float = 10.0
    memory: int = 2**30
    queued: int = 8
    """Pages handed to one worker at a time; those behind the first wait in its socket."""
    patience: float = 2.0
    """Seconds for which all must have as many before another worker is started: what piled up while
    the first one came up passes.
    """

    @staticmethod
    def default_workers() -> int:
        """One for each core: where pages take long, the crawl itself leaves most of its own idle."""
        return os.cpu_count() or 1


DEFAULT_LIMITS = PoolLimits()
