"""A capture as the three WARC records it is stored in, and the records as the capture again.

The main record (response, resource or revisit) comes first, then the request and the metadata that
are concurrent to it, so that one contiguous read gives everything.
"""

import re
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from crawler.archive.http_head import (
    parse_response_head,
    render_request_head,
    render_response_head,
)
from crawler.archive.observation import Observation, parse_observation, render_observation
from crawler.archive.record import (
    DIGEST_PREFIX,
    Record,
    build_record,
    encode_uri,
    strip_brackets,
)
from crawler.contracts.errors import SnapshotCorrupt
from crawler.contracts.snapshot import Capture, Location, Representation, Snapshot

MAX_BODY = 64 << 20
"""More is neither written nor unpacked."""

MAIN_KINDS = ("response", "resource", "conversion", "revisit")
_KINDS = {Representation.RENDERED_DOM: "conversion", Representation.SCREENSHOT: "resource"}

_REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_TRUNCATED = {
    "too_large": "length",
    "picture_cut": "length",
    "timeout": "time",
    "truncated": "disconnect",
    "dataloss": "disconnect",
    "short": "disconnect",
}
_CAPTURE_ID = re.compile(r"urn:uuid:[0-9A-Za-z-]{1,64}", re.ASCII)
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]{1,127}/[\w!#$&^.+-]{1,127}", re.ASCII)

Parts = tuple[bytes, ...]
FieldList = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StoredRevisit:
    """An observation whose body is stored with an earlier capture, *refers_to*."""

    refers_to: str
    observation: Snapshot
    """Complete except for its body, which is empty here; the digest is that of the real one."""

    @property
    def digest(self) -> str:
        return self.observation.digest

    def with_body(self, body: bytes) -> Snapshot:
        return replace(self.observation, body=body)


@dataclass(frozen=True, slots=True)
class StoredCapture:
    location: Location
    entry: Snapshot | StoredRevisit
    is_eligible: bool
    notes: tuple[str, ...]
    loaded: tuple[str, ...] = ()
    """Capture ids of what belongs in ``Snapshot.loaded``, which is empty here."""

    @property
    def observation(self) -> Snapshot:
        """What was observed; its body is empty when it is a revisit."""
        return self.entry.observation if isinstance(self.entry, StoredRevisit) else self.entry


def build_capture(
    capture: Capture, *, refers_to: Snapshot | None, file_id: str
) -> tuple[Parts, Parts, Parts]:
    """Return main, request and metadata record. ValueError for what could not be read back."""
    snapshot = capture.snapshot
    _check(snapshot, refers_to)
    return (
        _build_main(snapshot, refers_to, file_id),
        _build_request(capture),
        _build_concurrent(snapshot, "metadata", "application/json", (render_observation(capture),)),
    )


def restore_capture(
    main: Record, request: Record, metadata: Record, *, location: Location
) -> StoredCapture:
    """Put the records together again, with the payload digest verified."""
    where = f"{location.file}@{location.offset}"
    _check_concurrent(main, request, "request", where=where)
    _check_concurrent(main, metadata, "metadata", where=where)
    try:
        observation = parse_observation(metadata.block)
        head, body = _split_block(main, observation)
        entry = _restore_entry(main, observation, head, body, where=where)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SnapshotCorrupt(where, "the metadata of a capture", repr(error)) from error
    return StoredCapture(
        location, entry, observation.is_eligible, observation.notes, observation.loaded
    )


def render_date(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _check(snapshot: Snapshot, refers_to: Snapshot | None) -> None:
    if not _CAPTURE_ID.fullmatch(snapshot.capture_id):
        raise ValueError(f"not a capture id: {snapshot.capture_id!r}")
    if len(snapshot.body) > MAX_BODY:
        raise ValueError(f"{snapshot.capture_id}: a body of more than {MAX_BODY} bytes")
    if snapshot.observed_at.utcoffset() is None:
        raise ValueError(f"{snapshot.capture_id}: observed_at has no time zone")
    if snapshot.digest != sha256(snapshot.body).hexdigest():
        raise ValueError(f"{snapshot.capture_id}: the digest is not that of the body")
    if refers_to is not None and refers_to.digest != snapshot.digest:
        raise ValueError(f"{snapshot.capture_id}: not the content of {refers_to.capture_id}")


def _build_main(snapshot: Snapshot, refers_to: Snapshot | None, file_id: str) -> Parts:
    is_message = snapshot.representation.is_message
    fields = [
        ("WARC-Warcinfo-ID", f"<{file_id}>"),
        ("WARC-Record-ID", f"<{snapshot.capture_id}>"),
        ("WARC-Target-URI", encode_uri(snapshot.final_url)),
        ("WARC-Date", render_date(snapshot.observed_at)),
        *_concurrent_fields(snapshot),
        *_truncation_fields(snapshot),
        *(_revisit_fields(refers_to) or _conversion_fields(snapshot)),
        ("WARC-Payload-Digest", DIGEST_PREFIX + snapshot.digest),
        (
            "Content-Type",
            "application/http; msgtype=response" if is_message else _media_type(snapshot),
        ),
    ]
    body = () if refers_to else (snapshot.body,)
    if is_message:
        head = render_response_head(snapshot.status, snapshot.headers, length=len(snapshot.body))
        return build_record("revisit" if refers_to else "response", fields, (head, *body))
    return build_record("revisit" if refers_to else _KINDS[snapshot.representation], fields, body)


def _build_request(capture: Capture) -> Parts:
    uri = encode_uri(capture.snapshot.final_url)
    head = render_request_head(capture.method, uri, capture.request_headers)
    return _build_concurrent(
        capture.snapshot, "request", "application/http; msgtype=request", (head,)
    )


def _build_concurrent(snapshot: Snapshot, kind: str, content_type: str, block: Parts) -> Parts:
    fields = [
        # Derived, so that writing needs no randomness of its own.
        ("WARC-Record-ID", f"<{uuid.uuid5(uuid.NAMESPACE_URL, snapshot.capture_id + kind).urn}>"),
        ("WARC-Concurrent-To", f"<{snapshot.capture_id}>"),
        ("WARC-Target-URI", encode_uri(snapshot.final_url)),
        ("WARC-Date", render_date(snapshot.observed_at)),
        ("Content-Type", content_type),
    ]
    return build_record(kind, fields, block)


def _truncation_fields(snapshot: Snapshot) -> FieldList:
    reasons = (reason for flag, reason in _TRUNCATED.items() if flag in snapshot.flags)
    return [("WARC-Truncated", reason) for reason in reasons][:1]


def _revisit_fields(refers_to: Snapshot | None) -> FieldList:
    if refers_to is None:
        return []
    return [
        ("WARC-Profile", _REVISIT_PROFILE),
        ("WARC-Refers-To", f"<{refers_to.capture_id}>"),
        ("WARC-Refers-To-Target-URI", encode_uri(refers_to.final_url)),
        ("WARC-Refers-To-Date", render_date(refers_to.observed_at)),
    ]


def _conversion_fields(snapshot: Snapshot) -> FieldList:
    return [("WARC-Refers-To", f"<{snapshot.original}>")] if snapshot.original else []


def _concurrent_fields(snapshot: Snapshot) -> FieldList:
    return [("WARC-Concurrent-To", f"<{snapshot.page}>")] if snapshot.page else []


def _media_type(snapshot: Snapshot) -> str:
    if _MEDIA_TYPE.fullmatch(snapshot.media_type):
        return snapshot.media_type
    return "application/octet-stream"


def _check_concurrent(main: Record, record: Record, kind: str, *, where: str) -> None:
    named = strip_brackets(record.fields.get("warc-concurrent-to", ""))
    if record.kind != kind or named != main.record_id:
        raise SnapshotCorrupt(where, f"the {kind} of {main.record_id}", f"{record.kind} of {named}")


def _split_block(main: Record, observation: Observation) -> tuple[bytes, bytes]:
    if not observation.snapshot.representation.is_message:
        return b"", main.block
    head, separator, body = main.block.partition(b"\r\n\r\n")
    if not separator:
        raise ValueError("the HTTP head has no end")
    return head, body


def _restore_entry(
    main: Record, observation: Observation, head: bytes, body: bytes, *, where: str
) -> Snapshot | StoredRevisit:
    snapshot = observation.snapshot
    status, headers = (
        (snapshot.status, snapshot.headers)
        if observation.is_head_here
        else parse_response_head(head)
    )
    digest = main.fields["warc-payload-digest"].removeprefix(DIGEST_PREFIX)
    restored = replace(
        snapshot,
        capture_id=main.record_id,
        digest=digest,
        status=status,
        headers=headers,
        body=body,
    )
    if main.kind == "revisit":
        if body:
            raise SnapshotCorrupt(where, "a revisit without a body", f"{len(body)} bytes")
        return StoredRevisit(strip_brackets(main.fields["warc-refers-to"]), restored)
    found = sha256(body).hexdigest()
    if found != digest:
        raise SnapshotCorrupt(where, digest, found)
    return restored
