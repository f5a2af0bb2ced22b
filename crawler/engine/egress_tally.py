"""What became of the browser's connections: counted, and the reason of each refusal kept."""

from collections import Counter, OrderedDict

from crawler.admission.egress import EgressRefusal, Target
from crawler.engine.egress_connection import Cut, Refused

REMEMBERED = 1_000
"""Refused targets of which the reason is kept."""


class Tally:
    """Written on the proxy's thread, read on any."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._counts: Counter[str] = Counter()
        self._refusals: OrderedDict[str, EgressRefusal] = OrderedDict()

    @property
    def counts(self) -> dict[str, int]:
        return dict(self._counts) | {"bytes": self._bytes}

    def find_refusal(self, target: Target) -> EgressRefusal | None:
        return self._refusals.get(target.authority)

    def count(self, event: str) -> None:
        self._counts[event] += 1

    @property
    def is_exhausted(self) -> bool:
        return self._bytes > self._max_bytes

    def take(self, size: int) -> None:
        self._bytes += size
        if self.is_exhausted:
            raise Cut(EgressRefusal.TOO_MUCH)

    def note_connected(self, target: Target) -> None:
        self.count("connected")
        self._refusals.pop(target.authority, None)

    def note_refused(self, refused: Refused) -> None:
        self.count(f"refused/{refused.refusal}")
        if refused.target is None:
            return
        self._refusals[refused.target.authority] = refused.refusal
        if len(self._refusals) > REMEMBERED:
            self._refusals.popitem(last=False)
