"""The server that the other tests believe."""

import http.client
import threading
import time

import pytest

from tests.e2e.server import RESET, SILENCE, Hit, Server, Step, page, redirect


def fetch(
    server: Server, target: str, method: str = "GET", timeout: float = 5
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(server.authority, timeout=timeout)
    try:
        connection.request(method, target)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_answers_come_in_turn_and_the_last_one_stays(server: Server) -> None:
    server.serve("/a", page("busy", 503, retry_after="2"), page("here"))

    answers = [fetch(server, "/a") for _ in range(3)]

    assert [response.status for response, _ in answers] == [503, 200, 200]
    assert answers[0][0].headers["Retry-After"] == "2"
    assert answers[2][1] == b"here"
    assert server.hits("/a") == 3


def test_each_target_has_its_own_turn(server: Server) -> None:
    server.serve("/a", page("first"), page("second"))

    bodies = [fetch(server, target)[1] for target in ("/a?x=1", "/a?x=2", "/a?x=1")]

    assert bodies == [b"first", b"first", b"second"]
    assert (server.hits("/a?x=1"), server.hits("/a")) == (2, 3)


def test_the_longest_prefix_answers_where_no_target_does(server: Server) -> None:
    server.compute("/a/*", lambda hit: page(hit.path))
    server.serve("/a/b/*", redirect("/elsewhere"))

    assert fetch(server, "/a/c")[1] == b"/a/c"
    assert fetch(server, "/a/b/c")[0].headers["Location"] == "/elsewhere"
    assert fetch(server, "/ab")[0].status == 404


def test_head_has_the_headers_and_no_body(server: Server) -> None:
    server.serve("/a", page("four"))

    response, body = fetch(server, "/a", "HEAD")

    assert (response.headers["Content-Length"], body) == ("4", b"")
    assert server.log[0].method == "HEAD"


def test_given_headers_replace_the_usual_ones(server: Server) -> None:
    server.serve("/a", Step(b"x", headers=(("content-type", "Text/HTML; charset=x"),)))

    response, _ = fetch(server, "/a")

    assert response.headers.get_all("Content-Type") == ["Text/HTML; charset=x"]


def test_truncated_body_is_shorter_than_announced(server: Server) -> None:
    server.serve("/a", Step(b"0123456789", truncate=4))

    with pytest.raises(http.client.IncompleteRead) as caught:
        fetch(server, "/a")

    assert caught.value.partial == b"0123"


def test_reset_reaches_the_client_as_such(server: Server) -> None:
    server.serve("/a", RESET)

    with pytest.raises(ConnectionResetError):
        fetch(server, "/a")


def test_raw_bytes_are_sent_as_they_are(server: Server) -> None:
    server.serve("/a", Step(raw=b"HTTP/1.1 299 Odd\r\nX-Y: z\r\n\r\nrest"))

    response, body = fetch(server, "/a")

    assert (response.status, response.headers["X-Y"], body) == (299, "z", b"rest")


def test_silence_lasts_until_the_client_gives_up(server: Server) -> None:
    server.serve("/a", SILENCE)

    with pytest.raises(TimeoutError):
        fetch(server, "/a", timeout=0.2)

    assert server.hits("/a") == 1


def test_dripping_takes_its_time_for_each_byte(server: Server) -> None:
    server.serve("/a", Step(b"abcde", drip=0.02))
    started = time.monotonic()

    _, body = fetch(server, "/a")

    assert body == b"abcde"
    assert time.monotonic() - started >= 0.1


def test_requests_in_flight_together_are_counted(server: Server) -> None:
    together = threading.Barrier(3)

    def wait_for_the_others(hit: Hit) -> Step:
        together.wait(timeout=5)
        return page(hit.path)

    server.compute("/*", wait_for_the_others)
    clients = [threading.Thread(target=fetch, args=(server, f"/{n}")) for n in range(3)]

    for client in clients:
        client.start()
    for client in clients:
        client.join()

    assert server.most_in_flight == 3


def test_closing_does_not_wait_for_a_silent_answer() -> None:
    server = Server({"/a": (SILENCE,)})
    connection = http.client.HTTPConnection(server.authority, timeout=5)
    connection.request("GET", "/a")
    while not server.log:
        time.sleep(0.01)
    started = time.monotonic()

    server.close()
    connection.close()

    assert time.monotonic() - started < 2
