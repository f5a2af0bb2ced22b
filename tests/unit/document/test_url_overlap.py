import pytest

from crawler.document.url_overlap import may_fit_one_url

MEETING = [
    ("/api/*", "/api/events"),
    ("/api/*", "/*/events"),
    ("/api/**", "/api/v1/events"),
    ("/**/events", "/api/**"),
    ("/**", "/"),
    ("/**/**", "/a"),
    ("/api", "/api/"),
    ("/api/**", "/api"),
    ("/{en,de}/api", "/de/api"),
    ("/api/<int>", "/api/7"),
    ("/api/<int>", "/api/*"),
    ("/api/a*", "/api/*b"),
    ("/api/events*", "/api/events-<year>.json"),
    ("/api?page=1", "/api?page=2"),
    ("/caf%C3%A9/*", "/caf\u00e9/1"),
    ("https://api.example/v1", "/v1"),
    ("https://api.example/v1", "https://API.example/v1"),
]
APART = [
    ("/api/*", "/apis/events"),
    ("/api/*", "/api"),
    ("/api/*", "/api/v1/events"),
    ("/api/**/x", "/api/**/y"),
    ("/**/events", "/**/venues"),
    ("/{en,de}/api", "/fr/api"),
    ("/api/<int>", "/api/seven"),
    ("/api/events*", "/api/venues*"),
    ("/api/*.json", "/api/*.xml"),
    ("https://api.example/v1", "https://api.example:8443/v1"),
    ("https://api.example/v1", "http://api.example/v1"),
]


@pytest.mark.parametrize(("one", "other"), MEETING)
def test_patterns_that_one_url_may_fit(one: str, other: str) -> None:
    assert may_fit_one_url(one, other)
    assert may_fit_one_url(other, one)


@pytest.mark.parametrize(("one", "other"), APART)
def test_patterns_that_no_url_can_fit_both_of(one: str, other: str) -> None:
    assert not may_fit_one_url(one, other)
    assert not may_fit_one_url(other, one)


def test_long_patterns_are_compared_in_no_time() -> None:
    many = "/**/a*" * 24

    assert not may_fit_one_url(f"{many}/x", f"{many}/y")
