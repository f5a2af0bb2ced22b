import re

import pytest

from crawler.archive.record import build_record, encode_uri, parse_record
from crawler.contracts.errors import SnapshotCorrupt

BLOCK = b"a block\r\n\r\nwith an empty line"


def build(*fields: tuple[str, str], block: bytes = BLOCK) -> bytes:
    return b"".join(build_record("metadata", fields, (block[:5], block[5:])))


@pytest.mark.parametrize("block", [BLOCK, b"", b"\r\n\r\n", bytes(range(256))])
def test_a_record_comes_back_with_its_fields_and_its_block(block: bytes) -> None:
    record = parse_record(build(("WARC-Record-ID", "<urn:uuid:1>"), block=block), where="f@0")

    assert (record.kind, record.record_id, record.block) == ("metadata", "urn:uuid:1", block)
    assert record.fields["content-length"] == str(len(block))


@pytest.mark.parametrize("control", ["\r\n", "\n", "\r", "\0", "\r\n\r\n", "\x7f", "\x0b"])
def test_a_control_character_in_a_value_cannot_start_a_field_or_end_the_head(control: str) -> None:
    content = build(("WARC-Filename", f"a{control}WARC-Truncated: time"))

    record = parse_record(content, where="f@0")

    assert set(record.fields) == {
        "warc-type",
        "warc-filename",
        "warc-block-digest",
        "content-length",
    }
    assert record.block == BLOCK


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        pytest.param(rb"WARC/1.1", b"WARC/1.0", "expected WARC/1.1", id="another version"),
        pytest.param(rb"Length: \d+", b"Length: 5", "a block of 5 bytes", id="length too small"),
        pytest.param(rb"Length: \d+", b"Length: 99", "a block of 99 bytes", id="length too big"),
        pytest.param(rb"Length: \d+", b"Length: -1", "a Content-Length", id="negative length"),
        pytest.param(rb"Length: \d+", b"Length: 0x1c", "a Content-Length", id="length not decimal"),
        pytest.param(rb"Content-Length: \d+", b"A: b", "a Content-Length", id="no length"),
        pytest.param(rb"WARC-Block-Digest: \S+", b"A: b", "a block digest", id="no digest"),
        pytest.param(rb"a block", b"a blocks", "a block of 29 bytes", id="a byte more"),
        pytest.param(rb"a block", b"A block", "expected sha256:", id="another byte"),
        pytest.param(rb"WARC-Type: ", b"Content-Length: 5\r\nA: ", "once", id="length twice"),
        pytest.param(rb"WARC-Type: ", b"WARC-Type=", "a named field", id="a field without a name"),
        pytest.param(rb"\r\n\r\n$", b"", "a block of 29 bytes", id="no end"),
        pytest.param(rb"\r\n\r\n", b"\r\n", "the head of a WARC record", id="no end of the head"),
    ],
)
def test_a_record_that_is_not_what_was_written_is_refused(
    pattern: bytes, replacement: bytes, message: str
) -> None:
    changed = re.sub(pattern, replacement, build())

    with pytest.raises(SnapshotCorrupt, match=f"f@0: .*{message}"):
        parse_record(changed, where="f@0")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.example/a?b=c&d=%20#x", "https://e.example/a?b=c&d=%20#x"),
        ("https://e.example/a b", "https://e.example/a%20b"),
        (
            "https://e.example/\r\nWARC-Type: warcinfo",
            "https://e.example/%0D%0AWARC-Type:%20warcinfo",
        ),
        ("https://e.example/Käse", "https://e.example/K%C3%A4se"),
        ("https://e.example/\ud800", "https://e.example/%ED%A0%80"),
        ("https://e.example/<x>", "https://e.example/%3Cx%3E"),
        (
            "",
            "urn:sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
    ],
)
def test_a_url_becomes_one_line_of_ascii(url: str, expected: str) -> None:
    assert encode_uri(url) == expected


def test_a_url_too_long_for_other_readers_is_named_by_its_hash() -> None:
    assert encode_uri("https://e.example/" + "a" * 8000).startswith("https://")
    assert encode_uri("https://e.example/" + "a" * 9000).startswith("urn:sha256:")
