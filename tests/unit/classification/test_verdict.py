"""The order of the rules, pair by pair: a page that two of them claim goes to the first."""

import pytest

from crawler.classification.page import FetchedPage, page_of
from crawler.classification.verdict import judge_response
from crawler.contracts.outcome import ELIGIBLE, Kind, Reason
from tests.unit.classification.builders import make_page, make_snapshot

CHALLENGE = "<title>Just a moment...</title>"
LOGIN = "<title>Sign in</title><input type=password>"

PAIRS: dict[str, tuple[FetchedPage, Kind, Reason]] = {
    "429 before challenge": (
        make_page(CHALLENGE, 429),
        Kind.RATE_LIMIT,
        Reason.DEFER_RATE_LIMIT,
    ),
    "challenge before 403": (make_page(CHALLENGE, 403), Kind.CHALLENGE, Reason.CHALLENGE_REVIEW),
    "challenge before 503 with Retry-After": (
        make_page(CHALLENGE, 503, retry_after="5"),
        Kind.CHALLENGE,
        Reason.CHALLENGE_REVIEW,
    ),
    "challenge before login": (
        make_page(LOGIN, cf_mitigated="challenge"),
        Kind.CHALLENGE,
        Reason.CHALLENGE_REVIEW,
    ),
    "login before 401": (make_page(LOGIN, 401), Kind.LOGIN, Reason.AUTHORIZATION_REVIEW),
    "challenge before other status": (
        make_page(CHALLENGE, 404),
        Kind.CHALLENGE,
        Reason.CHALLENGE_REVIEW,
    ),
    "challenge before media type": (
        make_page(CHALLENGE, content_type="application/json"),
        Kind.CHALLENGE,
        Reason.CHALLENGE_REVIEW,
    ),
    "401": (make_page("no", 401), Kind.DENIED, Reason.AUTHORIZATION_REVIEW),
    "403 before Retry-After": (
        make_page("no", 403, retry_after="5"),
        Kind.DENIED,
        Reason.AUTHORIZATION_REVIEW,
    ),
    "503 with Retry-After before 503": (
        make_page("busy", 503, retry_after="5"),
        Kind.MAINTENANCE,
        Reason.DEFER_SERVICE,
    ),
    "503": (make_page("busy", 503), Kind.ERROR_PAGE, Reason.ATTEMPTS_EXHAUSTED),
    "503 with an empty Retry-After": (
        make_page("busy", 503, retry_after=" "),
        Kind.ERROR_PAGE,
        Reason.ATTEMPTS_EXHAUSTED,
    ),
    "502": (make_page("", 502), Kind.ERROR_PAGE, Reason.ATTEMPTS_EXHAUSTED),
    "504 with Retry-After": (
        make_page("", 504, retry_after="5"),
        Kind.ERROR_PAGE,
        Reason.ATTEMPTS_EXHAUSTED,
    ),
    "404 before media type": (
        make_page("{}", 404, content_type="application/json"),
        Kind.ERROR_PAGE,
        Reason.GONE,
    ),
    "410": (make_page("", 410), Kind.ERROR_PAGE, Reason.GONE),
    "500 before emptiness": (make_page(b"", 500), Kind.ERROR_PAGE, Reason.HTTP_STATUS),
    "204 before emptiness": (make_page(b"", 204), Kind.ERROR_PAGE, Reason.HTTP_STATUS),
    "206": (make_page(status=206), Kind.ERROR_PAGE, Reason.HTTP_STATUS),
    "304 with Location": (
        make_page(b"", 304, location="/x"),
        Kind.OK,
        Reason.NOT_MODIFIED,
    ),
    "301 that was not followed": (
        make_page(b"", 301, location="/x"),
        Kind.ERROR_PAGE,
        Reason.HTTP_STATUS,
    ),
    "media type before truncation": (
        make_page(b"%PDF", content_type="application/pdf", flags=("truncated",)),
        Kind.MEDIA_TYPE,
        Reason.REPRESENTATION_MISMATCH,
    ),
    "media type before emptiness": (
        make_page(b"", content_type="application/pdf"),
        Kind.MEDIA_TYPE,
        Reason.REPRESENTATION_MISMATCH,
    ),
    "size before truncation": (
        make_page(flags=("truncated", "too_large")),
        Kind.TOO_LARGE,
        Reason.TOO_LARGE,
    ),
    "truncation before emptiness": (
        make_page(b"", flags=("dataloss",)),
        Kind.TRUNCATED,
        Reason.TRUNCATED,
    ),
    "empty body": (make_page(b" \r\n\x00"), Kind.EMPTY, Reason.INCOMPLETE_SNAPSHOT),
    "empty body without a media type": (
        make_page(b"", content_type=None),
        Kind.EMPTY,
        Reason.INCOMPLETE_SNAPSHOT,
    ),
}


@pytest.mark.parametrize(("page", "kind", "reason"), PAIRS.values(), ids=PAIRS)
def test_the_first_rule_that_speaks_wins(page: FetchedPage, kind: Kind, reason: Reason) -> None:
    verdict = judge_response(page)
    assert (verdict.kind, verdict.reason) == (kind, reason)
    assert verdict.evidence


@pytest.mark.parametrize(
    "page", [make_page(), make_page(status=203), make_page(flags=("partial",))]
)
def test_a_whole_html_page_is_eligible(page: FetchedPage) -> None:
    assert judge_response(page) is ELIGIBLE


def test_a_snapshot_is_judged_as_the_response_was() -> None:
    snapshot = make_snapshot("<title>Just a moment...</title>")
    assert judge_response(page_of(snapshot)).kind is Kind.CHALLENGE


def test_headers_are_found_in_any_case() -> None:
    page = FetchedPage("https://example.com/", headers=(("CF-MITIGATED", "challenge"),))
    assert page.header("cf-mitigated") == "challenge"
    assert page.header("x-none") == ""
