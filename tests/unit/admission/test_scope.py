from datetime import date

import pytest

from crawler.admission.scope import is_in_scope, scope_of, site_origins
from crawler.admission.url import parse_url
from crawler.contracts.site.access import Access
from crawler.contracts.site.config import Authorization, SiteConfig
from crawler.contracts.site.record import RecordRules

CONFIG = SiteConfig(
    site="garden",
    authorization=Authorization(basis="b", approved_by="a", expires=date(2030, 1, 1)),
    start=("https://example.com/events", "https://bücher.example"),
    access=Access(hosts=("https://cdn.example.com:8443",)),
    record=RecordRules(type="event"),
)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/x",
        "https://EXAMPLE.com.:443/",
        "https://xn--bcher-kva.example/",
        "https://cdn.example.com:8443/a",
    ],
)
def test_an_origin_of_the_site_file_is_in_scope(url: str) -> None:
    parsed = parse_url(url)
    assert parsed is not None
    assert is_in_scope(parsed, site_origins(CONFIG))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com.evil.org/",
        "https://notexample.com/",
        "https://www.example.com/",
        "https://example.com:8443/",
        "http://example.com/",
        "https://cdn.example.com/",
        "https://xn--bcher-kvb.example/",
        "https://еxample.com/",  # noqa: RUF001  # a Cyrillic letter is the point
    ],
)
def test_a_look_alike_is_out_of_scope(url: str) -> None:
    parsed = parse_url(url)
    assert parsed is None or not is_in_scope(parsed, site_origins(CONFIG))


@pytest.mark.parametrize(
    ("url", "scope"),
    [
        ("https://www.example.co.uk/a", "example.co.uk"),
        ("https://a.b.example.com:8443/", "example.com"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://[::1]:8000/", "::1"),
        ("http://localhost:8000/", "localhost"),
        ("http://intranet/", "intranet"),
        ("not a url", ""),
    ],
)
def test_scope_is_the_registrable_domain_or_the_host(url: str, scope: str) -> None:
    assert scope_of(url) == scope


def test_a_scope_of_the_site_file_stands() -> None:
    assert scope_of("https://www.example.com/", "shared") == "shared"
