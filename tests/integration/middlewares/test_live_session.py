from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from crawler.admission.session import parse_origins
from crawler.contracts.session import OriginStorage, Session, SessionCookie, SessionUse
from crawler.middlewares.live_session import LiveSession, as_session_cookie, as_stored

FAR = 4_000_000_000.0
SITE, OTHER = "https://garden.example:443", "https://api.garden.example:443"


def make_cookie(host: str = "garden.example", **others: Any) -> SessionCookie:
    values = {"name": "sid", "value": "v", "path": "/", "expires": None, "is_secure": False}
    return SessionCookie(host=host, **{"is_host_only": True, **values, **others})


def make_session(*cookies: SessionCookie, storage: tuple[OriginStorage, ...] = ()) -> Session:
    return Session(SessionUse("members", "f"), "/none", cookies, storage)


def make_live(session: Session, *origins: str) -> LiveSession:
    return LiveSession(session, CookieJar(), parse_origins(origins or [SITE]))


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
    jar = CookieJar()
    request = Request("https://garden.example/")
    jar.extract_cookies(Response(request.url, headers={"Set-Cookie": set_cookie}), request)

    assert [as_session_cookie(each).same_site for each in jar] == [expected]


def test_a_page_gets_what_is_alive_for_each_host_of_the_site() -> None:
    wide = make_cookie(is_host_only=False)
    live = make_live(make_session(wide, make_cookie(name="old", expires=1.0)), SITE, OTHER)

    cookies = live.for_browser().cookies

    assert [(each.name, each.host) for each in cookies] == [
        ("sid", "garden.example"),
        ("sid", "api.garden.example"),
    ]


def test_what_a_page_was_given_in_the_place_of_what_it_had_is_followed() -> None:
    wide, narrow = make_cookie(is_host_only=False), make_cookie(name="in", path="/in")
    live = make_live(make_session(wide, narrow), SITE, OTHER)
    rotated = make_cookie("api.garden.example", value="new", expires=FAR)

    live.follow(make_session(rotated, make_cookie(name="in"), make_cookie(name="more")))

    assert [(each.name, each.value, each.host, each.expires) for each in live.cookies] == [
        ("sid", "new", "garden.example", FAR),
        ("in", "v", "garden.example", None),
    ]


def test_items_of_storage_get_other_values_and_no_company() -> None:
    storage = (
        OriginStorage(SITE, (("token", "t-1"), ("theme", "dark"))),
        OriginStorage(OTHER, (("token", "u-1"),)),
    )
    live = make_live(make_session(storage=storage))

    live.follow(make_session(storage=(OriginStorage(SITE, (("token", "t-2"), ("more", "x"))),)))

    assert live.for_browser().storage == (
        OriginStorage(SITE, (("token", "t-2"), ("theme", "dark"))),
        OriginStorage(OTHER, (("token", "u-1"),)),
    )
