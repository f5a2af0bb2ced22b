"""A page that takes all time or memory, or the worker with it, costs itself and nothing else."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bulletins import article, board
from tests.e2e.ledger import connected, read_rows
from tests.e2e.processes import Crawl, Crawls, wait_until
from tests.e2e.project import Project
from tests.e2e.server import Server, page

pytestmark = pytest.mark.e2e

ORDINARY = [f"/p/{number}" for number in range(12)]
POISON = {
    "/hang": f"{article('hang')}{'<u>' * 2_000}{'</u>' * 2_000}",
    "/bomb": article("bomb") + "<p>" * 5_000_000,
    "/deep": article("deep") + "<div>" * 100_000,
    "/wide": f"<div {' '.join(f'a{n}=1' for n in range(50_000))}></div>{article('wide')}",
}
SETTINGS = {"PAGE_TIMEOUT": 3, "PAGE_MEMORY": 450 * 2**20, "PAGE_WORKERS": 1}


def write_site(project: Project, server: Server, *targets: str) -> None:
    """Write a site file with a selector that takes for ever on one page."""
    server.serve("/robots.txt", page("", 404))
    server.compute("/p/*", lambda hit: board(article(hit.path)))
    for target, html in POISON.items():
        server.serve(target, page(html))
    fields = {
        "id": "xpath:./@data-id",
        "title": "css:h2::text",
        "published": "xpath:./@data-published",
        "office": "xpath:" + "//u" * 4,
    }
    project.write_site(
        "bulletins",
        server,
        start=targets,
        record={"type": "bulletin", "each": "article", "fields": fields},
        collect={"complete": {"empty": "p.none"}},
    )
    declared = {
        "name": "bulletin",
        "schema_version": "bulletin.v1",
        "key": ["id"],
        "fields": {
            name: {"doc": name, **({"kind": "list"} if name == "office" else {})} for name in fields
        },
    }
    project.write_text("types/bulletin.yaml", str(declared))


def keys(project: Project) -> set[str]:
    return {line["id"] for line in project.scrapy("records", "bulletins").lines}


def test_each_poison_page_costs_one_outcome_and_every_other_page_is_published(
    project: Project, server: Server
) -> None:
    targets = [*ORDINARY[:6], *POISON, *ORDINARY[6:]]
    write_site(project, server, *targets)

    done = project.scrapy("crawl", "bulletins", settings=SETTINGS, timeout=90)

    assert done.code == 0, done.stderr
    rows = read_rows(project.data, "bulletins")
    assert {row.reason for row in rows.values()} == {"eligible"}
    assert rows["/hang"].rejections == ("extraction_timeout",)
    assert rows["/bomb"].rejections in {("extraction_crash",), ("extraction_timeout",)}
    assert rows["/deep"].rejections == ("record_structure",)
    assert all(rows[target].rejections == () for target in ORDINARY)
    assert {key for key in keys(project) if key.startswith("/p/")} == set(ORDINARY)
    assert all(server.hits(target) == 1 for target in targets), "none of them is fetched again"


def test_a_worker_that_is_killed_costs_the_page_it_was_reading(
    project: Project, server: Server, crawls: Crawls
) -> None:
    write_site(project, server, "/hang", *ORDINARY)
    running = crawls.start("bulletins", {"PAGE_TIMEOUT": 60, "PAGE_WORKERS": 1})
    assert wait_until(lambda: server.hits(ORDINARY[-1]) > 0, 30)
    assert wait_until(lambda: bool(busy_workers(running)), 10)

    for pid in busy_workers(running):
        os.kill(pid, signal.SIGKILL)

    assert running.wait(60) == 0
    rows = read_rows(project.data, "bulletins")
    assert rows["/hang"].rejections == ("extraction_crash",)
    assert keys(project) == set(ORDINARY)


def busy_workers(running: Crawl) -> list[int]:
    """Return the page workers that have used more processor time than a start takes."""
    return [
        pid
        for pid in running.list_session()
        if pid != running.process.pid and processor_seconds(pid) > 1.5
    ]


def processor_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_crawl_that_reads_its_pages_itself_publishes_the_same(
    project: Project, server: Server, tmp_path: Path
) -> None:
    write_site(project, server, *ORDINARY, "/deep")
    other = Project(project.sites, tmp_path / "other")

    for where, workers in ((project, 1), (other, -1)):
        done = where.scrapy("crawl", "bulletins", settings={"PAGE_WORKERS": workers})
        assert done.code == 0, done.stderr

    assert published(project) == published(other)
    assert len(published(project)) == len(ORDINARY)
    with connected(other.data) as ledger:
        assert '"in-process"' in ledger.execute("SELECT counters FROM runs").fetchone()[0]


def published(project: Project) -> list[dict[str, Any]]:
    """Return all records without what names the single observation."""
    lines = project.scrapy("records", "bulletins").lines
    for line in lines:
        for evidence in line["evidence"].values():
            evidence.pop("capture_id", None)
        for name in ("capture_id", "observed_at"):
            line["provenance"].pop(name)
    return sorted(lines, key=lambda line: str(line["id"]))
