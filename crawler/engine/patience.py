"""How long a run goes on waiting for servers that only ever ask it to wait."""

from collections.abc import Collection

RETRY_PAUSE = 1.5
"""Seconds: a wait this short is the pause before a retry, and no reason to end a run."""


class Patience:
    """Adds up the cool-downs of each scope since one of its pages was last answered as a page."""

    def __init__(self, longest: float) -> None:
        self.longest = longest
        """Seconds."""
        self._waited: dict[str, float] = {}
        self._until: dict[str, float] = {}

    def add(self, scope: str, now: float, until: float) -> None:
        """Count a cool-down, as far as it goes beyond one that is counted already."""
        start = max(now, self._until.get(scope, 0.0))
        if until > start:
            self._waited[scope] = self._waited.get(scope, 0.0) + until - start
            self._until[scope] = until

    def reset(self, scope: str) -> None:
        self._waited.pop(scope, None)

    def is_over(self, pending: Collection[str], now: float, next_due: float) -> bool:
        """Tell whether all that is left to wait for has been waited for long enough.

        *pending* are scopes that wait for their pace; *next_due* is when anything is due at all.
        """
        spent = {scope for scope, waited in self._waited.items() if waited > self.longest}
        if not spent or next_due < min(self._until[scope] for scope in spent):
            return False
        cooling = {scope for scope, until in self._until.items() if until > now}
        return spent.issuperset(cooling.union(pending))
