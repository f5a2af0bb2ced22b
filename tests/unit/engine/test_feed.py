import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crawler.contracts.export import record_line
from crawler.contracts.frontier import CommitResult, PageCommit
from crawler.contracts.item import PublishedPage
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.page import PageReport
from crawler.contracts.snapshot import Capture, PageKind
from crawler.engine.feed import WholeFileStorage, published_records
from crawler.interpretation.page import interpret
from tests.unit.document.pages import make_bulletins, make_snapshot

SPIDER: Any = SimpleNamespace()
SNAPSHOT = make_snapshot(
    "".join(
        f'<article data-id="{key}" data-published="2026-09-10"><h2>{key}</h2></article>'
        for key in ("new", "same", "twin")
    ),
    page_kind=PageKind.LISTING,
)
COMMIT = PageCommit(
    row=1,
    token="t",
    cycle=1,
    run="run",
    site="board",
    source_id="fixture:board",
    outcome=Outcome(Reason.ELIGIBLE),
    capture=Capture(SNAPSHOT, is_eligible=True),
    report=interpret(SNAPSHOT, make_bulletins()),
    url="https://board.example/1",
    rule_version="r1",
    extractor_version="1",
)
RESULT = CommitResult(
    is_fenced=False, accepted=("new",), unchanged=("same",), version_of={"new": 1, "same": 4}
)


def test_a_page_gives_the_records_it_published_or_confirmed() -> None:
    records = list(published_records(PublishedPage(COMMIT, RESULT)))

    assert [(record.key, record.version) for record in records] == [("new", 1), ("same", 4)]


def test_an_item_of_a_feed_is_the_line_that_records_prints() -> None:
    record = next(published_records(PublishedPage(COMMIT, RESULT)))

    line = record_line(record)

    assert (line["id"], line["title"], line["published"]) == ("new", "new", "2026-09-10")
    assert line["provenance"] == {
        "site": "board",
        "source_id": "fixture:board",
        "type": "notice",
        "key": "new",
        "version": 1,
        "schema_version": "notice.v1",
        "extractor_version": "1",
        "rule_version": "r1",
        "capture_id": SNAPSHOT.capture_id,
        "snapshot_sha256": SNAPSHOT.digest,
        "observed_at": "2026-09-01T00:00:00Z",
        "url": "https://board.example/1",
        "content_hash": record.content_hash,
        "session": None,
    }
    assert json.loads(json.dumps(line)) == line | {
        "evidence": json.loads(json.dumps(line["evidence"]))
    }


NOTHING = {
    "no capture": replace(COMMIT, capture=None),
    "no report": replace(COMMIT, report=None),
    "no candidate": replace(
        COMMIT, report=PageReport(interpret(SNAPSHOT, make_bulletins()).verdict)
    ),
}


@pytest.mark.parametrize("commit", NOTHING.values(), ids=NOTHING)
def test_a_page_without_records_gives_none(commit: PageCommit) -> None:
    assert list(published_records(PublishedPage(commit, RESULT))) == []


def test_a_page_that_was_fenced_gives_none() -> None:
    assert list(published_records(PublishedPage(COMMIT, CommitResult(is_fenced=True)))) == []


# Files


def write(path: Path, content: bytes, uri: str = "", **options: Any) -> None:
    storage = WholeFileStorage(uri or str(path), feed_options=options)
    file = storage.open(SPIDER)
    file.write(content)
    storage.store(file)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"format": "jsonlines"}, b"old\nnew\n"),
        ({"format": "jl"}, b"old\nnew\n"),
        ({"format": "jsonlines", "overwrite": True}, b"new\n"),
        ({"format": "json"}, b"new\n"),
        ({"format": "csv"}, b"new\n"),
        ({"format": "csv", "overwrite": True}, b"new\n"),
        ({}, b"new\n"),
    ],
)
def test_a_file_that_was_there_is_continued_or_replaced(
    tmp_path: Path, options: dict[str, Any], expected: bytes
) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old\n")

    write(path, b"new\n", **options)

    assert path.read_bytes() == expected
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_nothing_is_seen_of_a_file_before_it_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "out.jl"
    storage = WholeFileStorage(str(path), feed_options={"format": "jl"})

    file = storage.open(SPIDER)
    file.write(b"x" * 100_000)
    file.flush()
    before = path.exists()
    storage.store(file)

    assert not before
    assert path.stat().st_size == 100_000


def test_a_file_may_be_named_by_its_url(tmp_path: Path) -> None:
    path = tmp_path / "a b é"

    write(path, b"new", uri=path.as_uri(), format="jl")

    assert path.read_bytes() == b"new"


def test_others_may_read_a_feed_as_they_may_any_file(tmp_path: Path) -> None:
    new, known, plain = tmp_path / "new", tmp_path / "known", tmp_path / "plain"
    plain.touch()
    known.touch(mode=0o640)
    known.chmod(0o640)

    for path in (new, known):
        write(path, b"new", format="jl")

    assert new.stat().st_mode == plain.stat().st_mode
    assert known.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_as_it_is() -> None:
    device = Path("/dev/null")

    write(device, b"new", format="jl")

    assert device.is_char_device()
