"""The JSON that a page's scripts load, as far as the site file wants it kept."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from crawler.admission.page_capture import (
    CapturePolicy,
    find_flaw,
    has_content,
    is_wanted,
)
from crawler.contracts.rendering import LoadedResponse
from crawler.document.url_pattern import fits, split_url

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Response

MAX_LOADS = 100
"""Responses kept of a page."""
MAX_TOTAL = 16 * 2**20
"""Bytes of all of them together."""
UNDISCLOSED = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
GIVEN_UP = "net::ERR_ABORTED"
"""The page itself wanted it no longer."""


class PageLoads:
    """Keeps what fits, in the order in which it was asked for."""

    def __init__(self, policy: CapturePolicy) -> None:
        self._policy = policy
        self._under_way: dict[Request, int] = {}
        self._has_ended = asyncio.Event()
        self._asked = 0
        self._kept: dict[int, LoadedResponse] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._bytes = 0
        self._left_out: Counter[str] = Counter()
        """Why something that fits is not kept."""

    def attach(self, page: "Page") -> None:
        if self._policy.patterns:
            page.on("request", self._note_start)
            page.on("requestfinished", self._note_end)
            page.on("requestfailed", self._note_failure)

    async def wait(self, patterns: Sequence[str]) -> None:
        """Return once nothing that fits is under way, and something has come for each pattern."""
        while self._under_way or self.find_missing(patterns):
            self._has_ended.clear()
            await self._has_ended.wait()

    def find_missing(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the patterns that nothing fits of what has been kept."""
        kept = [parts for each in self._kept.values() if (parts := split_url(each.url))]
        return tuple(each for each in patterns if not any(fits((each,), parts) for parts in kept))

    @property
    def count(self) -> int:
        """How much has been kept until now."""
        return len(self._kept)

    @property
    def is_whole(self) -> bool:
        return not self._left_out and not self._under_way

    def collect(self) -> tuple[LoadedResponse, ...]:
        """Return what was kept, and read nothing more."""
        for task in tuple(self._tasks):
            task.cancel()
        return tuple(self._kept[number] for number in sorted(self._kept))

    def describe(self) -> tuple[str, ...]:
        left = [*self._left_out.items()]
        if self._under_way:
            left.append(("still loading", len(self._under_way)))
        return tuple(f"not captured, {why}: {count}" for why, count in sorted(left))

    def _note_start(self, request: "Request") -> None:
        if is_wanted(request.url, request.method, request.resource_type, self._policy):
            self._under_way[request] = self._asked
            self._asked += 1

    def _note_failure(self, request: "Request") -> None:
        if request in self._under_way:
            self._end(request)
            if request.failure != GIVEN_UP:
                self._left_out[request.failure or "failed"] += 1

    def _note_end(self, request: "Request") -> None:
        if request in self._under_way:
            task = asyncio.ensure_future(self._keep(request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep(self, request: "Request") -> None:
        from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only

        try:
            async with self._turn:  # One body at a time: they are held in memory twice.
                await self._read(request, self._under_way[request])
        except Error:  # The page was closed.
            self._left_out["unreadable"] += 1
        finally:
            self._end(request)

    def _end(self, request: "Request") -> None:
        del self._under_way[request]
        self._has_ended.set()

    async def _read(self, request: "Request", number: int) -> None:
        response = await request.response()
        if response is None or not has_content(response.status):
            return
        if len(self._kept) == MAX_LOADS:
            self._left_out["too many"] += 1
            return
        body = await _read_body(response)
        flaw = "unreadable" if body is None else find_flaw(response.headers, body)
        kept = b"" if flaw or body is None else body
        if self._bytes + len(kept) > MAX_TOTAL:
            self._left_out["too much"] += 1
            return
        self._bytes += len(kept)
        self._kept[number] = _describe(request, response, kept, (flaw,) if flaw else ())


async def _read_body(response: "Response") -> bytes | None:
    """None where the browser has it no longer: it lets go of what is very large."""
    from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only

    try:
        return await response.body()
    except Error:
        return None


def _describe(
    request: "Request", response: "Response", body: bytes, flags: tuple[str, ...]
) -> LoadedResponse:
    return LoadedResponse(
        url=urldefrag(request.url).url,
        method=request.method,
        status=response.status,
        headers=_disclosed(response.headers.items()),
        request_headers=_disclosed(request.headers.items()),
        body=body,
        flags=flags,
    )


def _disclosed(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in headers if name not in UNDISCLOSED)
