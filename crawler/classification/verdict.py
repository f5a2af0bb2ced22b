"""The verdict on a response: first rule that speaks wins."""

from collections.abc import Callable

from crawler.classification import challenge, error_page, sign_on, wall
from crawler.classification.challenge import find_challenge
from crawler.classification.error_page import find_error_page
from crawler.classification.frame import find_framed_notice
from crawler.classification.login import find_login
from crawler.classification.media_type import find_mismatch, is_data_asked_for
from crawler.classification.page import FetchedPage, page_of
from crawler.classification.rate_limit import find_maintenance, find_rate_limit
from crawler.classification.readiness import find_unready
from crawler.classification.soft_404 import find_soft_404
from crawler.classification.status import (
    USABLE,
    find_denial,
    find_other_status,
    find_transient_error,
)
from crawler.classification.transfer import find_emptiness, find_truncation
from crawler.classification.wall import find_wall
from crawler.contracts.outcome import ELIGIBLE, Verdict
from crawler.contracts.site.access import Ready
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document

RULES: tuple[Callable[[FetchedPage], Verdict | None], ...] = (
    find_rate_limit,
    find_challenge,
    find_login,
    find_wall,
    find_error_page,
    find_denial,
    find_maintenance,
    find_transient_error,
    find_other_status,
    find_mismatch,
    find_truncation,
    find_emptiness,
)
DATA_RULES = (find_mismatch, find_truncation, find_emptiness)
"""What can be wrong with data of the kind that was asked for: the rest looks for pages in its place,
and would find their words in the texts of a feed.
"""
VENDORS = {
    sign.rule: sign.vendor
    for sign in (*challenge.SIGNS, *sign_on.SIGNS, *wall.SIGNS, *error_page.SIGNS)
    if sign.vendor != "generic"
}
"""Who makes what a rule recognises, where that is known."""


def judge_response(page: FetchedPage) -> Verdict:
    """Return what came back, from what needs no tree.

    ``ELIGIBLE`` still has to pass identity and readiness.
    """
    is_data = page.status in USABLE and is_data_asked_for(page)
    rules = DATA_RULES if is_data else RULES
    return next((verdict for rule in rules if (verdict := rule(page))), ELIGIBLE)


def judge_snapshot(snapshot: Snapshot) -> Verdict:
    """Return the whole verdict on a saved page, as far as it needs no site file."""
    first = judge_response(page_of(snapshot))
    if not first.is_eligible:
        return first
    if snapshot.representation.is_data:
        return ELIGIBLE
    document = Document(snapshot)
    return (
        find_framed_notice(page_of(snapshot))
        or find_unready(document, snapshot, Ready())
        or find_soft_404(document, snapshot)
        or ELIGIBLE
    )


def vendor_of(verdict: Verdict) -> str | None:
    """Return the maker of the challenge, block or wall that was recognised, where it is known."""
    rule = verdict.evidence[0].partition(" ")[0] if verdict.evidence else ""
    return VENDORS.get(rule)
