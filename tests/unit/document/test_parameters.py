import pytest

from crawler.contracts.site.collect import IGNORED_PARAMETERS
from crawler.document.parameters import without_parameters

CASES = {
    "/p?utm_source=a&id=1&fbclid=x": "/p?id=1",
    "/p?UTM_Medium=a": "/p",
    "/p;jsessionid=AB12?id=1": "/p?id=1",
    "/(S(abcdefghijklmnopqrstuvwx))/p": "/p",
    "/p?id=1&a&/x=/y": "/p?id=1&a&/x=/y",
    "/p?utm=1&sid=2&ref=3": "/p?utm=1&sid=2&ref=3",
    "/p": "/p",
}


@pytest.mark.parametrize(("url", "expected"), CASES.items())
def test_campaign_marks_and_sessions_make_no_other_page(url: str, expected: str) -> None:
    host = "https://example.com"

    assert without_parameters(host + url, IGNORED_PARAMETERS) == host + expected
    assert without_parameters(host + url, ()) == host + url
