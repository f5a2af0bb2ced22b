"""Captures with sensible defaults: name only what matters to the test."""

import uuid
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    Hop,
    PageKind,
    Representation,
    Snapshot,
)

BODY = b"<!doctype html><title>Programme</title><article>Lantern walk, 20:00</article>"
HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Set-Cookie", "a=1"),
    ("Set-Cookie", "b=2"),
)


def make_id(number: int) -> str:
    return uuid.UUID(int=number, version=4).urn


def make_snapshot(number: int = 1, *, body: bytes = BODY, **changes: Any) -> Snapshot:
    values: dict[str, Any] = {
        "capture_id": make_id(number),
        "site": "garden-jazz",
        "run": "run-7",
        "requested_url": f"https://garden.example/events/{number}",
        "final_url": f"https://garden.example/programme/{number}?day=2",
        "status": 200,
        "headers": HEADERS,
        "observed_at": datetime(2026, 9, 10, 18, 30, 5, 123456, tzinfo=UTC),
        "representation": Representation.HTML,
        "media_type": "text/html",
        "encoding": Encoding("utf-8", EncodingSource.HEADER),
        "digest": sha256(body).hexdigest(),
        "redirects": (Hop(f"https://garden.example/events/{number}", 301),),
        "page_kind": PageKind.DETAIL,
        "readiness": ("present: article",),
        "site_hash": "5" * 64,
        "authorization_hash": "a" * 64,
    }
    return Snapshot(body=body, **(values | changes))


def make_capture(
    number: int = 1, *, is_eligible: bool = True, notes: tuple[str, ...] = (), **changes: Any
) -> Capture:
    return Capture(
        make_snapshot(number, **changes),
        is_eligible=is_eligible,
        request_headers=(("User-Agent", "crawler"), ("Accept", "text/html")),
        notes=notes,
    )
