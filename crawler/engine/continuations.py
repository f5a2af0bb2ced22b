"""What becomes of a row whose request comes back: it is deferred, follows a redirect or is rendered."""

from dataclasses import replace

from scrapy import Request
from scrapy.crawler import Crawler

from crawler.contracts.frontier import Deferral, Escalation, LeasedRow
from crawler.contracts.item import Retained, diagnostic_capture
from crawler.contracts.meta import DEFERRAL, OBSERVATION, RETAINED, ROW
from crawler.engine.requests import as_admitted, build_request, continue_as, follow_redirect
from crawler.engine.row_tasks import RowTasks
from crawler.engine.run import Run
from crawler.engine.supply import Supply
from crawler.engine.waiting import Waiting

OVERDUE = 2
"""Delays after its planned moment at which a request needs a new one, unless it is alone."""


class Continuations:
    """Stats: ``scheduler/continued``, ``scheduler/deferred``."""

    def __init__(
        self, crawler: Crawler, run: Run, waiting: Waiting, supply: Supply, tasks: RowTasks
    ) -> None:
        self._stats = crawler.stats
        self._run = run
        self._frontier = run.frontier
        self._waiting = waiting
        self._supply = supply
        self._tasks = tasks

    def accept(self, request: Request, row: LeasedRow) -> None:
        """Go on with a row in hand whose request the middlewares sent back."""
        if isinstance(deferral := request.meta.pop(DEFERRAL, None), Deferral):
            self._stats.inc_value("scheduler/deferred")
            self._tasks.spawn(self._defer(deferral), row)
            return
        self._stats.inc_value("scheduler/continued")
        if self._frontier.leads_to_sign_in(request.url):
            self._waiting.sign_in.note(row.id)
            self._waiting.give_back_held_back()
        self._tasks.spawn(self._redirect(request, row), row)

    def render(self, row: LeasedRow, escalation: Escalation) -> None:
        """Queue the continuation of a page that goes on to be rendered.

        One whose response is at hand waits for no turn: what was begun is finished first.
        """
        access, spider = self._run.site.config.access, self._run.spider
        request = build_request(row, access, spider, self._run.headers)
        if escalation.is_retained:
            missing = "; ".join(escalation.decision.evidence)
            request.meta[RETAINED] = Retained(escalation.capture.snapshot, missing)
        self._stats.inc_value("scheduler/continued")
        self._push(request, row, 0.0 if escalation.is_retained else row.send_at)

    def postpone_overdue(self, request: Request, now: float) -> bool:
        """Plan a request anew whose moment is long past; tells whether it was.

        Another process may have planned one of its own for now, and cannot know of ours.
        """
        row: LeasedRow = request.meta[ROW]
        delay = self._frontier.scopes.delay_of(row.scope)
        is_late = delay > 0 and self._frontier.has_peers and now - row.send_at > OVERDUE * delay
        if is_late:
            self._tasks.spawn(self._take_turn(request, row))
        return is_late

    async def _take_turn(self, request: Request, row: LeasedRow) -> None:
        self._tasks.moving.add(row.id)
        try:
            send_at = await self._frontier.reserve_turn(row.scope)
        finally:
            self._tasks.moving.discard(row.id)
        row = replace(row, send_at=send_at)
        request.meta[ROW] = row
        self._push(request, row, send_at)

    async def _defer(self, deferral: Deferral) -> None:
        await self._frontier.defer(deferral)
        self._run.observations.drop(deferral.capture)
        self._supply.look_again()

    async def _redirect(self, request: Request, row: LeasedRow) -> None:
        observation = request.meta.pop(OBSERVATION, None)
        status, elapsed = 0, 0.0
        if observation:
            status, elapsed = observation.snapshot.status, observation.elapsed_seconds
        target = request.replace(url=as_admitted(request.url))
        moved = follow_redirect(target, status, self._frontier.scope_of(target.url), elapsed)
        result = await self._frontier.redirect(target, moved, observation, self._run.now())
        self._run.observations.drop(diagnostic_capture(observation) if observation else None)
        if result.is_fenced or result.is_seen:
            self._frontier.finish(row.id, row.token)
            self._run.notice(has_new_rows=False)
            return
        continue_as(target, moved, self._run.site.config.access)
        # Nothing else is sent before a decisive one, so it takes the turn that was planned next.
        is_decisive = self._waiting.sign_in.is_led(row.id)
        self._push(target, moved, row.send_at if is_decisive else result.send_at)

    def _push(self, request: Request, row: LeasedRow, send_at: float) -> None:
        self._frontier.in_hand[row.id] = row
        self._waiting.push(request, row, send_at)
        self._supply.wake()
