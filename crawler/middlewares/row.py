"""Keeps the row of a page from travelling with the requests that its callback yields."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from scrapy import Request
from scrapy.http import Response

from crawler.contracts.frontier import LeasedRow
from crawler.contracts.meta import DEFERRAL, DEPTH, OBSERVATION, RENDERING, ROW, SCOPE, SENT_AT

OWN_KEYS = (ROW, OBSERVATION, RENDERING, DEFERRAL, SCOPE, SENT_AT)


class RowMiddleware:
    """Spider middleware. ``response.meta`` copied into a request makes it no continuation.

    Sets ``meta["depth"]``, as Scrapy's own depth middleware would.
    """

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for output in result:
            yield _as_new_work(output, response)

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterator[Any]:
        for output in result:
            yield _as_new_work(output, response)


def _as_new_work(output: Any, response: Response) -> Any:
    if not isinstance(output, Request):
        return output
    for key in OWN_KEYS:
        output.meta.pop(key, None)
    row = response.meta.get(ROW)
    output.meta[DEPTH] = row.depth + 1 if isinstance(row, LeasedRow) else 0
    return output
