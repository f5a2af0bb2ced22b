"""A service on loopback that nobody may reach: counts whoever does."""

import select
import socket
import threading
from types import TracebackType
from typing import Self


class InternalService:
    """Listens on one port for TCP and UDP; closes each connection after its first bytes."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._closing = threading.Event()
        self.connections = 0
        self.datagrams = 0
        self._thread = threading.Thread(target=self._serve, name="internal-service")
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._thread.join()
        self._tcp.close()
        self._udp.close()

    def _serve(self) -> None:
        while not self._closing.is_set():
            readable, _, _ = select.select([self._tcp, self._udp], [], [], 0.02)
            if self._tcp in readable:
                self.connections += 1
                self._tcp.accept()[0].close()
            if self._udp in readable:
                self.datagrams += 1
                self._udp.recv(2048)
