"""What the rows of a run are read as, and what their pages show of that."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from crawler.admission.rendering import (
    Remainder,
    decide_rendering,
    describe_need,
    is_rendered_at_once,
    read_shown,
)
from crawler.contracts.frontier import Escalation, LeasedRow
from crawler.contracts.item import Observation, diagnostic_capture
from crawler.contracts.need import Choice, PageNeed, RenderingNeed
from crawler.contracts.outcome import Reason
from crawler.contracts.page import PageReport
from crawler.contracts.retry import Action, RetryDecision
from crawler.contracts.rules import LoadedSite
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind, Representation
from crawler.interpretation.region import may_be_rendered


class PageRepresentations:
    """The site file decides, as it is in this run; where it says auto, the pages that came before."""

    def __init__(self, site: LoadedSite) -> None:
        self._site = site
        self._wanted = site.config.access.representation
        self._needs: dict[PageKind, RenderingNeed] = {}

    def note(self, needs: Mapping[PageKind, RenderingNeed]) -> None:
        self._needs.update(needs)

    def choose(self, row: LeasedRow) -> Choice:
        if row.representation.is_data:
            return Choice(row.representation)
        wanted = self._wanted.of(row.page_kind)
        if isinstance(wanted, Representation):
            return Choice(wanted)
        if row.representation is not Representation.HTML:
            return Choice(Representation.RENDERED_DOM)
        need = self._needs.get(row.page_kind)
        if need is None or not is_rendered_at_once(need, self._site.site_hash):
            return Choice(Representation.HTML)
        return Choice(Representation.RENDERED_DOM, (f"rendered at once: {describe_need(need)}",))

    def decide(
        self, observation: Observation, report: PageReport, can_retain: Callable[[int], bool]
    ) -> tuple[RetryDecision | None, Escalation | None]:
        """Return whether a page is shown to a browser now that it was read, and how it goes on then.

        *can_retain* is asked about no page that is whole: it looks at everything that is kept.
        """
        is_lacking = report.verdict.reason is Reason.INCOMPLETE_SNAPSHOT
        if not is_lacking or not may_be_rendered(observation.snapshot, self._site.rules):
            return None, None
        is_retained = can_retain(len(observation.snapshot.body))
        row, budget = observation.row, self._site.config.access.budget
        left = Remainder(
            attempts=max(0, budget.attempts - row.attempts - 1),
            seconds=max(0.0, budget.seconds - row.spent_seconds - observation.elapsed_seconds),
            is_retained=is_retained,
        )
        decision = decide_rendering(report.verdict, left)
        if decision is None or decision.action is not Action.RENDER:
            return decision, None
        return decision, _escalate(observation, report, decision, is_retained=is_retained)

    def need_of(self, observation: Observation, report: PageReport) -> PageNeed | None:
        """Return what a page showed of its kind, where that is an open question."""
        row = observation.row
        if row.representation.is_data or self._wanted.of(row.page_kind) != AUTO:
            return None
        shown = read_shown(
            observation.snapshot,
            report,
            missing=observation.missing,
            is_at_once=row.representation is Representation.HTML,
        )
        if shown is None:
            return None
        return PageNeed(row.page_kind, shown, self._site.site_hash, observation.missing)


def _escalate(
    observation: Observation, report: PageReport, decision: RetryDecision, *, is_retained: bool
) -> Escalation:
    row = observation.row
    return Escalation(
        row=replace(
            row,
            representation=Representation.RENDERED_DOM,
            attempts=row.attempts + (0 if is_retained else 1),
            spent_seconds=row.spent_seconds + observation.elapsed_seconds,
        ),
        kind=report.verdict.kind,
        capture=diagnostic_capture(observation),
        decision=decision,
        is_retained=is_retained,
    )
