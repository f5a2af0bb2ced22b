"""Names looked up once, with every answer checked before any of them is used."""

import socket
from collections.abc import Callable
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from crawler.admission.address import forbidden_reason, is_permitted
from crawler.admission.refusal import AddressRefused


class GuardedResolver(AbstractResolver):
    """Refuses a name with one forbidden address among its answers.

    The connector connects to the very addresses returned here, so a second answer of a name server
    that changes its mind is never asked for.
    """

    def __init__(
        self, permits: Callable[[], frozenset[str]], resolver: AbstractResolver | None = None
    ) -> None:
        self._permits = permits
        self._resolver = resolver or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        answers = await self._resolver.resolve(host, port, family)
        if is_permitted(host, port, self._permits()):
            return answers
        if any(_is_forbidden(answer["host"]) for answer in answers):
            raise AddressRefused(host)
        return answers

    async def close(self) -> None:
        await self._resolver.close()


def _is_forbidden(address: str) -> bool:
    return forbidden_reason(ip_address(address.partition("%")[0])) is not None
