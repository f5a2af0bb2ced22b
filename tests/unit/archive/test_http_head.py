import pytest

from crawler.archive.http_head import (
    can_hold,
    parse_response_head,
    render_request_head,
    render_response_head,
)

CODED = (
    ("Server", "nginx"),
    ("Content-Encoding", "gzip"),
    ("transfer-encoding", "chunked"),
    ("Content-Length", "812"),
    ("Vary", "Accept-Encoding"),
)


def test_fields_that_describe_the_coded_bytes_are_moved_aside_and_the_length_is_right() -> None:
    assert render_response_head(200, CODED, length=4096) == (
        b"HTTP/1.1 200 OK\r\n"
        b"Server: nginx\r\n"
        b"X-Archive-Orig-Content-Encoding: gzip\r\n"
        b"X-Archive-Orig-transfer-encoding: chunked\r\n"
        b"X-Archive-Orig-Content-Length: 812\r\n"
        b"Vary: Accept-Encoding\r\n"
        b"Content-Length: 4096\r\n\r\n"
    )


def test_moved_fields_come_back_in_their_place() -> None:
    assert parse_response_head(render_response_head(200, CODED, length=4096)) == (200, CODED)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        pytest.param(200, (), id="no headers"),
        pytest.param(599, (("A", "b"),), id="a status without a phrase"),
        pytest.param(0, (), id="no status"),
        pytest.param(200, (("A", ""), ("A", " b "), ("A", "b: c")), id="odd but harmless values"),
        pytest.param(200, (("Server", "caf\xe9 \x85"),), id="latin-1"),
        pytest.param(200, (("x-archive-orig-date", "x"),), id="near miss of our own names"),
    ],
)
def test_a_head_that_http_allows_can_be_held(status: int, headers: tuple[tuple[str, str]]) -> None:
    assert can_hold(status, headers)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        pytest.param(1000, (), id="a status of four digits"),
        pytest.param(-1, (), id="a negative status"),
        pytest.param(200, (("A", "b\r\nSet-Cookie: c=d"),), id="a value that injects a field"),
        pytest.param(200, (("A", "b\r\n\r\n<p>"),), id="a value that injects a body"),
        pytest.param(200, (("A\r\nB", "c"),), id="a name that injects a field"),
        pytest.param(200, (("A b", "c"),), id="a name that is no token"),
        pytest.param(200, (("", "c"),), id="no name"),
        pytest.param(200, (("A", "\0"),), id="a null"),
        pytest.param(200, (("A", "\u2028"),), id="beyond latin-1"),
        pytest.param(200, (("X-Archive-Orig-Content-Length", "5"),), id="a name of our own"),
    ],
)
def test_a_head_that_had_to_be_escaped_is_told_apart(
    status: int, headers: tuple[tuple[str, str]]
) -> None:
    assert not can_hold(status, headers)


def test_no_header_can_add_a_line() -> None:
    head = render_response_head(200, (("A\r\nB", "c\r\nD: e\r\n\r\n"), ("F", "g")), length=0)

    assert head == (
        b"HTTP/1.1 200 OK\r\nA__B: c%0D%0AD: e%0D%0A%0D%0A\r\nF: g\r\nContent-Length: 0\r\n\r\n"
    )


@pytest.mark.parametrize(
    ("method", "uri", "headers", "expected"),
    [
        ("GET", "https://e.example/a?b=c#d", (), b"GET /a?b=c HTTP/1.1\r\nHost: e.example\r\n\r\n"),
        ("GET", "https://e.example", (), b"GET / HTTP/1.1\r\nHost: e.example\r\n\r\n"),
        ("GET", "https://e.example?b", (), b"GET /?b HTTP/1.1\r\nHost: e.example\r\n\r\n"),
        ("GET", "http://u:p@e.example:81/", (), b"GET / HTTP/1.1\r\nHost: e.example:81\r\n\r\n"),
        ("PUT", "http://e.example/", (("host", "h"),), b"PUT / HTTP/1.1\r\nhost: h\r\n\r\n"),
        ("G T\r\n", "urn:x:1", (), b"G_T__ urn:x:1 HTTP/1.1\r\nHost: \r\n\r\n"),
    ],
)
def test_a_request_head_names_target_and_host(
    method: str, uri: str, headers: tuple[tuple[str, str]], expected: bytes
) -> None:
    assert render_request_head(method, uri, headers) == expected
