"""A credential in a URL is sent to its site, and shown to nobody."""

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import Server, Step, page

pytestmark = pytest.mark.e2e

CANARY = "c4n4ry"
READING = (
    ("outcomes", "bulletins", "--json"),
    ("records", "bulletins"),
    ("records", "bulletins", "--format", "csv"),
    ("records", "bulletins", "--format", "json"),
    ("records", "bulletins", "--rejected"),
    ("snapshots", "bulletins"),
    ("snapshots", "bulletins", "--json"),
    ("replay", "bulletins", "--json"),
    ("verify",),
)


def test_a_credential_in_a_url_reaches_no_output_of_a_run(project: Project, server: Server) -> None:
    server.serve("/robots.txt", page("", 404))
    good, bad = f"/list?token={CANARY}", f"/bad?page=1&sig={CANARY}"
    server.serve(good, board(article("a")))
    server.serve(bad, Step(status=500))
    write_bulletins(project, server, good, bad)
    feed = project.data.parent / "out.jl"

    crawl = project.scrapy("crawl", "bulletins", "-o", str(feed), "-L", "DEBUG")
    shown = [project.scrapy(*command) for command in READING]
    shown.append(project.scrapy("explain", server.url(good)))
    shown.append(project.scrapy("explain", server.url(bad), "--json"))

    assert crawl.code == 0, crawl.stderr
    assert (server.hits(good), server.hits(bad)) == (1, 1)
    assert all(each.code == 0 for each in shown), [each.stderr for each in shown]
    texts = [crawl.stdout, crawl.stderr, feed.read_text()]
    texts += [text for each in shown for text in (each.stdout, each.stderr)]
    assert all(CANARY not in text for text in texts)
    assert "token=***" in feed.read_text()
    names = [str(path) for path in project.data.rglob("*")]
    assert all(CANARY not in name for name in names)
