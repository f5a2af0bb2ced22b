"""What the archive writes, seen by two independent WARC libraries."""

from pathlib import Path
from typing import Any

import fastwarc.warc as fast
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from crawler.archive.writer import ArchiveWriter
from crawler.contracts.snapshot import Capture, Location, Representation
from tests.unit.archive.builders import BODY, HEADERS, make_capture, make_id, make_snapshot

INJECTION = "x\r\nWARC-Type: warcinfo\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n"
KINDS = ["warcinfo", "response", "request", "metadata"]


def write(folder: Path, *captures: Capture) -> list[Location]:
    writer = ArchiveWriter(folder, "o", clock=lambda: 1_789_000_000.0)
    locations = [writer.append(capture) for capture in captures]
    writer.close()
    return locations


def read_with_warcio(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    """Return type, HTTP headers and payload of each record, every digest checked."""
    records = []
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            headers = dict(record.http_headers.headers) if record.http_headers else {}
            records.append((record.rec_type, headers, record.content_stream().read()))
            assert record.rec_type == "revisit" or record.digest_checker.passed
    return records


def read_with_fastwarc(path: Path) -> list[tuple[str, str, bytes]]:
    """Return type, id and payload of each record."""
    with path.open("rb") as stream:
        return [
            (record.headers["WARC-Type"], record.record_id or "", record.reader.read())
            for record in fast.ArchiveIterator(stream)
        ]


def test_both_see_the_same_records_and_the_body_as_it_was_decoded(tmp_path: Path) -> None:
    coded = (*HEADERS, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
    (location,) = write(tmp_path, make_capture(headers=coded))

    by_warcio = read_with_warcio(tmp_path / location.file)
    by_fastwarc = read_with_fastwarc(tmp_path / location.file)

    assert [kind for kind, _, _ in by_warcio] == [kind for kind, _, _ in by_fastwarc] == KINDS
    assert by_warcio[1][2] == by_fastwarc[1][2] == BODY
    assert by_fastwarc[1][1].strip("<>") == make_id(1)


def test_both_see_what_was_observed_beside_a_page(tmp_path: Path) -> None:
    page = make_id(1)
    loaded = make_capture(7, representation=Representation.JSON, page=page, body=b'{"a": 1}')
    shot = make_capture(8, representation=Representation.SCREENSHOT, page=page, body=b"PNG")
    location, *_ = write(tmp_path, loaded, shot)

    by_warcio = read_with_warcio(tmp_path / location.file)
    by_fastwarc = read_with_fastwarc(tmp_path / location.file)

    assert [(kind, payload) for kind, _, payload in by_warcio[1::3]] == [
        ("response", b'{"a": 1}'),
        ("resource", b"PNG"),
    ]
    assert [(kind, payload) for kind, _, payload in by_fastwarc[4::3]] == [("resource", b"PNG")]
    with (tmp_path / location.file).open("rb") as stream:
        concurrent = [
            record.headers.get("WARC-Concurrent-To") for record in fast.ArchiveIterator(stream)
        ]
    assert concurrent[1::3] == [f"<{page}>"] * 2


def test_headers_no_longer_describe_a_coding_that_was_undone(tmp_path: Path) -> None:
    coded = (("Content-Encoding", "br"), ("Transfer-Encoding", "chunked"), ("Content-Length", "9"))
    (location,) = write(tmp_path, make_capture(headers=coded))

    _, headers, _ = read_with_warcio(tmp_path / location.file)[1]

    assert headers == {
        "X-Archive-Orig-Content-Encoding": "br",
        "X-Archive-Orig-Transfer-Encoding": "chunked",
        "X-Archive-Orig-Content-Length": "9",
        "Content-Length": str(len(BODY)),
    }


def test_line_breaks_in_urls_and_headers_add_no_record_and_no_header(tmp_path: Path) -> None:
    hostile = make_capture(
        requested_url=INJECTION,
        final_url="https://e.example/" + INJECTION,
        headers=(("X-A", INJECTION), (INJECTION, "b")),
        readiness=(INJECTION,),
        media_type=INJECTION,
    )
    (location,) = write(tmp_path, hostile)

    by_warcio = read_with_warcio(tmp_path / location.file)
    by_fastwarc = read_with_fastwarc(tmp_path / location.file)

    assert [kind for kind, _, _ in by_warcio] == [kind for kind, _, _ in by_fastwarc] == KINDS
    assert len(by_warcio[1][1]) == 3


def test_a_location_leads_both_to_the_response(tmp_path: Path) -> None:
    _, location = write(tmp_path, make_capture(1), make_capture(2, body=b"second"))

    with (tmp_path / location.file).open("rb") as stream:
        stream.seek(location.offset)
        first: Any = next(iter(ArchiveIterator(stream)))
        payload = first.content_stream().read()
    with (tmp_path / location.file).open("rb") as stream:
        stream.seek(location.offset)
        record = next(iter(fast.ArchiveIterator(stream)))
        fast_payload = record.reader.read()

    assert payload == fast_payload == b"second"


def test_rendered_pages_and_revisits_are_standard_records(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, "o", clock=lambda: 1_789_000_000.0)
    dom, original = Representation.RENDERED_DOM, make_snapshot(2)
    file = writer.append(make_capture(1, representation=dom)).file
    writer.append(make_capture(2))
    writer.append(make_capture(3), refers_to=original)
    writer.append(make_capture(4, representation=dom), refers_to=original)
    writer.close()

    records = read_with_warcio(tmp_path / file)
    fast_records = read_with_fastwarc(tmp_path / file)

    main = [(kind, body) for kind, _, body in records if kind in {"conversion", "revisit"}]
    assert main == [("conversion", BODY), ("revisit", b""), ("revisit", b"")]
    assert [kind for kind, _, _ in fast_records] == [kind for kind, _, _ in records]


def test_fractions_of_a_second_and_truncation_can_be_read_elsewhere(tmp_path: Path) -> None:
    (location,) = write(tmp_path, make_capture(flags=("too_large",)))

    with (tmp_path / location.file).open("rb") as stream:
        _, response, *_ = fast.ArchiveIterator(stream)

    assert response.record_date == make_snapshot().observed_at
    assert response.headers.get("WARC-Truncated") == "length"
