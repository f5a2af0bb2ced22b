"""What came of a rendering as captures: the document, what it loaded, and its picture."""

import hashlib
import uuid
from dataclasses import replace

from crawler.classification.media_type import media_type_of
from crawler.contracts.rendering import LoadedResponse, Rendering, Shot
from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    Representation,
    Snapshot,
)

BINARY = Encoding("binary", EncodingSource.SERIALIZED)
SERIALIZED = Encoding("utf-8", EncodingSource.SERIALIZED)
HARMLESS = frozenset({"accept", "accept-language", "content-type", "referer", "user-agent"})


def new_capture_id() -> str:
    return f"urn:uuid:{uuid.uuid4()}"


def as_rendered(received: Snapshot, rendering: Rendering) -> tuple[Snapshot, tuple[Capture, ...]]:
    """Return what a browser made of a response, its status and headers with another body, and what
    was observed beside it.
    """
    page = new_capture_id()
    loaded = tuple(_as_loaded(received, page, each) for each in rendering.loaded)
    shot = rendering.shot
    shown = (_as_picture(received, page, shot, rendering.url),) if shot else ()
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


def _as_loaded(received: Snapshot, page: str, response: LoadedResponse) -> Capture:
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


def _as_picture(received: Snapshot, page: str, shot: Shot, url: str) -> Capture:
    """Return the picture of a page as a capture of its own; it has no HTTP head."""
    snapshot = replace(
        received,
        capture_id=new_capture_id(),
        final_url=url,
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
