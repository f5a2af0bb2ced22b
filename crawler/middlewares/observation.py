"""Turns every response into an immutable observation before anything may act on it."""

import hashlib
import time
from dataclasses import replace
from datetime import UTC, datetime

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from crawler.classification.page import FetchedPage
from crawler.classification.session import judge_in_session
from crawler.classification.verdict import judge_response
from crawler.contracts.item import Observation, Retained
from crawler.contracts.meta import OBSERVATION, RENDERING, RETAINED, SENT_AT, WIRE_HEADERS
from crawler.contracts.ports import CrawlRun
from crawler.contracts.rendering import Rendering
from crawler.contracts.secrets import mask_set_cookies
from crawler.contracts.snapshot import (
    Capture,
    PageKind,
    Representation,
    Snapshot,
)
from crawler.document.encoding import decide_encoding
from crawler.middlewares.access import row_of, run_of
from crawler.middlewares.challenge import is_followable
from crawler.middlewares.decoding import header_pairs
from crawler.middlewares.rendered_captures import as_rendered, new_capture_id

Headers = tuple[tuple[str, str], ...]
UNDISCLOSED = frozenset({"cookie", "authorization", "proxy-authorization"})
KEPT_FLAGS = frozenset({"dataloss", "partial", "short", "too_large", "truncated"})
"""``short``: than announced, as the site file accepts; ``partial``: only the end of the connection
said that the body was over."""


class ObservationMiddleware:
    """Puts an ``Observation`` into the meta of a row's request; archives what has no row.

    Stat: ``observation/<kind>``.
    """

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._stats = crawler.stats
        self._run = run

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ObservationMiddleware":
        return cls(crawler, run_of(crawler))

    def process_request(self, request: Request) -> None:
        request.meta[SENT_AT] = time.monotonic()

    async def process_response(self, request: Request, response: Response) -> Response:
        row = row_of(request)
        retained: Retained | None = request.meta.pop(RETAINED, None)
        headers = header_pairs(response)
        received = retained.snapshot if retained else self._snapshot(request, response, headers)
        rendering: Rendering | None = request.meta.get(RENDERING)
        is_rendered = rendering is not None and rendering.moved_to is None
        snapshot = received
        beside: tuple[Capture, ...] = ()
        if rendering is not None and is_rendered:
            snapshot, beside = as_rendered(received, rendering)
        if snapshot is received and retained:
            snapshot = replace(received, capture_id=new_capture_id())  # filed once already
        if row is None:
            await self._run.archive_auxiliary(
                Capture(snapshot, is_eligible=False, request_headers=sent_headers(request))
            )
            return response
        verdict = judge_response(fetched_page(headers, snapshot))
        if not is_followable(response):
            verdict = judge_in_session(verdict, snapshot)
        observation = Observation(
            row,
            snapshot,
            verdict,
            sent_headers(request),
            request.method,
            elapsed_since(request.meta.get(SENT_AT)),
            original=received if is_rendered and not retained else None,
            beside=beside,
            notes=rendering.notes if rendering else (),
            missing=retained.missing if retained and is_rendered else "",
        )
        request.meta[OBSERVATION] = observation
        self._run.keep(observation)
        self._stats.inc_value(f"observation/{verdict.kind}")
        return as_shown(response, snapshot) if is_rendered else response

    def _snapshot(self, request: Request, response: Response, decoded: Headers) -> Snapshot:
        """*decoded* are the headers without the codings that were undone."""
        row, site = row_of(request), self._run.site
        headers: Headers = request.meta.pop(WIRE_HEADERS, decoded)
        session = self._run.session if row else None
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return Snapshot(
            capture_id=new_capture_id(),
            site=site.config.site,
            run=self._run.run_id,
            requested_url=row.requested_url if row else request.url,
            final_url=response.url,
            status=response.status,
            headers=mask_set_cookies(headers) if session else headers,
            observed_at=datetime.fromtimestamp(self._run.now(), UTC),
            representation=as_received(row.representation) if row else Representation.HTML,
            media_type=content_type.split(";")[0].strip().lower(),
            encoding=decide_encoding(response.body, headers),
            digest=hashlib.sha256(response.body).hexdigest(),
            body=response.body,
            redirects=row.redirects if row else (),
            page_kind=row.page_kind if row else PageKind.DETAIL,
            flags=tuple(sorted(KEPT_FLAGS.intersection(response.flags))),
            site_hash=site.site_hash,
            authorization_hash=site.authorization_hash,
            session=session.name if session else "",
        )


def as_received(wanted: Representation) -> Representation:
    """Return what a response is before a browser has made anything of it."""
    return wanted if wanted.is_message else Representation.HTML


def as_shown(response: Response, snapshot: Snapshot) -> Response:
    """Return a rendered page as a callback may select from it."""
    return HtmlResponse(
        snapshot.final_url,
        status=response.status,
        headers=response.headers,
        body=snapshot.body,
        flags=response.flags,
        encoding=snapshot.encoding.name,
    )


def fetched_page(headers: Headers, snapshot: Snapshot) -> FetchedPage:
    """Return what classification may see: the headers as they are after decoding."""
    return FetchedPage(
        url=snapshot.final_url,
        status=snapshot.status,
        headers=headers,
        body=snapshot.body,
        flags=snapshot.flags,
        representation=snapshot.representation,
    )


def sent_headers(request: Request) -> Headers:
    return tuple(pair for pair in header_pairs(request) if pair[0].lower() not in UNDISCLOSED)


def elapsed_since(sent_at: float | None) -> float:
    """Return the seconds since *sent_at* on the monotonic clock; 0 when nothing was sent."""
    return 0.0 if sent_at is None else max(0.0, time.monotonic() - sent_at)
