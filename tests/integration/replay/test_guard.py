"""A guard cannot be taken off again, so each is put on in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server import Server, page

ATTEMPTS = {
    "connect": "socket.create_connection(('127.0.0.1', PORT))",
    "connect_ex": "socket.socket().connect_ex(('127.0.0.1', PORT))",
    "another family": "socket.socket(socket.AF_INET6).connect(('::1', PORT))",
    "urllib": "urllib.request.urlopen('http://127.0.0.1:%d/' % PORT)",
    "asyncio": "asyncio.run(asyncio.open_connection('127.0.0.1', PORT))",
    "look-up": "socket.getaddrinfo('localhost', 80)",
    "old look-up": "socket.gethostbyname('localhost')",
    "reverse look-up": "socket.gethostbyaddr('127.0.0.1')",
    "reverse look-up of a name": "socket.getnameinfo(('127.0.0.1', 80), 0)",
    "datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "message": (
        "socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', PORT))"
    ),
}
PERMITTED = {
    "local socket": "socket.socketpair()",
    "event loop": "asyncio.run(asyncio.sleep(0))",
    "file": "open('/dev/null').read()",
}


def run(code: str, port: int, permitted: str = "") -> subprocess.CompletedProcess[str]:
    hosts = f"frozenset({{{permitted!r}}})" if permitted else ""
    lines = (
        "import asyncio, socket, urllib.request",
        "from crawler.replay.guard import forbid_connections",
        f"PORT = {port}",
        f"forbid_connections({hosts})",
        code,
    )
    return subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("code", ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_attempt_to_connect_raises_before_anything_is_sent(code: str) -> None:
    with Server({"/": (page("x"),)}) as server:
        ended = run(code, int(server.authority.rpartition(":")[2]))

        assert ended.returncode == 1
        assert "ConnectionForbidden: socket." in ended.stderr
        assert server.log == ()


@pytest.mark.parametrize("code", PERMITTED.values(), ids=PERMITTED)
def test_what_stays_on_this_machine_is_left_alone(code: str) -> None:
    ended = run(code, 1)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_host_of_the_ledger_may_be_reached_and_no_other() -> None:
    with Server({"/": (page("x"),)}, host="127.0.0.2") as server:
        port = int(server.authority.rpartition(":")[2])
        reached = run(f"socket.create_connection(('127.0.0.2', {port}))", port, "127.0.0.2")
        refused = run(ATTEMPTS["connect"], port, "127.0.0.2")

    assert (reached.returncode, reached.stderr) == (0, "")
    assert "ConnectionForbidden" in refused.stderr
