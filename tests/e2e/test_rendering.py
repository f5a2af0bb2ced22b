"""Pages that a browser has to make: crawled with the real one, from a server on loopback."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crawler.engine.chromium import find_browser
from tests.e2e.bulletins import article, write_bulletins
from tests.e2e.ledger import Row, connected, read_rows
from tests.e2e.processes import Crawls, list_processes, wait_until
from tests.e2e.project import CHECKOUT, Finished, Project, quiet_environment
from tests.e2e.server import Hit, Server, Step, page, redirect

pytestmark = pytest.mark.e2e

READY = {"present": ["article"]}
JSON = (("Content-Type", "application/json"),)
ROWS = Step(json.dumps([["a", "Gate repaired"], ["b", "Café moved"]]).encode(), headers=JSON)
FETCHED = """<!doctype html><meta charset=iso-8859-1><title>Board</title><main></main><script>
fetch('/data').then(answer => answer.json()).then(rows => {
  for (const [id, title] of rows)
    document.querySelector('main').insertAdjacentHTML('beforeend',
      `<article data-id="${id}" data-published="2026-09-10"><h2>${title}</h2></article>`);
});
</script>"""


def rendered(server: Server, **access: Any) -> dict[str, Any]:
    return {
        "representation": "rendered_dom",
        "ready": READY,
        "permit_private": [server.authority],
        **access,
    }


def shows(key: str, script: str = "") -> str:
    """A page that needs scripts: its article is written by one."""
    written = json.dumps(article(key)).replace("</", "<\\/")
    return f"<title>Board</title><main></main><script>{script}\ndocument.querySelector('main').innerHTML = {written}</script>"


def test_records_come_from_the_rendered_document_and_cite_it(
    project: Project, server: Server
) -> None:
    server.serve("/board", page(FETCHED))
    server.serve("/data", ROWS)
    write_bulletins(project, server, "/board", access=rendered(server))

    crawl = project.scrapy("crawl", "bulletins")
    records = project.records("bulletins")

    assert crawl.code == 0, crawl.stderr
    assert [record["title"] for record in records] == ["Gate repaired", "Café moved"]
    assert server.hits("/board") == 1, "the document is asked for once"
    capture = records[0]["provenance"]["capture_id"]
    described = project.scrapy("snapshot", capture, "--headers").stdout
    original = re.search(r"rendered from: (\S+)", described)
    assert original is not None
    assert "representation: rendered_dom" in described
    assert "readiness: article: present" in described
    assert project.scrapy("snapshot", original[1]).stdout == FETCHED
    assert "Gate repaired" in project.scrapy("snapshot", capture).stdout
    assert project.scrapy("verify").code == 0


def test_a_scope_that_asks_to_wait_is_left_alone_before_any_rendering(
    project: Project, server: Server
) -> None:
    server.serve("/board", Step(b"", 429, (("Retry-After", "1"),)), page(shows("a")))
    write_bulletins(project, server, "/board", access=rendered(server))

    crawl = project.scrapy("crawl", "bulletins")

    first, second = server.times("/board")
    assert crawl.code == 0, crawl.stderr
    assert second - first >= 1
    assert read_rows(project.data, "bulletins")["/board"].deferrals == 1
    assert "'rendering/pages': 1" in crawl.stderr


def test_a_rendered_page_is_replayed_without_a_browser(project: Project, server: Server) -> None:
    server.serve("/board", page(FETCHED))
    server.serve("/data", ROWS)
    write_bulletins(project, server, "/board", access=rendered(server))
    assert project.scrapy("crawl", "bulletins").code == 0
    server.close()

    replay = project.scrapy("replay", "bulletins", settings={"CHROMIUM_PATH": "/nonexistent"})

    assert replay.code == 0, replay.stderr
    assert replay.stderr == "bulletins: same; pages read again: 1\n"


REFUSED_POST = "<form id=f method=post action=/taken><input name=a></form>"
PAGES: dict[str, tuple[Step, str]] = {
    "/plain": (page(shows("plain")), "eligible"),
    "/pdf": (Step(b"%PDF-1.4 x", headers=(("Content-Type", "application/pdf"),)),
             "representation_mismatch"),
    "/json": (Step(b'{"a":1}', headers=JSON), "representation_mismatch"),
    "/zip": (Step(b"PK", headers=(("Content-Type", "application/zip"),
                                  ("Content-Disposition", "attachment; filename=a.zip"))),
             "representation_mismatch"),
    "/gone": (page(shows("gone"), 410), "gone"),
    "/forbidden": (page(shows("forbidden"), 403), "authorization_review"),
    "/hop": (redirect("/plain"), "redirected_to_seen"),
    "/hop-off": (redirect("http://127.0.0.2:9/"), "refused_scope"),
    "/script-hop": (page("<script>location = '/plain'</script>x"), "redirected_to_seen"),
    "/script-off": (page("x<script>setTimeout(() => location = 'http://refused.example/', 10)"
                         "</script>"), "refused_scope"),
    "/script-on": (page("<script>location = '/landed'</script>"), "eligible"),
    "/meta-loop": (page("<meta http-equiv=refresh content='0;url=/meta-loop'>x"), "http_status"),
    "/cookie": (page("<script>fetch('/light').then(() => location = '/needs-cookie')</script>"),
                "eligible"),
    "/loop": (page(shows("loop", "setTimeout(() => { while (true) {} }, 0);")), "timeout_exhausted"),
    "/never": (page("<p>x</p><script>fetch('/silent')</script>"), "incomplete_snapshot"),
    "/alert": (page(shows("alert", "alert(1); confirm(2); onbeforeunload = () => 'no';"
                          "print(); for (let i = 0; i < 50; i++) window.open('/popup');")),
               "eligible"),
    "/post": (page(REFUSED_POST + shows("post") + "<script>document.forms[0].submit()</script>"),
              "eligible"),
    "/challenge": (page("x<script>document.title = 'Just a moment...'; document.body.innerHTML = "
                        "'<h1>Checking your browser</h1><div id=cf-challenge-running></div>'"
                        "</script>"), "challenge_review"),
    "/about": (page("<p>x</p><script>location = 'about:blank'</script>"), "attempts_exhausted"),
    "/polling": (page(shows("polling", "setInterval(() => fetch('/status'), 100);")), "eligible"),
    "/refreshes-later": (page('<meta http-equiv=refresh content="60;url=/taken">' + shows("later")),
                         "eligible"),
    "/spin?0": (page("<script>location = '/spin?' + Math.random()</script>x"), "http_status"),
    "/bomb": (Step(gzip.compress(b" " * 40_000_000), headers=(("Content-Type", "text/html"),
                                                            ("Content-Encoding", "gzip"))),
              "too_large"),
    "/grows": (page(shows("grows") + "<script>document.body.append(document.createComment('x'.repeat(2 ** 25)))</script>"), "too_large"),
    "/moves-state": (page(shows("state", "history.pushState(0, '', '/state');")), "eligible"),
    "/worker": (page(shows("worker", "navigator.serviceWorker && "
                           "navigator.serviceWorker.register('/sw.js').catch(() => {});")),
                "eligible"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crawled:
    server: Server
    finished: Finished
    rows: dict[str, Row]
    data: Path


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """One crawl of all of them."""
    folder: Path = tmp_path_factory.mktemp("rendered")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server:
        for target, (step, _) in PAGES.items():
            server.serve(target, step)
        server.compute("/spin*", lambda _: PAGES["/spin?0"][0])
        server.serve("/landed", page(shows("landed")))
        server.compute("/needs-cookie", _needs_cookie)
        server.serve("/light", Step(b"1", headers=(("Set-Cookie", "lamp=lit; HttpOnly"),)))
        server.serve("/status", Step(b"1"))
        server.serve("/silent", Step(is_silent=True))
        access = rendered(server, timeout=8, budget={"attempts": 1})
        write_bulletins(project, server, *PAGES, access=access)
        finished = project.scrapy("crawl", "bulletins", timeout=200)
        rows = read_rows(project.data, "bulletins")
        yield Crawled(server, finished, rows, project.data)


def _needs_cookie(hit: Hit) -> Step:
    is_lit = "lamp=lit" in hit.headers.get("cookie", "")
    return page(shows("cookie")) if is_lit else page("<h1>Not found</h1>", 404)


@pytest.mark.parametrize(("target", "reason"), [(key, end) for key, (_, end) in PAGES.items()])
def test_each_page_ends_for_its_reason(crawled: Crawled, target: str, reason: str) -> None:
    row = crawled.rows[target]

    assert (row.reason, row.trace) == (reason, None), row.detail


def test_a_crawl_with_hostile_pages_ends_by_itself(crawled: Crawled) -> None:
    assert crawled.finished.code == 0, crawled.finished.stderr
    assert "Traceback" not in crawled.finished.stderr


@pytest.mark.parametrize("target", ["/taken", "/popup", "/sw.js"])
def test_what_a_page_may_not_ask_for_is_not_sent(crawled: Crawled, target: str) -> None:
    assert crawled.server.hits(target) == 0


def test_every_hop_of_a_script_is_recorded(crawled: Crawled) -> None:
    assert crawled.rows["/script-on"].hops == (("/script-on", 200),)
    assert crawled.rows["/script-on"].url.endswith("/landed")


def test_a_loop_of_scripts_is_bounded(crawled: Crawled) -> None:
    assert crawled.server.hits("/meta-loop") == 3
    assert "redirect loop" in (crawled.rows["/meta-loop"].detail or "")


def test_a_loop_that_changes_its_address_is_bounded(crawled: Crawled) -> None:
    hits = [hit for hit in crawled.server.log if hit.path == "/spin"]

    assert len(hits) == 21


def test_the_crawl_tells_one_name_of_itself(crawled: Crawled) -> None:
    names = {hit.headers["user-agent"] for hit in crawled.server.log}

    assert names == {"crawler (+https://www.rfc-editor.org/rfc/rfc9309)"}


def test_an_address_that_a_script_wrote_is_kept(crawled: Crawled) -> None:
    with connected(crawled.data) as ledger:
        query = (
            "SELECT final_url FROM captures WHERE representation = 'rendered_dom' AND url LIKE ?"
        )
        found = ledger.execute(query, ("%/moves-state",)).fetchone()

    assert found["final_url"] == crawled.server.url("/state")


def test_what_was_missing_is_said(crawled: Crawled) -> None:
    assert crawled.rows["/never"].detail == "article matches nothing"


# The browser and the crawl


def render_without_end(project: Project, server: Server) -> None:
    """Write a site of pages that are never ready."""
    server.compute("/wait/*", lambda _: page("<p>waits</p><script>fetch('/started')</script>"))
    server.serve("/started", Step(b"1"))
    access = rendered(server, timeout=60, concurrency=4)
    write_bulletins(project, server, *(f"/wait/{n}" for n in range(8)), access=access)


def are_gone(pids: Iterable[int], seconds: float) -> bool:
    return wait_until(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in pids), seconds)


@pytest.mark.parametrize(
    ("number", "seconds"),
    [(signal.SIGTERM, 10), (signal.SIGKILL, 5)],
    ids=["a run that is stopped", "a run that is killed"],
)
def test_no_browser_is_left_by(
    project: Project, server: Server, crawls: Crawls, number: signal.Signals, seconds: float
) -> None:
    render_without_end(project, server)
    crawl = crawls.start("bulletins")
    assert wait_until(lambda: server.hits("/started") >= 4, 20)
    started = list_processes(parent=crawl.process.pid)

    crawl.process.send_signal(number)
    crawl.wait(seconds)

    assert any("--type=renderer" in command for command in started.values())
    assert are_gone(started, 5)
    if number == signal.SIGTERM:
        assert project.outcomes("bulletins")["open"] == {"pending": 8, "deferred": 0, "leased": 0}


def test_a_signal_to_all_processes_costs_no_page_an_attempt(
    project: Project, server: Server, crawls: Crawls
) -> None:
    render_without_end(project, server)
    crawl = crawls.start("bulletins")
    assert wait_until(lambda: server.hits("/started") >= 4, 20)

    os.killpg(crawl.process.pid, signal.SIGINT)

    assert crawl.wait(12) == 5
    rows = read_rows(project.data, "bulletins").values()
    assert {(row.state, row.attempts) for row in rows} == {("pending", 0)}


def test_a_signal_while_the_browser_starts_leaves_none_behind(
    project: Project, server: Server, crawls: Crawls
) -> None:
    server.serve("/board", page(shows("a")))
    write_bulletins(project, server, "/board", access=rendered(server))
    slow, asked = project.data.parent / "slow-browser", project.data.parent / "asked"
    slow.write_text(f"#!/bin/sh\ntouch {asked}\nexec sleep 60\n")
    slow.chmod(0o700)
    crawl = crawls.start("bulletins", {"CHROMIUM_PATH": slow, "SHUTDOWN_WAIT": 1})
    assert wait_until(asked.exists, 20)
    started = list_processes(parent=crawl.process.pid)

    crawl.process.send_signal(signal.SIGINT)

    assert crawl.wait(10) == 5
    assert len(started) >= 2, "a driver and what it takes for the browser"
    assert are_gone(started, 5)
    assert project.outcomes("bulletins")["open"] == {"pending": 1, "deferred": 0, "leased": 0}


def test_a_browser_that_keeps_dying_ends_the_run_and_not_its_pages(
    project: Project, server: Server
) -> None:
    server.compute("/wait/*", lambda _: page("<p>waits</p>"))
    targets = [f"/wait/{number}" for number in range(40)]
    write_bulletins(project, server, *targets, access=rendered(server))
    dying = project.data.parent / "dying-browser"
    dying.write_text(f'#!/bin/sh\nexec timeout -s KILL 0.8 {find_browser()} "$@"\n')
    dying.chmod(0o700)

    crawl = project.scrapy("crawl", "bulletins", settings={"CHROMIUM_PATH": dying})

    assert crawl.code == 1
    assert "Traceback" not in crawl.stderr
    assert "nothing can be rendered: the browser ended 6 times in this run" in crawl.stderr
    assert project.outcomes("bulletins")["open"]["pending"] >= 20


def test_a_run_goes_on_when_its_browser_is_killed(
    project: Project, server: Server, crawls: Crawls
) -> None:
    server.compute("/p/*", lambda hit: Step(page(shows(hit.path)).body, delay=0.2))
    targets = [f"/p/{number}" for number in range(24)]
    write_bulletins(project, server, *targets, access=rendered(server))
    crawl = crawls.start("bulletins")

    assert wait_until(lambda: len(server.log) > 8, 20)
    for pid in list_processes("headless", parent=crawl.process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    assert crawl.wait(40) == 0
    assert {row.reason for row in read_rows(project.data, "bulletins").values()} == {"eligible"}


def test_without_a_browser_the_run_fails_and_its_pages_stay_open(
    project: Project, server: Server
) -> None:
    server.serve("/board", page(shows("a")))
    write_bulletins(project, server, "/board", access=rendered(server))

    crawl = project.scrapy("crawl", "bulletins", settings={"CHROMIUM_PATH": "/nonexistent"})

    assert crawl.code == 1
    assert (
        "CHROMIUM_PATH names /nonexistent, which is not a program that can be run" in crawl.stderr
    )
    assert "Traceback" not in crawl.stderr
    assert project.outcomes("bulletins")["open"]["pending"] == 1


def test_a_site_of_served_pages_loads_nothing_of_a_browser(
    project: Project, server: Server
) -> None:
    server.serve("/board", page(article("a")))
    write_bulletins(project, server, "/board")
    code = (
        "import sys; from scrapy.cmdline import execute\n"
        "try: execute()\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if 'playwright' in name])"
    )
    command = project.command("crawl", "bulletins")

    found = subprocess.run(
        [sys.executable, "-c", code, *command[3:]],
        cwd=CHECKOUT,
        env=quiet_environment() | {"SCRAPY_SETTINGS_MODULE": "crawler.settings"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.splitlines()[-1] == "[]"
    assert list(project.records("bulletins"))
