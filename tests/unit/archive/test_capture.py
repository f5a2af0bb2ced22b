import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.archive.capture import (
    StoredCapture,
    StoredRevisit,
    build_capture,
    restore_capture,
)
from crawler.archive.record import Record, build_record, parse_record
from crawler.contracts.errors import SnapshotCorrupt
from crawler.contracts.picture import Box, Picture, Region
from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    Hop,
    Location,
    PageKind,
    Representation,
    Snapshot,
)
from tests.unit.archive.builders import make_capture, make_id, make_snapshot

FILE_ID = make_id(99)
PLACE = Location("eligible-o-00001.warc.gz", 346, 900)
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
WORDS = st.lists(ANY_TEXT, max_size=3).map(tuple)


def build_records(capture: Capture, refers_to: Snapshot | None = None) -> list[Record]:
    built = build_capture(capture, refers_to=refers_to, file_id=FILE_ID)
    return [parse_record(b"".join(parts), where="f@0") for parts in built]


def store(capture: Capture, refers_to: Snapshot | None = None) -> StoredCapture:
    main, request, metadata = build_records(capture, refers_to)
    return restore_capture(main, request, metadata, location=PLACE)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    body = draw(st.binary(max_size=200))
    return make_snapshot(
        body=body,
        site=draw(ANY_TEXT),
        requested_url=draw(ANY_TEXT),
        final_url=draw(ANY_TEXT),
        status=draw(st.integers(-5, 2000)),
        headers=draw(st.lists(st.tuples(ANY_TEXT, ANY_TEXT), max_size=4).map(tuple)),
        observed_at=draw(st.datetimes(timezones=st.just(make_snapshot().observed_at.tzinfo))),
        representation=draw(st.sampled_from(Representation)),
        media_type=draw(ANY_TEXT),
        encoding=Encoding(draw(ANY_TEXT), draw(st.sampled_from(EncodingSource))),
        redirects=draw(
            st.lists(st.builds(Hop, ANY_TEXT, st.integers(0, 999)), max_size=3).map(tuple)
        ),
        page_kind=draw(st.sampled_from(PageKind)),
        flags=draw(WORDS),
        readiness=draw(WORDS),
        session=draw(ANY_TEXT),
    )


@settings(max_examples=150, deadline=None)
@given(snapshots(), st.booleans(), WORDS)
def test_whatever_was_observed_comes_back_equal(
    snapshot: Snapshot, is_eligible: bool, notes: tuple[str, ...]
) -> None:
    stored = store(Capture(snapshot, is_eligible=is_eligible, notes=notes))

    assert stored == StoredCapture(PLACE, snapshot, is_eligible, notes)


@settings(max_examples=50, deadline=None)
@given(snapshots())
def test_a_revisit_comes_back_equal_once_it_has_its_body(snapshot: Snapshot) -> None:
    original = make_snapshot(2, body=snapshot.body)

    entry = store(Capture(snapshot, is_eligible=True), refers_to=original).entry

    assert isinstance(entry, StoredRevisit)
    assert (entry.refers_to, entry.digest) == (original.capture_id, original.digest)
    assert entry.observation.body == b""
    assert entry.with_body(original.body) == snapshot


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), None),
        (("fast",), None),
        (("too_large",), "length"),
        (("timeout",), "time"),
        (("truncated",), "disconnect"),
        (("dataloss",), "disconnect"),
        (("dataloss", "too_large"), "length"),
    ],
)
def test_truncation_is_recorded(flags: tuple[str, ...], expected: str | None) -> None:
    main, _, _ = build_records(make_capture(flags=flags))

    assert main.fields.get("warc-truncated") == expected


@pytest.mark.parametrize(
    ("representation", "media_type", "kind", "content_type"),
    [
        ("html", "text/html", "response", "application/http; msgtype=response"),
        ("rendered_dom", "text/html", "conversion", "text/html"),
        ("screenshot", "image/png", "resource", "image/png"),
        ("screenshot", "", "resource", "application/octet-stream"),
        ("screenshot", "a/b\r\nX: y", "resource", "application/octet-stream"),
    ],
)
def test_the_representation_decides_the_record_type(
    representation: str, media_type: str, kind: str, content_type: str
) -> None:
    capture = make_capture(representation=Representation(representation), media_type=media_type)

    main, _, _ = build_records(capture)

    assert (main.kind, main.fields["content-type"]) == (kind, content_type)


def test_a_rendering_refers_to_the_response_it_was_made_of() -> None:
    capture = make_capture(representation=Representation.RENDERED_DOM, original=make_id(9))

    records = build_records(capture)
    restored = restore_capture(*records, location=PLACE).entry

    assert records[0].fields["warc-refers-to"] == f"<{make_id(9)}>"
    assert restored == capture.snapshot


def test_a_page_names_what_it_loaded_and_that_names_the_page() -> None:
    page_id, loaded_id = make_id(1), make_id(9)
    loaded = make_capture(9, representation=Representation.JSON, page=page_id)
    page = make_capture(representation=Representation.RENDERED_DOM, loaded=(loaded.snapshot,))

    records = build_records(loaded)
    restored = restore_capture(*build_records(page), location=PLACE)

    assert (records[0].kind, records[0].fields["warc-concurrent-to"]) == (
        "response",
        f"<{page_id}>",
    )
    assert restore_capture(*records, location=PLACE).entry == loaded.snapshot
    assert restored.loaded == (loaded_id,)
    assert restored.entry == replace(page.snapshot, loaded=())


PICTURE = Picture(
    shown=Box(0, 0, 1280, 16_000),
    page_width=1280,
    page_height=90_000.5,
    scroll_x=0,
    scroll_y=12.25,
    scale=1.5,
    regions=(Region("price", ".price", 2, Box(1, 2, 3, 4)), Region("map", "#map", 0, None)),
)


def test_a_picture_comes_back_with_all_that_is_known_of_it() -> None:
    capture = make_capture(
        9,
        representation=Representation.SCREENSHOT,
        media_type="image/png",
        page=make_id(1),
        picture=PICTURE,
        flags=("picture_cut",),
    )

    records = build_records(capture)

    assert restore_capture(*records, location=PLACE).entry == capture.snapshot
    assert (records[0].kind, records[0].fields["warc-truncated"]) == ("resource", "length")
    assert records[0].fields["warc-concurrent-to"] == f"<{make_id(1)}>"


def test_a_page_names_its_picture() -> None:
    capture = make_capture(representation=Representation.RENDERED_DOM, screenshot=make_id(9))

    assert restore_capture(*build_records(capture), location=PLACE).entry == capture.snapshot


def test_metadata_holds_the_head_only_when_the_response_cannot() -> None:
    hostile = (("A", "b\r\nC: d"),)

    _, _, plain = build_records(make_capture())
    _, _, escaped = build_records(make_capture(headers=hostile))

    assert "headers" not in json.loads(plain.block)
    assert json.loads(escaped.block)["headers"] == [["A", "b\r\nC: d"]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"capture_id": "urn:uuid:1>\r\nX: y"}, "not a capture id"),
        ({"capture_id": ""}, "not a capture id"),
        ({"digest": "0" * 64}, "the digest is not that of the body"),
        ({"observed_at": datetime(2026, 1, 1)}, "observed_at has no time zone"),  # noqa: DTZ001
    ],
)
def test_what_could_not_be_read_back_is_not_built(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_records(make_capture(**changes))


def test_a_revisit_of_another_content_is_not_built() -> None:
    with pytest.raises(ValueError, match="not the content of"):
        build_records(make_capture(1), refers_to=make_snapshot(2, body=b"other"))


def change_metadata(change: Callable[[bytes], bytes]) -> None:
    main, request, metadata = build_records(make_capture())
    changed = replace(metadata, block=change(metadata.block))
    restore_capture(main, request, changed, location=PLACE)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"[]", id="another shape"),
        pytest.param(lambda _: b"[" * 100_000, id="nested too deep"),
        pytest.param(lambda block: block.replace(b'"format":1', b'"format":2'), id="newer format"),
        pytest.param(lambda block: block.replace(b'"site":', b'"sight":'), id="a key is missing"),
        pytest.param(lambda block: block.replace(b'"flags":[]', b'"flags":"x"'), id="not a list"),
        pytest.param(lambda block: block.replace(b'"html"', b'"pdf"'), id="unknown representation"),
        pytest.param(lambda block: block.replace(b"2026-", b"2026/"), id="not a date"),
        pytest.param(lambda block: block.replace(b'"run-7"', b"7"), id="a number for a text"),
    ],
)
def test_metadata_that_we_did_not_write_is_corrupt(change: Callable[[bytes], bytes]) -> None:
    with pytest.raises(SnapshotCorrupt, match=r"eligible-o-00001[.]warc[.]gz@346"):
        change_metadata(change)


def test_records_of_another_capture_are_not_taken_for_its_own() -> None:
    main, request, metadata = build_records(make_capture(1))
    _, other_request, other_metadata = build_records(make_capture(2))

    with pytest.raises(SnapshotCorrupt, match=f"the metadata of {make_id(1)}"):
        restore_capture(main, request, other_metadata, location=PLACE)
    with pytest.raises(SnapshotCorrupt, match=f"the request of {make_id(1)}"):
        restore_capture(main, other_request, metadata, location=PLACE)


def test_a_body_that_is_not_what_the_payload_digest_says_is_corrupt() -> None:
    main, request, metadata = build_records(make_capture())
    changed = main.block.replace(b"20:00", b"21:00")

    with pytest.raises(SnapshotCorrupt) as caught:
        restore_capture(replace(main, block=changed), request, metadata, location=PLACE)

    body = changed.partition(b"\r\n\r\n")[2]
    assert caught.value.expected == make_snapshot().digest
    assert caught.value.found == sha256(body).hexdigest()


def test_a_revisit_that_carries_a_body_is_corrupt() -> None:
    main, request, metadata = build_records(make_capture(1), refers_to=make_snapshot(2))

    with pytest.raises(SnapshotCorrupt, match="a revisit without a body"):
        restore_capture(replace(main, block=main.block + b"x"), request, metadata, location=PLACE)


def test_a_record_type_stands_first_where_recovery_looks_for_it() -> None:
    assert b"".join(build_record("response", (), ())).startswith(b"WARC/1.1\r\nWARC-Type: response")
