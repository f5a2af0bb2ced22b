"""The part of the frontier that this worker holds."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from scrapy import Request, Spider

from crawler.admission.decision import admission_policy, decide_admission
from crawler.admission.fingerprint import page_fingerprint
from crawler.admission.scope import scope_of
from crawler.classification.login import is_sign_in_address
from crawler.contracts.bound import Bound, LeftOut
from crawler.contracts.frontier import (
    Deferral,
    Lease,
    LeasedRow,
    LeaseRequest,
    Redirection,
    RedirectionResult,
)
from crawler.contracts.item import Observation, diagnostic_capture
from crawler.contracts.meta import DEPTH
from crawler.contracts.rules import LoadedSite
from crawler.engine.requests import new_row
from crawler.engine.scopes import ScopeWatch
from crawler.engine.store import Store


class Frontier:
    """Every coroutine raises StorageFailed once the ledger cannot be written any more."""

    def __init__(self, store: Store, site: LoadedSite, scopes: ScopeWatch) -> None:
        self._store = store
        self._site = site
        self._policy = admission_policy(site.config)
        self.scopes = scopes
        self.in_hand: dict[int, LeasedRow] = {}
        """Rows this worker has leased and not yet accounted for."""

    @property
    def has_peers(self) -> bool:
        return self._store.has_peers

    def scope_of(self, url: str) -> str:
        return scope_of(url, self._site.config.access.scope)

    async def lease(self, want: int, in_flight: dict[str, int]) -> Lease:
        cycle, owner = self._store.info.cycle, self._store.owner
        lease = await self._store.lease(
            LeaseRequest(cycle, owner, want, self.scopes.pace, in_flight, self.scopes.slowed)
        )
        self.scopes.note_lease(lease)
        self.in_hand.update((row.id, row) for row in lease.rows)
        return lease

    async def reserve_turn(self, scope: str, within: float = math.inf) -> float:
        """Return when one more request may be sent to *scope*, and keep that moment for it.

        A moment further away than *within* seconds is not kept.
        """
        return await self._store.reserve_send(scope, self.scopes.pace_of(scope), within)

    async def defer(self, deferral: Deferral) -> None:
        await self._store.defer(deferral)
        self.finish(deferral.row, deferral.token)

    async def release(self, rows: Sequence[LeasedRow]) -> None:
        await self._store.release(rows)
        for row in rows:
            self.finish(row.id, row.token)

    async def redirect(
        self, request: Request, moved: LeasedRow, observation: Observation | None, now: float
    ) -> RedirectionResult:
        """Move a row on to the URL of *request*, the redirect's target."""
        today = datetime.fromtimestamp(now, UTC).date()
        return await self._store.redirect(
            Redirection(
                row=moved.id,
                token=moved.token,
                cycle=self._store.info.cycle,
                target_url=moved.url,
                target_fingerprint=page_fingerprint(
                    request.url, self._site, request.method, request.body
                ),
                target_scope=moved.scope,
                redirects=moved.redirects,
                spent_seconds=moved.spent_seconds,
                pace=self.scopes.pace_of(moved.scope),
                capture=diagnostic_capture(observation) if observation else None,
                method=moved.method,
                body=moved.body,
                headers=moved.headers,
                may_be_shared=self.leads_to_sign_in(moved.url),
                is_admitted=decide_admission(moved.url, self._policy, today=today) is None,
            )
        )

    def leads_to_sign_in(self, url: str) -> bool:
        """Every page of a session that has ended leads there, and none is known by it."""
        return self._site.config.access.session is not None and is_sign_in_address(url)

    async def admit(self, request: Request, spider: Spider) -> LeftOut:
        """Admit a request that a hand-written spider yielded; returns the bound that it is beyond.

        Raises UnstorableRequest.
        """
        depth = request.meta.get(DEPTH, 0)
        row = new_row(request, spider, self.scope_of(request.url), depth)
        if depth > self._site.config.collect.max_depth:
            admission = await self._store.admit((), {Bound.MAX_DEPTH: 1})
        else:
            admission = await self._store.admit((row,))
        return admission.left_out

    def finish(self, row: int, token: str) -> None:
        """Forget a row, unless it was lost and is leased to this worker once more."""
        held = self.in_hand.get(row)
        if held is not None and held.token == token:
            del self.in_hand[row]
