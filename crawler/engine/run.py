"""The life of one run: opens ledger and archive before anything else, closes them after all else."""

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler.contracts.errors import CrawlerError, SessionBusy, SessionExpired, StorageFailed
from crawler.contracts.frontier import PageCommit, RunEnd
from crawler.contracts.ports import CrawlRun
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import Session
from crawler.engine.background import Background
from crawler.engine.browser import Browser
from crawler.engine.closing import Closing
from crawler.engine.consulting import Consulting, open_inquirer
from crawler.engine.data import DataFolder
from crawler.engine.frontier import Frontier
from crawler.engine.isolation import describe_isolation
from crawler.engine.limits import page_limits
from crawler.engine.logformat import mask_logs
from crawler.engine.mishaps import Mishaps
from crawler.engine.observations import Observations
from crawler.engine.opening import describe_opening
from crawler.engine.page_ends import PageEnds
from crawler.engine.page_rendering import PageRendering
from crawler.engine.representation import PageRepresentations
from crawler.engine.requests import default_headers
from crawler.engine.run_tally import RunTally
from crawler.engine.scopes import ScopeWatch, decide_pace
from crawler.engine.service import RunService
from crawler.engine.session_use import SessionUse
from crawler.engine.store import Store
from crawler.interpretation.interpreter import Interpreter, make_interpreter
from crawler.interpretation.memory import settle_memory

if TYPE_CHECKING:
    from crawler.engine.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)


class Run:
    """Extension. Settings: DATA_DIR, LEDGER_URL, LEDGER_WAIT, LEASE_SECONDS, PAGE_WORKERS,
    PAGE_TIMEOUT, PAGE_MEMORY, SHUTDOWN_WAIT, BREAKER_REFUSALS, BREAKER_COOL_DOWN, DEFERRAL_MAX_WAIT.
    Its parts decide and act; ``spider.run`` is what the rest of the crawl may ask of them.
    """

    def __init__(self, crawler: Crawler, site: LoadedSite, store: Store, pool: Interpreter) -> None:
        self._crawler = crawler
        self._store = store
        self._pool = pool
        self.observations = Observations()
        self._background = Background(lambda: self.end(RunEnd.FAILED))
        self.headers = default_headers(crawler.settings)
        self._browser = Browser(crawler, site.config, self.headers)
        wait = crawler.settings.getfloat("SHUTDOWN_WAIT")
        inquirer = open_inquirer(site.rules.model, store, crawler.settings, crawler.stats)
        self.consulting = Consulting(pool, inquirer)
        self.closing = Closing(crawler, wait, self._abort_work)
        self.tally = RunTally(crawler.stats)
        self._is_open = False
        self.site = site
        self.session: Session | None = getattr(crawler.spider, "session", None)
        self.session_use = SessionUse(self, store, self.session)
        self.scopes = ScopeWatch(
            store,
            decide_pace(site.config.access, crawler.settings),
            refusals_allowed=crawler.settings.getint("BREAKER_REFUSALS"),
            first_trip=crawler.settings.getfloat("BREAKER_COOL_DOWN"),
            patience=crawler.settings.getfloat("DEFERRAL_MAX_WAIT"),
            background=self._background.start,
            on_failure=self.fail_storage,
        )
        self.frontier = Frontier(store, site, self.scopes)
        self.representations = PageRepresentations(site)
        self.rendering = PageRendering(crawler, self, store, self._browser)
        self.ends = PageEnds(crawler, self, store, self.representations)
        self.mishaps = Mishaps(crawler, self)
        self.ended_as = RunEnd.FAILED

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        site = getattr(crawler.spider, "site", None)
        if site is None:
            raise NotConfigured("the spider has no site file")
        mask_logs()
        settings = crawler.settings
        store = Store(
            DataFolder.from_settings(settings),
            site.config.site,
            wait=settings.getfloat("LEDGER_WAIT"),
            lease_seconds=settings.getfloat("LEASE_SECONDS"),
            limits=site.config.collect.limits,
        )
        run = cls(crawler, site, store, make_interpreter(site.rules, page_limits(settings)))
        service: CrawlRun = RunService(run, store)
        crawler.spider.run = service  # type: ignore[union-attr]
        for handler, signal in (
            (run._close, signals.engine_stopped),
            (run._note_reason, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal=signal)
        return run

    @property
    def spider(self) -> Any:
        return self._crawler.spider

    @property
    def run_id(self) -> str:
        return self._store.info.run

    @property
    def cycle(self) -> int:
        return self._store.info.cycle

    def now(self) -> float:
        return self._store.clock()

    async def open(self, scheduler: "FrontierScheduler") -> None:
        """Open storage, and the cycle with its start URLs. A failure ends the run at once."""
        self.scheduler = scheduler
        self.closing.watch()
        loop = asyncio.get_running_loop()
        try:
            await self._store.open(
                describe_opening(self.site, self._store.owner, self.session),
                lambda error: loop.call_soon_threadsafe(self.fail_storage, error),
            )
        except StorageFailed as error:
            logger.error("storage failed: %s", error)
            self.end(RunEnd.STORAGE_FAILED)
        except SessionExpired:
            self.session_use.end()
        except CrawlerError as error:
            logger.error("%s", error)
            self.end(RunEnd.SESSION_BUSY if isinstance(error, SessionBusy) else RunEnd.FAILED)
        else:
            self._begin()

    def _begin(self) -> None:
        self._is_open = True
        self._background.start(self._pool.prepare())
        self.ended_as = RunEnd.STOPPED  # Until it closes, which a second signal does not wait for.
        settle_memory()
        info = self._store.info
        self.representations.note(info.needs)
        logger.info(
            "run %s of cycle %d (%s)",
            info.run,
            info.cycle_number,
            "new" if info.is_new_cycle else "continued",
        )

    def commit_later(self, commit: PageCommit) -> None:
        self._background.start(self.ends.commit(commit))

    def end(self, end: RunEnd) -> None:
        """Close the spider for a reason of ours."""
        self.closing.begin(end)

    @property
    def is_ending(self) -> bool:
        return self.closing.has_begun

    def describe_end(self) -> str:
        return self.tally.describe_end(self.site.config.site, self.ended_as)

    def fail_storage(self, error: StorageFailed) -> None:
        """Ledger or archive gave up: nothing more is sent or accepted."""
        logger.error("storage failed: %s", error)
        self.end(RunEnd.STORAGE_FAILED)
        self.closing.abort_transfers()

    def _abort_work(self) -> None:
        self._browser.abort_all()
        self.consulting.stop()

    def _note_reason(self, reason: str) -> None:
        self.ended_as = self.tally.decide_end(reason)

    async def _close(self) -> None:
        self.closing.stop_watching()
        await self._browser.close()
        await self.consulting.close()
        await self._pool.close()
        await self._background.finish()
        if self._is_open:
            self._is_open = False
            counters = self.tally.counters | describe_isolation(self._pool, self._browser)
            collections = await self._store.close(self.ended_as, counters)
            if collections is None:
                self.ended_as = RunEnd.STORAGE_FAILED
            self.tally.note_collections(collections or ())

    def notice(self, *, has_new_rows: bool) -> None:
        """A row is done with: rows it led to, or the end of the cycle, may be waiting."""
        self.scheduler.notice(has_new_rows=has_new_rows)
