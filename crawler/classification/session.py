"""Tell when a session has ended from what came back to a request that carried it."""

from dataclasses import replace
from urllib.parse import urlsplit

from crawler.classification.login import is_sign_in_address
from crawler.contracts.frontier import LeasedRow
from crawler.contracts.outcome import Kind, Outcome, Reason, Verdict
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document

UNAUTHENTICATED = 401
"""The credentials that were sent are not valid (RFC 9110, 15.5.2); 403 says that they are, and do
not suffice.
"""
UNDECIDED = frozenset({
    Reason.DEFER_RATE_LIMIT,
    Reason.DEFER_SERVICE,
    Reason.ATTEMPTS_EXHAUSTED,
    Reason.TRUNCATED,
    Reason.CHALLENGE_REVIEW,
})  # fmt: skip
"""What was seen instead of the page that stands there."""
SIGNED_OUT = "access.session.signed_out"


def judge_in_session(verdict: Verdict, snapshot: Snapshot) -> Verdict:
    """Return the verdict on what a request with a session came to in the end, redirects followed.

    Whoever asked for the page to sign in on, and got it, learns nothing of the session.
    """
    if not snapshot.session or is_sign_in_address(snapshot.requested_url):
        return verdict
    if verdict.reason is Reason.AUTHORIZATION_REVIEW:
        is_refused = verdict.kind is Kind.LOGIN or snapshot.status == UNAUTHENTICATED
        return replace(verdict, reason=Reason.SESSION_EXPIRED) if is_refused else verdict
    if verdict.reason not in UNDECIDED and is_sign_in_address(snapshot.final_url):
        led = f"led to sign in: {urlsplit(snapshot.final_url).path[:200]}"
        return Verdict(Kind.LOGIN, Reason.SESSION_EXPIRED, (led, *verdict.evidence))
    return verdict


def judge_unfollowed(outcome: Outcome, row: LeasedRow) -> Outcome:
    """Return the outcome of a page with a session that led to where nothing was sent, as to the
    sign-in page of another host, or to one that robots.txt forbids.
    """
    is_sign_in = bool(row.redirects) and is_sign_in_address(row.url)
    if not outcome.reason.is_refusal or not is_sign_in or is_sign_in_address(row.requested_url):
        return outcome
    detail = f"redirected to sign in, where nothing is sent ({outcome.reason})"
    return Outcome(Reason.SESSION_EXPIRED, Kind.LOGIN, detail)


def find_signed_out(document: Document, selector: str | None) -> Verdict | None:
    """Return the verdict on a page that shows what only those see who have not signed in."""
    if selector is None or not document.css(selector):
        return None
    return Verdict(Kind.LOGIN, Reason.AUTHORIZATION_REVIEW, (f"{SIGNED_OUT}: {selector}",))
