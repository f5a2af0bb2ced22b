"""What the response record has no place for, as the JSON of a metadata record, and back."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from crawler.archive.http_head import Headers, can_hold
from crawler.contracts.picture import Box, Picture, Region
from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    Hop,
    PageKind,
    Representation,
    Snapshot,
)

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Observation:
    snapshot: Snapshot
    """Without capture id, digest and body, which other places hold."""
    is_head_here: bool
    """Status and headers stand here, because the main record could not hold them exactly."""
    is_eligible: bool
    notes: tuple[str, ...]
    loaded: tuple[str, ...] = ()
    """Capture ids of the JSON that the page's scripts loaded, in order."""


def is_head_in_message(snapshot: Snapshot) -> bool:
    return snapshot.representation.is_message and can_hold(snapshot.status, snapshot.headers)


def render_observation(capture: Capture) -> bytes:
    snapshot = capture.snapshot
    document: dict[str, object] = {
        "format": FORMAT,
        "site": snapshot.site,
        "run": snapshot.run,
        "requested_url": snapshot.requested_url,
        "final_url": snapshot.final_url,
        "redirects": [[hop.url, hop.status] for hop in snapshot.redirects],
        "observed_at": snapshot.observed_at.isoformat(),
        "representation": snapshot.representation,
        "media_type": snapshot.media_type,
        "encoding": [snapshot.encoding.name, snapshot.encoding.source],
        "page_kind": snapshot.page_kind,
        "flags": snapshot.flags,
        "readiness": snapshot.readiness,
        "site_hash": snapshot.site_hash,
        "authorization_hash": snapshot.authorization_hash,
        "eligible": capture.is_eligible,
        "notes": capture.notes,
    }
    if snapshot.original:
        document["original"] = snapshot.original
    for name in ("page", "screenshot"):
        if value := getattr(snapshot, name):
            document[name] = value
    if snapshot.picture is not None:
        document["picture"] = asdict(snapshot.picture)
    if snapshot.loaded:
        document["loaded"] = [each.capture_id for each in snapshot.loaded]
    if snapshot.session:
        document["session"] = snapshot.session
    if not is_head_in_message(snapshot):
        document |= {"status": snapshot.status, "headers": snapshot.headers}
    return json.dumps(document, separators=(",", ":")).encode("ascii")


def parse_observation(data: bytes) -> Observation:
    """Raises ValueError, TypeError, KeyError or RecursionError for what we did not write."""
    document = json.loads(data)
    if _integer(document["format"]) != FORMAT:
        raise ValueError(f"format {document['format']}, not {FORMAT}")
    name, source = document["encoding"]
    snapshot = Snapshot(
        capture_id="",
        site=_text(document["site"]),
        run=_text(document["run"]),
        requested_url=_text(document["requested_url"]),
        final_url=_text(document["final_url"]),
        status=_integer(document.get("status", 0)),
        headers=_headers(document.get("headers", [])),
        observed_at=datetime.fromisoformat(document["observed_at"]),
        representation=Representation(document["representation"]),
        media_type=_text(document["media_type"]),
        encoding=Encoding(_text(name), EncodingSource(source)),
        digest="",
        body=b"",
        redirects=tuple(Hop(_text(url), _integer(status)) for url, status in document["redirects"]),
        page_kind=PageKind(document["page_kind"]),
        flags=_texts(document["flags"]),
        readiness=_texts(document["readiness"]),
        site_hash=_text(document["site_hash"]),
        authorization_hash=_text(document["authorization_hash"]),
        original=_text(document.get("original", "")),
        page=_text(document.get("page", "")),
        session=_text(document.get("session", "")),
        screenshot=_text(document.get("screenshot", "")),
        picture=_read_picture(document.get("picture")),
    )
    return Observation(
        snapshot=snapshot,
        is_head_here="headers" in document,
        is_eligible=document["eligible"] is True,
        notes=_texts(document["notes"]),
        loaded=_texts(document.get("loaded", [])),
    )


def _read_picture(value: dict[str, Any] | None) -> Picture | None:
    if value is None:
        return None
    shown, regions = Box(**value["shown"]), value["regions"]
    read = tuple(
        Region(**{**region, "box": None if region["box"] is None else Box(**region["box"])})
        for region in regions
    )
    return Picture(**{**value, "shown": shown, "regions": read})


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {type(value).__name__}")
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"integer expected, not {type(value).__name__}")
    return value


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError(f"list expected, not {type(values).__name__}")
    return tuple(map(_text, values))


def _headers(values: list[list[object]]) -> Headers:
    return tuple((_text(name), _text(value)) for name, value in values)
