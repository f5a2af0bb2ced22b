"""Turns every response into an immutable observation before anything may act on it."""

import hashlib
import time
import uuid
from dataclasses import replace
from datetime import UTC, datetime

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from crawler.classification.media_type import media_type_of
from crawler.classification.page import FetchedPage
from crawler.classification.session import judge_in_session
from crawler.classification.verdict import judge_response
from crawler.contracts.frontier import LeasedRow
from crawler.contracts.item import Observation, Retained
from crawler.contracts.meta import OBSERVATION, RENDERING, RETAINED, SENT_AT, WIRE_HEADERS
from crawler.contracts.ports import CrawlRun
from crawler.contracts.rendering import LoadedResponse, Rendering, Shot
from crawler.contracts.secrets import mask_set_cookies
from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    PageKind,
    Representation,
    Snapshot,
)
from crawler.document.encoding import decide_encoding
from crawler.middlewares.access import row_of, run_of
from crawler.middlewares.challenge import is_followable
from crawler.middlewares.decoding import header_pairs

UNDISCLOSED = frozenset({"cookie", "authorization", "proxy-authorization"})
KEPT_FLAGS = frozenset({"dataloss", "partial", "too_large", "truncated"})
"""``partial``: only the end of the connection said that the body was over."""
HARMLESS = frozenset({"accept", "accept-language", "content-type", "referer", "user-agent"})

BINARY = Encoding("binary", EncodingSource.SERIALIZED)
SERIALIZED = Encoding("utf-8", EncodingSource.SERIALIZED)


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
        received = retained.snapshot if retained else self._snapshot(request, response, row)
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
        verdict = judge_response(fetched_page(header_pairs(response), snapshot))
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

    def _snapshot(self, request: Request, response: Response, row: LeasedRow | None) -> Snapshot:
        headers = request.meta.pop(WIRE_HEADERS, None) or header_pairs(response)
        session = self._run.session if row else None
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        site = self._run.site
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


def new_capture_id() -> str:
    return f"urn:uuid:{uuid.uuid4()}"


def as_received(wanted: Representation) -> Representation:
    """Return what a response is before a browser has made anything of it."""
    return wanted if wanted.is_message else Representation.HTML


def as_rendered(received: Snapshot, rendering: Rendering) -> tuple[Snapshot, tuple[Capture, ...]]:
    """Return what a browser made of a response, its status and headers with another body, and what
    was observed beside it.
    """
    page = new_capture_id()
    loaded = tuple(as_loaded(received, page, each) for each in rendering.loaded)
    shown = (as_picture(received, page, rendering.shot),) if rendering.shot else ()
    snapshot = replace(
        received,
        capture_id=page,
        final_url=rendering.url,
        representation=Representation.RENDERED_DOM,
        encoding=SERIALIZED,
        digest=hashlib.sha256(rendering.body).hexdigest(),
        body=rendering.body,
        flags=tuple(sorted({*received.flags, *rendering.flags})),
        readiness=rendering.readiness,
        original=received.capture_id,
        loaded=tuple(capture.snapshot for capture in loaded),
        screenshot=shown[0].snapshot.capture_id if shown else "",
    )
    return snapshot, (*loaded, *shown)


def as_loaded(received: Snapshot, page: str, response: LoadedResponse) -> Capture:
    """Return a response that a script asked for, as a capture of its own."""
    media_type = dict(response.headers).get("content-type", "")
    snapshot = replace(
        received,
        capture_id=new_capture_id(),
        requested_url=response.url,
        final_url=response.url,
        status=response.status,
        headers=response.headers,
        representation=Representation.JSON,
        media_type=media_type_of(media_type),
        encoding=SERIALIZED,
        digest=hashlib.sha256(response.body).hexdigest(),
        body=response.body,
        redirects=(),
        flags=response.flags,
        page=page,
    )
    return Capture(
        snapshot,
        is_eligible=False,
        method=response.method,
        request_headers=_without_tokens(response) if received.session else response.request_headers,
        notes=("asked for by a script of the page",),
    )


def _without_tokens(response: LoadedResponse) -> tuple[tuple[str, str], ...]:
    """A script with a session may send what it holds of it in a header of any name."""
    return tuple(pair for pair in response.request_headers if pair[0].lower() in HARMLESS)


def as_picture(received: Snapshot, page: str, shot: Shot) -> Capture:
    """Return the picture of a page as a capture of its own; it has no HTTP head."""
    snapshot = replace(
        received,
        capture_id=new_capture_id(),
        headers=(),
        representation=Representation.SCREENSHOT,
        media_type="image/png",
        encoding=BINARY,
        digest=hashlib.sha256(shot.body).hexdigest(),
        body=shot.body,
        flags=shot.flags,
        page=page,
        picture=shot.picture,
    )
    return Capture(snapshot, is_eligible=False)


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


def fetched_page(headers: tuple[tuple[str, str], ...], snapshot: Snapshot) -> FetchedPage:
    """Return what classification may see: the headers as they are after decoding."""
    return FetchedPage(
        url=snapshot.final_url,
        status=snapshot.status,
        headers=headers,
        body=snapshot.body,
        flags=snapshot.flags,
        representation=snapshot.representation,
    )


def sent_headers(request: Request) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in request.headers.items()
        for value in values
        if name.decode("latin-1").lower() not in UNDISCLOSED
    )


def elapsed_since(sent_at: float | None) -> float:
    """Return the seconds since *sent_at* on the monotonic clock; 0 when nothing was sent."""
    return 0.0 if sent_at is None else max(0.0, time.monotonic() - sent_at)
