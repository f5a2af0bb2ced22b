"""Bugs at the worst moments: a page still ends once, and the run still ends."""

from pathlib import Path
from textwrap import dedent

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_rows
from tests.e2e.project import CHECKOUT, Project
from tests.e2e.server import Server, Step, page, redirect

pytestmark = pytest.mark.e2e

SPIDER = dedent("""\
    from crawler.spiders.site import SiteSpider


    class Handmade(SiteSpider):
        name = "handmade"
        site_file = "bulletins"

        def parse(self, response, **_):
            raise RuntimeError("a bug of the spider")
""")
ASKING = dedent("""\
    from crawler.spiders.site import SiteSpider


    class Handmade(SiteSpider):
        name = "handmade"
        site_file = "bulletins"

        def parse(self, response, **_):
            yield response.follow("/later", callback=self.later, meta=response.meta)
            yield response.follow("/plain")
            yield from super().parse(response)

        def later(self, response, **_):
            yield from super().parse(response)
""")
PIPELINE = dedent("""\
    from dataclasses import replace

    from crawler.contracts.item import JudgedPage


    class Spoiling:
        def process_item(self, item):
            if "bad" not in item.commit.url:
                return item
            commit = item.commit
            snapshot = replace(commit.capture.snapshot, digest="0" * 64)
            return JudgedPage(
                replace(commit, capture=replace(commit.capture, snapshot=snapshot))
            )
""")


def add_module(project: Project, monkeypatch: pytest.MonkeyPatch, **modules: str) -> Path:
    folder = project.sites.parent / "modules"
    folder.mkdir(exist_ok=True)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{CHECKOUT}")
    return folder


@pytest.mark.parametrize(
    ("steps", "hits"),
    [((Step(status=503), board(article("a"))), 2), ((redirect("/moved"),), 1)],
    ids=["after a retry", "after a redirect"],
)
def test_a_callback_that_raises_late_ends_its_page_and_the_run(
    project: Project,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    steps: tuple[Step, ...],
    hits: int,
) -> None:
    server.serve("/robots.txt", page("", 404))
    server.serve("/a", *steps)
    server.serve("/moved", board(article("a")))
    write_bulletins(project, server, "/a")
    add_module(project, monkeypatch, handmade=SPIDER)

    crawl = project.scrapy("crawl", "handmade", settings={"SPIDER_MODULES": "handmade"}, timeout=30)

    assert crawl.code == 1, crawl.stderr
    assert server.hits("/a") == hits
    row = read_rows(project.data, "bulletins")["/a"]
    assert row.reason == "internal_error"
    assert row.statuses[-1] == 200
    assert "a bug of the spider" in (row.trace or "")


def test_a_page_whose_commit_is_refused_ends_without_what_it_led_to(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("/robots.txt", page("", 404))
    server.compute("/p/*", lambda hit: board(article(hit.path)))
    write_bulletins(project, server, "/p/good", "/p/bad")
    settings = (
        "from crawler.settings import *\n"
        'ITEM_PIPELINES = {**ITEM_PIPELINES, "spoiling.Spoiling": 250}\n'
    )
    add_module(project, monkeypatch, spoiling=PIPELINE, spoiling_settings=settings)

    crawl = project.scrapy("crawl", "bulletins", module="spoiling_settings", timeout=30)

    assert crawl.code == 0, crawl.stderr
    rows = read_rows(project.data, "bulletins")
    assert {target: row.reason for target, row in rows.items()} == {
        "/p/good": "eligible",
        "/p/bad": "internal_error",
    }
    assert "digest" in (rows["/p/bad"].trace or "")


def test_a_row_whose_callback_is_gone_ends_alone(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("/robots.txt", page("", 404))
    server.serve("/a", board(article("a")))
    server.serve("/plain", board(article("plain")))
    server.serve("/later", Step(status=429, headers=(("Retry-After", "4"),)), board(article("b")))
    write_bulletins(project, server, "/a")
    add_module(project, monkeypatch, handmade=ASKING)
    spider = {"SPIDER_MODULES": "handmade", "DEFERRAL_MAX_WAIT": -2}
    first = project.scrapy("crawl", "handmade", settings=spider, timeout=30)
    add_module(project, monkeypatch, handmade=ASKING.replace("later", "other"))

    second = project.scrapy(
        "crawl", "handmade", settings={"SPIDER_MODULES": "handmade"}, timeout=30
    )

    assert first.code == 4, first.stderr
    assert second.code in {0, 1}, second.stderr
    rows = read_rows(project.data, "bulletins")
    assert rows["/later"].reason == "internal_error"
    assert "later" in (rows["/later"].trace or "")
    assert server.hits("/later") == 1
    assert rows["/a"].reason == rows["/plain"].reason == "eligible"


@pytest.mark.parametrize("argument", ["site=x", "run=x", "parse=x", "fail=x"])
def test_an_argument_that_would_replace_a_part_of_the_spider_is_refused(
    project: Project, server: Server, argument: str
) -> None:
    write_bulletins(project, server, "/a")

    crawl = project.scrapy("crawl", "bulletins", "-a", argument)

    assert crawl.code == 2
    assert argument.partition("=")[0] in crawl.stderr
    assert "Traceback" not in crawl.stderr
    assert not server.log
