"""When a scope that only refuses is left alone, and for how long."""

from dataclasses import dataclass
from enum import Enum

from crawler.contracts.outcome import Reason

LONGEST = 86_400.0
"""Seconds: a scope is looked at once a day at least."""


class Sign(Enum):
    """What the end of one page says of its scope."""

    REFUSED = "refused"
    SERVED = "served"
    NOTHING = "nothing"


_SIGNS = {
    Reason.CHALLENGE_REVIEW: Sign.REFUSED,
    Reason.AUTHORIZATION_REVIEW: Sign.REFUSED,
    Reason.ATTEMPTS_EXHAUSTED: Sign.REFUSED,
    Reason.TIMEOUT_EXHAUSTED: Sign.REFUSED,
    Reason.SESSION_EXPIRED: Sign.NOTHING,  # ends the run; the scope will serve the next session
    Reason.REFUSED_ADDRESS: Sign.NOTHING,
    Reason.REFUSED_SCOPE: Sign.NOTHING,
    Reason.REFUSED_ROBOTS: Sign.NOTHING,
    Reason.REFUSED_AUTHORIZATION: Sign.NOTHING,
    Reason.REFUSED_MALFORMED: Sign.NOTHING,
    Reason.REFUSED_TRAP: Sign.NOTHING,
    Reason.REDIRECTED_TO_SEEN: Sign.NOTHING,
    Reason.DEFERRAL_EXPIRED: Sign.NOTHING,
    Reason.CANCELLED: Sign.NOTHING,
    Reason.QUARANTINED: Sign.NOTHING,
    Reason.INTERNAL_ERROR: Sign.NOTHING,
    Reason.DEFER_RATE_LIMIT: Sign.NOTHING,  # these two have cool-downs of their own
    Reason.DEFER_SERVICE: Sign.NOTHING,
}


@dataclass(frozen=True, slots=True)
class Breaker:
    """Of one scope. ``is_half_open``: it tripped before, and nothing was served since."""

    refused: int = 0
    """Pages in a row that were refused."""
    is_half_open: bool = False


def read_sign(reason: Reason) -> Sign:
    """Return what the end of a page says; a server that answers a page at all has served it."""
    return _SIGNS.get(reason, Sign.SERVED)


def note_sign(breaker: Breaker, sign: Sign) -> Breaker:
    if sign is Sign.SERVED:
        return Breaker()
    if sign is Sign.REFUSED:
        return Breaker(breaker.refused + 1, breaker.is_half_open)
    return breaker


def trips(breaker: Breaker, threshold: int) -> bool:
    """Tell whether nothing more may be sent; a *threshold* of 0 turns the breaker off.

    Half open, one page is enough.
    """
    return threshold > 0 and breaker.refused >= (1 if breaker.is_half_open else threshold)


def cool_down_seconds(first: float, earlier_trips: int) -> float:
    """Return for how long a scope that tripped *earlier_trips* times in a row before is left alone."""
    return min(LONGEST, first * (1 << min(earlier_trips, 30)))
