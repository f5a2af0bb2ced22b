"""What middlewares, spider and pipelines may ask of a run: ``spider.run``."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from crawler.admission.decision import admission_policy
from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import CommitResult, Escalation, LeasedRow, Offer, PageCommit
from crawler.contracts.item import Observation
from crawler.contracts.need import Choice, PageNeed
from crawler.contracts.outcome import Outcome
from crawler.contracts.page import PageReport
from crawler.contracts.ports import ScopeAccess
from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.retry import RetryDecision
from crawler.contracts.snapshot import Capture, Snapshot
from crawler.engine.requests import offer_links
from crawler.engine.store import Store

if TYPE_CHECKING:
    from crawler.engine.run import Run


class RunService:
    """A ``contracts.ports.CrawlRun``."""

    def __init__(self, run: "Run", store: Store) -> None:
        self._run = run
        self._store = store
        self._policy = admission_policy(run.site.config)
        self.site = run.site
        self.scopes: ScopeAccess = run.scopes
        self.headers: Mapping[str, str] = run.headers
        self.session = run.session

    @property
    def run_id(self) -> str:
        return self._run.run_id

    @property
    def cycle(self) -> int:
        return self._run.cycle

    def now(self) -> float:
        return self._run.now()

    def keep(self, observation: Observation) -> None:
        self._run.observations.keep(observation)
        self._run.ends.foresee(observation)

    def observation_of(self, snapshot: Snapshot) -> Observation:
        return self._run.observations.of(snapshot)

    async def take_turn(self, scope: str, within: float) -> float | None:
        send_at = await self._run.frontier.reserve_turn(scope, within)
        wait = send_at - self._run.now()
        if wait > within:
            return send_at
        await self._run.closing.pause(wait)
        return None

    async def count_retries(self) -> int:
        return await self._store.count_retries()

    async def render(self, document: Document) -> Rendering:
        return await self._run.rendering.render(document)

    def choose_representation(self, row: LeasedRow) -> Choice:
        return self._run.representations.choose(row)

    async def interpret(self, snapshot: Snapshot) -> PageReport:
        return await self._run.consulting.interpret(snapshot)

    def decide_rendering(
        self, observation: Observation, report: PageReport
    ) -> tuple[RetryDecision | None, Escalation | None]:
        return self._run.representations.decide(observation, report, self._run.scheduler.can_retain)

    def need_of(self, observation: Observation, report: PageReport) -> PageNeed | None:
        return self._run.representations.need_of(observation, report)

    async def escalate(self, escalation: Escalation) -> None:
        await self._run.rendering.escalate(escalation)

    def offer_links(self, row: LeasedRow, report: PageReport) -> Offer:
        return offer_links(row, report, self.site, self._policy, now=self._run.now())

    def commit_of(
        self, row: LeasedRow, outcome: Outcome, observation: Observation | None, *, is_sent: bool
    ) -> PageCommit:
        return self._run.ends.describe(row, outcome, observation, is_sent=is_sent)

    async def commit(self, commit: PageCommit) -> CommitResult | None:
        return await self._run.ends.commit(commit)

    async def keep_session(self) -> None:
        await self._run.session_use.keep()

    async def archive_auxiliary(self, capture: Capture) -> None:
        try:
            await self._store.archive_auxiliary(capture)
        except StorageFailed:
            return  # The writer has reported it; the run is ending.
