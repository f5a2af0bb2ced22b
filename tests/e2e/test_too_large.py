"""A page that is too large once it is decoded ends with evidence of what it was."""

import gzip
import time

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from tests.e2e.bulletins import write_bulletins
from tests.e2e.ledger import read_rows
from tests.e2e.project import Project
from tests.e2e.server import HTML, Server, Step

pytestmark = pytest.mark.e2e


def test_a_bomb_ends_as_too_large_and_is_kept_as_a_diagnostic(
    project: Project, server: Server
) -> None:
    body = gzip.compress(bytes(10 << 20)) * 1000
    server.serve(
        "/bomb", Step(body, headers=(("Content-Type", HTML), ("Content-Encoding", "gzip")))
    )
    write_bulletins(project, server, "/bomb")
    started = time.monotonic()

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0, crawl.stderr
    assert time.monotonic() - started < 40
    row = read_rows(project.data, "bulletins")["/bomb"]
    assert (row.reason, row.kind, row.statuses, row.attempts) == (
        "too_large",
        "too_large",
        (200,),
        1,
    )
    (archive,) = (project.data / "archive").glob("diagnostic-*")
    with archive.open("rb") as stream:
        records = [
            record.rec_headers
            for record in ArchiveIterator(stream)
            if record.rec_type == "response"
        ]
    (bomb,) = [each for each in records if each.get_header("WARC-Target-URI").endswith("/bomb")]
    assert bomb.get_header("WARC-Truncated") == "length"
