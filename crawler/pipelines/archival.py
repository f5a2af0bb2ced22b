"""Commits everything a page led to in one transaction, and waits until it is durable."""

from typing import Any

from scrapy.crawler import Crawler

from crawler.contracts.item import EscalatedPage, JudgedPage, PublishedPage
from crawler.contracts.ports import CrawlRun


class ArchivalPipeline:
    """Stats: ``archival/committed``, ``archival/fenced``, ``records/accepted``, ``records/unchanged``."""

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._stats = crawler.stats
        self._run = run

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ArchivalPipeline":
        return cls(crawler, crawler.spider.run)  # type: ignore[union-attr]

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, EscalatedPage):
            await self._run.escalate(item.escalation)
        if not isinstance(item, JudgedPage):
            return item
        result = await self._run.commit(item.commit)
        if result is None:
            return item
        if result.is_fenced:
            self._stats.inc_value("archival/fenced")
            return item
        self._stats.inc_value("archival/committed")
        self._stats.inc_value("records/accepted", len(result.accepted))
        self._stats.inc_value("records/unchanged", len(result.unchanged))
        return PublishedPage(item.commit, result)
