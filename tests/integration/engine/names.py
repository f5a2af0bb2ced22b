"""A name server that is told its answers."""

import socket
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult


class ScriptedResolver(AbstractResolver):
    """Gives one answer after the other; the last one stays. An empty one: no such name."""

    def __init__(self, *answers: list[str]) -> None:
        self._answers = answers
        self.asked = 0

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:
        answer = self._answers[min(self.asked, len(self._answers) - 1)]
        self.asked += 1
        if not answer:
            raise OSError(None, "no such name")
        return [_result(host, ip, port) for ip in answer]

    async def close(self) -> None:
        pass


def _result(host: str, ip: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    return {
        "hostname": host,
        "host": ip,
        "port": port,
        "family": family,
        "proto": socket.IPPROTO_TCP,
        "flags": socket.AI_NUMERICHOST,
    }
