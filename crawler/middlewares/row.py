"""Keeps the row of a page from travelling with the requests that its callback yields."""

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.http import Response

from crawler.contracts.meta import DEFERRAL, OBSERVATION, ROW, SCOPE, SENT_AT

OWN_KEYS = (ROW, OBSERVATION, DEFERRAL, SCOPE, SENT_AT)


class RowMiddleware:
    """Spider middleware. ``response.meta`` copied into a new request must not make it a continuation."""

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for output in result:
            yield _without_row(output) if isinstance(output, Request) else output

    def process_spider_output(self, response: Response, result: Any) -> Any:
        for output in result:
            yield _without_row(output) if isinstance(output, Request) else output


def _without_row(request: Request) -> Request:
    for key in OWN_KEYS:
        request.meta.pop(key, None)
    return request
