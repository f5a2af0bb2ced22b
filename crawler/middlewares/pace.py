"""Tells the run how a scope answers, so that one that strains is asked more slowly."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response

from crawler.contracts.meta import SCOPE, SENT_AT
from crawler.contracts.ports import CrawlRun
from crawler.middlewares.access import run_of

SLOW_DOWN = frozenset({429, 503})


class PaceMiddleware:
    def __init__(self, run: CrawlRun) -> None:
        self._run = run

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "PaceMiddleware":
        return cls(run_of(crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        latency = request.meta.get("download_latency")
        if response.status in SLOW_DOWN:
            self._note_slow_down(request)
        elif latency is not None:
            self._run.scopes.note_answer(request.meta[SCOPE], latency)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, DownloadTimeoutError):
            self._note_slow_down(request)

    def _note_slow_down(self, request: Request) -> None:
        scope, sent_at = request.meta.get(SCOPE), request.meta.get(SENT_AT)
        if scope is not None and sent_at is not None:
            self._run.scopes.note_slow_down(scope, sent_at)
