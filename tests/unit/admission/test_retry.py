import pytest

from crawler.admission.retry import (
    Attempt,
    ServerWish,
    TransportFailure,
    backoff_seconds,
    decide_retry,
)
from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.retry import Action, RetryDecision

FIRST = Attempt(used=1, allowed=2, remaining_seconds=60.0)
LAST = Attempt(used=2, allowed=2, remaining_seconds=60.0)
LIMITED = Verdict(Kind.RATE_LIMIT, Reason.DEFER_RATE_LIMIT, ("status 429",))
BUSY = Verdict(Kind.MAINTENANCE, Reason.DEFER_SERVICE, ("status 503",))
BROKEN = Verdict(Kind.ERROR_PAGE, Reason.ATTEMPTS_EXHAUSTED, ("status 503",))
CUT = Verdict(Kind.TRUNCATED, Reason.TRUNCATED, ("truncated",))


def decide(
    cause: Verdict | TransportFailure,
    attempt: Attempt = FIRST,
    *retry_after: str,
    level: int = 0,
    cap: float = 86_400.0,
) -> RetryDecision:
    wish = ServerWish(retry_after)
    return decide_retry(cause, attempt, now=1.8e9, jitter=0.5, wish=wish, level=level, cap=cap)


TRANSIENT: list[tuple[Verdict | TransportFailure, Reason]] = [
    (TransportFailure.TIMEOUT, Reason.TIMEOUT_EXHAUSTED),
    (TransportFailure.CONNECTION, Reason.ATTEMPTS_EXHAUSTED),
    (TransportFailure.UNRESOLVABLE, Reason.ATTEMPTS_EXHAUSTED),
    (TransportFailure.DATA_LOSS, Reason.TRUNCATED),
    (BROKEN, Reason.ATTEMPTS_EXHAUSTED),
    (CUT, Reason.TRUNCATED),
    (Verdict(Kind.EMPTY, Reason.INCOMPLETE_SNAPSHOT), Reason.INCOMPLETE_SNAPSHOT),
    (BUSY, Reason.ATTEMPTS_EXHAUSTED),
]


@pytest.mark.parametrize(("cause", "end"), TRANSIENT)
def test_a_transient_failure_is_retried_once_and_then_ends(
    cause: Verdict | TransportFailure, end: Reason
) -> None:
    first, last = decide(cause), decide(cause, LAST)
    assert first.action is Action.RETRY
    assert 0.2 <= first.wait_seconds <= 1.0
    assert first.remaining_attempts == 1
    assert (last.action, last.reason, last.wait_seconds) == (Action.STOP, end, 0.0)
    assert last.remaining_attempts == 0


FINAL: list[Verdict | TransportFailure] = [
    Verdict(Kind.CHALLENGE, Reason.CHALLENGE_REVIEW),
    Verdict(Kind.LOGIN, Reason.AUTHORIZATION_REVIEW),
    Verdict(Kind.ERROR_PAGE, Reason.GONE),
    Verdict(Kind.ERROR_PAGE, Reason.HTTP_STATUS),
    Verdict(Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH),
    Verdict(Kind.SOFT_404, Reason.SOFT_404),
    Verdict(Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT),
    TransportFailure.TOO_LARGE,
    TransportFailure.ADDRESS,
    TransportFailure.CERTIFICATE,
]


@pytest.mark.parametrize("cause", FINAL)
def test_what_another_request_cannot_change_stops_at_once(
    cause: Verdict | TransportFailure,
) -> None:
    decision = decide(cause)
    assert decision.action is Action.STOP
    assert decision.benefit.startswith("none")


def test_a_stopped_verdict_keeps_its_own_reason() -> None:
    assert decide(Verdict(Kind.ERROR_PAGE, Reason.GONE)).reason is Reason.GONE


@pytest.mark.parametrize("verdict", [LIMITED, BUSY])
def test_a_server_that_names_a_time_is_left_alone_until_then(verdict: Verdict) -> None:
    decision = decide(verdict, LAST, "7")
    assert decision.action is Action.DEFER
    assert decision.reason is verdict.reason
    assert decision.wait_seconds == 7.0
    assert "Retry-After: 7" in decision.evidence


@pytest.mark.parametrize("value", ["", "-1", "abc", "0", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_rate_limit_without_a_usable_time_backs_off(value: str) -> None:
    decision = decide(LIMITED, LAST, value, level=2)
    assert decision.action is Action.DEFER
    assert decision.wait_seconds == 120.0


def test_back_off_grows_up_to_its_cap() -> None:
    waits = [backoff_seconds(level) for level in range(7)]
    assert waits == [30, 60, 120, 240, 480, 900, 900]
    assert backoff_seconds(10_000) == 900


def test_an_absurd_wish_is_capped_and_recorded() -> None:
    decision = decide(LIMITED, FIRST, "9" * 5000, cap=3600.0)
    assert decision.wait_seconds == 3600.0
    assert "capped at 3600 s" in decision.evidence
    assert all(len(line) < 130 for line in decision.evidence)


def test_a_value_with_control_characters_stays_one_line_of_evidence() -> None:
    decision = decide(LIMITED, FIRST, "5\r\nX: \x1b[31m\u2028")
    assert all(line.isprintable() for line in decision.evidence)


def test_nothing_is_retried_without_time_left() -> None:
    late = Attempt(used=1, allowed=2, remaining_seconds=0.1)
    decision = decide(TransportFailure.TIMEOUT, late)
    assert (decision.action, decision.reason) == (Action.STOP, Reason.TIMEOUT_EXHAUSTED)


def test_a_request_that_may_have_had_an_effect_is_not_repeated() -> None:
    post = Attempt(used=1, allowed=2, remaining_seconds=60.0, method="POST")
    assert decide(TransportFailure.CONNECTION, post).action is Action.STOP
    assert decide(LIMITED, post, "5").action is Action.DEFER


def test_a_site_that_has_used_up_its_retries_gets_none_for_any_url() -> None:
    spent = Attempt(used=1, allowed=2, remaining_seconds=60.0, site_retries=0)
    decision = decide(TransportFailure.CONNECTION, spent)
    assert (decision.action, decision.remaining_retries) == (Action.STOP, 0)
    assert "site" in decision.benefit
    assert decide(LIMITED, spent, "5").action is Action.DEFER

    one_left = Attempt(used=1, allowed=2, remaining_seconds=60.0, site_retries=1)
    assert decide(TransportFailure.CONNECTION, one_left).action is Action.RETRY
