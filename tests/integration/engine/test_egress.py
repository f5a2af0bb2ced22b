"""The proxy with real sockets: what passes, what does not, and what is left behind."""

import base64
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from aiohttp.resolver import ThreadedResolver

from crawler.admission.egress import EgressPolicy, EgressRefusal
from crawler.engine.egress import EgressProxy
from crawler.engine.egress_connection import EgressLimits
from tests.e2e.server import RESET, SILENCE, Server, Step, page, redirect
from tests.integration.engine.internal_service import InternalService
from tests.integration.engine.names import ScriptedResolver

WAIT = 5.0


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"/": [page("<h1>Hello</h1>")]}) as running:
        yield running


@pytest.fixture
def internal() -> Iterator[InternalService]:
    with InternalService() as running:
        yield running


@contextmanager
def proxy_for(
    *permits: str,
    names: ScriptedResolver | None = None,
    limits: EgressLimits | None = None,
) -> Iterator[EgressProxy]:
    policy = EgressPolicy(permits=frozenset(permits), is_open=True)
    with EgressProxy(policy, limits, make_resolver=lambda: names or ThreadedResolver()) as proxy:
        yield proxy


def send(proxy: EgressProxy, line: str, *fields: str, body: bytes = b"") -> socket.socket:
    """Return a connection on which a request with the password has been sent."""
    address = proxy.address
    pair = base64.b64encode(f"{address.username}:{address.password}".encode()).decode()
    return send_bare(
        proxy, line, f"Proxy-Authorization: Basic {pair}", "Host: x.example", *fields, body=body
    )


def send_bare(proxy: EgressProxy, line: str, *fields: str, body: bytes = b"") -> socket.socket:
    host, _, port = proxy.address.url.removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), timeout=WAIT)
    connection.sendall("\r\n".join((f"{line} HTTP/1.1", *fields, "", "")).encode() + body)
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Return what comes until the end, or until the connection is cut."""
    received = b""
    with connection:
        try:
            while chunk := connection.recv(65536):
                received += chunk
        except ConnectionError:
            pass
    return received


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_page_of_a_permitted_server_passes(server: Server) -> None:
    with proxy_for(server.authority) as proxy:
        answer = read_all(send(proxy, f"GET {server.url('/?a=b')}"))

        assert status_of(answer) == 200
        assert answer.endswith(b"<h1>Hello</h1>")
        assert proxy.counts["connected"] == 1
    (hit,) = server.log
    assert hit.target == "/?a=b"
    assert hit.headers == {"host": server.authority, "connection": "close"}


def test_a_form_is_posted_with_its_body(server: Server) -> None:
    with proxy_for(server.authority) as proxy:
        body = b"x" * 300_000
        answer = read_all(
            send(proxy, f"POST {server.url()}", f"Content-Length: {len(body)}", body=body)
        )

        assert status_of(answer) == 200
    assert server.log[0].body == body


def test_a_second_request_on_a_connection_reaches_nobody(
    server: Server, internal: InternalService
) -> None:
    smuggled = f"GET http://127.0.0.1:{internal.port}/ HTTP/1.1\r\n\r\n".encode()
    with proxy_for(server.authority) as proxy:
        read_all(send(proxy, f"GET {server.url()}", body=smuggled))
        read_all(send(proxy, f"POST {server.url()}", "Content-Length: 0", body=smuggled))

    assert {hit.target for hit in server.log} <= {"/"}
    assert internal.connections == 0


def test_a_tunnel_carries_bytes_both_ways() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with proxy_for(f"127.0.0.1:{port}") as proxy:
            client = send(proxy, f"CONNECT 127.0.0.1:{port}")
            peer, _ = listening.accept()
            with client, peer:
                assert client.recv(100) == b"HTTP/1.1 200 Connection established\r\n\r\n"
                client.sendall(b"ping")
                assert peer.recv(100) == b"ping"
                peer.sendall(b"pong")
                peer.close()
                assert client.recv(100) == b"pong"
                assert client.recv(100) == b""


@pytest.mark.parametrize("line", ["GET http://127.0.0.1:{}/", "CONNECT 127.0.0.1:{}"])
def test_a_loopback_service_without_a_permit_is_not_reached(
    internal: InternalService, line: str
) -> None:
    with proxy_for("127.0.0.1:1") as proxy:
        answer = read_all(send(proxy, line.format(internal.port)))

        assert status_of(answer) == 403
        assert b"127.0.0.1" not in answer
        assert proxy.counts["refused/address"] == 1
        assert proxy.find_refusal("127.0.0.1", internal.port) is EgressRefusal.ADDRESS
    assert internal.connections == 0


@pytest.mark.parametrize("answers", [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"]])
def test_a_name_with_one_forbidden_address_is_refused(
    internal: InternalService, answers: list[str]
) -> None:
    with proxy_for(names=ScriptedResolver(answers)) as proxy:
        answer = read_all(send(proxy, "CONNECT inside.example:443"))

        assert status_of(answer) == 403
        assert proxy.find_refusal("inside.example", 443) is EgressRefusal.ADDRESS
    assert internal.connections == 0


def test_open_and_closed_ports_are_refused_in_the_same_words(internal: InternalService) -> None:
    with socket.create_server(("127.0.0.1", 0)) as once:
        closed = once.getsockname()[1]
    with proxy_for() as proxy:
        answers = {
            read_all(send(proxy, f"CONNECT 127.0.0.1:{port}")) for port in (internal.port, closed)
        }

    assert len(answers) == 1


def test_each_connection_looks_up_once_and_goes_where_that_said(server: Server) -> None:
    port = int(server.authority.rpartition(":")[2])
    names = ScriptedResolver(["127.0.0.1"], ["127.0.0.2"])
    with proxy_for(f"rebound.example:{port}", names=names) as proxy:
        first = read_all(send(proxy, f"GET http://rebound.example:{port}/"))
        second = read_all(send(proxy, f"GET http://rebound.example:{port}/"))

        assert (status_of(first), status_of(second)) == (200, 502)
        assert names.asked == 2
        assert proxy.find_refusal("rebound.example", port) is EgressRefusal.UNREACHABLE
    assert len(server.log) == 1


def test_a_name_that_does_not_exist_is_told_apart() -> None:
    with proxy_for(names=ScriptedResolver([])) as proxy:
        assert status_of(read_all(send(proxy, "CONNECT nowhere.example:443"))) == 502
        assert proxy.find_refusal("nowhere.example", 443) is EgressRefusal.UNRESOLVED


def test_a_refusal_is_forgotten_once_the_host_was_reached(server: Server) -> None:
    port = int(server.authority.rpartition(":")[2])
    names = ScriptedResolver([], ["127.0.0.1"])
    with proxy_for(f"late.example:{port}", names=names) as proxy:
        read_all(send(proxy, f"GET http://late.example:{port}/"))
        assert proxy.find_refusal("late.example", port) is EgressRefusal.UNRESOLVED
        read_all(send(proxy, f"GET http://late.example:{port}/"))
        assert proxy.find_refusal("late.example", port) is None


@pytest.mark.parametrize("password", [None, "wrong"])
def test_other_programs_of_this_machine_are_not_served(
    server: Server, password: str | None
) -> None:
    with proxy_for(server.authority) as proxy:
        pair = base64.b64encode(f"browser:{password}".encode()).decode()
        fields = [f"Proxy-Authorization: Basic {pair}"] if password else []
        answer = read_all(send_bare(proxy, f"GET {server.url()}", *fields))

        assert status_of(answer) == 407
        assert proxy.counts["refused/authentication"] == 1
    assert server.log == ()


def test_each_run_has_a_password_of_its_own() -> None:
    with proxy_for() as one, proxy_for() as other:
        assert one.address.password != other.address.password
        assert len(one.address.password) >= 32


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("GET /", ()),
        ("GET ftp://a.example/", ()),
        ("CONNECT a.example", ()),
        ("POST http://a.example/", ("Transfer-Encoding: chunked",)),
        ("GET http://a.example/", ("broken",)),
        ("GET http://a.example/", ("X: " + "x" * 70_000,)),
    ],
)
def test_what_is_not_plain_is_refused(line: str, fields: tuple[str, ...]) -> None:
    with proxy_for() as proxy:
        answer = read_all(send(proxy, line, *fields))

        assert answer == b"" or status_of(answer) == 400  # cut while it was still being sent
        assert proxy.counts["refused/malformed"] == 1


def test_a_redirect_is_handed_on_and_not_followed(
    server: Server, internal: InternalService
) -> None:
    server.serve("/away", redirect(f"http://127.0.0.1:{internal.port}/"))
    with proxy_for(server.authority) as proxy:
        assert status_of(read_all(send(proxy, f"GET {server.url('/away')}"))) == 302
    assert internal.connections == 0


@pytest.mark.parametrize(
    "step",
    [
        RESET,
        Step(raw=b""),
        Step(raw=b"<html>no status line"),
        Step(raw=b"SSH-2.0-OpenSSH\r\n\r\n"),
        Step(raw=b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n"),
        Step(raw=b"HTTP/1.1 103 Early\r\n\r\n" * 50),
    ],
    ids=["reset", "nothing", "no head", "ssh", "200 kB of head", "interim without end"],
)
def test_a_server_that_does_not_speak_http_ends_its_connection_only(
    server: Server, step: Step
) -> None:
    server.serve("/odd", step)
    with proxy_for(server.authority) as proxy:
        assert b"200 OK" not in read_all(send(proxy, f"GET {server.url('/odd')}"))
        assert status_of(read_all(send(proxy, f"GET {server.url()}"))) == 200
        assert "bugs" not in proxy.counts


def test_early_hints_pass_before_the_answer(server: Server) -> None:
    raw = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello"
    server.serve("/hints", Step(raw=raw))
    with proxy_for(server.authority) as proxy:
        answer = read_all(send(proxy, f"GET {server.url('/hints')}"))

    assert answer.startswith(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\nhello")


def test_a_run_stops_at_its_bytes(server: Server) -> None:
    server.serve("/large", page("x" * 500_000))
    with proxy_for(server.authority, limits=EgressLimits(bytes=100_000)) as proxy:
        assert len(read_all(send(proxy, f"GET {server.url('/large')}"))) < 500_000
        assert proxy.counts["cut/too_much"] == 1
        assert status_of(read_all(send(proxy, f"GET {server.url()}"))) == 503
    assert server.hits("/") == 0


def test_connections_are_bounded_in_number(server: Server) -> None:
    server.serve("/silent", SILENCE)
    with proxy_for(server.authority, limits=EgressLimits(connections=2)) as proxy:
        waiting = [send(proxy, f"GET {server.url('/silent')}") for _ in range(2)]
        wait_until(lambda: server.hits("/silent") == 2)

        assert status_of(read_all(send(proxy, f"GET {server.url()}"))) == 503
        for connection in waiting:
            connection.close()
        wait_until(lambda: status_of(read_all(send(proxy, f"GET {server.url()}"))) == 200)


@pytest.mark.parametrize(
    "limits",
    [EgressLimits(head_seconds=0.2), EgressLimits(seconds=0.2)],
    ids=["head", "connection"],
)
def test_a_head_that_does_not_come_is_not_waited_for(limits: EgressLimits) -> None:
    with proxy_for(limits=limits) as proxy:
        host, _, port = proxy.address.url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=WAIT) as connection:
            connection.sendall(b"GET http://a.example/ HTTP/1.1\r\n")

            assert read_all(connection) == b""
        wait_until(lambda: proxy.counts.get("cut/timeout") == 1)


def test_a_connection_ends_at_its_time_however_busy_it_is(server: Server) -> None:
    server.serve("/drip", Step(b"x" * 1000, drip=0.02))
    with proxy_for(server.authority, limits=EgressLimits(seconds=0.3)) as proxy:
        began = time.monotonic()
        read_all(send(proxy, f"GET {server.url('/drip')}"))

        assert time.monotonic() - began < 10, "all of it takes 20 s"


def test_all_transfers_can_be_cut_and_later_ones_are_served(server: Server) -> None:
    server.serve("/silent", SILENCE)
    with proxy_for(server.authority) as proxy:
        waiting = send(proxy, f"GET {server.url('/silent')}")
        wait_until(lambda: server.hits("/silent") == 1)
        proxy.abort_all()

        assert read_all(waiting) == b""
        assert status_of(read_all(send(proxy, f"GET {server.url()}"))) == 200


def test_stopping_cuts_what_runs_and_leaves_no_thread(server: Server) -> None:
    server.serve("/silent", SILENCE)
    with proxy_for(server.authority) as proxy:
        waiting = send(proxy, f"GET {server.url('/silent')}")
        wait_until(lambda: server.hits("/silent") == 1)
        began = time.monotonic()
    assert time.monotonic() - began < WAIT
    assert read_all(waiting) == b""
    assert [t.name for t in threading.enumerate() if t.name == "egress-proxy"] == []
    with pytest.raises(ConnectionRefusedError):
        send_bare(proxy, "GET http://a.example/")
    proxy.stop()
