"""``scrapy doctor`` as a user runs it, beside a real Scrapyd."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.project import Finished, Project, quiet_environment
from tests.e2e.scrapyd import find_free_port, wait_until
from tests.e2e.server import Server

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Scrapyd's configuration is looked for in it, too."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", find_downloads())
    return folder


def find_downloads() -> str:
    found = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    return found or str(Path("~/.cache/ms-playwright").expanduser())


def checks_of(finished: Finished) -> dict[str, Any]:
    return {check["name"]: check for check in finished.json}


@contextmanager
def scrapyd(home: Path, *lines: str) -> Iterator[int]:
    """Run a Scrapyd as this user configured it; yields its port."""
    port = find_free_port()
    text = "\n".join(("[scrapyd]", f"http_port = {port}", *lines))
    (home / ".scrapyd.conf").write_text(text, encoding="utf-8")
    environment = quiet_environment() | {"HOME": str(home)}
    with subprocess.Popen(
        [sys.executable, "-m", "scrapyd"],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            wait_until(lambda: answers(port), "Scrapyd answers", seconds=30)
            yield port
        finally:
            process.terminate()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_sound_installation_passes(project: Project, server: Server) -> None:
    server.serve("/board", board(article("a")))
    write_bulletins(project, server, "/board")
    assert project.scrapy("crawl", "bulletins").code == 0

    finished = project.scrapy("doctor", "--json")

    checks = checks_of(finished)
    assert finished.code == 0, checks
    assert {check["state"] for check in checks.values()} <= {"ok", "warning"}
    assert "writable" in checks["ledger"]["found"]
    assert "GiB free" in checks["archive"]["found"]
    assert checks["site files"]["found"] == "1, no problems"
    assert checks["settings"]["state"] == "ok"
    assert "hromium" in checks["browser"]["found"]


def test_each_problem_comes_with_what_to_do(project: Project, server: Server) -> None:
    path = write_bulletins(project, server, "/board")
    path.chmod(0o666)
    project.write_text("broken.yaml", "site: broken\n")
    project.data.mkdir()
    project.data.chmod(0o755)

    finished = project.scrapy(
        "doctor",
        settings={"TELNETCONSOLE_ENABLED": True, "CHROMIUM_PATH": "/nowhere/[bold]chromium"},
    )

    assert finished.code == 1
    assert finished.stderr == ""
    for advice in (
        "/nowhere/[bold]chromium",
        f"chmod 700 {project.data}",
        f"chmod o-w {path}",
        "scrapy sites lists them all",
        "TELNETCONSOLE_ENABLED is True",
    ):
        assert advice in finished.stdout


def test_a_scrapyd_as_shipped_is_a_problem(project: Project, home: Path) -> None:
    with scrapyd(home) as port:
        finished = project.scrapy("doctor", "--json")

    check = checks_of(finished)["scrapyd"]
    assert finished.code == 1
    assert check["state"] == "problem"
    assert check["found"] == f"answers without a password at 127.0.0.1:{port}"
    assert "username and password in scrapyd.conf" in check["advice"]


def test_a_scrapyd_behind_a_password_on_loopback_is_fine(project: Project, home: Path) -> None:
    with scrapyd(home, "username = a", "password = b") as port:
        finished = project.scrapy("doctor", "--json")

    check = checks_of(finished)["scrapyd"]
    assert check["found"] == f"asks for a password at 127.0.0.1:{port}"
    assert check["state"] == "ok"


def test_a_scrapyd_that_other_machines_reach_is_told(project: Project, home: Path) -> None:
    with scrapyd(home, "username = a", "password = b", "bind_address = 0.0.0.0"):
        finished = project.scrapy("doctor", "--json")

    check = checks_of(finished)["scrapyd"]
    assert check["state"] == "warning"
    assert "bind_address = 127.0.0.1" in check["advice"]


def test_it_takes_no_arguments(project: Project) -> None:
    assert project.scrapy("doctor", "bulletins").code == 2
