from collections.abc import Iterable

import pytest
from scrapy import Request
from scrapy.http import Response

from crawler.middlewares.cookie_jar import (
    MAX_BYTES,
    MAX_COOKIES,
    MAX_OF_DOMAIN,
    MAX_PATH,
    BoundedCookieJar,
)

LEAST_OF_DOMAIN, LEAST, LEAST_BYTES = 50, 3000, 4096
"""RFC 6265 section 6.1."""


def set_all(jar: BoundedCookieJar, cookies: Iterable[str], host: str = "garden.example") -> None:
    request = Request(f"https://{host}/")
    response = Response(request.url, headers={"Set-Cookie": [each.encode() for each in cookies]})
    for cookie in jar.make_cookies(response, request):
        jar.set_cookie_if_ok(cookie, request)


def sent(jar: BoundedCookieJar, host: str = "garden.example", path: str = "/") -> list[str]:
    request = Request(f"https://{host}{path}")
    jar.add_cookie_header(request)
    header = request.headers.get("Cookie")
    return header.decode().split("; ") if header else []


def test_the_bounds_are_no_lower_than_the_rfc_has_them() -> None:
    assert MAX_OF_DOMAIN >= LEAST_OF_DOMAIN
    assert MAX_COOKIES >= LEAST
    assert MAX_BYTES >= LEAST_BYTES


def test_a_host_keeps_so_many_cookies_and_loses_what_was_used_longest_ago() -> None:
    jar = BoundedCookieJar()
    set_all(jar, (f"a{number}=1; Path=/a" for number in range(MAX_OF_DOMAIN - 1)))
    set_all(jar, ["used=1; Path=/used"])
    sent(jar, path="/a")
    sent(jar, path="/used")

    set_all(jar, ["b0=1", "b1=1"])

    assert len(jar) == MAX_OF_DOMAIN
    assert sent(jar, path="/used") == ["used=1", "b0=1", "b1=1"]
    lost = {f"a{MAX_OF_DOMAIN - 2}=1", f"a{MAX_OF_DOMAIN - 3}=1"}
    assert lost.isdisjoint(sent(jar, path="/a")), "the newest of those used together"
    assert "a0=1" in sent(jar, path="/a")


def test_a_flood_does_not_drive_out_what_a_session_began_with() -> None:
    jar = BoundedCookieJar()
    set_all(jar, ["sid=1"])

    for response in range(20):
        sent(jar)
        set_all(jar, (f"n{response}-{number}=1" for number in range(100)))

    assert len(jar) == MAX_OF_DOMAIN
    assert "sid=1" in sent(jar)


def test_all_hosts_together_keep_so_many_cookies() -> None:
    jar = BoundedCookieJar()
    hosts = [f"h{number}.example" for number in range(MAX_COOKIES // 100 + 1)]
    for host in hosts:
        set_all(jar, (f"n{number}=1" for number in range(100)), host)

    assert len(jar) == MAX_COOKIES
    assert sent(jar, hosts[0]) == []
    assert len(sent(jar, hosts[1])) == 100


@pytest.mark.parametrize(
    ("cookie", "is_kept"),
    [
        ("n=" + "v" * (MAX_BYTES - 1), True),
        ("n=" + "v" * MAX_BYTES, False),
        ("n=" + "\u00e9" * (MAX_BYTES // 2), False),
        ("n=1; Path=/" + "p" * (MAX_PATH - 1), True),
        ("n=1; Path=/" + "p" * MAX_PATH, False),
    ],
    ids=["largest", "larger", "larger in bytes", "longest path", "longer path"],
)
def test_a_cookie_that_is_too_large_is_ignored(cookie: str, is_kept: bool) -> None:
    jar = BoundedCookieJar()

    set_all(jar, [cookie])

    assert len(jar) == is_kept


def test_nothing_is_left_of_what_was_dropped() -> None:
    jar = BoundedCookieJar()
    held = vars(jar.jar)["_cookies"]

    set_all(jar, (f"n=1; Path=/{number}" for number in range(2 * MAX_OF_DOMAIN)))
    assert len(held["garden.example"]) == MAX_OF_DOMAIN

    set_all(jar, (f"n=; Path=/{number}; Max-Age=0" for number in range(2 * MAX_OF_DOMAIN)))
    assert not held


def test_what_the_site_or_time_takes_back_makes_room() -> None:
    jar = BoundedCookieJar()
    set_all(jar, ["gone=1", "old=1; Max-Age=60", "kept=1"])

    set_all(jar, ["gone=; Max-Age=0"])
    next(cookie for cookie in jar if cookie.name == "old").expires = 1
    jar.jar.clear_expired_cookies()

    assert sent(jar) == ["kept=1"]
    jar.clear("garden.example")
    set_all(jar, (f"n{number}=1" for number in range(MAX_OF_DOMAIN + 1)))
    assert len(jar) == MAX_OF_DOMAIN
