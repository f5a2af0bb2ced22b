"""A real Scrapyd on loopback, behind a password, in an interpreter that knows no checkout."""

import base64
import json
import shutil
import socket
import subprocess
import sysconfig
import time
import urllib.error
import urllib.parse
import urllib.request
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.e2e.project import CHECKOUT, quiet_environment

PROJECT = "crawler"
USER, PASSWORD = "deployer", "fenland ferry"
PACKED = ("crawler", "spiders_config", "pyproject.toml", "README.md")
"""What an egg is made of."""

CONFIG = """\
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
username = {user}
password = {password}
poll_interval = 0.2
max_proc = 4
"""
TARGET = """\
[settings]
default = crawler.settings

[deploy]
url = {url}
project = {project}
username = {user}
password = {password}
"""


def make_interpreter(folder: Path) -> Path:
    """Return a Python with all libraries of this one, but without the project.

    A folder named in a .pth file is searched, while .pth files inside it, such as that of an
    editable install of the project, are not read.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    inside = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], encoding="utf-8"
    )
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(inside.strip(), "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    return python


def copy_project(folder: Path) -> Path:
    """Copy what is packed into *folder*, so that nothing is built in the checkout."""
    for name in PACKED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            folder.mkdir(exist_ok=True)
            shutil.copy(source, folder / name)
    return folder


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: Any


class Scrapyd:
    """Runs from entering to leaving; jobs still running then are ended, too."""

    def __init__(self, folder: Path, python: Path) -> None:
        self._folder = folder
        self._python = python
        self._port = find_free_port()

    def __enter__(self) -> Self:
        self._folder.mkdir()
        config = CONFIG.format(port=self._port, user=USER, password=PASSWORD)
        (self._folder / "scrapyd.conf").write_text(config, encoding="utf-8")
        self._log = (self._folder / "scrapyd.log").open("w", encoding="utf-8")
        self._process = subprocess.Popen(
            [self._python, "-m", "scrapyd"],
            cwd=self._folder,
            env=quiet_environment() | {"HOME": str(self._folder)},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        wait_until(self._answers, "Scrapyd answers", seconds=30)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for job in self.get("listjobs.json", project=PROJECT).body.get("running", []):
            self.post("cancel.json", project=PROJECT, job=job["id"], signal="KILL")
        self._process.terminate()
        self._process.wait(timeout=20)
        self._log.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/"

    def deploy(self, checkout: Path) -> subprocess.CompletedProcess[str]:
        """Run plain ``scrapyd-deploy`` in *checkout*, with this server as its target."""
        config = TARGET.format(url=self.url, project=PROJECT, user=USER, password=PASSWORD)
        (checkout / "scrapy.cfg").write_text(config, encoding="utf-8")
        return subprocess.run(
            [self._python, "-m", "scrapyd_client.deploy"],
            cwd=checkout,
            env=quiet_environment() | {"HOME": str(self._folder)},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def get(self, service: str, *, password: str | None = PASSWORD, **query: str) -> Reply:
        target = f"{self.url}{service}?{urllib.parse.urlencode(query)}"
        return _ask(urllib.request.Request(target, headers=_credentials(password)))

    def post(self, service: str, *, setting: dict[str, object] | None = None, **form: str) -> Reply:
        pairs = [*form.items(), *(("setting", f"{k}={v}") for k, v in (setting or {}).items())]
        data = urllib.parse.urlencode(pairs).encode()
        return _ask(urllib.request.Request(self.url + service, data, _credentials(PASSWORD)))

    def schedule(self, spider: str, **settings: object) -> str:
        """Schedule a job and return its id."""
        reply = self.post("schedule.json", project=PROJECT, spider=spider, setting=settings)
        assert reply.body["status"] == "ok", reply.body
        return str(reply.body["jobid"])

    def cancel(self, job: str) -> Reply:
        return self.post("cancel.json", project=PROJECT, job=job)

    def wait_for(self, job: str, seconds: float = 60) -> str:
        """Wait for the end of a job and return what it logged."""
        wait_until(lambda: self._state_of(job) == "finished", f"job {job} ends", seconds)
        (log,) = self._folder.glob(f"logs/{PROJECT}/*/{job}.log")
        return log.read_text(encoding="utf-8")

    def _state_of(self, job: str) -> str | None:
        state: str | None = self.get("status.json", project=PROJECT, job=job).body["currstate"]
        return state

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self._folder / "scrapyd.log").read_text("utf-8")
        try:
            return self.get("daemonstatus.json").status == 200
        except OSError:
            return False


def wait_until(is_so: Callable[[], bool], what: str, seconds: float) -> None:
    """Return once *is_so* returns True; AssertionError after *seconds*."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"waited {seconds} s until {what}"
        time.sleep(0.05)


def find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def _credentials(password: str | None) -> dict[str, str]:
    if password is None:
        return {}
    token = base64.b64encode(f"{USER}:{password}".encode()).decode()
    return {"Authorization": f"Basic {token}"}


def _ask(request: urllib.request.Request) -> Reply:
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return Reply(response.status, json.loads(response.read()))
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.read())
