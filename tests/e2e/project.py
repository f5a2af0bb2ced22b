"""A project as a user has it: a folder of site files, a folder of data, and the scrapy command."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import yaml

from tests.e2e.forks import Fork, find_fork_server, is_forked_alike
from tests.e2e.server import Server

CHECKOUT = Path(__file__).parents[2]
Process = subprocess.Popen[str] | Fork
AUTHORIZATION = {"basis": "test fixture", "approved_by": "tests", "expires": date(2099, 1, 1)}


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.stdout)

    @property
    def lines(self) -> list[Any]:
        """Standard output as one JSON document a line."""
        return [json.loads(line) for line in self.stdout.splitlines()]


@dataclass(frozen=True, slots=True)
class Project:
    sites: Path
    data: Path

    def write_site(self, name: str, server: Server, **sections: Any) -> Path:
        """Write a site file for *server*; ``start`` holds its targets, or whole URLs of others.

        All other sections are as is. The authorisation and the permit for the server's address are
        there unless given.
        """
        config: dict[str, Any] = {"site": name, "authorization": AUTHORIZATION, **sections}
        config["start"] = [urljoin(server.url(), target) for target in sections["start"]]
        config["access"] = {"permit_private": [server.authority], **sections.get("access", {})}
        return self.write_text(f"{name}.yaml", yaml.safe_dump(config, sort_keys=False))

    def write_text(self, name: str, text: str) -> Path:
        path = self.sites / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def start(
        self,
        *args: str,
        settings: Mapping[str, object] | None = None,
        module: str = "crawler.settings",
    ) -> Process:
        """Start ``scrapy ARGS``; the caller waits for it or kills it.

        As a fork that need not import anything, unless the environment says otherwise.
        """
        environment = quiet_environment() | {"SCRAPY_SETTINGS_MODULE": module}
        if is_forked_alike(environment):
            arguments = self.arguments(*args, settings=settings)
            return find_fork_server().fork(arguments, environment)
        return subprocess.Popen(
            self.command(*args, settings=settings),
            cwd=CHECKOUT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def scrapy(
        self,
        *args: str,
        settings: Mapping[str, object] | None = None,
        module: str = "crawler.settings",
        timeout: float = 60,
    ) -> Finished:
        """Run ``scrapy ARGS`` to its end; raises TimeoutExpired, having killed it, when late."""
        with self.start(*args, settings=settings, module=module) as process:
            try:
                stdout, stderr = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                stdout, stderr = process.communicate()
                print(stdout, stderr, sep="\n")  # pytest shows it with the failure
                raise
        return Finished(process.wait(), stdout, stderr)

    def outcomes(self, site: str) -> Any:
        """Return what ``scrapy outcomes SITE --json`` prints."""
        return self._succeed("outcomes", site, "--json").json

    def collections(self, site: str) -> Any:
        """Return what ``scrapy outcomes SITE --collections --json`` prints."""
        return self._succeed("outcomes", site, "--collections", "--json").json

    def records(self, site: str, *args: str) -> list[Any]:
        """Return the lines of ``scrapy records SITE --format jsonl``."""
        return self._succeed("records", site, "--format", "jsonl", *args).lines

    def _succeed(self, *args: str) -> Finished:
        finished = self.scrapy(*args)
        assert finished.code == 0, finished.stderr
        return finished

    def command(self, *args: str, settings: Mapping[str, object] | None = None) -> list[str]:
        return [sys.executable, "-m", "scrapy", *self.arguments(*args, settings=settings)]

    def arguments(self, *args: str, settings: Mapping[str, object] | None = None) -> list[str]:
        """Return *args* and what leads the command to this project."""
        given = {"SITES_DIR": self.sites, "DATA_DIR": self.data, **(settings or {})}
        return [*args, *(part for name in given for part in ("-s", f"{name}={given[name]}"))]


def quiet_environment() -> dict[str, str]:
    """Return this environment without what would change how the command behaves."""
    dropped = {"SITES_DIR", "DATA_DIR", "SCRAPY_SETTINGS_MODULE", "SCRAPY_PROJECT", "COLUMNS"}
    return {name: value for name, value in os.environ.items() if name not in dropped}
