"""Scrapy's downloader with slots that are scopes and limits that hold."""

from collections import Counter
from collections.abc import Coroutine
from typing import Any

from scrapy import Request, Spider
from scrapy.core.downloader import Downloader, Slot
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

from crawler.contracts.meta import SCOPE
from crawler.engine.handler import GuardedDownloadHandler
from crawler.engine.run import Run


class ScopedDownloader(Downloader):
    """Mends two defects: concurrency is enforced, and a redirect counts for its own host.

    How many requests a scope may have in flight is the site file's to say.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._delay = 0.0  # The frontier keeps each scope's pace, for all processes together.
        if run := self.crawler.get_extension(Run):
            self.domain_concurrency = run.scopes.pace.concurrency
        self.in_flight: Counter[str] = Counter()
        """Requests handed to the downloader and not answered yet, by scope."""

    def fetch(
        self, request: Request, spider: Spider | None = None
    ) -> "Deferred[Response | Request]":
        scope = self.get_slot_key(request)
        self.in_flight[scope] += 1
        fetched: Deferred[Response | Request] = super().fetch(request)
        return fetched.addBoth(self._release, scope)

    def get_slot_key(self, request: Request) -> str:
        """The scope, else the host; never ``download_slot``, which a redirect copies."""
        return request.meta.get(SCOPE) or urlparse_cached(request).hostname or ""

    def abort_transfers(self) -> None:
        """End every transfer now, with an error each, so that the crawl can close."""
        for handler in self.handlers._handlers.values():
            if isinstance(handler, GuardedDownloadHandler):
                handler.abort_all()

    def _wait_for_download(
        self, slot: Slot, request: Request, queue_dfd: "Deferred[Response]"
    ) -> Coroutine[Any, Any, None]:
        # Scrapy registers the transfer when the task first runs, one turn of the loop after it
        # has compared the slot's transfers with its limit: all that are queued would start.
        slot.transferring.add(request)
        return super()._wait_for_download(slot, request, queue_dfd)

    def _release(self, result: Any, scope: str) -> Any:
        self.in_flight[scope] -= 1
        if not self.in_flight[scope]:
            del self.in_flight[scope]
        return result
