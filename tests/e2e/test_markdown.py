"""What an agent reads of a page that a crawl retained."""

import hashlib
import json
from datetime import datetime
from pathlib import Path

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import Server


def test_retained_snapshot_is_read_with_its_digest_and_its_moment(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    project = Project(sites=tmp_path / "sites", data=tmp_path / "data")
    with Server() as server:
        server.serve("/notices", board(article("n-1", "<h2>Water off on Monday</h2>")))
        write_bulletins(project, server, "/notices")
        assert project.scrapy("crawl", "bulletins").code == 0
    [record] = project.records("bulletins")
    digest = record["provenance"]["snapshot_sha256"]

    finished = project.scrapy("markdown", "--snapshot", digest[:12])

    assert (finished.code, finished.stderr) == (0, "")
    line = json.loads(finished.stdout)
    assert line["snapshot_sha256"] == digest
    moment = datetime.fromisoformat(record["provenance"]["observed_at"])
    assert datetime.fromisoformat(line["observed_at"]) == moment
    assert "Water off on Monday" in line["markdown"]
    assert line["content_hash"] == hashlib.sha256(line["markdown"].encode()).hexdigest()
    unknown = project.scrapy("markdown", "--snapshot", "0123456789abcdef")
    assert (unknown.code, unknown.stdout) == (1, "")
