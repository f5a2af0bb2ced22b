import json
from typing import Any

import pytest

from crawler.sites.storage_state import read_storage_state

SECRET = "c4n4ry"
COOKIE: dict[str, Any] = {
    "name": "sid",
    "value": SECRET,
    "domain": ".garden.example",
    "path": "/",
    "expires": 1893456000.5,
    "httpOnly": True,
    "secure": True,
    "sameSite": "None",
}
ORIGIN = {"origin": "https://garden.example", "localStorage": [{"name": "t", "value": SECRET}]}


def read(**parts: Any) -> Any:
    return read_storage_state(json.dumps(parts).encode())


def test_what_playwright_writes_is_read() -> None:
    state = read(
        cookies=[COOKIE], origins=[{**ORIGIN, "indexedDB": []}], more="is nobody's concern"
    )

    (cookie,), (origin,) = state.cookies, state.origins
    assert (cookie.name, cookie.value, cookie.domain) == ("sid", SECRET, ".garden.example")
    assert (cookie.expires, cookie.http_only, cookie.same_site) == (1893456000.5, True, "None")
    assert origin.origin == "https://garden.example:443"
    assert [(item.name, item.value) for item in origin.local_storage] == [("t", SECRET)]


def test_a_byte_order_mark_and_missing_parts_are_no_fault() -> None:
    state = read_storage_state(b"\xef\xbb\xbf{}")

    assert (state.cookies, state.origins) == ((), ())


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in COOKIE.items() if key != name}


FAULTS: dict[str, tuple[bytes | dict[str, Any], str]] = {
    "nothing": (b"", "Invalid JSON: EOF while parsing a value at line 1 column 0"),
    "cut": (b'{"cookies": [', "Invalid JSON: EOF while parsing a list at line 1 column 13"),
    "not UTF-8": (b'{"a": "\xff"}', "Invalid JSON: "),
    "deep": (b"[" * 100_000, "Invalid JSON: recursion limit exceeded"),
    "a list": (b"[]", "expected an object"),
    "cookies by name": ({"cookies": {"sid": SECRET}}, "cookies: expected a list"),
    "a cookie header": ({"cookies": [f"sid={SECRET}"]}, "cookies[0]: expected an object"),
    "no value": ({"cookies": [without("value")]}, "cookies[0].value: missing"),
    "no domain": ({"cookies": [COOKIE, without("domain")]}, "cookies[1].domain: missing"),
    "a value that ends the header": (
        {"cookies": [{**COOKIE, "value": f"{SECRET}\r\nX: y"}]},
        "cookies[0].value: not what a browser would store",
    ),
    "a value with a second cookie": (
        {"cookies": [{**COOKIE, "value": f"{SECRET}; a=b"}]},
        "cookies[0].value: not what a browser would store",
    ),
    "a name with a space": (
        {"cookies": [{**COOKIE, "name": "s id"}]},
        "cookies[0].name: not what a browser would store",
    ),
    "a URL for a domain": (
        {"cookies": [{**COOKIE, "domain": "https://garden.example"}]},
        "cookies[0].domain: not what a browser would store",
    ),
    "a path that is none": (
        {"cookies": [{**COOKIE, "path": "x"}]},
        "cookies[0].path: not what a browser would store",
    ),
    "a date for expires": (
        {"cookies": [{**COOKIE, "expires": "2030-01-01"}]},
        "cookies[0].expires: expected a number",
    ),
    "a word for a truth": (
        {"cookies": [{**COOKIE, "secure": "yes"}]},
        "cookies[0].secure: expected true or false",
    ),
    "another sameSite": (
        {"cookies": [{**COOKIE, "sameSite": "no_restriction"}]},
        "cookies[0].sameSite: Input should be 'Strict', 'Lax' or 'None'",
    ),
    "an origin with a path": (
        {"origins": [{**ORIGIN, "origin": "https://garden.example/in"}]},
        "origins[0].origin: expected an origin such as https://garden.example",
    ),
    "a file for an origin": (
        {"origins": [{**ORIGIN, "origin": "file:///etc"}]},
        "origins[0].origin: expected an origin such as https://garden.example",
    ),
    "an item without value": (
        {"origins": [{**ORIGIN, "localStorage": [{"name": SECRET}]}]},
        "origins[0].localStorage[0].value: missing",
    ),
    "too many cookies": ({"cookies": [COOKIE] * 1001}, "cookies: "),
}


@pytest.mark.parametrize(("written", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_by_its_place_and_never_by_what_stands_there(
    written: bytes | dict[str, Any], expected: str
) -> None:
    data = written if isinstance(written, bytes) else json.dumps(written).encode()

    with pytest.raises(ValueError, match=r"^not a storage state: ") as caught:
        read_storage_state(data)

    text = str(caught.value)
    assert text.removeprefix("not a storage state: ").startswith(expected)
    assert SECRET not in text
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
