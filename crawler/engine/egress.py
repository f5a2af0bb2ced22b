"""The one way out for a browser: a forward proxy on loopback that decides every connection.

A browser follows redirects, resolves names and opens sockets by itself, so a check of its requests
is no check of its connections. Here each host is resolved once, every address is judged, and the
connection goes to an address that was judged. It runs on a loop and in a thread of its own: a busy
crawl does not slow pages down, and a page's traffic does not slow the crawl.
"""

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import uvloop
from aiohttp.abc import AbstractResolver
from aiohttp.resolver import ThreadedResolver

from crawler.admission.egress import EgressPolicy, EgressRefusal, Target
from crawler.contracts.errors import CrawlerError
from crawler.engine.egress_connection import (
    Credentials,
    Cut,
    EgressLimits,
    Gate,
    Peer,
    Refused,
    serve,
)
from crawler.engine.egress_head import refuse
from crawler.engine.egress_tally import Tally
from crawler.engine.resolver import GuardedResolver

logger = logging.getLogger(__name__)

START_SECONDS = 10.0
STOP_SECONDS = 5.0
"""A name look-up that hangs cannot be cut; the thread, a daemon, is left to it after that long."""


@dataclass(frozen=True, slots=True)
class ProxyAddress:
    """How a browser reaches the proxy. Name and password are made for one run, so that no other
    program on this machine can use it."""

    url: str
    username: str
    password: str


@dataclass(frozen=True, slots=True)
class _Running:
    loop: asyncio.AbstractEventLoop
    stopping: asyncio.Event
    connections: set[asyncio.Task[None]]
    port: int

    def cut_connections(self) -> None:
        for task in self.connections:
            task.cancel()

    def call(self, action: Callable[[], None]) -> None:
        """Have the loop call *action*, unless it has ended."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(action)


class EgressProxy:
    """``start`` and ``stop`` it once, or use it as a context; all methods may be called from any
    thread."""

    def __init__(
        self,
        policy: EgressPolicy,
        limits: EgressLimits | None = None,
        *,
        make_resolver: Callable[[], AbstractResolver] = ThreadedResolver,
    ) -> None:
        """*make_resolver* is called on the proxy's loop; its answers are judged here."""
        self._policy = policy
        self._limits = limits or EgressLimits()
        self._make_resolver = make_resolver
        self._credentials = Credentials("browser", secrets.token_urlsafe(24))
        self._tally = Tally(self._limits.bytes)
        self._thread: threading.Thread | None = None
        self._running: _Running | None = None

    def start(self) -> ProxyAddress:
        """Raises CrawlerError when no socket can be opened."""
        started: Future[_Running] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(started,), name="egress-proxy", daemon=True
        )
        self._thread.start()
        try:
            self._running = started.result(START_SECONDS)
        except (OSError, FutureTimeoutError) as error:
            raise CrawlerError(f"the browser's proxy could not be started: {error}") from error
        return self.address

    @property
    def address(self) -> ProxyAddress:
        assert self._running is not None
        return ProxyAddress(
            f"http://127.0.0.1:{self._running.port}",
            self._credentials.username,
            self._credentials.password,
        )

    def stop(self) -> None:
        """Cut every transfer and wait for the thread's end."""
        if self._thread is None or self._running is None:
            return
        self._running.call(self._running.stopping.set)
        self._thread.join(STOP_SECONDS)

    def abort_all(self) -> None:
        """Cut every transfer; later connections are served."""
        if self._running is not None:
            self._running.call(self._running.cut_connections)

    @property
    def counts(self) -> dict[str, int]:
        """``connected``, ``bytes``, ``refused/<reason>``, ``cut/<reason>``, ``broken``, ``bugs``."""
        return self._tally.counts

    def find_refusal(self, host: str, port: int) -> EgressRefusal | None:
        """Return why the host was refused when it was asked for last, or None."""
        return self._tally.find_refusal(Target(host, port))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    # On the thread of the proxy.

    def _run(self, started: "Future[_Running]") -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._listen(started))

    async def _listen(self, started: "Future[_Running]") -> None:
        resolver = GuardedResolver(lambda: self._policy.permits, self._make_resolver())
        gate = Gate(self._policy, self._limits, self._credentials, resolver, self._tally)
        listener = Listener(gate, self._tally)
        try:
            server = await asyncio.start_server(
                listener.accept, "127.0.0.1", 0, limit=self._limits.head_bytes
            )
        except OSError as error:
            started.set_exception(error)
            return
        port = server.sockets[0].getsockname()[1]
        running = _Running(asyncio.get_running_loop(), asyncio.Event(), listener.connections, port)
        started.set_result(running)
        await running.stopping.wait()
        server.close()
        running.cut_connections()
        await asyncio.gather(*running.connections, return_exceptions=True)
        await resolver.close()


class Listener:
    """Takes connections in and sees each to its end."""

    def __init__(self, gate: Gate, tally: Tally) -> None:
        self._gate = gate
        self._tally = tally
        self.connections: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.connections.add(task)
        is_whole = False
        try:
            is_whole = await self._serve(Peer(reader, writer))
        except Exception:
            self._tally.count("bugs")
            logger.exception("a bug in the browser's proxy ended a connection")
        finally:
            self.connections.discard(task)
            if is_whole:
                writer.close()
            else:
                writer.transport.abort()

    async def _serve(self, browser: Peer) -> bool:
        """Return whether the browser got all there was to get."""
        try:
            if len(self.connections) > self._gate.limits.connections:
                raise Refused(EgressRefusal.TOO_MANY)
            if self._tally.is_exhausted:
                raise Refused(EgressRefusal.TOO_MUCH)
            async with asyncio.timeout(self._gate.limits.seconds):
                await serve(browser, self._gate)
        except Refused as refused:
            self._tally.note_refused(refused)
            return await self._tell(browser, refused.refusal)
        except Cut as cut:
            self._tally.count(f"cut/{cut.refusal}")
            return False
        except TimeoutError:
            self._tally.count(f"cut/{EgressRefusal.TIMEOUT}")
            return False
        except (OSError, EOFError):
            self._tally.count("broken")
            return False
        return True

    async def _tell(self, browser: Peer, refusal: EgressRefusal) -> bool:
        try:
            await browser.send(refuse(refusal))
        except OSError:
            return False
        return True
