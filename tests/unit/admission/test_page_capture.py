import pytest

from crawler.admission.page_capture import CapturePolicy, find_flaw, has_content, is_wanted

POLICY = CapturePolicy(
    ("/api/*", "https://data.example/v1/**"), frozenset({"https://garden.example:443"})
)
API = "https://garden.example/api/events"

REQUESTS = {
    "data of the site": (API, "GET", "fetch", True),
    "the same asked for in the old way": (f"{API}?page=2#top", "GET", "xhr", True),
    "data loaded ahead": (API, "GET", "other", True),
    "data by POST": (API, "POST", "fetch", True),
    "data of a host that is named": ("https://data.example/v1/a/b", "GET", "fetch", True),
    "the same path on another host": ("https://ads.example/api/events", "GET", "fetch", False),
    "the same path on another port": ("https://garden.example:8443/api/a", "GET", "fetch", False),
    "another path": ("https://garden.example/events", "GET", "fetch", False),
    "another path of the host that is named": ("https://data.example/v2/a", "GET", "xhr", False),
    "a script": (API, "GET", "script", False),
    "a picture": (API, "GET", "image", False),
    "a stream": (API, "GET", "eventsource", False),
    "a question whether data may be asked for": (API, "OPTIONS", "fetch", False),
    "a head alone": (API, "HEAD", "fetch", False),
    "what the page holds itself": ("blob:https://garden.example/api/1", "GET", "fetch", False),
    "no address": ("https://[garden/api/a", "GET", "fetch", False),
}


@pytest.mark.parametrize(("url", "method", "kind", "wanted"), REQUESTS.values(), ids=REQUESTS)
def test_what_fits_is_wanted(url: str, method: str, kind: str, wanted: bool) -> None:
    assert is_wanted(url, method, kind, POLICY) is wanted


@pytest.mark.parametrize("status", [200, 201, 404, 500])
def test_an_answer_says_something(status: int) -> None:
    assert has_content(status)


@pytest.mark.parametrize("status", [204, 205, 301, 304, 307])
def test_a_redirect_and_an_empty_answer_say_nothing(status: int) -> None:
    assert not has_content(status)


BODIES = {
    "called JSON": ("application/json; charset=utf-8", b"nonsense", None),
    "a kind of JSON": ("application/ld+json", b"{}", None),
    "called text": ("text/plain", b'\xef\xbb\xbf {"a": 1}', None),
    "not called anything": ("", b"[1]", None),
    "a page": ("text/html", b"<p>{}</p>", "not_json"),
    "a script": ("text/javascript", b"callback({})", "not_json"),
    "nothing": ("", b"", "not_json"),
    "as large as may be": ("application/json", b" " * 4 * 2**20, None),
    "larger": ("application/json", b" " * (4 * 2**20 + 1), "too_large"),
}


@pytest.mark.parametrize(("media_type", "body", "flaw"), BODIES.values(), ids=BODIES)
def test_json_is_kept_whatever_it_is_called(media_type: str, body: bytes, flaw: str | None) -> None:
    assert find_flaw({"content-type": media_type} if media_type else {}, body) == flaw
