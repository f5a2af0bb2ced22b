"""The life of one run: opens ledger and archive before anything else, closes them after all else."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError, NotConfigured

from crawler.admission.decision import admission_policy
from crawler.admission.refusal import TransferAborted
from crawler.contracts.errors import (
    CrawlerError,
    SessionBusy,
    SessionExpired,
    StorageFailed,
)
from crawler.contracts.frontier import (
    CommitResult,
    Escalation,
    LeasedRow,
    Offer,
    PageCommit,
    RunEnd,
    RunOpening,
)
from crawler.contracts.item import Observation, diagnostic_capture
from crawler.contracts.need import Choice, PageNeed
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.page import PageReport
from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.retry import RetryDecision
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import Session
from crawler.contracts.site.section import parse_duration
from crawler.contracts.snapshot import Capture, Snapshot
from crawler.engine.browser import Browser
from crawler.engine.closing import Closing
from crawler.engine.consulting import Consulting, open_inquirer
from crawler.engine.data import DataFolder
from crawler.engine.frontier import Frontier
from crawler.engine.limits import page_limits
from crawler.engine.logformat import mask_logs
from crawler.engine.mishaps import Mishaps, without_content
from crawler.engine.representation import PageRepresentations
from crawler.engine.requests import default_headers, offer_links, seed_rows
from crawler.engine.run_tally import RunTally
from crawler.engine.scopes import ScopeWatch, decide_pace
from crawler.engine.session import describe_expiry
from crawler.engine.store import Store
from crawler.engine.versions import describe_versions
from crawler.interpretation.interpreter import Interpreter, make_interpreter
from crawler.interpretation.memory import settle_memory

if TYPE_CHECKING:
    from crawler.engine.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

UNANSWERED = frozenset({Reason.ATTEMPTS_EXHAUSTED, Reason.TIMEOUT_EXHAUSTED})
"""Known only once nothing is tried again; all other ends are told by what came back."""


class Run:
    """Extension. Settings: DATA_DIR, LEDGER_URL, LEDGER_WAIT, LEASE_SECONDS, PAGE_WORKERS,
    PAGE_TIMEOUT, PAGE_MEMORY, SHUTDOWN_WAIT, BREAKER_REFUSALS, BREAKER_COOL_DOWN, DEFERRAL_MAX_WAIT.
    Stats: ``breaker/opened``, ``rendering/escalated``, ``rendering/need/<shown>``.
    Is ``spider.run``, a ``contracts.ports.CrawlRun``.
    """

    def __init__(self, crawler: Crawler, site: LoadedSite, store: Store, pool: Interpreter) -> None:
        self._crawler = crawler
        self._stats = crawler.stats
        self._store = store
        self._pool = pool
        self._policy = admission_policy(site.config)
        self._scheduler: FrontierScheduler | None = None
        self._observations: dict[str, Observation] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.headers = default_headers(crawler.settings)
        self._browser = Browser(crawler, site.config, self.headers)
        wait = crawler.settings.getfloat("SHUTDOWN_WAIT")
        inquirer = open_inquirer(site.rules.model, store, crawler.settings, crawler.stats)
        self._consulting = Consulting(pool, inquirer)
        self._closing = Closing(crawler, wait, self._abort_work)
        self.tally = RunTally(crawler.stats)
        self._is_open = False
        self.site = site
        self.session: Session | None = getattr(crawler.spider, "session", None)
        self.is_session_over = False
        self.scopes = ScopeWatch(
            store,
            decide_pace(site.config.access, crawler.settings),
            refusals_allowed=crawler.settings.getint("BREAKER_REFUSALS"),
            first_trip=crawler.settings.getfloat("BREAKER_COOL_DOWN"),
            patience=crawler.settings.getfloat("DEFERRAL_MAX_WAIT"),
            background=self._background,
            on_failure=self._fail_storage,
        )
        self.frontier = Frontier(store, site, self.scopes)
        self._representations = PageRepresentations(site)
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
        crawler.spider.run = run  # type: ignore[union-attr]
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
        self._scheduler = scheduler
        self._closing.watch()
        loop = asyncio.get_running_loop()
        try:
            await self._store.open(
                self._describe_opening(),
                lambda error: loop.call_soon_threadsafe(self._fail_storage, error),
            )
        except StorageFailed as error:
            logger.error("storage failed: %s", error)
            self.end(RunEnd.STORAGE_FAILED)
        except SessionExpired:
            self._end_session()
        except CrawlerError as error:
            logger.error("%s", error)
            self.end(RunEnd.SESSION_BUSY if isinstance(error, SessionBusy) else RunEnd.FAILED)
        else:
            self._begin()

    def _describe_opening(self) -> RunOpening:
        return RunOpening(
            site=self.site.config.site,
            owner=self._store.owner,
            site_hash=self.site.site_hash,
            authorization_hash=self.site.authorization_hash,
            rule_version=self.site.rules.version,
            cycle_max_age=parse_duration(self.site.config.access.cycle_max_age),
            seeds=seed_rows(self.site),
            versions=describe_versions(),
            session=self.session.use if self.session else None,
        )

    def _begin(self) -> None:
        self._is_open = True
        self._background(self._pool.prepare())
        self.ended_as = RunEnd.STOPPED  # Until it closes, which a second signal does not wait for.
        settle_memory()
        info = self._store.info
        self._representations.note(info.needs)
        logger.info(
            "run %s of cycle %d (%s)",
            info.run,
            info.cycle_number,
            "new" if info.is_new_cycle else "continued",
        )

    # What middlewares and pipelines ask for.

    def keep(self, observation: Observation) -> None:
        self._observations[observation.snapshot.capture_id] = observation
        verdict = observation.verdict
        if verdict.reason is Reason.SESSION_EXPIRED:
            self._end_session()
        if verdict.reason not in UNANSWERED:
            self._note_end(observation.row.scope, verdict.reason, "; ".join(verdict.evidence))

    def observation_of(self, snapshot: Snapshot) -> Observation:
        return self._observations[snapshot.capture_id]

    async def take_turn(self, scope: str, within: float) -> float | None:
        send_at = await self.frontier.reserve_turn(scope, within)
        wait = send_at - self.now()
        if wait > within:
            return send_at
        await self._closing.pause(wait)
        return None

    async def count_retries(self) -> int:
        return await self._store.count_retries()

    async def render(self, document: Document) -> Rendering:
        try:
            return await self._browser.render(document)
        except TransferAborted:
            raise
        except DownloadFailedError as error:
            if self.is_ending:  # A signal to the process group ends the browser, too.
                raise TransferAborted from error
            raise
        except CrawlerError as error:
            logger.error("nothing can be rendered: %s", error)
            self.end(RunEnd.FAILED)
            raise TransferAborted from error

    def choose_representation(self, row: LeasedRow) -> Choice:
        return self._representations.choose(row)

    async def interpret(self, snapshot: Snapshot) -> PageReport:
        return await self._consulting.interpret(snapshot)

    def decide_rendering(
        self, observation: Observation, report: PageReport
    ) -> tuple[RetryDecision | None, Escalation | None]:
        assert self._scheduler is not None  # It opened this run, and gave out the page.
        return self._representations.decide(observation, report, self._scheduler.can_retain)

    def need_of(self, observation: Observation, report: PageReport) -> PageNeed | None:
        return self._representations.need_of(observation, report)

    async def escalate(self, escalation: Escalation) -> None:
        row = escalation.row
        try:
            lease_until = await self._store.escalate(escalation)
            turn = 0.0 if escalation.is_retained else await self.frontier.reserve_turn(row.scope)
        except StorageFailed:
            lease_until = None  # The writer has reported it; the run is ending.
        self.drop_observation(escalation.capture)
        if lease_until is None or self._scheduler is None:
            self.frontier.finish(row.id, row.token)
            self._notice(has_new_rows=False)
            return
        self._stats.inc_value("rendering/escalated")
        send_at = max(turn, self.now())
        row = replace(row, lease_until=lease_until, send_at=send_at)
        self._scheduler.render(row, escalation)

    def offer_links(self, row: LeasedRow, report: PageReport) -> Offer:
        return offer_links(row, report, self.site, self._policy, now=self.now())

    def commit_of(
        self, row: LeasedRow, outcome: Outcome, observation: Observation | None, *, is_sent: bool
    ) -> PageCommit:
        return PageCommit(
            row=row.id,
            token=row.token,
            cycle=self.cycle,
            run=self.run_id,
            site=self.site.config.site,
            source_id=self.site.config.source,
            outcome=outcome,
            capture=diagnostic_capture(observation) if observation else None,
            url=observation.snapshot.final_url if observation else row.url,
            attempts=row.attempts + is_sent,
            spent_seconds=row.spent_seconds + (observation.elapsed_seconds if observation else 0.0),
            session=self.session.use if self.session else None,
        )

    async def commit(self, commit: PageCommit) -> CommitResult | None:
        if commit.outcome.reason is Reason.SESSION_EXPIRED:
            self._end_session()
        row = self.frontier.in_hand.get(commit.row)
        if row is not None and commit.outcome.reason in UNANSWERED:
            self._note_end(row.scope, commit.outcome.reason, commit.outcome.detail)
        try:
            result = await self._store.commit(commit)
        except StorageFailed:
            self._forget(commit)
            return None
        except Exception as error:  # noqa: BLE001 - a bug of ours: the page ends without what it led to
            return await self._commit_bare(commit, error)
        self._forget(commit)
        if not result.is_fenced:
            self.tally.note_page(commit.outcome.reason, result)
            if commit.need is not None:
                self._stats.inc_value(f"rendering/need/{commit.need.shown}")
        self._representations.note(result.needs)
        self._notice(has_new_rows=result.admitted > 0)
        return result

    def _note_end(self, scope: str, reason: Reason, detail: str) -> None:
        if self.scopes.note_end(scope, reason, detail, self.now()):
            self._stats.inc_value("breaker/opened")

    async def _commit_bare(self, commit: PageCommit, error: Exception) -> CommitResult | None:
        """End a page whose commit was refused; a run that cannot do even that has failed."""
        logger.error("%s could not be committed", commit.url, exc_info=error)
        self._forget(commit)
        if commit.capture is None and commit.report is None:
            self.end(RunEnd.FAILED)
            return None
        self._stats.inc_value(f"outcome/{Reason.INTERNAL_ERROR}")
        return await self.commit(without_content(commit, error))

    async def archive_auxiliary(self, capture: Capture) -> None:
        try:
            await self._store.archive_auxiliary(capture)
        except StorageFailed:
            return  # The writer has reported it; the run is ending.

    # How it ends.

    def end(self, end: RunEnd) -> None:
        """Close the spider for a reason of ours."""
        self._closing.begin(end)

    def _end_session(self) -> None:
        """Send nothing more with it. What is in transfer comes back and is judged as ever."""
        if self.session is not None and not self.is_session_over:
            self.is_session_over = True
            logger.error("%s", describe_expiry(self.site.config.site, self.session))
            self.end(RunEnd.SESSION_EXPIRED)

    async def keep_session(self) -> None:
        try:
            if not self.is_session_over:
                return await self._store.keep_session()
        except StorageFailed as error:
            self._fail_storage(error)
        except SessionBusy as error:
            self.is_session_over = True
            logger.error("%s", error)
            self.end(RunEnd.SESSION_BUSY)
            self._closing.abort_transfers()
        raise TransferAborted

    @property
    def is_ending(self) -> bool:
        return self._closing.has_begun

    def proceed_closing(self) -> None:
        self._closing.proceed()

    def describe_end(self) -> str:
        return self.tally.describe_end(self.site.config.site, self.ended_as)

    def _fail_storage(self, error: StorageFailed) -> None:
        """Ledger or archive gave up: nothing more is sent or accepted."""
        logger.error("storage failed: %s", error)
        self.end(RunEnd.STORAGE_FAILED)
        self._closing.abort_transfers()

    def _abort_work(self) -> None:
        self._browser.abort_all()
        self._consulting.stop()

    def _note_reason(self, reason: str) -> None:
        self.ended_as = self.tally.decide_end(reason)

    async def _close(self) -> None:
        self._closing.stop_watching()
        await self._browser.close()
        await self._consulting.close()
        await self._pool.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._is_open:
            self._is_open = False
            counters = self.tally.counters | self._describe_isolation()
            collections = await self._store.close(self.ended_as, counters)
            if collections is None:
                self.ended_as = RunEnd.STORAGE_FAILED
            self.tally.note_collections(collections or ())

    def _describe_isolation(self) -> dict[str, str]:
        said: dict[str, str] = {}
        if self._pool.network is not None:
            said["page_worker_network"] = self._pool.network
        if self._browser.is_sandboxed is not None:
            said["browser_sandbox"] = "on" if self._browser.is_sandboxed else "off"
        return said

    def find_observation(self, row: int) -> Observation | None:
        """Return what came back last for a row and is not filed yet, where anything did."""
        newest_first = reversed(self._observations.values())
        return next((seen for seen in newest_first if seen.row.id == row), None)

    def drop_observation(self, capture: Capture | None) -> None:
        """Forget a response that has been filed with a deferral or a redirect."""
        if capture is not None:
            self._observations.pop(capture.snapshot.capture_id, None)

    def commit_later(self, commit: PageCommit) -> None:
        self._background(self.commit(commit))

    def _background(self, work: Coroutine[Any, Any, object]) -> None:
        """Run *work* beside the crawl; ``_close`` waits for it."""
        task = asyncio.get_running_loop().create_task(self._guard(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guard(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except StorageFailed:
            return  # The writer has reported it; the run is ending.
        except Exception:
            logger.exception("a bug beside the crawl ends the run")
            self.end(RunEnd.FAILED)

    def _forget(self, commit: PageCommit) -> None:
        self.frontier.finish(commit.row, commit.token)
        self.drop_observation(commit.capture)

    def _notice(self, *, has_new_rows: bool) -> None:
        if self._scheduler is not None:
            self._scheduler.notice(has_new_rows=has_new_rows)
