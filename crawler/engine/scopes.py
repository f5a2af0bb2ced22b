"""What this worker knows of the scopes it asks; what every worker must heed is in the ledger."""

import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from time import monotonic
from typing import Any

from scrapy.settings import BaseSettings

from crawler.admission.breaker import Breaker, Sign, note_sign, read_sign, trips
from crawler.admission.refusal import TransferAborted
from crawler.admission.tempo import Tempo, note_answer, note_refusal
from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import Lease, Pace
from crawler.contracts.outcome import Reason
from crawler.contracts.site.access import Access
from crawler.engine.patience import RETRY_PAUSE, Patience
from crawler.engine.refusals import Refusals
from crawler.engine.store import Store
from crawler.ledger.scopes import Trip

logger = logging.getLogger(__name__)

BURST = 1.0
"""Seconds after a refusal in which a request may have been sent that knew nothing of it."""


def decide_pace(access: Access, settings: BaseSettings) -> Pace:
    """The site file decides; a permitted private address is ours and needs no pause."""
    delay = access.delay
    if delay is None:
        delay = 0.0 if access.permit_private else settings.getfloat("DOWNLOAD_DELAY")
    default = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    return Pace(delay, access.concurrency or default)


class ScopeWatch:
    """Cool-downs, refusals in a row, tempo and breaker, by scope.

    *background* runs a coroutine beside the crawl, *on_cool* gives back what was leased of a scope,
    *on_failure* ends the run.
    """

    pace: Pace
    """As the site file says; a robots file may slow it down."""

    def __init__(
        self,
        store: Store,
        pace: Pace,
        *,
        refusals_allowed: int,
        first_trip: float,
        patience: float,
        background: Callable[[Coroutine[Any, Any, object]], object],
        on_failure: Callable[[StorageFailed], None],
    ) -> None:
        self._store = store
        self.pace = pace
        self._refusals_allowed, self._first_trip = refusals_allowed, first_trip
        self._background, self._on_failure = background, on_failure
        self.on_cool: Callable[[str], None] = lambda scope: None
        self.patience = Patience(patience + RETRY_PAUSE)
        self._cooling: dict[str, float] = {}
        self._refused: set[str] = set()
        self._refusals = Refusals(store)
        self._tempos: dict[str, Tempo] = {}
        self._slowed_at: dict[str, float] = {}
        self._breakers: dict[str, Breaker] = {}

    # Cool-downs.

    async def cooling_until(self, scope: str) -> float:
        """Return the epoch second until which nothing may be sent to *scope*, or 0."""
        until = self._cooling.get(scope, 0.0)
        if not self._store.has_peers:
            return until
        try:
            return max(until, await self._store.read_cooling(scope))
        except StorageFailed as error:
            self._on_failure(error)
            raise TransferAborted from error

    async def cool(self, scope: str, until: float, now: float) -> None:
        """Commit a cool-down at once; from the call on, this worker sends nothing to *scope*."""
        self._leave_alone(scope, until, now)
        await self._store.cool(scope, until)

    async def refusals_in_a_row(self, scope: str, sent_at: float) -> int:
        """Count one more refusal without a usable Retry-After; returns how many came before it.

        Of requests that were sent (on the monotonic clock) before one was refused, one counts.
        """
        self._refused.add(scope)
        return await self._refusals.count(scope, sent_at) - 1

    def _note_served(self, scope: str) -> None:
        self.patience.reset(scope)
        if scope in self._refused:
            self._refused.discard(scope)
            self._background(self._store.forgive(scope))

    def _leave_alone(self, scope: str, until: float, now: float) -> None:
        self._cooling[scope] = max(until, self._cooling.get(scope, 0.0))
        self.patience.add(scope, now, until)
        self.on_cool(scope)

    # Tempo.

    def pace_of(self, scope: str) -> Pace:
        return replace(self.pace, delay=self.delay_of(scope))

    def delay_of(self, scope: str) -> float:
        """Return the seconds between two requests to *scope*."""
        tempo = self._tempos.get(scope)
        return max(self.pace.delay, tempo.delay) if tempo else self.pace.delay

    @property
    def slowed(self) -> dict[str, float]:
        """Return the delays of scopes that are asked more slowly than the pace says."""
        return {scope: self.delay_of(scope) for scope, tempo in self._tempos.items() if tempo.delay}

    def note_answer(self, scope: str, latency: float) -> None:
        """*latency* is in seconds, from the request to the head of its answer."""
        self._change_tempo(scope, note_answer(self._tempo(scope), latency, self.pace.delay))

    def note_slow_down(self, scope: str, sent_at: float) -> None:
        """Note a 429, a 503 or a time-out; of the burst of the last one, nothing follows."""
        if sent_at > self._slowed_at.get(scope, -BURST) + BURST:
            self._slowed_at[scope] = monotonic()
            self._change_tempo(scope, note_refusal(self._tempo(scope), self.pace.delay))

    def _tempo(self, scope: str) -> Tempo:
        return self._tempos.get(scope) or Tempo()

    def _change_tempo(self, scope: str, tempo: Tempo) -> None:
        before = self._tempo(scope).delay
        self._tempos[scope] = tempo
        if tempo.delay > before and not before:
            logger.info("%s is slow or refuses: it is asked every %.2f s", scope, tempo.delay)

    # Breaker.

    def note_lease(self, lease: Lease) -> None:
        """Learn from the ledger which scopes have only refused so far."""
        for scope in lease.tripped:
            self._refused.add(scope)
            self._breakers[scope] = replace(self._breakers.get(scope, Breaker()), is_half_open=True)

    def note_end(self, scope: str, reason: Reason, detail: str, now: float) -> bool:
        """Note how a page ended, or will; returns whether that opened the scope's breaker."""
        sign = read_sign(reason)
        if sign is Sign.SERVED:
            self._note_served(scope)
        breaker = note_sign(self._breakers.get(scope, Breaker()), sign)
        is_open = self._cooling.get(scope, 0.0) > now
        if is_open or not trips(breaker, self._refusals_allowed):
            self._breakers[scope] = breaker
            return False
        self._breakers[scope] = Breaker(is_half_open=True)
        self._refused.add(scope)
        self._leave_alone(scope, now + self._first_trip, now)
        cause = describe_cause(breaker.refused, reason, detail)
        self._background(self._trip(Trip(scope, self._first_trip, cause), now))
        return True

    async def _trip(self, trip: Trip, now: float) -> None:
        until = await self._store.trip(trip)
        self._leave_alone(trip.scope, until, now)
        logger.warning("%s is left alone for %.0f s: %s", trip.scope, until - now, trip.cause)


def describe_cause(refused: int, reason: Reason, detail: str) -> str:
    """Return one line that says why a scope is left alone."""
    pages = "a page was" if refused == 1 else f"{refused} pages in a row were"
    return f"{pages} refused, the last as {reason} ({detail[:200]})"
