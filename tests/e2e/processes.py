"""Crawls as processes that are killed, stopped and looked for by the session they started in."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tests.e2e.project import CHECKOUT, Project, quiet_environment


@dataclass(frozen=True, slots=True)
class Crawl:
    """A running ``scrapy crawl``; what it prints goes to a file, for nobody reads it meanwhile."""

    process: subprocess.Popen[bytes]
    log: Path
    started_at: float
    """``time.monotonic()``, as in the server's log."""

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """End the process alone, as the kernel would for want of memory."""
        self.process.kill()
        self.process.wait()

    def suspend(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def wait(self, seconds: float) -> int:
        """Return the exit code; whatever is left after so many seconds is killed, and fails."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.end_session()
            print(self.log.read_text(encoding="utf-8")[-5000:])
            raise

    def end_session(self) -> None:
        for pid in self.list_session():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()

    def list_session(self) -> list[int]:
        """Return the living processes of the session that the crawl started in."""
        found = (_read_stat(folder) for folder in Path("/proc").iterdir() if folder.name.isdigit())
        return [stat.pid for stat in found if stat and stat.session == self.process.pid]


@dataclass(frozen=True, slots=True)
class _Stat:
    pid: int
    session: int


def _read_stat(folder: Path) -> _Stat | None:
    """None when the process is gone, or dead and only waits to be reaped."""
    try:
        text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, _parent, _group, session = text.rpartition(")")[2].split()[:4]
    return None if state in {"Z", "X"} else _Stat(int(folder.name), int(session))


def start_crawl(project: Project, site: str, settings: Mapping[str, object] | None = None) -> Crawl:
    project.data.parent.mkdir(exist_ok=True)
    log = project.data.parent / "crawl.log"
    with log.open("a", encoding="utf-8") as sink:
        return Crawl(_popen(project, site, settings or {}, sink), log, time.monotonic())


def _popen(
    project: Project, site: str, settings: Mapping[str, object], sink: TextIO
) -> subprocess.Popen[bytes]:
    given = {"SITES_DIR": project.sites, "DATA_DIR": project.data, **settings}
    options = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    return subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", site, *options],
        cwd=CHECKOUT,
        env=compiling_environment(),
        stdin=subprocess.DEVNULL,
        stdout=sink,
        stderr=sink,
        start_new_session=True,
    )


def compiling_environment() -> dict[str, str]:
    """Modules are compiled once, as for any user: a start is measured without that."""
    environment = quiet_environment()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def wait_until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Return whether *is_so* came true in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True
