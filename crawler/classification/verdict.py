"""The verdict on a response, from what needs no tree; first rule that speaks wins."""

from collections.abc import Callable

from crawler.classification.challenge import find_challenge
from crawler.classification.login import find_login
from crawler.classification.media_type import find_mismatch
from crawler.classification.page import FetchedPage
from crawler.classification.rate_limit import find_maintenance, find_rate_limit
from crawler.classification.status import find_denial, find_other_status, find_transient_error
from crawler.classification.transfer import find_emptiness, find_truncation
from crawler.classification.wall import find_wall
from crawler.contracts.outcome import ELIGIBLE, Verdict

RULES: tuple[Callable[[FetchedPage], Verdict | None], ...] = (
    find_rate_limit,
    find_challenge,
    find_login,
    find_wall,
    find_denial,
    find_maintenance,
    find_transient_error,
    find_other_status,
    find_mismatch,
    find_truncation,
    find_emptiness,
)


def judge_response(page: FetchedPage) -> Verdict:
    """Return what came back; ``ELIGIBLE`` still has to pass identity and readiness."""
    return next((verdict for rule in RULES if (verdict := rule(page))), ELIGIBLE)
