"""Starts scrapy commands as forks of a process that has imported what they need."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Self

ENVIRONMENT = dict(os.environ)
"""Before a test changes it."""
READ_AT_START = ("PYTHON", "LC_", "LANG", "TZ")
"""How the variables begin that an interpreter reads when it starts."""


class Fork:
    """What tests use of ``subprocess.Popen``; standard output and errors are kept as text."""

    def __init__(self, pid: int, exit_pipe: int, stdout: IO[str], stderr: IO[str]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._exit_pipe = exit_pipe
        self._streams = (stdout, stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.wait()
        for stream in self._streams:
            stream.close()

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        if (code := self._look(timeout)) is None:
            raise subprocess.TimeoutExpired("scrapy", timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        self.wait(timeout)
        stdout, stderr = map(_read_and_close, self._streams)
        return stdout, stderr

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._exit_pipe], [], [], timeout)[0]:
            code = os.read(self._exit_pipe, 16)
            os.close(self._exit_pipe)
            self.returncode = int(code)
        return self.returncode


class ForkServer:
    """The process that is forked, as it was started; ends with this one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.fork_server", str(theirs.fileno())],
                cwd=Path(__file__).parents[2],
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self._close)

    def fork(
        self,
        arguments: Sequence[str],
        environment: dict[str, str],
        sink: IO[str] | None = None,
        leads_session: bool = False,
    ) -> Fork:
        """Start ``scrapy ARGUMENTS``; what it prints goes to *sink*, or is kept for the caller."""
        umask = os.umask(0o077)
        os.umask(umask)
        request = {
            "arguments": arguments,
            "environment": environment,
            "umask": umask,
            "leads_session": leads_session,
        }
        stdout, stderr = (sink, sink) if sink else (_open_unnamed(), _open_unnamed())
        exit_pipe, theirs = os.pipe()
        with Path(os.devnull).open("rb") as stdin, self._lock:
            descriptors = [stdin.fileno(), stdout.fileno(), stderr.fileno(), theirs]
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
            pid = int(self._control.recv(16))
        os.close(theirs)
        return Fork(pid, exit_pipe, stdout, stderr)

    def _close(self) -> None:
        self._control.close()
        self._process.wait()


def _read_and_close(stream: IO[str]) -> str:
    with stream:
        stream.seek(0)
        return stream.read()


def _open_unnamed() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


@cache
def find_fork_server() -> ForkServer:
    return ForkServer()


def is_forked_alike(environment: dict[str, str]) -> bool:
    """Whether an interpreter with *environment* would be what the one that is forked is."""
    return _read_at_start(environment) == _read_at_start(ENVIRONMENT)


def _read_at_start(environment: dict[str, str]) -> dict[str, str]:
    return {n: value for n, value in environment.items() if n.startswith(READ_AT_START)}
