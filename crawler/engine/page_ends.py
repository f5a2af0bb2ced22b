"""How pages end: everything that one led to is committed, and the run takes note of it."""

import logging
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler

from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import CommitResult, LeasedRow, PageCommit, RunEnd
from crawler.contracts.item import Observation, diagnostic_capture
from crawler.contracts.outcome import Outcome, Reason
from crawler.engine.mishaps import without_content
from crawler.engine.representation import PageRepresentations
from crawler.engine.store import Store

if TYPE_CHECKING:
    from crawler.engine.run import Run

logger = logging.getLogger(__name__)

UNANSWERED = frozenset({Reason.ATTEMPTS_EXHAUSTED, Reason.TIMEOUT_EXHAUSTED})
"""Known only once nothing is tried again; all other ends are told by what came back."""


class PageEnds:
    """Stats: ``breaker/opened``, ``rendering/need/<shown>``."""

    def __init__(
        self, crawler: Crawler, run: "Run", store: Store, representations: PageRepresentations
    ) -> None:
        self._stats = crawler.stats
        self._run = run
        self._store = store
        self._representations = representations

    def foresee(self, observation: Observation) -> None:
        """Take note of how a page ends by what came back, long before it is committed."""
        verdict = observation.verdict
        if verdict.reason is Reason.SESSION_EXPIRED:
            self._run.session_use.end()
        if verdict.reason not in UNANSWERED:
            self._note_end(observation.row.scope, verdict.reason, "; ".join(verdict.evidence))

    def describe(
        self, row: LeasedRow, outcome: Outcome, observation: Observation | None, *, is_sent: bool
    ) -> PageCommit:
        site, session = self._run.site.config, self._run.session
        return PageCommit(
            row=row.id,
            token=row.token,
            cycle=self._run.cycle,
            run=self._run.run_id,
            site=site.site,
            source_id=site.source,
            outcome=outcome,
            capture=diagnostic_capture(observation) if observation else None,
            url=observation.snapshot.final_url if observation else row.url,
            attempts=row.attempts + is_sent,
            spent_seconds=row.spent_seconds + (observation.elapsed_seconds if observation else 0.0),
            session=session.use if session else None,
        )

    async def commit(self, commit: PageCommit) -> CommitResult | None:
        self._note_unanswered(commit)
        try:
            result = await self._store.commit(commit)
        except StorageFailed:
            self._forget(commit)
            return None
        except Exception as error:  # noqa: BLE001 - a bug of ours: the page ends without what it led to
            return await self._commit_bare(commit, error)
        self._forget(commit)
        if not result.is_fenced:
            self._run.tally.note_page(commit.outcome.reason, result)
            if commit.need is not None:
                self._stats.inc_value(f"rendering/need/{commit.need.shown}")
        self._representations.note(result.needs)
        self._run.notice(has_new_rows=result.admitted > 0)
        return result

    def _note_unanswered(self, commit: PageCommit) -> None:
        outcome = commit.outcome
        if outcome.reason is Reason.SESSION_EXPIRED:
            self._run.session_use.end()
        row = self._run.frontier.in_hand.get(commit.row)
        if row is not None and outcome.reason in UNANSWERED:
            self._note_end(row.scope, outcome.reason, outcome.detail)

    async def _commit_bare(self, commit: PageCommit, error: Exception) -> CommitResult | None:
        """End a page whose commit was refused; a run that cannot do even that has failed."""
        logger.error("%s could not be committed", commit.url, exc_info=error)
        self._forget(commit)
        if commit.capture is None and commit.report is None:
            self._run.end(RunEnd.FAILED)
            return None
        self._stats.inc_value(f"outcome/{Reason.INTERNAL_ERROR}")
        return await self.commit(without_content(commit, error))

    def _note_end(self, scope: str, reason: Reason, detail: str) -> None:
        if self._run.scopes.note_end(scope, reason, detail, self._run.now()):
            self._stats.inc_value("breaker/opened")

    def _forget(self, commit: PageCommit) -> None:
        self._run.frontier.finish(commit.row, commit.token)
        self._run.observations.drop(commit.capture)
