"""What a status code says by itself."""

from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason, Verdict

TRANSIENT = frozenset({502, 503, 504})
USABLE = frozenset({200, 203})
"""203 is a 200 that a proxy has touched (RFC 9110, 15.3.4)."""


def find_denial(page: FetchedPage) -> Verdict | None:
    if page.status not in {401, 403}:
        return None
    return Verdict(Kind.DENIED, Reason.AUTHORIZATION_REVIEW, _evidence(page))


def find_transient_error(page: FetchedPage) -> Verdict | None:
    """The reason is the one that stands when no attempt is left."""
    if page.status not in TRANSIENT:
        return None
    return Verdict(Kind.ERROR_PAGE, Reason.ATTEMPTS_EXHAUSTED, _evidence(page))


def find_other_status(page: FetchedPage) -> Verdict | None:
    if page.status in USABLE:
        return None
    if page.status == 304:
        return Verdict(Kind.OK, Reason.NOT_MODIFIED, _evidence(page))
    reason = Reason.GONE if page.status in {404, 410} else Reason.HTTP_STATUS
    return Verdict(Kind.ERROR_PAGE, reason, _evidence(page))


def _evidence(page: FetchedPage) -> tuple[str, ...]:
    return (f"status {page.status}",)
