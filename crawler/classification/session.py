"""Tell when a session has ended from what came back to a request that carried it."""

from dataclasses import replace

from crawler.classification.login import is_login_address
from crawler.contracts.frontier import LeasedRow
from crawler.contracts.outcome import Kind, Outcome, Reason, Verdict
from crawler.document.document import Document

UNAUTHENTICATED = 401
"""The credentials that were sent are not valid (RFC 9110, 15.5.2); 403 says that they are, and do
not suffice.
"""
SIGNED_OUT = "access.session.signed_out"


def judge_in_session(verdict: Verdict, status: int, requested_url: str) -> Verdict:
    """Return the verdict on an answer to a request with a session. Who asked for the page to sign
    in on, and got it, learns nothing of the session.
    """
    if verdict.reason is not Reason.AUTHORIZATION_REVIEW or is_login_address(requested_url):
        return verdict
    is_refused = verdict.kind is Kind.LOGIN or status == UNAUTHENTICATED
    return replace(verdict, reason=Reason.SESSION_EXPIRED) if is_refused else verdict


def judge_unfollowed(outcome: Outcome, row: LeasedRow) -> Outcome:
    """Return the outcome of a page with a session that led to where nothing was sent, as to the
    sign-in page of another host, or to one that robots.txt forbids.
    """
    is_sign_in = bool(row.redirects) and is_login_address(row.url)
    if not outcome.reason.is_refusal or not is_sign_in or is_login_address(row.requested_url):
        return outcome
    detail = f"redirected to sign in, where nothing is sent ({outcome.reason})"
    return Outcome(Reason.SESSION_EXPIRED, Kind.LOGIN, detail)


def find_signed_out(document: Document, selector: str | None) -> Verdict | None:
    """Return the verdict on a page that shows what only those see who have not signed in."""
    if selector is None or not document.css(selector):
        return None
    return Verdict(Kind.LOGIN, Reason.AUTHORIZATION_REVIEW, (f"{SIGNED_OUT}: {selector}",))
