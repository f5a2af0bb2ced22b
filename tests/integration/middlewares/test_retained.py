from dataclasses import replace

import pytest
from scrapy import Request

from crawler.contracts.item import Retained
from crawler.contracts.meta import RETAINED
from crawler.middlewares.retained import RetainedMiddleware
from tests.unit.document.pages import make_snapshot

SERVED = replace(
    make_snapshot("<p>Café</p>".encode()),
    status=203,
    headers=(
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Encoding", "gzip"),
        ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
    ),
    flags=("partial",),
)


def test_a_page_that_goes_on_is_answered_with_what_came_for_it() -> None:
    request = Request(SERVED.final_url, meta={RETAINED: Retained(SERVED, "h1 matches nothing")})

    response = RetainedMiddleware().process_request(request)

    assert response is not None
    assert (response.url, response.status, response.body) == (SERVED.final_url, 203, SERVED.body)
    assert response.flags == ["partial"]
    assert "Content-Encoding" not in response.headers, "the body is decoded"


@pytest.mark.parametrize(("session", "cookies"), [("", [b"a=1", b"b=2"]), ("members", [])])
def test_cookies_that_are_masked_are_not_set_again(session: str, cookies: list[bytes]) -> None:
    retained = Retained(replace(SERVED, session=session), "h1 matches nothing")

    response = RetainedMiddleware().process_request(
        Request(SERVED.final_url, meta={RETAINED: retained})
    )

    assert response is not None
    assert response.headers.getlist("Set-Cookie") == cookies


def test_any_other_request_is_sent() -> None:
    assert RetainedMiddleware().process_request(Request("https://site.example/")) is None
