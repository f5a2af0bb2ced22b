"""How many rows may be given out now, and to whom. Pure: numbers in, numbers out."""

import math
from dataclasses import dataclass

HORIZON = 1.0
"""Seconds ahead of now for which a worker may hold send times: a dead one wastes no more."""


@dataclass(frozen=True, slots=True)
class Sends:
    at: tuple[float, ...]
    next_at: float
    """When the scope may be asked after the last of them."""


def plan_sends(*, now: float, next_at: float, delay: float, want: int) -> Sends:
    """Give up to *want* send times to a scope that may be asked from *next_at* on."""
    start = max(now, next_at)
    if want <= 0 or start >= now + HORIZON:
        return Sends((), next_at)
    if delay <= 0:
        return Sends((start,) * want, next_at)
    in_horizon = math.ceil((now + HORIZON - start) / delay)
    count = min(want, in_horizon, max(1, math.floor(1 / delay)))
    return Sends(tuple(start + k * delay for k in range(count)), start + count * delay)


@dataclass(frozen=True, slots=True)
class Share:
    """An owner's part of a scope's concurrency, and the concurrency it was told."""

    slots: int
    ceiling: int


def find_part(ceiling: int, others: tuple[Share, ...]) -> int:
    """Return an owner's equal part: from now on it sends no more than that at once.

    A busy owner would otherwise have all its slots in transfer whenever it is asked to give some up.
    """
    return max(1, _find_limit(ceiling, others) // (len(others) + 1))


def _find_limit(ceiling: int, others: tuple[Share, ...]) -> int:
    return min([ceiling, *(share.ceiling for share in others)])


def grant_slots(
    *, mine: Share | None, in_flight: int, ceiling: int, others: tuple[Share, ...]
) -> int:
    """Return this owner's slots, so that all owners together never exceed the concurrency.

    A share grows only into what the others do not hold, and shrinks no lower than the requests
    that are already in transfer. Owners told different limits all keep to the lowest.
    """
    limit = _find_limit(ceiling, others)
    target = find_part(ceiling, others)
    held = mine.slots if mine else 0
    if held > target:
        return max(target, min(held, in_flight))
    free = limit - sum(share.slots for share in others)
    return max(held, min(target, free))
