import pytest

from crawler.admission.session import (
    find_foreign,
    find_public,
    for_browser,
    parse_origins,
    reaches,
    serves,
)
from crawler.contracts.session import SessionCookie


def make_cookie(
    domain: str, name: str = "sid", value: str = "v", **others: object
) -> SessionCookie:
    values: dict[str, object] = {"path": "/", "expires": None, "is_secure": False, **others}
    host = domain.removeprefix(".")
    return SessionCookie(name, value, host, not domain.startswith("."), **values)  # type: ignore[arg-type]


HOSTS = [
    ("garden.example", "garden.example", True),
    (".garden.example", "garden.example", True),
    (".garden.example", "www.garden.example", True),
    (".garden.example", "a.b.garden.example", True),
    ("127.0.0.1", "127.0.0.1", True),
    ("localhost", "localhost", True),
    ("garden.example", "www.garden.example", False),
    (".garden.example", "notgarden.example", False),
    (".arden.example", "garden.example", False),
    (".www.garden.example", "garden.example", False),
    (".garden.example", "garden.example.evil.test", False),
    (".0.0.1", "127.0.0.1", False),
    ("127.0.0.1", "127.0.0.11", False),
]


@pytest.mark.parametrize(("domain", "host", "expected"), HOSTS)
def test_a_cookie_is_for_its_host_and_for_names_below_it_where_it_says_so(
    domain: str, host: str, expected: bool
) -> None:
    assert serves(make_cookie(domain), host) is expected


@pytest.mark.parametrize(
    ("is_secure", "origin", "expected"),
    [
        (False, "http://garden.example", True),
        (True, "https://garden.example:8443", True),
        (True, "http://garden.example", False),
        (True, "http://127.0.0.1:8000", False),
        (False, "http://127.0.0.1:8000", True),
    ],
)
def test_a_secure_cookie_reaches_https_only_permitted_loopback_or_not(
    is_secure: bool, origin: str, expected: bool
) -> None:
    origins = parse_origins([origin])
    cookie = make_cookie(origins[0].host, is_secure=is_secure)

    assert reaches(cookie, origins) is expected


def test_cookies_that_no_host_of_the_site_may_have_are_named_once() -> None:
    cookies = [
        make_cookie(".garden.example"),
        make_cookie("tracker.test"),
        make_cookie("tracker.test", "other"),
        make_cookie("login.garden.example"),
    ]

    assert find_foreign(cookies, {"garden.example"}) == ["login.garden.example", "tracker.test"]
    assert find_foreign(cookies, {"garden.example", "login.garden.example", "tracker.test"}) == []


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (".co.uk", ["co.uk"]),
        (".example", ["example"]),
        (".github.io", ["github.io"]),
        ("garden.github.io", []),
        (".garden.github.io", []),
        ("github.io", []),
        (".garden.co.uk", []),
        ("localhost", []),
    ],
)
def test_a_cookie_for_everybody_below_a_public_suffix_is_found(
    domain: str, expected: list[str]
) -> None:
    assert find_public([make_cookie(domain)]) == expected


ORIGINS = parse_origins(["https://garden.example", "https://api.garden.example:8443"])


def test_a_browser_gets_a_wide_cookie_for_each_host_of_the_site_and_for_no_other() -> None:
    cookies = for_browser(
        [make_cookie(".garden.example"), make_cookie("garden.example", "one")], ORIGINS
    )

    assert [(each.name, each.host, each.is_host_only) for each in cookies] == [
        ("sid", "garden.example", True),
        ("sid", "api.garden.example", True),
        ("one", "garden.example", True),
    ]


NOT_STORABLE = {
    "a promise of https that is not kept": make_cookie("garden.example", "__Secure-a"),
    "a promise of one host with a path": make_cookie(
        "garden.example", "__Host-a", is_secure=True, path="/x"
    ),
    "too large": make_cookie("garden.example", value="v" * 4094),
    "not ASCII": make_cookie("garden.example", value="grün"),
    "a control character": make_cookie("garden.example", value="a\tb"),
    "of another site": make_cookie("tracker.test"),
    "of a host above": make_cookie("example"),
}


@pytest.mark.parametrize("cookie", NOT_STORABLE.values(), ids=NOT_STORABLE)
def test_what_no_browser_would_take_is_not_offered_to_one(cookie: SessionCookie) -> None:
    kept = make_cookie("garden.example", "__Host-b", is_secure=True)

    assert for_browser([cookie, kept], ORIGINS) == (kept,)


def test_a_cookie_shows_no_value_where_it_is_printed() -> None:
    assert "c4n4ry" not in repr(make_cookie("garden.example", value="c4n4ry"))
