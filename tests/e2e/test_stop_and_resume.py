"""A run may be stopped and goes on where it was; a finished site begins anew."""

import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import date

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_ends, read_rows, read_versions
from tests.e2e.project import AUTHORIZATION, Project
from tests.e2e.server import Hit, Server, Step, page

pytestmark = pytest.mark.e2e

PAGES = [f"/p/{number}" for number in range(60)]


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        time.sleep(0.01)


def serve_pages(server: Server, delay: float = 0.0) -> None:
    """Serve a listing of PAGES, and each of them as one bulletin."""
    links = "".join(f'<a href="{target}">x</a>' for target in PAGES)
    server.serve("/list", page(links))
    server.compute("/p/*", lambda hit: Step(board(article(hit.path)).body, delay=delay))


def serve_hanging_pages(project: Project, server: Server) -> None:
    serve_pages(server, delay=300)
    write_bulletins(project, server, "/list", collect={"links": "a"}, access={"timeout": 300})


def page_hits(server: Server) -> Counter[str]:
    return Counter(hit.path for hit in server.log if hit.path.startswith(("/p/", "/list")))


# Stopping


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_stopped_run_goes_on_where_it_was(
    project: Project, server: Server, number: signal.Signals
) -> None:
    serve_pages(server, delay=0.05)
    write_bulletins(project, server, "/list", collect={"links": "a"})

    with project.start("crawl", "bulletins") as process:
        wait_until(lambda: len(page_hits(server)) > 15)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=20)

    assert process.returncode == 5, stderr
    assert "Traceback" not in stderr
    stopped = project.outcomes("bulletins")
    assert stopped["open"]["pending"] > 10
    assert stopped["open"]["leased"] == 0
    assert stopped["admitted"] == 61

    resumed = project.scrapy("crawl", "bulletins")

    assert resumed.code == 0, resumed.stderr
    funnel = project.outcomes("bulletins")
    assert funnel["cycle"] == 1
    assert funnel["outcomes"] == {"eligible": 61}
    assert funnel["records"]["accepted"] == 60
    hits = page_hits(server)
    assert set(hits) == {"/list", *PAGES}
    assert max(hits.values()) <= 2
    assert sum(hits.values()) <= 61 + 4
    assert read_ends(project.data) == ["stopped", "finished"]


def test_a_second_signal_ends_a_run_at_once(project: Project, server: Server) -> None:
    serve_hanging_pages(project, server)

    with project.start("crawl", "bulletins", settings={"SHUTDOWN_WAIT": 300}) as process:
        wait_until(lambda: len(page_hits(server)) > 1)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)

    assert process.returncode == 5
    serve_pages(server)
    assert project.scrapy("crawl", "bulletins").code == 0
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 61}


def test_a_stopped_run_does_not_wait_for_a_server_that_hangs(
    project: Project, server: Server
) -> None:
    serve_hanging_pages(project, server)

    with project.start("crawl", "bulletins", settings={"SHUTDOWN_WAIT": 0.5}) as process:
        wait_until(lambda: len(page_hits(server)) > 1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)

    assert process.returncode == 5
    assert project.outcomes("bulletins")["open"]["leased"] == 0


def test_a_run_that_waits_for_an_hour_ends_when_it_is_told_to(
    project: Project, server: Server
) -> None:
    server.serve("/late", page("slow down", 429, retry_after="3600"), board(article("late")))
    write_bulletins(project, server, "/late")

    with project.start("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 7200}) as process:
        wait_until(lambda: server.hits("/late") == 1)
        wait_until(lambda: read_rows(project.data, "bulletins")["/late"].state == "deferred")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    assert process.returncode == 5
    assert project.outcomes("bulletins")["open"] == {"pending": 0, "deferred": 1, "leased": 0}
    assert server.hits("/late") == 1


def test_a_run_that_waits_for_a_locked_ledger_ends_when_it_is_told_to(
    project: Project, server: Server
) -> None:
    serve_pages(server)
    write_bulletins(project, server, "/list", collect={"links": "a"})
    assert project.scrapy("crawl", "bulletins").code == 0
    server.forget()

    with closing(sqlite3.connect(project.data / "ledger.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with project.start("crawl", "bulletins", settings={"LEDGER_WAIT": 3}) as process:
            time.sleep(1)
            assert process.poll() is None, "it waits"
            process.send_signal(signal.SIGINT)
            # A ledger is waited for LEDGER_WAIT seconds, whoever asks to stop.
            process.communicate(timeout=60)

    assert process.returncode != 0
    assert server.log == ()
    assert project.scrapy("crawl", "bulletins").code == 0


# Cycles


def test_a_second_cycle_confirms_what_is_unchanged_and_adds_a_version_where_it_is_not(
    project: Project, server: Server
) -> None:
    server.serve("/same", board(article("same")))
    server.serve(
        "/news", board(article("news")), board(article("news", "<h2>Gate broken again</h2>"))
    )
    write_bulletins(project, server, "/same", "/news")

    first = project.scrapy("crawl", "bulletins")
    second = project.scrapy("crawl", "bulletins")

    assert (first.code, second.code) == (0, 0), second.stderr
    funnel = project.outcomes("bulletins")
    assert funnel["cycle"] == 2
    assert funnel["records"] == {"accepted": 1, "unchanged": 1, "rejected": {}}
    assert read_versions(project.data, "bulletins") == {"same": 1, "news": 2}
    assert (server.hits("/same"), server.hits("/news")) == (2, 2)
    titles = {record["id"]: record["title"] for record in project.records("bulletins")}
    assert titles == {"same": "Gate repaired", "news": "Gate broken again"}


# What keeps a crawl from starting


def test_an_expired_authorization_sends_nothing_at_all(project: Project, server: Server) -> None:
    serve_pages(server)
    expired = {**AUTHORIZATION, "expires": date(2020, 1, 1)}
    write_bulletins(project, server, "/list", "/p/1", authorization=expired)

    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 1
    assert server.log == ()
    assert project.outcomes("bulletins")["outcomes"] == {"refused_authorization": 2}
    assert {row.statuses for row in read_rows(project.data, "bulletins").values()} == {()}


def test_a_bad_site_file_stops_its_own_crawl_with_every_problem_and_its_line(
    project: Project, server: Server
) -> None:
    write_bulletins(project, server, "/list", name="good")
    path = write_bulletins(project, server, "/list", name="bad", colour="red")
    path.write_text(path.read_text().replace("type: notice", "type: 7"))

    finished = project.scrapy("crawl", "bad")

    assert finished.code == 2
    assert "Traceback" not in finished.stderr
    lines = finished.stderr.splitlines()
    assert all(line.startswith(str(path)) for line in lines), finished.stderr
    assert any("colour" in line for line in lines), finished.stderr
    assert any("record.type" in line for line in lines), finished.stderr
    assert all(line.removeprefix(f"{path}:").split(":")[0].isdigit() for line in lines)
    assert server.log == ()
    assert project.scrapy("list").stdout.split() == ["bad", "good"]
    assert project.scrapy("crawl", "good").code == 0


@pytest.mark.parametrize("arguments", [("nobody",), (), ("one", "two")])
def test_a_crawl_of_no_known_site_is_wrong_usage(
    project: Project, arguments: tuple[str, ...]
) -> None:
    finished = project.scrapy("crawl", *arguments)

    assert finished.code in {1, 2}
    assert "Traceback" not in finished.stderr + finished.stdout
    assert (finished.stderr + finished.stdout).strip() != ""
    assert not project.data.exists()


@pytest.mark.parametrize(("version", "advice"), [("999", "newer"), ("0", "older")])
def test_a_ledger_of_another_schema_is_refused_and_left_alone(
    project: Project, server: Server, version: str, advice: str
) -> None:
    serve_pages(server)
    write_bulletins(project, server, "/p/1")
    assert project.scrapy("crawl", "bulletins").code == 0
    server.forget()
    with closing(sqlite3.connect(project.data / "ledger.db")) as ledger, ledger:
        ledger.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", (version,))

    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 1
    assert finished.stderr.startswith(f"{project.data}/ledger.db: schema version {version}")
    assert finished.stderr.count("\n") == 1
    assert server.log == ()
    assert read_ends(project.data) == ["finished"]


def test_a_site_file_changed_in_mid_run_does_not_change_the_run(
    project: Project, server: Server
) -> None:
    path = write_bulletins(project, server, "/list", collect={"links": "a"})
    serve_pages(server)

    def spoil(hit: Hit) -> Step:
        path.write_text("site: nonsense")
        return page("".join(f'<a href="{target}">x</a>' for target in PAGES))

    server.compute("/list", spoil)

    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 0, finished.stderr
    assert project.outcomes("bulletins")["outcomes"] == {"eligible": 61}
