"""Pages that a browser is shown: by their site file, or since they lacked something as served."""

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError

from crawler.admission.refusal import TransferAborted
from crawler.contracts.errors import CrawlerError, StorageFailed
from crawler.contracts.frontier import Escalation, RunEnd
from crawler.contracts.rendering import Document, Rendering
from crawler.engine.browser import Browser
from crawler.engine.store import Store

if TYPE_CHECKING:
    from crawler.engine.run import Run

logger = logging.getLogger(__name__)


class PageRendering:
    """Stat: ``rendering/escalated``."""

    def __init__(self, crawler: Crawler, run: "Run", store: Store, browser: Browser) -> None:
        self._stats = crawler.stats
        self._run = run
        self._store = store
        self._browser = browser

    async def render(self, document: Document) -> Rendering:
        try:
            return await self._browser.render(document)
        except TransferAborted:
            raise
        except DownloadFailedError as error:
            if self._run.is_ending:  # A signal to the process group ends the browser, too.
                raise TransferAborted from error
            raise
        except CrawlerError as error:
            logger.error("nothing can be rendered: %s", error)
            self._run.end(RunEnd.FAILED)
            raise TransferAborted from error

    async def escalate(self, escalation: Escalation) -> None:
        row, frontier = escalation.row, self._run.frontier
        try:
            lease_until = await self._store.escalate(escalation)
            turn = 0.0 if escalation.is_retained else await frontier.reserve_turn(row.scope)
        except StorageFailed:
            lease_until = None  # The writer has reported it; the run is ending.
        self._run.observations.drop(escalation.capture)
        if lease_until is None:
            frontier.finish(row.id, row.token)
            self._run.notice(has_new_rows=False)
            return
        self._stats.inc_value("rendering/escalated")
        row = replace(row, lease_until=lease_until, send_at=max(turn, self._run.now()))
        self._run.scheduler.render(row, escalation)
