"""What may be used now is decided when it is read, from when it was last observed."""

import time

import pytest

from tests.e2e.bulletins import RECORD, article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import Server

pytestmark = pytest.mark.e2e


def limit(project: Project, server: Server, fresh_for: str | None) -> None:
    more = {"fresh_for": fresh_for} if fresh_for else {}
    write_bulletins(project, server, "/bulletins", record={**RECORD, **more})


def keys(project: Project) -> list[str]:
    return [record["id"] for record in project.records("bulletins")]


def test_a_record_may_be_used_as_long_as_its_last_observation_is_fresh(
    project: Project, server: Server
) -> None:
    server.serve("/bulletins", board(article("a")))
    limit(project, server, None)
    project.scrapy("crawl", "bulletins")
    time.sleep(1.1)

    unlimited = keys(project)
    limit(project, server, "1h")
    fresh = keys(project)
    limit(project, server, "1s")
    stale = keys(project)
    project.scrapy("replay", "bulletins", "--apply")
    replayed = keys(project)
    rejected = project.scrapy("records", "bulletins", "--rejected").lines

    assert unlimited == fresh == ["a"]
    assert stale == replayed == []
    assert [line["rejection"]["reason"] for line in rejected] == ["stale"]
    assert rejected[0]["rejection"]["candidate"]["key"] == "a"
