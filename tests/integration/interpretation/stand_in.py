"""The real page worker around an interpretation that does what a page's body tells it to.

Started in place of the product's own by ``use_stand_in``: everything but the one pure function is
what runs in a crawl.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from crawler.contracts.outcome import ELIGIBLE
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation import child, worker

BOOT = child.BOOT.replace(
    "crawler.interpretation.worker", "tests.integration.interpretation.stand_in"
)


def use_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "BOOT", BOOT)


def main(memory_limit: int, descriptor: int) -> None:
    ORDERS["send"] = partial(_send, descriptor)
    setattr(worker, "interpret", obey)  # noqa: B010 - mypy: the name is the worker's own
    worker.main(memory_limit, descriptor)


def obey(snapshot: Snapshot, _: Rules, _answer: str | None = None) -> PageReport:
    order, _space, argument = snapshot.body.decode().partition(" ")
    return PageReport(ELIGIBLE, notes=(ORDERS[order](argument),))


def _echo(argument: str) -> str:
    return argument


def _sleep(argument: str) -> str:
    time.sleep(float(argument))
    return "awake"


def _raise(argument: str) -> str:
    raise LookupError(argument)


def _hoard(argument: str) -> str:
    return str(len(b"x" * int(argument)))


def _exit(argument: str) -> str:
    os._exit(int(argument))


def _print(argument: str) -> str:
    print(argument)
    sys.stdout.flush()
    os.write(1, argument.encode())
    return "printed"


def _send(descriptor: int, argument: str) -> str:
    """Write past the protocol, as a worker might that is no longer itself."""
    os.write(descriptor, bytes.fromhex(argument))
    time.sleep(60)
    return "sent"


def _read_input(_argument: str) -> str:
    return sys.stdin.read()


def _environment(_argument: str) -> str:
    return "\n".join(sorted(os.environ))


def _open_files(_argument: str) -> str:
    return "\n".join(sorted(str(link.resolve()) for link in Path("/proc/self/fd").iterdir()))


def _connect(argument: str) -> str:
    with socket.create_connection(("127.0.0.1", int(argument))):
        return "connected"


def _resolve(argument: str) -> str:
    return str(socket.getaddrinfo(argument, 80))


def _spawn(_argument: str) -> str:
    return subprocess.run(["/bin/echo", "spawned"], capture_output=True, check=True).stdout.decode()


def _fork(_argument: str) -> str:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return "forked"


def _shell(argument: str) -> str:
    return str(os.system(argument))


ORDERS: dict[str, Callable[[str], str]] = {
    "echo": _echo,
    "sleep": _sleep,
    "raise": _raise,
    "hoard": _hoard,
    "exit": _exit,
    "print": _print,
    "read": _read_input,
    "environment": _environment,
    "files": _open_files,
    "connect": _connect,
    "resolve": _resolve,
    "spawn": _spawn,
    "fork": _fork,
    "shell": _shell,
}
