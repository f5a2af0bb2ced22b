from dataclasses import replace

import pytest

from crawler.classification.session import (
    find_signed_out,
    judge_in_session,
    judge_unfollowed,
)
from crawler.contracts.frontier import LeasedRow
from crawler.contracts.outcome import ELIGIBLE, Kind, Outcome, Reason, Verdict
from crawler.contracts.snapshot import Hop
from crawler.document.document import Document
from tests.unit.classification.builders import make_snapshot
from tests.unit.rows import make_leased_row

PAGE = "https://garden.example/minutes"
LOGIN = "https://garden.example/login?next=/minutes"
REVIEW = Reason.AUTHORIZATION_REVIEW

VERDICTS = [
    (Kind.LOGIN, REVIEW, 200, PAGE, Reason.SESSION_EXPIRED),
    (Kind.LOGIN, REVIEW, 403, PAGE, Reason.SESSION_EXPIRED),
    (Kind.DENIED, REVIEW, 401, PAGE, Reason.SESSION_EXPIRED),
    (Kind.DENIED, REVIEW, 403, PAGE, REVIEW),
    (Kind.PAYWALL, REVIEW, 200, PAGE, REVIEW),
    (Kind.GEO, REVIEW, 200, PAGE, REVIEW),
    (Kind.CONSENT, REVIEW, 200, PAGE, REVIEW),
    (Kind.CHALLENGE, Reason.CHALLENGE_REVIEW, 401, PAGE, Reason.CHALLENGE_REVIEW),
    (Kind.RATE_LIMIT, Reason.DEFER_RATE_LIMIT, 429, PAGE, Reason.DEFER_RATE_LIMIT),
    (Kind.OK, Reason.ELIGIBLE, 200, PAGE, Reason.ELIGIBLE),
    (Kind.LOGIN, REVIEW, 200, LOGIN, REVIEW),
    (Kind.DENIED, REVIEW, 401, LOGIN, REVIEW),
    (Kind.OK, Reason.ELIGIBLE, 200, LOGIN, Reason.ELIGIBLE),
]


@pytest.mark.parametrize(("kind", "reason", "status", "requested", "expected"), VERDICTS)
def test_a_session_has_ended_where_a_page_asks_to_sign_in_and_nowhere_else(
    kind: Kind, reason: Reason, status: int, requested: str, expected: Reason
) -> None:
    verdict = Verdict(kind, reason, ("seen",))
    snapshot = replace(make_snapshot(requested_url=requested), status=status)

    assert judge_in_session(verdict, snapshot) == verdict, "no session was in use"
    judged = judge_in_session(verdict, replace(snapshot, session="members"))
    assert judged == Verdict(kind, expected, ("seen",))


LED = [
    (Kind.OK, Reason.ELIGIBLE, 200, True),
    (Kind.SHELL, Reason.INCOMPLETE_SNAPSHOT, 200, True),
    (Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT, 200, True),
    (Kind.ERROR_PAGE, Reason.GONE, 404, True),
    (Kind.ERROR_PAGE, Reason.ATTEMPTS_EXHAUSTED, 503, False),
    (Kind.RATE_LIMIT, Reason.DEFER_RATE_LIMIT, 429, False),
    (Kind.CHALLENGE, Reason.CHALLENGE_REVIEW, 200, False),
]


@pytest.mark.parametrize(("kind", "reason", "status", "has_ended"), LED)
def test_a_page_that_led_to_sign_in_ends_a_session_whatever_stands_there(
    kind: Kind, reason: Reason, status: int, has_ended: bool
) -> None:
    snapshot = make_snapshot(requested_url=PAGE, final_url=LOGIN)
    verdict = Verdict(kind, reason, ("seen",))

    judged = judge_in_session(verdict, replace(snapshot, status=status, session="members"))

    if has_ended:
        evidence = ("led to sign in: /login", "seen")
        assert judged == Verdict(Kind.LOGIN, Reason.SESSION_EXPIRED, evidence)
    else:
        assert judged == verdict


def test_a_page_that_led_to_an_account_has_not_led_to_sign_in() -> None:
    snapshot = make_snapshot(requested_url=PAGE, final_url="https://garden.example/account")

    assert judge_in_session(ELIGIBLE, replace(snapshot, session="members")) is ELIGIBLE


def make_row(url: str, *hops: str, requested: str = PAGE) -> LeasedRow:
    redirects = tuple(Hop(hop, 302) for hop in hops)
    return make_leased_row(url, requested_url=requested, redirects=redirects)


UNFOLLOWED = [
    (Reason.REFUSED_SCOPE, make_row("https://id.example/sso/authorize?x=1", PAGE), True),
    (Reason.REFUSED_ROBOTS, make_row(LOGIN, PAGE), True),
    (Reason.REFUSED_SCOPE, make_row("https://other.example/minutes", PAGE), False),
    (Reason.REFUSED_ROBOTS, make_row(LOGIN), False),
    (Reason.REFUSED_ROBOTS, make_row(LOGIN, LOGIN, requested=LOGIN), False),
    (Reason.TIMEOUT_EXHAUSTED, make_row(LOGIN, PAGE), False),
    (Reason.GONE, make_row(LOGIN, PAGE), False),
]


@pytest.mark.parametrize(("reason", "row", "has_ended"), UNFOLLOWED)
def test_a_way_to_sign_in_that_is_not_gone_ends_a_session_too(
    reason: Reason, row: LeasedRow, has_ended: bool
) -> None:
    outcome = Outcome(reason, detail="d")

    judged = judge_unfollowed(outcome, row)

    if has_ended:
        assert (judged.reason, judged.kind) == (Reason.SESSION_EXPIRED, Kind.LOGIN)
        assert reason in judged.detail
    else:
        assert judged == outcome


def test_a_page_shows_by_a_selector_of_the_site_that_nobody_is_signed_in() -> None:
    document = Document(make_snapshot('<p>News</p><a class="sign-in" href=/in>Members</a>'))

    verdict = find_signed_out(document, "a.sign-in")

    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.LOGIN, REVIEW)
    assert verdict.evidence == ("access.session.signed_out: a.sign-in",)
    assert find_signed_out(document, "a.sign-out") is None
    assert find_signed_out(document, None) is None
