"""A transport that takes no more of an answer than a model could have been allowed to write."""

from collections.abc import AsyncIterator

import httpx2

MAX_BYTES = 4 * 2**20
PLAIN = {"Accept-Encoding": "identity"}
"""What is not packed cannot unpack to more than was counted."""


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Raises ReadError for a response that is too large, or packed although nobody asked."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.ReadError("a packed response", request=request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Counted(response.stream, request)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._inner, self._request = inner, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_BYTES
        async for chunk in self._inner:
            left -= len(chunk)
            if left < 0:
                raise httpx2.ReadError("a response too large", request=self._request)
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
