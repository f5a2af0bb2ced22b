"""Crawls as processes that are killed, stopped and looked for by the session they started in."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from tests.e2e.forks import find_fork_server, is_forked_alike
from tests.e2e.project import CHECKOUT, Process, Project, quiet_environment


@dataclass(frozen=True, slots=True)
class Crawl:
    """A running ``scrapy crawl``; what it prints goes to a file, for nobody reads it meanwhile."""

    process: Process
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
        """Return the exit code; raises TimeoutExpired when it is late."""
        return self.process.wait(seconds)

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


def list_processes(name: str = "", parent: int | None = None) -> dict[int, str]:
    """Return the living descendants of *parent* (this process) whose command holds *name*."""
    seen = [_read_process(folder) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    processes = {pid: (ppid, command) for pid, ppid, command in filter(None, seen)}
    wanted = {parent or os.getpid()}
    found: dict[int, str] = {}
    while newly := {pid for pid, (ppid, _) in processes.items() if ppid in wanted} - wanted:
        wanted |= newly
        found |= {pid: processes[pid][1] for pid in newly}
    return {pid: command for pid, command in found.items() if name in command}


def _read_process(folder: Path) -> tuple[int, int, str] | None:
    try:
        stat = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return None
    return None if stat[0] in {"Z", "X"} else (int(folder.name), int(stat[1]), command)


def read_memory(pid: int) -> int:
    """Return the bytes that a process takes, with its share of what it has in common; 0 if gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    line = next((line for line in text.splitlines() if line.startswith("Pss:")), "Pss: 0 kB")
    return int(line.split()[1]) * 1024


class Crawls:
    """Starts crawls of a project, and leaves none behind."""

    def __init__(self, project: Project, are_forked: bool = False) -> None:
        self._project = project
        self._are_forked = are_forked
        self._log = project.data.parent / "crawl.log"
        self._started: list[Crawl] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for crawl in self._started:
            crawl.end_session()
        if error is not None and self._log.exists():
            print(self._log.read_text(encoding="utf-8")[-5000:])

    def start(self, site: str, settings: Mapping[str, object] | None = None) -> Crawl:
        with self._log.open("a", encoding="utf-8") as sink:
            process = self._start(site, settings, sink)
        crawl = Crawl(process, started_at=time.monotonic())
        self._started.append(crawl)
        return crawl

    def _start(self, site: str, settings: Mapping[str, object] | None, sink: IO[str]) -> Process:
        if self._are_forked and is_forked_alike(quiet_environment()):
            environment = quiet_environment() | {"SCRAPY_SETTINGS_MODULE": "crawler.settings"}
            arguments = self._project.arguments("crawl", site, settings=settings)
            return find_fork_server().fork(arguments, environment, sink, leads_session=True)
        return subprocess.Popen(
            self._project.command("crawl", site, settings=settings),
            cwd=CHECKOUT,
            env=compiling_environment(),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            start_new_session=True,
            encoding="utf-8",
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
        time.sleep(0.002)
    return True
