"""Asks, before anything is sent with a named session, whether it is still this worker's."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler.contracts.ports import CrawlRun
from crawler.middlewares.access import row_of, run_of


class SessionMiddleware:
    """Enabled where a site file names a session; what has no row is sent without it."""

    def __init__(self, run: CrawlRun) -> None:
        self._run = run

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        run = run_of(crawler)
        if run.session is None:
            raise NotConfigured
        return cls(run)

    async def process_request(self, request: Request) -> None:
        """Raises TransferAborted."""
        if row_of(request) is not None:
            await self._run.keep_session()
