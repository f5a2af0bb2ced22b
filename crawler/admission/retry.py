"""Whether a URL that failed is asked for again, when, and what that could bring."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from crawler.admission.retry_after import parse_retry_after
from crawler.contracts.outcome import Reason, Verdict
from crawler.contracts.retry import Action, Layer, RetryDecision

FIRST_BACKOFF = 30.0
LONGEST_BACKOFF = 900.0
RETRY_AFTER_CAP = 86_400.0
SAFE_METHODS = frozenset({"GET", "HEAD"})
RETRY_WAIT = (0.2, 1.0)
"""Seconds before a retry: long enough for a restart behind a load balancer, short enough to fit."""


class TransportFailure(StrEnum):
    """What went wrong where no response can be judged."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    """Refused, reset, closed early, or not HTTP."""
    UNRESOLVABLE = "unresolvable"
    DATA_LOSS = "data_loss"
    TOO_LARGE = "too_large"
    CERTIFICATE = "certificate"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the URL has cost, the failed request included, and what it may still cost."""

    used: int
    allowed: int
    remaining_seconds: float
    site_retries: int | None = None
    """What the site may still be asked for again in this cycle; None for any number."""
    method: str = "GET"


@dataclass(frozen=True, slots=True)
class ServerWish:
    """The headers in which a server says when to come back, as received."""

    retry_after: Sequence[str] = ()
    date: str | None = None


@dataclass(frozen=True, slots=True)
class _Rule:
    """What follows from a failure; ``end`` is the outcome when it is not asked for again."""

    layer: Layer
    end: Reason
    benefit: str
    is_transient: bool = False


_TRANSPORT_RULES = {
    TransportFailure.TIMEOUT: _Rule(
        Layer.TRANSPORT,
        Reason.TIMEOUT_EXHAUSTED,
        "a slow moment may have passed",
        is_transient=True,
    ),
    TransportFailure.CONNECTION: _Rule(
        Layer.TRANSPORT,
        Reason.ATTEMPTS_EXHAUSTED,
        "the next connection may hold",
        is_transient=True,
    ),
    TransportFailure.UNRESOLVABLE: _Rule(
        Layer.TRANSPORT,
        Reason.ATTEMPTS_EXHAUSTED,
        "the resolver may answer again",
        is_transient=True,
    ),
    TransportFailure.DATA_LOSS: _Rule(
        Layer.TRANSPORT, Reason.TRUNCATED, "the next transfer may be whole", is_transient=True
    ),
    TransportFailure.TOO_LARGE: _Rule(
        Layer.TRANSPORT, Reason.TOO_LARGE, "none: the document stays as large"
    ),
    TransportFailure.CERTIFICATE: _Rule(
        Layer.TRANSPORT, Reason.REFUSED_ADDRESS, "none: the host must mend its certificate"
    ),
    TransportFailure.ADDRESS: _Rule(
        Layer.ACCESS, Reason.REFUSED_ADDRESS, "none: the address stays forbidden"
    ),
}
_ACCESS = "none: access is for a person to settle"
_SAME_AGAIN = "none: the same answer would come back"
_VERDICT_RULES = {
    Reason.CHALLENGE_REVIEW: _Rule(Layer.ACCESS, Reason.CHALLENGE_REVIEW, _ACCESS),
    Reason.AUTHORIZATION_REVIEW: _Rule(Layer.ACCESS, Reason.AUTHORIZATION_REVIEW, _ACCESS),
    Reason.SESSION_EXPIRED: _Rule(Layer.ACCESS, Reason.SESSION_EXPIRED, _ACCESS),
    Reason.ATTEMPTS_EXHAUSTED: _Rule(
        Layer.SERVER, Reason.ATTEMPTS_EXHAUSTED, "the server may have recovered", is_transient=True
    ),
    # Reached where the Retry-After value was no use: a 503 like any other.
    Reason.DEFER_SERVICE: _Rule(
        Layer.SERVER, Reason.ATTEMPTS_EXHAUSTED, "the server may have recovered", is_transient=True
    ),
    Reason.TRUNCATED: _Rule(
        Layer.TRANSPORT, Reason.TRUNCATED, "the next transfer may be whole", is_transient=True
    ),
    # Reached for a body without a byte only: what a page lacks shows after it was committed.
    Reason.INCOMPLETE_SNAPSHOT: _Rule(
        Layer.SERVER,
        Reason.INCOMPLETE_SNAPSHOT,
        "the next answer may have a body",
        is_transient=True,
    ),
}


def decide_retry(
    cause: Verdict | TransportFailure,
    attempt: Attempt,
    *,
    now: float,
    jitter: float,
    wish: ServerWish | None = None,
    level: int = 0,
    cap: float = RETRY_AFTER_CAP,
    detail: str = "",
) -> RetryDecision:
    """Return what to do after a failed request.

    *jitter* is a chance in 0..1; *level* counts the scope's deferrals without a usable wish; *cap*
    bounds what a server may ask for; *detail* says more of a transport's failure. The decision's
    reason, not the verdict's, ends the URL.
    """
    if isinstance(cause, TransportFailure):
        seen = (cause.value, detail) if detail else (cause.value,)
        return _decide_within_budget(_TRANSPORT_RULES[cause], attempt, jitter, seen)
    wish = wish or ServerWish()
    asked = parse_retry_after(wish.retry_after, date_header=wish.date, now=now)
    if cause.reason is Reason.DEFER_RATE_LIMIT or (
        cause.reason is Reason.DEFER_SERVICE and asked is not None
    ):
        return _defer(cause.reason, attempt, wish, asked=asked, level=level, cap=cap)
    rule = _VERDICT_RULES.get(cause.reason, _Rule(Layer.SERVER, cause.reason, _SAME_AGAIN))
    return _decide_within_budget(rule, attempt, jitter, cause.evidence)


def backoff_seconds(level: int) -> float:
    """Return the cool-down of a scope that was refused *level* times before, in a row."""
    return min(LONGEST_BACKOFF, FIRST_BACKOFF * (1 << min(level, 30)))


def _defer(
    reason: Reason,
    attempt: Attempt,
    wish: ServerWish,
    *,
    asked: float | None,
    level: int,
    cap: float,
) -> RetryDecision:
    evidence = tuple(f"Retry-After: {_quote(value)}" for value in wish.retry_after[:5])
    if not asked:  # Neither a wish nor "now" may turn into a hot loop.
        wait = backoff_seconds(level)
        evidence += (f"back-off level {level}",)
    else:
        wait = min(asked, cap)
        evidence += (f"capped at {cap:g} s",) if asked > cap else ()
    return RetryDecision(
        Action.DEFER,
        reason,
        Layer.SERVER,
        "the server asked to be left alone until then",
        remaining_attempts=max(0, attempt.allowed - attempt.used),
        remaining_seconds=attempt.remaining_seconds,
        wait_seconds=wait,
        evidence=evidence,
    )


def _decide_within_budget(
    rule: _Rule, attempt: Attempt, jitter: float, evidence: tuple[str, ...]
) -> RetryDecision:
    shortest, longest = RETRY_WAIT
    wait = shortest + (longest - shortest) * jitter
    obstacle = _find_obstacle(rule, attempt, wait)
    return RetryDecision(
        Action.STOP if obstacle else Action.RETRY,
        rule.end,
        rule.layer,
        obstacle or rule.benefit,
        remaining_attempts=max(0, attempt.allowed - attempt.used),
        remaining_seconds=attempt.remaining_seconds,
        remaining_retries=attempt.site_retries,
        wait_seconds=0.0 if obstacle else wait,
        evidence=evidence,
    )


def _find_obstacle(rule: _Rule, attempt: Attempt, wait: float) -> str | None:
    if not rule.is_transient:
        return rule.benefit
    if attempt.method.upper() not in SAFE_METHODS:
        return f"none: {attempt.method.upper()} may already have taken effect"
    if attempt.used >= attempt.allowed:
        return f"none: {attempt.allowed} attempts are used up"
    if attempt.remaining_seconds <= wait:
        return "none: the time for this URL is used up"
    if attempt.site_retries is not None and attempt.site_retries <= 0:
        return "none: the retries of this site's cycle are used up"
    return None


def _quote(value: str) -> str:
    return ascii(value if len(value) <= 100 else value[:100] + "…")[1:-1]
