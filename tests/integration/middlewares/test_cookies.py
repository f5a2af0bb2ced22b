from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.contracts.meta import ROW
from crawler.contracts.session import Session, SessionCookie, SessionUse
from crawler.middlewares.cookies import CookiesMiddleware
from tests.unit.rows import make_leased_row
from tests.unit.sites.builders import parse, site_text

FAR = 4_000_000_000.0
SITE = parse(site_text(access="access: {session: members}"))


def as_row(url: str) -> Request:
    return Request(url, meta={ROW: make_leased_row(url)})


def set_cookies(middleware: CookiesMiddleware, request: Request, *cookies: bytes) -> None:
    response = Response(request.url, headers={"Set-Cookie": list(cookies)})
    middleware.process_response(request, response)


def sent(middleware: CookiesMiddleware, request: Request) -> bytes | None:
    middleware.process_request(request)
    header: bytes | None = request.headers.get("Cookie")
    return header


def make_middleware(*cookies: SessionCookie, **run: Any) -> CookiesMiddleware:
    """Return the middleware of a run that has *cookies* in its session, and none without any."""
    session = Session(SessionUse("members", "f"), "/none", cookies) if cookies else None
    known = {"site": SITE, "session": session, **run}
    crawler = get_crawler(settings_dict={"COOKIES_DEBUG": True})
    crawler.spider = SimpleNamespace(run=SimpleNamespace(**known))  # type: ignore[assignment]
    return CookiesMiddleware.from_crawler(crawler)


def test_a_cookie_for_a_public_suffix_is_not_kept_and_nothing_is_downloaded() -> None:
    """tests/conftest.py refuses every look-up of a name."""
    middleware = make_middleware()

    request = Request("https://shop.example.co.uk/")
    set_cookies(middleware, request, b"wide=1; Domain=co.uk", b"near=1; Domain=example.co.uk")

    assert sent(middleware, as_row("https://www.example.co.uk/")) == b"near=1"


def test_a_cookie_without_a_domain_is_its_hosts_alone() -> None:
    middleware = make_middleware()

    set_cookies(
        middleware, Request("https://garden.example/"), b"own=1", b"wide=1; Domain=garden.example"
    )

    assert sent(middleware, as_row("https://garden.example/")) == b"own=1; wide=1"
    assert sent(middleware, as_row("https://www.garden.example/")) == b"wide=1"


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

    assert sent(middleware, as_row(url)) == (b"sid=v" if is_sent else None)


def test_what_the_server_sets_takes_the_place_of_what_the_session_held() -> None:
    middleware = make_middleware(make_cookie(), make_cookie(name="kept"))

    set_cookies(middleware, as_row("https://garden.example/a/b"), b"sid=rotated; Path=/; HttpOnly")

    assert sent(middleware, as_row("https://garden.example/")) == b"sid=rotated; kept=v"
    assert middleware.session is not None
    assert [(each.name, each.value, each.is_http_only) for each in middleware.session.cookies] == [
        ("sid", "rotated", True),
        ("kept", "v", False),
    ]


def test_a_server_may_end_a_session() -> None:
    middleware = make_middleware(make_cookie())

    set_cookies(middleware, as_row("https://garden.example/"), b"sid=; Path=/; Max-Age=0")

    assert sent(middleware, as_row("https://garden.example/")) is None


def test_what_has_no_row_is_asked_for_as_by_anybody() -> None:
    middleware = make_middleware(make_cookie())
    robots = Request("https://garden.example/robots.txt")

    assert sent(middleware, robots) is None
    set_cookies(middleware, robots, b"sid=of robots; Path=/")
    assert sent(middleware, as_row("https://garden.example/")) == b"sid=v"


def test_cookies_of_a_session_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    middleware, other = make_middleware(make_cookie(value="c4n4ry")), make_middleware()
    for each in (middleware, other):
        set_cookies(each, as_row("https://garden.example/"), b"lamp=lit")
        sent(each, as_row("https://garden.example/"))

    assert "c4n4ry" not in caplog.text
    assert "lamp=lit" in caplog.text, "without a session the setting does what it says"
