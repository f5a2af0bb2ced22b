"""A page worker's process and the socket that leads to it.

Not asyncio's own subprocess: its exit notice competes with Twisted's for SIGCHLD.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import cast

from crawler.interpretation.protocol import LENGTHS, MAX_HEAD

BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from crawler.interpretation.worker import main; main(*map(int, sys.argv[2:]))"
)
KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")


class Child(asyncio.Protocol):
    """Frames written go to the worker; *receive* is called with the head of each it answers.

    *lose* is called once, when the worker has gone or has broken the protocol.
    """

    process: subprocess.Popen[bytes]

    def __init__(self, receive: Callable[[bytes], None], lose: Callable[[], None]) -> None:
        self._receive, self._lose = receive, lose
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()

    @classmethod
    async def spawn(
        cls, memory_limit: int, receive: Callable[[bytes], None], lose: Callable[[], None]
    ) -> "Child":
        """Raises OSError when no process can be started."""
        child = cls(receive, lose)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                child.process = _execute(memory_limit, theirs.fileno())
            await asyncio.get_running_loop().create_connection(lambda: child, sock=ours)
        except BaseException:
            ours.close()
            if hasattr(child, "process"):
                child.process.kill()
                child.process.wait()
            raise
        return child

    def write(self, frame: bytes) -> None:
        if self._transport is not None:
            self._transport.write(frame)

    def kill(self) -> None:
        self.process.kill()
        if self._transport is not None:
            self._transport.abort()

    async def reap(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.process.wait)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= LENGTHS.size:
            head, body = LENGTHS.unpack_from(self._buffer)
            if head > MAX_HEAD or body:
                self.kill()
                return
            end = LENGTHS.size + head
            if len(self._buffer) < end:
                return
            frame = bytes(self._buffer[LENGTHS.size : end])
            del self._buffer[:end]
            self._receive(frame)

    def connection_lost(self, _error: Exception | None) -> None:
        self._transport = None
        self._lose()


def _execute(memory_limit: int, descriptor: int) -> subprocess.Popen[bytes]:
    """Standard streams are not the socket: what a library prints must not break the protocol."""
    numbers = (memory_limit, descriptor)
    return subprocess.Popen(
        [sys.executable, "-I", "-c", BOOT, json.dumps(sys.path), *map(str, numbers)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        env={name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ},
    )
