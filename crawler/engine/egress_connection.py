"""One connection of the browser to the egress proxy, from its head to its last byte."""

import asyncio
import socket
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol

from aiohappyeyeballs import AddrInfoType, start_connection
from aiohttp.abc import AbstractResolver, ResolveResult

from crawler.admission.egress import (
    EgressPolicy,
    EgressRefusal,
    Target,
    decide_egress,
    read_target,
)
from crawler.admission.refusal import AddressRefused
from crawler.engine.egress_head import (
    HEAD_END,
    RequestHead,
    forward_request,
    forward_response,
    is_authenticated,
    read_request,
    read_response,
)

CHUNK = 128 * 1024
TUNNEL_OPEN = b"HTTP/1.1 200 Connection established\r\n\r\n"
MAX_INTERIM = 10
"""Responses 1xx before the real one."""


@dataclass(frozen=True, slots=True)
class EgressLimits:
    """What the browser's connections may cost."""

    connections: int = 256
    """Open at once."""
    bytes: int = 16 * 2**30
    """Received and sent in one run."""
    head_bytes: int = 64 * 1024
    head_seconds: float = 15.0
    """For the head of a request; a browser opens connections before it needs them."""
    connect_seconds: float = 15.0
    """For look-up and connection together."""
    seconds: float = 600.0
    """Of one connection, from its first byte to its last."""


@dataclass(frozen=True, slots=True)
class Credentials:
    username: str
    password: str


class Meter(Protocol):
    """Knows what has passed."""

    def take(self, size: int) -> None:
        """Raises Cut when it has been enough."""

    def note_connected(self, target: Target) -> None: ...


class Refused(Exception):
    """Nothing of an answer has been sent: the browser is told so."""

    def __init__(self, refusal: EgressRefusal, target: Target | None = None) -> None:
        super().__init__(refusal)
        self.refusal, self.target = refusal, target


class Cut(Exception):
    """Broken off where an answer was on its way: there is nothing left to say."""

    def __init__(self, refusal: EgressRefusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Gate:
    """What every connection is held to."""

    policy: EgressPolicy
    limits: EgressLimits
    credentials: Credentials
    resolver: AbstractResolver
    """Refuses with AddressRefused; its answers are what is connected to."""
    meter: Meter


@dataclass(frozen=True, slots=True)
class Peer:
    """One end of what is relayed."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


async def serve(browser: Peer, gate: Gate) -> None:
    """Connect the browser to what it asks for. Raises Refused, Cut, OSError, EOFError, TimeoutError."""
    head = await _read_request(browser.reader, gate)
    target = _decide(head, gate.policy)
    server = await _connect(target, gate)
    gate.meter.note_connected(target)
    try:
        if target.url is None:
            await browser.send(TUNNEL_OPEN)
            await _until_one_ends(
                _pump(browser.reader, server, gate.meter), _pump(server.reader, browser, gate.meter)
            )
        else:
            length = head.body_length or 0
            await server.send(forward_request(head, target))
            await _until_one_ends(
                _send_body(browser.reader, server, length, gate.meter),
                _relay_response(server.reader, browser, gate),
            )
    finally:
        server.writer.close()


async def _read_request(reader: asyncio.StreamReader, gate: Gate) -> RequestHead:
    async with asyncio.timeout(gate.limits.head_seconds):
        data = await _read_head(reader)
    head = read_request(data)
    if head is None or head.body_length is None:
        raise Refused(EgressRefusal.MALFORMED)
    if not is_authenticated(head, gate.credentials.username, gate.credentials.password):
        raise Refused(EgressRefusal.AUTHENTICATION)
    return head


async def _read_head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(HEAD_END)
    except asyncio.LimitOverrunError as error:
        raise Refused(EgressRefusal.MALFORMED) from error


def _decide(head: RequestHead, policy: EgressPolicy) -> Target:
    target = read_target(head.method, head.target)
    if target is None:
        raise Refused(EgressRefusal.MALFORMED)
    refusal = decide_egress(target, policy)
    if refusal is not None:
        raise Refused(refusal, target)
    return target


async def _connect(target: Target, gate: Gate) -> Peer:
    try:
        async with asyncio.timeout(gate.limits.connect_seconds):
            return await _connect_to_checked(target, gate)
    except AddressRefused as error:
        raise Refused(EgressRefusal.ADDRESS, target) from error
    except TimeoutError as error:
        raise Refused(EgressRefusal.TIMEOUT, target) from error


async def _connect_to_checked(target: Target, gate: Gate) -> Peer:
    """One look-up, and a connection to one of the very addresses that were checked."""
    try:
        answers = await gate.resolver.resolve(target.host, target.port)
    except OSError as error:
        raise Refused(EgressRefusal.UNRESOLVED, target) from error
    try:
        connected = await start_connection(
            [_address_info(answer, target.port) for answer in answers], happy_eyeballs_delay=0.25
        )
    except OSError as error:
        raise Refused(EgressRefusal.UNREACHABLE, target) from error
    ends = await asyncio.open_connection(sock=connected, limit=gate.limits.head_bytes)
    return Peer(*ends)


def _address_info(answer: ResolveResult, port: int) -> AddrInfoType:
    family = answer["family"]
    place = (answer["host"], port, 0, 0) if family == socket.AF_INET6 else (answer["host"], port)
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", place


async def _pump(reader: asyncio.StreamReader, to: Peer, meter: Meter) -> None:
    while chunk := await reader.read(CHUNK):
        meter.take(len(chunk))
        await to.send(chunk)


async def _send_body(reader: asyncio.StreamReader, server: Peer, length: int, meter: Meter) -> None:
    """Send what was announced and no more, then wait for the browser to leave."""
    while length > 0:
        chunk = await reader.read(min(length, CHUNK))
        if not chunk:
            return
        length -= len(chunk)
        meter.take(len(chunk))
        await server.send(chunk)
    await reader.read(1)


async def _relay_response(reader: asyncio.StreamReader, browser: Peer, gate: Gate) -> None:
    for _ in range(MAX_INTERIM):
        data = await _read_head(reader)
        head = read_response(data)
        if head is None:
            raise Refused(EgressRefusal.UNREACHABLE)
        gate.meter.take(len(data))
        await browser.send(forward_response(head))
        if head.status >= 200:
            return await _pump(reader, browser, gate.meter)
    raise Refused(EgressRefusal.UNREACHABLE)


async def _until_one_ends(*directions: Awaitable[None]) -> None:
    """Both directions end with the first; what broke that one is raised."""
    tasks = [asyncio.ensure_future(direction) for direction in directions]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
