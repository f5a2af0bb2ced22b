"""Which browser renders pages, and how it is started: nothing of it may pass the egress proxy."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from crawler.contracts.errors import CrawlerError
from crawler.engine.egress import ProxyAddress

PACKAGED = (
    Path("/usr/bin/chromium-headless-shell"),  # half the memory and CPU time of the full browser
    Path("/usr/bin/chromium"),
)
ADVICE = (
    "install one (Debian: apt-get install chromium-headless-shell; elsewhere: playwright install "
    "--only-shell chromium) or name one in CHROMIUM_PATH"
)

# What Playwright passes by itself (no background networking, no component updates, no sync) is
# not repeated here. Each of these closes a way past the proxy, or one that needs no page.
LAUNCH_ARGUMENTS: Mapping[str, str] = {
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp": "STUN and media would go out by "
    "UDP, which no proxy sees; without 'force-' the switch is not heeded",
    "--disable-quic": "HTTP/3 is UDP",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1": "names are the proxy's to look "
    "up; a connection that forgot the proxy finds nothing, and dns-prefetch tells nobody",
    # The last of these switches counts: what Playwright enables for screenshots stands here, too.
    "--enable-features=CapReferrerToOriginOnCrossOrigin,CDPScreenshotNewSurface": "a page may ask "
    "for its whole address to be told to others; they learn its origin",
    "--no-pings": "a link's ping is a request that no reader asked for",
    "--disable-domain-reliability": "reports about failures go to the vendor",
    "--disable-client-side-phishing-detection": "addresses of pages go to the vendor",
}

_ENVIRONMENT = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ", "XDG_RUNTIME_DIR")
"""What a browser needs; the rest of our environment holds secrets it has no use for."""

# Folder of a download and the program in it, the lighter one first.
_DOWNLOADS = {
    "chromium-headless-shell": (
        "chromium_headless_shell",
        ("chrome-headless-shell-linux64/chrome-headless-shell", "chrome-linux/headless_shell"),
    ),
    "chromium": ("chromium", ("chrome-linux64/chrome", "chrome-linux/chrome")),
}


class BrowserNotFound(CrawlerError):
    """There is nothing to render pages with; the text says what to do."""

    def __init__(self, found: str, advice: str) -> None:
        super().__init__(f"{found}: {advice}")
        self.found, self.advice = found, advice


@dataclass(frozen=True, slots=True)
class Launch:
    """How the browser is started."""

    path: Path
    is_sandboxed: bool
    """False for root: Chromium's sandbox refuses to work there."""

    @property
    def arguments(self) -> list[str]:
        """What the program is given when nobody but us starts it."""
        return [*LAUNCH_ARGUMENTS, *([] if self.is_sandboxed else ["--no-sandbox"])]

    @property
    def environment(self) -> dict[str, str]:
        return {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}

    def options(self, proxy: ProxyAddress) -> dict[str, Any]:
        """Return the arguments of Playwright's ``chromium.launch``."""
        return {
            "executable_path": str(self.path),
            "args": list(LAUNCH_ARGUMENTS),
            "chromium_sandbox": self.is_sandboxed,
            "env": self.environment,
            "proxy": {
                "server": proxy.url,
                "username": proxy.username,
                "password": proxy.password,
                # Without it Chromium connects to loopback directly, whatever its proxy is.
                "bypass": "<-loopback>",
            },
        }


def plan_launch(configured: str = "") -> Launch:
    """Return how to start the browser of setting CHROMIUM_PATH, or the one that is found."""
    return Launch(find_browser(configured), is_sandboxed=os.geteuid() != 0)


def find_browser(
    configured: str = "",
    *,
    downloads: Iterable[Path] | None = None,
    packaged: Iterable[Path] = PACKAGED,
) -> Path:
    """Return the program: the configured one, Playwright's own, or the system's; in this order.

    Raises BrowserNotFound. One that is configured and cannot be run is an error, not a reason to
    take another.
    """
    if configured:
        path = Path(configured).expanduser()
        if _is_program(path):
            return path
        raise BrowserNotFound(
            f"CHROMIUM_PATH names {path}, which is not a program that can be run",
            "name a Chromium there, or leave it empty to have one found",
        )
    candidates = (*(list_downloads() if downloads is None else downloads), *packaged)
    found = next(filter(_is_program, candidates), None)
    if found is None:
        raise BrowserNotFound("no browser to render pages with", ADVICE)
    return found


def list_downloads() -> list[Path]:
    """Return where Playwright would have put the browsers of its own version."""
    package = _playwright_package()
    if package is None:
        return []
    revisions = _read_revisions(package / "browsers.json")
    folder = _downloads_folder(package)
    return [
        folder / f"{stem}-{revisions[name]}" / program
        for name, (stem, programs) in _DOWNLOADS.items()
        if name in revisions
        for program in programs
    ]


def _playwright_package() -> Path | None:
    """Where the driver lies; importing playwright for it would cost more than all of this."""
    found = find_spec("playwright")
    return Path(found.origin).parent / "driver" / "package" if found and found.origin else None


def _read_revisions(path: Path) -> dict[str, str]:
    try:
        browsers = json.loads(path.read_text(encoding="utf-8"))["browsers"]
        return {browser["name"]: browser["revision"] for browser in browsers}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _downloads_folder(package: Path) -> Path:
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if configured == "0":
        return package / ".local-browsers"
    if configured:
        return Path(configured).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "ms-playwright"


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
