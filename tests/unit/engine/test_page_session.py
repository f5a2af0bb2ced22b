from dataclasses import replace
from typing import Any

import pytest

from crawler.contracts.rendering import Document
from crawler.contracts.session import OriginStorage, Session, SessionCookie, SessionUse
from crawler.engine.page_session import LARGEST_ITEM, find_changes, list_cookies, storage_state

FAR = 1_900_000_000.0
COOKIE = SessionCookie("sid", "v", "garden.example", True, "/", FAR, True, True, "Strict")
STORAGE = OriginStorage("https://garden.example:443", (("token", "t-1"), ("theme", "dark")))
SESSION = Session(SessionUse("members", "f"), "/none", (COOKIE,), (STORAGE,))
SPELLED: dict[str, Any] = {
    "name": "sid",
    "value": "v",
    "domain": "garden.example",
    "path": "/",
    "expires": FAR,
    "httpOnly": True,
    "secure": True,
    "sameSite": "Strict",
}


def document_of(session: Session | None, *cookies: tuple[str, str]) -> Document:
    return Document("https://garden.example/", (), b"", 1.0, cookies, session)


@pytest.mark.parametrize(
    ("cookie", "changes"),
    [
        (COOKIE, {}),
        (replace(COOKIE, expires=None), {"expires": -1}),
        (replace(COOKIE, expires=1e300), {"expires": 253_402_300_799.0}),
        (replace(COOKIE, is_host_only=False), {"domain": ".garden.example"}),
    ],
)
def test_a_cookie_is_spelled_as_playwright_takes_it(
    cookie: SessionCookie, changes: dict[str, Any]
) -> None:
    document = document_of(replace(SESSION, cookies=(cookie,)), ("sent", "not twice"))

    assert list_cookies(document) == [{**SPELLED, **changes}]


def test_without_a_session_a_page_has_the_cookies_of_its_request() -> None:
    document = document_of(None, ("lamp", "lit"))

    assert list_cookies(document) == [{"name": "lamp", "value": "lit", "url": document.url}]


def test_only_a_session_with_storage_needs_some() -> None:
    items = [{"name": "token", "value": "t-1"}, {"name": "theme", "value": "dark"}]

    assert storage_state(SESSION) == {
        "origins": [{"origin": STORAGE.origin, "localStorage": items}]
    }
    assert storage_state(replace(SESSION, storage=())) is None
    assert storage_state(None) is None


def left(*cookies: dict[str, Any], **items: str) -> Any:
    stored = [{"name": name, "value": value} for name, value in items.items()]
    return {
        "cookies": cookies,
        "origins": [{"origin": "https://garden.example", "localStorage": stored}],
    }


SAME: dict[str, dict[str, Any]] = {
    "as it was": SPELLED,
    "rounded": {**SPELLED, "expires": FAR + 0.4},
    "for as long as the browser allows": {**SPELLED, "expires": FAR - 9e6},
    "of another name": {**SPELLED, "name": "other", "value": "x"},
    "of another path": {**SPELLED, "path": "/in", "value": "x"},
    "of another host": {**SPELLED, "domain": "x.example", "value": "x"},
}


@pytest.mark.parametrize("cookie", SAME.values(), ids=SAME)
def test_a_session_that_a_page_leaves_as_it_was_has_no_changes(cookie: dict[str, Any]) -> None:
    assert find_changes(SESSION, left(cookie, token="t-1", theme="dark", more="x")) is None
    assert find_changes(SESSION, left()) is None
    assert find_changes(SESSION, {}) is None


CHANGED: dict[str, tuple[dict[str, Any], SessionCookie]] = {
    "another value": ({**SPELLED, "value": "w"}, replace(COOKIE, value="w")),
    "another value for all names below": (
        {**SPELLED, "value": "w", "domain": ".garden.example"},
        replace(COOKIE, value="w"),
    ),
    "a later end": ({**SPELLED, "expires": FAR + 60}, replace(COOKIE, expires=FAR + 60)),
    "another value, no end": (
        {**SPELLED, "value": "w", "expires": -1},
        replace(COOKIE, value="w", expires=None),
    ),
}


@pytest.mark.parametrize(("found", "expected"), CHANGED.values(), ids=CHANGED)
def test_a_cookie_that_was_replaced_is_a_change(
    found: dict[str, Any], expected: SessionCookie
) -> None:
    changes = find_changes(SESSION, left(SPELLED, found))

    assert changes is not None
    assert (changes.cookies, changes.storage) == ((expected,), ())


def test_an_item_that_was_replaced_is_a_change_and_a_new_or_a_huge_one_is_none() -> None:
    changes = find_changes(
        SESSION, left(SPELLED, token="t-2", theme="x" * (LARGEST_ITEM + 1), more="x")
    )

    assert changes is not None
    assert (changes.cookies, changes.storage) == (
        (),
        (OriginStorage(STORAGE.origin, (("token", "t-2"),)),),
    )
