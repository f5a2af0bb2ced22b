from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.contracts.session import SessionCookie
from crawler.middlewares.cookies import CookiesMiddleware, as_session_cookie, as_stored

FAR = 4_000_000_000.0


def set_cookies(middleware: CookiesMiddleware, url: str, *cookies: bytes) -> None:
    headers = {"Set-Cookie": list(cookies)}
    middleware.process_response(Request(url), Response(url, headers=headers))


def sent(middleware: CookiesMiddleware, url: str) -> bytes | None:
    request = Request(url)
    middleware.process_request(request)
    header: bytes | None = request.headers.get("Cookie")
    return header


def make_middleware(*cookies: SessionCookie, **settings: Any) -> CookiesMiddleware:
    crawler: Crawler = get_crawler(settings_dict=settings)
    middleware = CookiesMiddleware.from_crawler(crawler)
    for cookie in cookies:
        middleware.jars[None].set_cookie(as_stored(cookie))
    return middleware


def test_a_cookie_for_a_public_suffix_is_not_kept_and_nothing_is_downloaded() -> None:
    """tests/conftest.py refuses every look-up of a name."""
    middleware = make_middleware()

    url = "https://shop.example.co.uk/"
    set_cookies(middleware, url, b"wide=1; Domain=co.uk", b"near=1; Domain=example.co.uk")

    assert sent(middleware, "https://www.example.co.uk/") == b"near=1"


def test_a_cookie_without_a_domain_is_its_hosts_alone() -> None:
    middleware = make_middleware()

    set_cookies(middleware, "https://garden.example/", b"own=1", b"wide=1; Domain=garden.example")

    assert sent(middleware, "https://garden.example/") == b"own=1; wide=1"
    assert sent(middleware, "https://www.garden.example/") == b"wide=1"


def make_cookie(host: str = "garden.example", **others: Any) -> SessionCookie:
    values = {"name": "sid", "value": "v", "path": "/", "expires": None, "is_secure": False}
    return SessionCookie(host=host, **{"is_host_only": True, **values, **others})


WIDE = {"is_host_only": False}
IN = {"path": "/in"}
CASES = [
    ({}, "https://garden.example/", True),
    ({}, "http://garden.example/", True),
    ({}, "https://garden.example:8443/a?b", True),
    ({}, "https://GARDEN.example/", True),
    ({}, "https://www.garden.example/", False),
    ({}, "https://notgarden.example/", False),
    ({}, "https://garden.example.evil.test/", False),
    (WIDE, "https://garden.example/", True),
    (WIDE, "https://a.b.garden.example/", True),
    (WIDE, "https://notgarden.example/", False),
    (WIDE, "https://example/", False),
    (IN, "https://garden.example/in", True),
    (IN, "https://garden.example/in/a", True),
    (IN, "https://garden.example/in?a", True),
    (IN, "https://garden.example/inside", False),
    (IN, "https://garden.example/IN", False),
    (IN, "https://garden.example/", False),
    ({"path": "/in/"}, "https://garden.example/in", False),
    ({"is_secure": True}, "https://garden.example/", True),
    ({"is_secure": True}, "http://garden.example/", False),
    ({"expires": FAR}, "https://garden.example/", True),
    ({"expires": 1.0}, "https://garden.example/", False),
    ({"host": "localhost"}, "http://localhost:8000/", True),
    ({"host": "localhost"}, "http://localhost.example/", False),
    ({"host": "127.0.0.1"}, "http://127.0.0.1:8000/", True),
    ({"host": "127.0.0.1", "is_secure": True}, "http://127.0.0.1:8000/", False),
    ({"host": "127.0.0.1"}, "http://127.0.0.2:8000/", False),
]


@pytest.mark.parametrize(("cookie", "url", "is_sent"), CASES)
def test_a_cookie_of_a_session_goes_where_it_belongs(
    cookie: dict[str, Any], url: str, is_sent: bool
) -> None:
    middleware = make_middleware(make_cookie(**cookie))

    assert sent(middleware, url) == (b"sid=v" if is_sent else None)


def test_what_the_server_sets_takes_the_place_of_what_the_session_held() -> None:
    middleware = make_middleware(make_cookie(), make_cookie(name="kept"))

    set_cookies(middleware, "https://garden.example/a/b", b"sid=rotated; Path=/; HttpOnly")

    assert sent(middleware, "https://garden.example/") == b"sid=rotated; kept=v"
    assert [(each.name, each.value, each.is_http_only) for each in middleware.stored()] == [
        ("sid", "rotated", True),
        ("kept", "v", False),
    ]


def test_a_server_may_end_a_session() -> None:
    middleware = make_middleware(make_cookie())

    set_cookies(middleware, "https://garden.example/", b"sid=; Path=/; Max-Age=0")

    assert sent(middleware, "https://garden.example/") is None


@pytest.mark.parametrize(
    "cookie",
    [
        make_cookie(),
        make_cookie(is_host_only=False, is_secure=True, same_site="None"),
        make_cookie(is_http_only=True, expires=FAR, path="/in", same_site="Strict"),
        make_cookie("localhost"),
        make_cookie("printer.local"),
        make_cookie("127.0.0.1"),
    ],
)
def test_a_cookie_is_the_same_in_both_of_its_forms(cookie: SessionCookie) -> None:
    assert as_session_cookie(as_stored(cookie), {"localhost"}) == cookie


@pytest.mark.parametrize(
    ("set_cookie", "expected"),
    [
        (b"a=1; SameSite=None; Secure", "None"),
        (b"a=1; samesite=strict", "Strict"),
        (b"a=1; SameSite=None", "Lax"),
        (b"a=1; SameSite=whatever", "Lax"),
        (b"a=1; SameSite", "Lax"),
        (b"a=1", "Lax"),
    ],
)
def test_only_what_a_browser_takes_is_said_of_a_cookies_site(
    set_cookie: bytes, expected: str
) -> None:
    middleware = make_middleware()

    set_cookies(middleware, "https://garden.example/", set_cookie)

    assert [each.same_site for each in middleware.stored()] == [expected]
