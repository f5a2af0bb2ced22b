"""A real HTTP server on loopback that answers by script and remembers what it was asked.

Needs the standard library only: the demo site is one, too.
"""

import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Step:
    """One answer. ``headers`` replace those the server would send by itself, by name."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    """Seconds before the first byte of the answer."""
    drip: float = 0.0
    """Seconds before each byte of the body, or of what is sent raw."""
    truncate: int | None = None
    """Close the connection after so many bytes of a body announced as longer."""
    raw: bytes | None = None
    """Sent as it is in place of an HTTP answer; then the connection is closed."""
    is_silent: bool = False
    """Never answer; the connection stays open until the client gives up."""
    is_reset: bool = False
    """Abort the connection (TCP RST) in place of an answer."""


SILENCE = Step(is_silent=True)
RESET = Step(is_reset=True)
NOT_FOUND = Step(b"<h1>Not found</h1>", 404)
"""What a path without a script answers, robots.txt included: no rules."""


def page(html: str, status: int = 200, **headers: str) -> Step:
    """Return an HTML answer; ``retry_after="2"`` becomes the header ``Retry-After``."""
    return Step(html.encode(), status, header_pairs(headers))


def redirect(target: str, status: int = 302) -> Step:
    return Step(status=status, headers=(("Location", target),))


def header_pairs(headers: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name.replace("_", "-").title(), value) for name, value in headers.items())


@dataclass(frozen=True, slots=True)
class Hit:
    """One request as the server saw it."""

    method: str
    target: str
    """As on the request line, query included."""
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    at: float
    """``time.monotonic()`` when the request was complete."""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path


Script = Sequence[Step] | Callable[[Hit], Step]
"""The answers to one target in turn, the last one again and again; or one computed from the hit."""


class Server:
    """Serves scripts from threads of this process until it is closed.

    A target is looked up with its query first, then by its path, then by the longest prefix of the
    path that ends in ``*``.
    """

    def __init__(
        self,
        scripts: dict[str, Script] | None = None,
        host: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._scripts: dict[str, Script] = dict(scripts or {})
        self._lock = threading.Lock()
        self._served: dict[str, int] = {}
        self._in_flight = 0
        self._log: list[Hit] = []
        self.most_in_flight = 0
        """Largest number of requests that were being answered at one moment."""
        self.closing = threading.Event()
        self._http = _ThreadedServer((host, 0), self)
        self._scheme = "https" if tls else "http"
        if tls:
            # Hands are shaken by the threads that answer, not by the one that accepts.
            self._http.socket = tls.wrap_socket(
                self._http.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, name="test-server"
        )
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def authority(self) -> str:
        """``host:port``, as ``permit_private`` wants it."""
        host, port = self._http.server_address[:2]
        return f"{host!s}:{port}"

    def url(self, target: str = "/") -> str:
        return f"{self._scheme}://{self.authority}{target}"

    def serve(self, target: str, *steps: Step) -> None:
        self._scripts[target] = steps

    def compute(self, target: str, answer: Callable[[Hit], Step]) -> None:
        self._scripts[target] = answer

    @property
    def log(self) -> tuple[Hit, ...]:
        """Every request so far, in the order in which they were complete."""
        with self._lock:
            return tuple(self._log)

    def hits(self, target: str) -> int:
        """Return how often a target was asked for: with its query if it has one, else by path."""
        return len(self.times(target))

    def times(self, target: str) -> list[float]:
        """Return when a target was asked for, in ``time.monotonic()`` seconds."""
        return [hit.at for hit in self.log if target in {hit.target, hit.path}]

    def forget(self) -> None:
        """Empty the log and the counts; scripts go on where they were."""
        with self._lock:
            self._log.clear()
            self.most_in_flight = 0

    def close(self) -> None:
        """Stop, cutting every connection that is still open."""
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.cut_connections()
        self._http.server_close()

    def begin(self, hit: Hit) -> Step:
        """Count a request and return its answer."""
        with self._lock:
            self._log.append(hit)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            script = self._find(hit)
            if not callable(script):
                return self._next_step(hit.target, script)
        return script(hit)

    def end(self) -> None:
        with self._lock:
            self._in_flight -= 1

    def _find(self, hit: Hit) -> Script:
        for target in (hit.target, hit.path):
            if target in self._scripts:
                return self._scripts[target]
        patterns = [p for p in self._scripts if p.endswith("*") and hit.path.startswith(p[:-1])]
        return self._scripts[max(patterns, key=len)] if patterns else (NOT_FOUND,)

    def _next_step(self, target: str, steps: Sequence[Step]) -> Step:
        number = self._served.get(target, 0)
        self._served[target] = number + 1
        return steps[min(number, len(steps) - 1)]


class _ThreadedServer(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], owner: Server) -> None:
        self.owner = owner
        self._connections: set[socket.socket] = set()
        self._connections_lock = threading.Lock()
        super().__init__(address, _Handler)

    def remember(self, connection: socket.socket) -> None:
        with self._connections_lock:
            self._connections.add(connection)

    def forget(self, connection: socket.socket) -> None:
        with self._connections_lock:
            self._connections.discard(connection)

    def cut_connections(self) -> None:
        """Wake the threads that wait for another request of a client."""
        with self._connections_lock:
            for connection in self._connections:
                _shut(connection)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "ScriptedServer"
    disable_nagle_algorithm = True
    server: _ThreadedServer
    connection: socket.socket

    def setup(self) -> None:
        super().setup()
        self.server.remember(self.connection)

    def finish(self) -> None:
        self.server.forget(self.connection)
        super().finish()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True  # The client went away; clients of tests are killed.

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the log is an attribute of the server."""

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        hit = Hit(
            method=self.command,
            target=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
            at=time.monotonic(),
        )
        step = self.server.owner.begin(hit)
        try:
            self._answer(step)
        finally:
            self.server.owner.end()

    do_HEAD = do_POST = do_GET

    def _answer(self, step: Step) -> None:
        if step.delay:
            self.server.owner.closing.wait(step.delay)
        if step.is_silent:
            self._wait_for_client_to_leave()
        elif step.is_reset:
            self._abort()
        elif step.raw is not None:
            if step.drip:
                self._drip(step.raw, step.drip)
            else:
                self.wfile.write(step.raw)
            self.close_connection = True
        else:
            self._send(step)

    def _send(self, step: Step) -> None:
        head, body = self._head(step), self._body(step)
        if step.drip:
            self.wfile.write(head)
            self._drip(body, step.drip)
        else:
            self.wfile.write(head + body)
        if step.truncate is not None:
            self.close_connection = True

    def _head(self, step: Step) -> bytes:
        headers = {"Content-Type": HTML, "Content-Length": str(len(step.body))}
        given = {name.lower() for name, _ in step.headers}
        lines = [f"{name}: {value}" for name, value in headers.items() if name.lower() not in given]
        lines += [f"{name}: {value}" for name, value in step.headers]
        phrase = _phrase(step.status)
        head = "\r\n".join([f"HTTP/1.1 {step.status} {phrase}", *lines])
        return f"{head}\r\n\r\n".encode("latin-1")

    def _body(self, step: Step) -> bytes:
        if self.command == "HEAD" or step.status in {204, 304}:
            return b""
        return step.body[: step.truncate]

    def _drip(self, body: bytes, seconds: float) -> None:
        for position in range(len(body)):
            if self.server.owner.closing.wait(seconds):
                return
            self.wfile.write(body[position : position + 1])

    def _wait_for_client_to_leave(self) -> None:
        self.close_connection = True
        while not self.server.owner.closing.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.05)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return

    def _abort(self) -> None:
        self.close_connection = True
        # Lingering for no time makes close() send RST and drop what was not sent.
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unassigned"


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # Closed between the look and the call.
