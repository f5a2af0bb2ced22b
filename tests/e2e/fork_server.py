"""The process that scrapy commands are forked from, with all that they import already there.

A fork has what a command started by hand has, all its own: a process, arguments, an environment,
three streams, an exit code. Only its imports take no time.
"""

import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import scrapy

import crawler

APART = ("crawler.settings", "crawler.interpretation.worker")
"""What reads the environment, and what is a process of its own."""
OF_SCRAPY = ("cmdline", "commands", "core", "crawler", "downloadermiddlewares", "extensions")
LOADED_LATE = (
    "encodings.utf_8_sig",
    "pydantic_ai.direct",
    "pydantic_ai.models.openai",
    "pydantic_ai.providers.openai",
    "rich.progress",
    "rich.table",
    "scrapy.spidermiddlewares.start",
    "twisted.conch.telnet",
    "twisted.internet.asyncioreactor",
    "uvloop",
)


def import_everything() -> None:
    for name in sorted(_list_modules()):
        import_module(name)
    assert "twisted.internet.reactor" not in sys.modules, "commands choose their reactor"


def _list_modules() -> Iterator[str]:
    yield from LOADED_LATE
    ours = pkgutil.walk_packages(crawler.__path__, "crawler.")
    yield from (module.name for module in ours if not module.name.startswith(APART))
    theirs = (module.name for module in pkgutil.iter_modules(scrapy.__path__))
    yield from (f"scrapy.{name}" for name in theirs if name in OF_SCRAPY)


class ForkServer:
    """Answers each request on *control* with the number of a new process.

    A request is JSON and four descriptors: three streams, and a pipe for the exit code.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._exit_pipes: dict[int, int] = {}
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)

    def serve(self) -> None:
        """Return in each new process, and nowhere else."""
        signal.set_wakeup_fd(self._wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        control = self._control.fileno()
        while True:
            readable, _, _ = select.select([control, self._woken], [], [])
            if self._woken in readable:
                os.read(self._woken, 4096)
                self._report_ended()
            if control in readable and self._is_fork_of_request():
                return

    def _is_fork_of_request(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._control, 1 << 20, 4)
        if not message:
            sys.exit()
        *streams, exit_pipe = descriptors
        if pid := os.fork():
            self._exit_pipes[pid] = exit_pipe
            _close_all(streams)
            self._control.send(str(pid).encode())
            return False
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._control.close()
        _close_all([self._woken, self._wake, exit_pipe, *self._exit_pipes.values()])
        _become(json.loads(message), streams)
        return True

    def _report_ended(self) -> None:
        for pid, exit_pipe in list(self._exit_pipes.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self._exit_pipes[pid]
                os.write(exit_pipe, str(os.waitstatus_to_exitcode(status)).encode())
                os.close(exit_pipe)


def _become(request: dict[str, Any], streams: list[int]) -> None:
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    _close_all(streams)
    sys.argv = ["scrapy", *request["arguments"]]
    os.environ.clear()
    os.environ.update(request["environment"])
    os.umask(request["umask"])
    if request["leads_session"]:
        os.setsid()


def _close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


if __name__ == "__main__":
    import_everything()
    gc.collect()
    gc.freeze()
    ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()
    runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
