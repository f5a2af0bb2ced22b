"""Answers the request of a page that goes on to be rendered with the response that came for it."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse

from crawler.contracts.item import Retained
from crawler.contracts.meta import RETAINED
from crawler.contracts.snapshot import Snapshot
from crawler.middlewares.access import rendering_run_of


class RetainedMiddleware:
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        rendering_run_of(crawler)
        return cls()

    def process_request(self, request: Request) -> HtmlResponse | None:
        retained: Retained | None = request.meta.get(RETAINED)
        return as_response(retained.snapshot) if retained else None


def as_response(snapshot: Snapshot) -> HtmlResponse:
    """Return a response with the body as it is, which is decoded.

    What it set is in a session's jar already, and is masked in the snapshot.
    """
    left_out = {"content-encoding", "set-cookie" if snapshot.session else ""}
    headers: dict[str, list[str]] = {}
    for name, value in snapshot.headers:
        if name.lower() not in left_out:
            headers.setdefault(name, []).append(value)
    return HtmlResponse(
        snapshot.final_url,
        status=snapshot.status,
        headers=headers,
        body=snapshot.body,
        flags=list(snapshot.flags),
    )
