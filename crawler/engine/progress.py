"""A line a minute on what a crawl has come to, while it runs."""

import logging
import math
import time
from collections.abc import Callable

from scrapy import Spider
from scrapy.extensions.logstats import LogStats
from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)


class ProgressLog(LogStats):
    """Scrapy's, which counts pages as items, and on uvloop says a line a dozen times: the loop wakes
    a moment early, and Scrapy's timer calls again until the interval is full."""

    def __init__(
        self,
        stats: StatsCollector,
        interval: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(stats, interval)
        self._clock = clock
        self._told_at = -math.inf

    def log(self, spider: Spider) -> None:
        now = self._clock()
        if now - self._told_at < self.interval / 2:
            return
        self._told_at = now
        self.calculate_stats()
        counts = self.stats.get_stats()
        records = counts.get("records/accepted", 0) + counts.get("records/unchanged", 0)
        rejected = sum(count for name, count in counts.items() if name.startswith("reject/"))
        logger.info(
            "Crawled %d pages (at %d pages/min): %d records, %d rejected",
            *(self.pages, self.prate, records, rejected),
            extra={"spider": spider},
        )
