"""The life of one run: opens ledger and archive before anything else, closes them after all else."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from twisted.python.failure import Failure

from crawler.admission.decision import admission_policy
from crawler.admission.scope import scope_of
from crawler.admission.url import fingerprint
from crawler.contracts.errors import CrawlerError, StorageFailed
from crawler.contracts.frontier import (
    CommitResult,
    Deferral,
    Lease,
    LeasedRow,
    LeaseRequest,
    NewRow,
    Pace,
    PageCommit,
    Redirection,
    RedirectionResult,
    RunEnd,
    RunOpening,
)
from crawler.contracts.item import Observation
from crawler.contracts.meta import DEPTH, ROW
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import LoadedSite
from crawler.contracts.site import parse_duration
from crawler.contracts.snapshot import Capture, Snapshot
from crawler.engine.data import DataFolder
from crawler.engine.ending import decide_end, describe_end
from crawler.engine.limits import page_limits
from crawler.engine.requests import link_row, new_row, seed_rows
from crawler.engine.store import Store
from crawler.engine.versions import describe_versions
from crawler.interpretation.memory import settle_memory
from crawler.interpretation.pool import WorkerPool

if TYPE_CHECKING:
    from crawler.engine.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)


class Run:
    """Extension. Settings: DATA_DIR, LEDGER_URL, LEDGER_WAIT, LEASE_SECONDS, PAGE_WORKERS,
    PAGE_TIMEOUT, PAGE_MEMORY, SHUTDOWN_WAIT. Is ``spider.run``, a ``contracts.ports.CrawlRun``.
    """

    def __init__(self, crawler: Crawler, site: LoadedSite, store: Store, pool: WorkerPool) -> None:
        self._crawler = crawler
        self._stats = crawler.stats
        self._store = store
        self._pool = pool
        self._policy = admission_policy(site.config)
        self._scheduler: FrontierScheduler | None = None
        self._observations: dict[str, Observation] = {}
        self._cooling: dict[str, float] = {}
        self._refused: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._wanted_end: RunEnd | None = None
        self._shutdown_wait = crawler.settings.getfloat("SHUTDOWN_WAIT")
        self._outcomes: dict[Reason, int] = {}
        self._is_open = False
        self.site = site
        self.pace = decide_pace(site, crawler)
        self.in_hand: dict[int, LeasedRow] = {}
        """Rows this worker has leased and not yet accounted for."""
        self.ended_as = RunEnd.FAILED
        self.is_ending = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        site = getattr(crawler.spider, "site", None)
        if site is None:
            raise NotConfigured("the spider has no site file")
        settings = crawler.settings
        store = Store(
            DataFolder.from_settings(settings),
            site.config.site,
            wait=settings.getfloat("LEDGER_WAIT"),
            lease_seconds=settings.getfloat("LEASE_SECONDS"),
            page_limit=site.config.collect.max_pages,
        )
        run = cls(crawler, site, store, WorkerPool(site.rules, page_limits(settings)))
        crawler.spider.run = run  # type: ignore[union-attr]
        for handler, signal in (
            (run._close, signals.engine_stopped),
            (run._note_reason, signals.spider_closed),
            (run._note_item_error, signals.item_error),
            (run._note_dropped_item, signals.item_dropped),
            (run._note_spider_error, signals.spider_error),
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
        return time.time()

    async def open(self, scheduler: "FrontierScheduler") -> None:
        """Open storage, and the cycle with its start URLs. A failure ends the run at once."""
        self._scheduler = scheduler
        self._watch = asyncio.get_running_loop().create_task(self._cut_stragglers())
        self._background(self._pool.prepare())
        loop = asyncio.get_running_loop()
        opening = RunOpening(
            site=self.site.config.site,
            owner=self._store.owner,
            site_hash=self.site.site_hash,
            authorization_hash=self.site.authorization_hash,
            rule_version=self.site.rules.version,
            cycle_max_age=parse_duration(self.site.config.access.cycle_max_age),
            seeds=seed_rows(self.site),
            versions=describe_versions(),
        )
        try:
            await self._store.open(opening, lambda: loop.call_soon_threadsafe(self._fail_storage))
        except StorageFailed as error:
            logger.error("storage failed: %s", error)
            self.end(RunEnd.STORAGE_FAILED)
            return
        except CrawlerError as error:
            logger.error("%s", error)
            self.end(RunEnd.FAILED)
            return
        self._is_open = True
        self.ended_as = RunEnd.STOPPED  # Until it closes, which a second signal does not wait for.
        settle_memory()
        info = self._store.info
        logger.info(
            "run %s of cycle %d (%s)",
            info.run,
            info.cycle_number,
            "new" if info.is_new_cycle else "continued",
        )

    # What middlewares and pipelines ask for.

    def keep(self, observation: Observation) -> None:
        self._observations[observation.snapshot.capture_id] = observation
        scope = observation.row.scope
        if scope in self._refused and observation.verdict.is_eligible:
            self._refused.discard(scope)
            self._background(self._store.forget_refusals(scope))

    def observation_of(self, snapshot: Snapshot) -> Observation:
        return self._observations[snapshot.capture_id]

    async def cooling_until(self, scope: str) -> float:
        until = self._cooling.get(scope, 0.0)
        if self._store.has_peers:
            until = max(until, await self._store.read_cooling(scope))
        return until

    async def cool(self, scope: str, until: float) -> None:
        self._cooling[scope] = max(until, self._cooling.get(scope, 0.0))
        if self._scheduler:
            self._scheduler.cool(scope)
        await self._store.cool(scope, until)

    async def refusals_in_a_row(self, scope: str) -> int:
        self._refused.add(scope)
        return await self._store.count_refusal(scope) - 1

    async def take_turn(self, scope: str) -> None:
        send_at = await self.reserve_turn(scope)
        await asyncio.sleep(max(0.0, send_at - self.now()))

    async def interpret(self, snapshot: Snapshot) -> PageReport:
        return await self._pool.interpret(snapshot)

    def admit_links(self, row: LeasedRow, report: PageReport) -> Sequence[NewRow]:
        if row.depth >= self.site.config.collect.max_depth:
            return ()
        today = datetime.fromtimestamp(self.now(), UTC).date()
        return [
            link_row(link, self.site, self._policy, depth=row.depth + 1, today=today)
            for link in report.links
        ]

    async def commit(self, commit: PageCommit) -> CommitResult | None:
        try:
            result = await self._store.commit(commit)
        except StorageFailed:
            return None
        finally:
            self._forget(commit)
        if not result.is_fenced:
            reason = commit.outcome.reason
            self._outcomes[reason] = self._outcomes.get(reason, 0) + 1
        self._notice(has_new_rows=result.admitted > 0)
        return result

    async def archive_auxiliary(self, capture: Capture) -> None:
        try:
            await self._store.archive_auxiliary(capture)
        except StorageFailed:
            return  # The writer has reported it; the run is ending.

    # What the scheduler asks for.

    def scope_of(self, url: str) -> str:
        return scope_of(url, self.site.config.access.scope)

    async def lease(self, want: int, in_flight: dict[str, int]) -> Lease:
        request = LeaseRequest(self.cycle, self._store.owner, want, self.pace, in_flight)
        lease = await self._store.lease(request)
        self.in_hand.update((row.id, row) for row in lease.rows)
        return lease

    @property
    def has_peers(self) -> bool:
        return self._store.has_peers

    async def reserve_turn(self, scope: str) -> float:
        """Return when one more request may be sent to *scope*, and keep that moment for it."""
        return await self._store.reserve_send(scope, self.pace)

    async def defer(self, deferral: Deferral) -> None:
        self.finish(deferral.row, deferral.token)
        await self._store.defer(deferral)

    async def release(self, rows: list[LeasedRow]) -> None:
        for row in rows:
            self.finish(row.id, row.token)
        await self._store.release(rows)

    async def redirect(
        self, request: Request, moved: LeasedRow, observation: Observation | None
    ) -> RedirectionResult:
        """Move a row on to the URL of *request*, the redirect's target."""
        return await self._store.redirect(
            Redirection(
                row=moved.id,
                token=moved.token,
                cycle=self.cycle,
                target_url=moved.url,
                target_fingerprint=fingerprint(request.method, request.url, request.body),
                target_scope=moved.scope,
                redirects=moved.redirects,
                spent_seconds=moved.spent_seconds,
                pace=self.pace,
                capture=_diagnostic(observation) if observation else None,
            )
        )

    def admit_request(self, request: Request) -> None:
        row = new_row(request, self.spider, self.scope_of(request.url), request.meta.get(DEPTH, 0))
        self._background(self._admit(row))

    async def _admit(self, row: NewRow) -> None:
        await self._store.admit([row])
        self._notice(has_new_rows=True)

    def finish(self, row: int, token: str) -> None:
        """Forget a row, unless it was lost and is leased to this worker once more."""
        held = self.in_hand.get(row)
        if held is not None and held.token == token:
            del self.in_hand[row]

    # How it ends.

    def end(self, end: RunEnd) -> None:
        """Close the spider for a reason of ours."""
        if not self.is_ending:
            self.is_ending = True
            self._wanted_end = end
            self.close_spider()

    def close_spider(self) -> None:
        """Do so once the engine runs: closed before that, Scrapy never ends."""
        engine = self._crawler.engine
        if self._wanted_end is None or self._closing or engine is None or not engine.running:
            return
        # Not in the background: ``_close`` runs inside of it and must not wait for it.
        closing = engine.close_spider_async(reason=self._wanted_end.value)
        self._closing = asyncio.get_running_loop().create_task(closing)

    def describe_end(self) -> str:
        return describe_end(self.site.config.site, self.ended_as, self._outcomes)

    def _fail_storage(self) -> None:
        """Called on the loop when the writer gave up: nothing more is sent or accepted."""
        logger.error("storage failed: %s", self._store.failure)
        self.end(RunEnd.STORAGE_FAILED)
        self._abort_transfers()

    async def _cut_stragglers(self) -> None:
        """Scrapy says when it has closed, not when it begins to; what hangs then is cut."""
        while not self._is_closing():  # noqa: ASYNC110 - Scrapy sets no event for it
            await asyncio.sleep(0.1)
        await asyncio.sleep(self._shutdown_wait)
        self._abort_transfers()

    def _is_closing(self) -> bool:
        slot = self._crawler.engine._slot if self._crawler.engine else None
        return slot is not None and slot.closing is not None

    def _abort_transfers(self) -> None:
        downloader: Any = self._crawler.engine.downloader if self._crawler.engine else None
        if downloader is not None:
            downloader.abort_transfers()

    def _note_reason(self, reason: str) -> None:
        self.is_ending = True
        self.ended_as = decide_end(reason, self._outcomes)

    async def _close(self) -> None:
        if self._watch:
            self._watch.cancel()
        await self._pool.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._is_open:
            self._is_open = False
            counters = {reason.value: count for reason, count in sorted(self._outcomes.items())}
            is_kept = await self._store.close(self.ended_as, counters)
            if not is_kept:
                self.ended_as = RunEnd.STORAGE_FAILED

    # What Scrapy reports of components that are not ours: a page never vanishes for their sake.

    def report_lost(self, row: LeasedRow) -> None:
        """End a row whose request is over without anything having been said of it."""
        self._end_as_bug(row, "the request ended without a report")

    def _note_item_error(self, item: Any, response: Any, failure: Failure) -> None:
        self._record_bug(response, item, failure)

    def _note_dropped_item(self, item: Any, response: Any, exception: Exception) -> None:
        self._record_bug(response, item, Failure(exception))

    def _note_spider_error(self, failure: Failure, response: Any) -> None:
        self._record_bug(response, None, failure)

    def _record_bug(self, response: Any, item: Any, failure: Failure) -> None:
        row = _row_of(response, item)
        if row is None or row.id not in self.in_hand:
            return
        detail = f"{type(failure.value).__name__}: {failure.value}"[:500]
        self._end_as_bug(row, detail, failure.getTraceback()[-8000:])

    def _end_as_bug(self, row: LeasedRow, detail: str, trace: str | None = None) -> None:
        observations = self._observations.values()
        observation = next((seen for seen in observations if seen.row.id == row.id), None)
        commit = PageCommit(
            row=row.id,
            token=row.token,
            cycle=self.cycle,
            run=self.run_id,
            site=self.site.config.site,
            source_id=self.site.config.source_id or self.site.config.site,
            outcome=Outcome(Reason.INTERNAL_ERROR, detail=detail),
            capture=_diagnostic(observation) if observation else None,
            url=row.url,
            attempts=row.attempts + 1,
            spent_seconds=row.spent_seconds,
            trace=trace,
        )
        self._stats.inc_value(f"outcome/{Reason.INTERNAL_ERROR}")
        self._background(self.commit(commit))

    def _background(self, work: Coroutine[Any, Any, object]) -> None:
        """Run *work* beside the crawl; ``_close`` waits for it."""
        task = asyncio.get_running_loop().create_task(_without_storage_error(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self, commit: PageCommit) -> None:
        self.finish(commit.row, commit.token)
        if commit.capture is not None:
            self._observations.pop(commit.capture.snapshot.capture_id, None)

    def _notice(self, *, has_new_rows: bool) -> None:
        if self._scheduler is not None:
            self._scheduler.notice(has_new_rows=has_new_rows)


async def _without_storage_error(work: Coroutine[Any, Any, object]) -> None:
    with suppress(StorageFailed):  # The writer has reported it; the run is ending.
        await work


def decide_pace(site: LoadedSite, crawler: Crawler) -> Pace:
    """The site file decides; a permitted private address is ours and needs no pause."""
    access, settings = site.config.access, crawler.settings
    delay = access.delay
    if delay is None:
        delay = 0.0 if access.permit_private else settings.getfloat("DOWNLOAD_DELAY")
    default = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    return Pace(delay, access.concurrency or default)


def _diagnostic(observation: Observation) -> Capture:
    return Capture(
        observation.snapshot,
        is_eligible=False,
        method=observation.method,
        request_headers=observation.request_headers,
    )


def _row_of(response: Any, item: Any) -> LeasedRow | None:
    request = getattr(response, "request", None) or getattr(response, "meta", None)
    meta = request.meta if isinstance(request, Request) else {}
    row = meta.get(ROW) or getattr(item, "row", None)
    return row if isinstance(row, LeasedRow) else None
