"""Hands a snapshot to a page worker. Causes no request, whatever the page lacks."""

from typing import Any

from scrapy.crawler import Crawler

from crawler.contracts.item import InterpretedPage
from crawler.contracts.ports import CrawlRun
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.answer import InterpretationBug
from crawler.interpretation.pool import WorkerUnusable


class ExtractionPipeline:
    """Stats: ``extraction/pages``, ``extraction/bugs``."""

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._stats = crawler.stats
        self._run = run

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ExtractionPipeline":
        return cls(crawler, crawler.spider.run)  # type: ignore[union-attr]

    async def process_item(self, item: Any) -> Any:
        if not isinstance(item, Snapshot):
            return item
        self._stats.inc_value("extraction/pages")
        observation = self._run.observation_of(item)
        try:
            report = await self._run.interpret(item)
        except InterpretationBug as error:
            self._stats.inc_value("extraction/bugs")
            return InterpretedPage(observation, None, error.trace)
        except WorkerUnusable as error:
            self._stats.inc_value("extraction/bugs")
            return InterpretedPage(observation, None, str(error))
        return InterpretedPage(observation, report)
