"""The order of the rules, pair by pair: a page that two of them claim goes to the first."""

import time

import pytest

from crawler.classification.page import FetchedPage, page_of
from crawler.classification.verdict import judge_response, judge_snapshot, vendor_of
from crawler.contracts.outcome import ELIGIBLE, Kind, Reason
from tests.unit.classification.builders import make_page, make_snapshot, snapshot_of

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
    "login before an error in its text": (
        make_page(LOGIN + "<h1>Something went wrong</h1>"),
        Kind.LOGIN,
        Reason.AUTHORIZATION_REVIEW,
    ),
    "block before a wall": (
        make_page("<title>Access denied</title><p>Not available in your country"),
        Kind.BLOCK,
        Reason.CHALLENGE_REVIEW,
    ),
    "wall before 403": (
        make_page("<p>This page is not available in your country", 403),
        Kind.GEO,
        Reason.AUTHORIZATION_REVIEW,
    ),
    "maintenance that says so before 503": (
        make_page("<title>Under maintenance</title>", 503),
        Kind.MAINTENANCE,
        Reason.DEFER_SERVICE,
    ),
    "maintenance with 200": (
        make_page("<title>Under maintenance</title>"),
        Kind.MAINTENANCE,
        Reason.DEFER_SERVICE,
    ),
    "500 in the status before 500 in the title": (
        make_page("<title>500 Internal Server Error</title>", 500),
        Kind.ERROR_PAGE,
        Reason.HTTP_STATUS,
    ),
    "500 in the title only": (
        make_page("<title>500 Internal Server Error</title>"),
        Kind.ERROR_PAGE,
        Reason.HTTP_STATUS,
    ),
    "403 in the title only": (
        make_page("<title>403 Forbidden</title>"),
        Kind.DENIED,
        Reason.AUTHORIZATION_REVIEW,
    ),
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


FAULTS: dict[str, tuple[FetchedPage, Kind]] = {
    "CH01 interstitial with a header": (
        make_page(
            '<title>Just a moment...</title><p>Verifying you are human.</p><div id="cf-chl">',
            cf_mitigated="challenge",
        ),
        Kind.CHALLENGE,
    ),
    "CH01 interstitial without the header": (
        make_page(
            "<title>Just a moment...</title><p>Verifying you are human. This may take a few "
            "seconds.</p><p>Ray ID: 98060cba2c9e</p>"
        ),
        Kind.CHALLENGE,
    ),
    "CH03 block with 403": (make_page("<h1>Sorry, you have been blocked</h1>", 403), Kind.BLOCK),
    "CH03 block with 200": (make_page("<h1>Sorry, you have been blocked</h1>"), Kind.BLOCK),
    "CH04 soft 404": (
        make_page("<title>Page not found</title><h1>We could not find that page</h1>"),
        Kind.SOFT_404,
    ),
    "CH06 login behind a redirect": (
        make_page(
            '<title>Sign in</title><form action="/login"><input type="password"></form>',
            url="https://example.com/login?next=/docs/1",
        ),
        Kind.LOGIN,
    ),
    "CH06 login box in the header of the document": (
        make_page(
            '<header><form action="/login"><input type="password"></form></header>'
            "<h1>Document 1</h1><p>Two lines of text.</p>"
        ),
        Kind.OK,
    ),
    "CH07 empty body": (make_page(b"", content_length="0"), Kind.EMPTY),
    "CH08 shell": (
        make_page('<div id="root"></div><script>setTimeout(()=>root.textContent="Price")</script>'),
        Kind.SHELL,
    ),
    "CH10 banner beside the content": (
        make_page(
            '<div class="cookie-consent-wrapper"><div class="banner">Accept?</div>'
            "<main><h1>Offers</h1></main></div>"
        ),
        Kind.OK,
    ),
}
"""Cases of the catalogue of faults by their number; CH02, how it is told, is the command's."""


@pytest.mark.parametrize(("page", "kind"), FAULTS.values(), ids=FAULTS)
def test_a_fault_seen_in_the_field_is_named(page: FetchedPage, kind: Kind) -> None:
    assert judge_snapshot(snapshot_of(page)).kind is kind


def test_only_a_page_that_passes_both_halves_is_eligible() -> None:
    assert judge_snapshot(make_snapshot()) is ELIGIBLE


@pytest.mark.parametrize(
    ("page", "vendor"),
    [
        (make_page(cf_mitigated="challenge"), "cloudflare"),
        (make_page("<div id=px-captcha>", 403), "human"),
        (make_page("<title>Before you continue to Search</title>"), "google"),
        (make_page("<title>Captcha</title>"), None),
        (make_page(b"", 403), None),
        (make_page(), None),
    ],
)
def test_the_vendor_is_told_where_it_is_known(page: FetchedPage, vendor: str | None) -> None:
    assert vendor_of(judge_response(page)) == vendor


HOSTILE = (
    "your ip ", "access to this page ", "you have been ", "request : (: (: ", "sie wurden ",
    "loading... ", "site is currently under ", "available in your ", "unusual ", "доступ к ",
    "error 5", "( ", "a" * 9_000, "請求", "not available ", "sorry, oops, ", "we use ", "404 ",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:20])
@pytest.mark.parametrize("status", [200, 403])
def test_hostile_text_costs_little(text: str, status: int) -> None:
    said = (text * (9_000 // len(text)))[:9_000]
    page = make_page(f"<title>{said}</title><h1>{said}</h1><p>{said}x</p><script></script>", status)
    started = time.process_time()
    judge_snapshot(snapshot_of(page))
    assert time.process_time() - started < 0.5
