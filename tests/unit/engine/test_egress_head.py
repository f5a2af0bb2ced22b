"""Message heads at the proxy: what is read, what is refused, what is sent on."""

import base64

import pytest

from crawler.admission.egress import EgressRefusal, read_target
from crawler.engine.egress_head import (
    forward_request,
    forward_response,
    is_authenticated,
    read_request,
    read_response,
    refuse,
)


def request(*fields: str, line: str = "GET http://a.example/x?y HTTP/1.1") -> bytes:
    return "\r\n".join((line, *fields, "", "")).encode("latin-1")


def basic(text: str) -> str:
    return "Proxy-Authorization: Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "head",
    [
        request(line="GET http://a.example/"),
        request(line="get http://a.example/ HTTP/1.1"),
        request(line="GET  http://a.example/ HTTP/1.1"),
        request(line="GET http://a.example/ HTTP/2.0"),
        request(line="GET http://a.example/ x HTTP/1.1"),
        request(line="GET http://a.example/\n HTTP/1.1"),
        request("Host : a.example"),
        request(" folded: line"),
        request("no colon"),
        request("X: a\nInjected: b"),
        request("X: a\0b"),
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"\r\n\r\n",
    ],
)
def test_what_is_no_request_is_not_read(head: bytes) -> None:
    assert read_request(head) is None


@pytest.mark.parametrize(
    ("fields", "length"),
    [
        ((), 0),
        (("Content-Length: 12",), 12),
        (("content-length: 0",), 0),
        (("Content-Length: 1", "Content-Length: 1"), None),
        (("Content-Length: +1",), None),
        (("Content-Length: -1",), None),
        (("Content-Length: ",), None),
        (("Content-Length: 1, 1",), None),
        (("Content-Length: " + "9" * 5000,), None),
        (("Transfer-Encoding: chunked",), None),
        (("Transfer-Encoding: identity", "Content-Length: 3"), None),
    ],
)
def test_the_length_of_a_body_is_known_only_when_plainly_said(
    fields: tuple[str, ...], length: int | None
) -> None:
    head = read_request(request(*fields))

    assert head is not None
    assert head.body_length == length


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((basic("browser:secret"),), True),
        ((basic("browser:secret").replace("Basic", "basic"),), True),
        ((), False),
        ((basic("browser:secre"),), False),
        ((basic("browser:secrets"),), False),
        ((basic("Browser:secret"),), False),
        ((basic(""),), False),
        (("Proxy-Authorization: Basic",), False),
        (("Proxy-Authorization: Basic *",), False),
        (("Proxy-Authorization: Bearer secret",), False),
        ((basic("browser:secret").removeprefix("Proxy-"),), False),
        ((basic("browser:secret"), basic("browser:other")), False),
    ],
)
def test_only_the_one_name_and_password_are_let_in(fields: tuple[str, ...], expected: bool) -> None:
    head = read_request(request(*fields))

    assert head is not None
    assert is_authenticated(head, "browser", "secret") is expected


def test_a_request_is_forwarded_in_origin_form_without_what_is_the_proxys() -> None:
    head = read_request(
        request(
            "Host: other.example",
            basic("browser:secret"),
            "Proxy-Connection: keep-alive",
            "Connection: keep-alive, X-Private",
            "X-Private: 1",
            "Upgrade: h2c",
            "Cookie: a=b",
            "Content-Length: 2",
            line="POST http://a.example:8080/x?y HTTP/1.1",
        )
    )
    target = read_target("POST", "http://a.example:8080/x?y")

    assert head is not None
    assert target is not None
    assert forward_request(head, target) == (
        b"POST /x?y HTTP/1.1\r\n"
        b"Host: a.example:8080\r\n"
        b"Cookie: a=b\r\n"
        b"Content-Length: 2\r\n"
        b"Connection: close\r\n\r\n"
    )


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://a.example/", b"a.example"),
        ("http://a.example:80/", b"a.example"),
        ("http://A.example.:81/", b"a.example:81"),
        ("http://[::1]:81/", b"[::1]:81"),
        ("http://[2606:4700::1]/", b"[2606:4700::1]"),
    ],
)
def test_the_host_that_is_named_is_the_one_that_was_checked(url: str, host: bytes) -> None:
    head = read_request(request("Host: b.example", line=f"GET {url} HTTP/1.1"))
    target = read_target("GET", url)

    assert head is not None
    assert target is not None
    assert b"\r\nHost: " + host + b"\r\n" in forward_request(head, target)


def test_a_response_ends_its_connection() -> None:
    head = read_response(
        b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n"
        b"Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n"
    )

    assert head is not None
    assert forward_response(head) == (
        b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nConnection: close\r\n\r\n"
    )


@pytest.mark.parametrize(
    "head",
    [
        b"<html>\r\n\r\n",
        b"ICY 200 OK\r\n\r\n",
        b"HTTP/1.1 99 x\r\n\r\n",
        b"HTTP/1.1 600 x\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: a\nY: b\r\n\r\n",
    ],
)
def test_what_is_no_response_is_not_read(head: bytes) -> None:
    assert read_response(head) is None


def test_a_status_line_needs_no_phrase() -> None:
    head = read_response(b"HTTP/1.0 204\r\n\r\n")

    assert head is not None
    assert head.status == 204


def test_only_a_missing_password_is_asked_for() -> None:
    assert b"Proxy-Authenticate" in refuse(EgressRefusal.AUTHENTICATION)
    assert b"Proxy-Authenticate" not in refuse(EgressRefusal.ADDRESS)


@pytest.mark.parametrize("refusal", EgressRefusal)
def test_a_refusal_is_a_whole_short_answer(refusal: EgressRefusal) -> None:
    head, _, body = refuse(refusal).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 ")
    assert f"Content-Length: {len(body)}".encode() in head
    assert len(body) < 100
