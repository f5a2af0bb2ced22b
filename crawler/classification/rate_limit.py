"""Tell a server that asks for patience from one that fails."""

from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason, Verdict


def find_rate_limit(page: FetchedPage) -> Verdict | None:
    if page.status != 429:
        return None
    return Verdict(Kind.RATE_LIMIT, Reason.DEFER_RATE_LIMIT, ("status 429",))


def find_maintenance(page: FetchedPage) -> Verdict | None:
    """A 503 that says when to come back; whether it says so usably is for the retry decision."""
    if page.status != 503 or not page.header("retry-after").strip():
        return None
    return Verdict(Kind.MAINTENANCE, Reason.DEFER_SERVICE, ("status 503", "retry-after"))
