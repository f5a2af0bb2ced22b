import pytest

from crawler.classification.page import FetchedPage
from crawler.classification.wall import SIGNS, find_wall
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page

WALLS: dict[str, tuple[FetchedPage, Kind]] = {
    "before-you-continue": (
        make_page("<title>Before you continue to Search</title>"),
        Kind.CONSENT,
    ),
    "not-in-region": (make_page("<title>Not available in your region</title>"), Kind.GEO),
    "subscribe-to-read": (make_page("<title>Subscribe to read</title>"), Kind.PAYWALL),
    "consent-form": (make_page('<form action="https://consent.example/save">'), Kind.CONSENT),
    "geo-country": (make_page("<p>This video is not available in your country.</p>"), Kind.GEO),
    "geo-region": (make_page("<p>Content isn't available in your region</p>"), Kind.GEO),
    "geo-location": (make_page("<p>Not available in your location</p>"), Kind.GEO),
    "geo-gdpr": (
        make_page("Unavailable to readers in the European Economic Area", 403),
        Kind.GEO,
    ),
}
ORDINARY: dict[str, FetchedPage] = {
    "article": make_page(),
    "banner beside the content": make_page(
        '<div class="cookie-consent-wrapper"><div class="banner">Accept?</div>'
        f"<main><h1>Offers</h1>{ARTICLE}</main></div>"
    ),
    "short page with a banner": make_page("<div class=consent>Accept?</div><h1>Offers</h1>"),
    "article about geo-blocking": make_page(f"<p>not available in your country</p>{ARTICLE}"),
    "shipping note": make_page("<p>Delivery is available across the country</p>"),
}


@pytest.mark.parametrize(("rule", "case"), WALLS.items(), ids=WALLS)
def test_a_wall_is_named_by_its_rule(rule: str, case: tuple[FetchedPage, Kind]) -> None:
    page, kind = case
    verdict = find_wall(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (kind, Reason.AUTHORIZATION_REVIEW)
    assert verdict.evidence[0].partition(" ")[0] == rule


def test_every_rule_has_a_case() -> None:
    rules = [sign.rule for sign in SIGNS.titles] + [sign.rule for sign in SIGNS.bodies]
    assert sorted(rules) == sorted(WALLS)


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_wall(page: FetchedPage) -> None:
    assert find_wall(page) is None


def test_status_451_is_a_matter_of_place() -> None:
    verdict = find_wall(make_page(b"", 451))
    assert verdict is not None
    assert verdict.kind is Kind.GEO
