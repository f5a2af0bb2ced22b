"""What may be used now is decided when it is read, from when it was last observed."""

import time

import pytest

from tests.e2e.bulletins import RECORD, article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import Server

pytestmark = pytest.mark.e2e


def crawl_with(project: Project, server: Server, fresh_for: str | None) -> None:
    server.serve("/bulletins", board(article("a")))
    limit = {"fresh_for": fresh_for} if fresh_for else {}
    write_bulletins(project, server, "/bulletins", record={**RECORD, **limit})
    assert project.scrapy("crawl", "bulletins").code == 0


def test_a_record_goes_stale_and_comes_back_with_the_next_crawl(
    project: Project, server: Server
) -> None:
    crawl_with(project, server, "2s")
    fresh = project.records("bulletins")
    time.sleep(2.1)
    later = project.records("bulletins")
    rejected = project.scrapy("records", "bulletins", "--rejected").lines
    project.scrapy("replay", "bulletins", "--apply")
    replayed = project.records("bulletins")
    crawl_with(project, server, "2s")

    assert [record["id"] for record in fresh] == ["a"]
    assert later == []
    assert [line["rejection"]["reason"] for line in rejected] == ["stale"]
    assert rejected[0]["rejection"]["candidate"]["key"] == "a"
    assert replayed == []
    assert [record["id"] for record in project.records("bulletins")] == ["a"]


def test_without_a_limit_nothing_goes_stale(project: Project, server: Server) -> None:
    crawl_with(project, server, None)

    assert [record["id"] for record in project.records("bulletins")] == ["a"]
    assert project.scrapy("records", "bulletins", "--rejected").lines == []
