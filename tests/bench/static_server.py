"""A server that answers from memory, in a process of its own: ``python -m tests.bench.static_server``.

Prints its port. ``/jsonld/N`` and ``/tree/N`` are pages, everything else is 404.
"""

import asyncio
from typing import cast

from tests.bench.pages import KINDS


class Answer(asyncio.Protocol):
    def __init__(self, bodies: dict[bytes, bytes]) -> None:
        self._bodies = bodies
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            _, kind, *rest = head.split(b" ", 2)[1].split(b"/")
            body = self._bodies.get(kind)
            self._transport.write(body.replace(MARK, rest[0].zfill(7)) if body else NOT_FOUND)


MARK = b"1234567"
"""Stands for the number of the page, so that every body is another."""
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def response(body: bytes) -> bytes:
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        b"Server: bench\r\nCache-Control: no-cache\r\nContent-Length: %d\r\n\r\n" % len(body)
    ) + body


async def main() -> None:
    bodies = {name.encode(): response(make(int(MARK))) for name, make in KINDS.items()}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Answer(bodies), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
