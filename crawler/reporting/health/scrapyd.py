"""Scrapyd runs whatever is uploaded to it, and as shipped it asks nobody for a password.

A page rendered on the same machine, or any page in a browser on it, can send it a form.
"""

import configparser
import http.client
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from crawler.reporting.health.check import Check, ok, problem, warning

DEFAULT = ("127.0.0.1", 6800)
PROBE = "/daemonstatus.json"
PROBE_SECONDS = 2.0
LISTENING = "0A"
NAME = "scrapyd"

SET_PASSWORD = (
    "set username and password in scrapyd.conf (and in the [deploy] section of scrapy.cfg), or "
    "unix_socket_path and an empty http_port; see Deployment to Scrapyd in README.md"
)
BIND = "set bind_address = 127.0.0.1 in scrapyd.conf, and put TLS in front where others need it"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a place said that may be a Scrapyd."""

    host: str
    port: int
    is_scrapyd: bool
    needs_password: bool
    addresses: tuple[str, ...] = ()
    """Local addresses that listen on this port, as the kernel says; empty where it does not."""

    @property
    def is_exposed(self) -> bool:
        return any(not ip_address(address).is_loopback for address in self.addresses)


def list_places(files: Iterable[Path], deploy_urls: Iterable[str]) -> list[tuple[str, int]]:
    """Return where a Scrapyd of this machine may answer: as configured, as deployed to, as shipped.

    Targets on other machines are theirs to check.
    """
    places = [DEFAULT, _configured_place(files), *map(_place_of, deploy_urls)]
    return list(dict.fromkeys(place for place in places if place and _is_here(place[0])))


def list_config_files(project: Path | None) -> list[Path]:
    """Return the files that Scrapyd reads, in its order (scrapyd/config.py)."""
    here = [project / "scrapyd.conf", project / "scrapy.cfg"] if project else []
    more = sorted(Path("/etc/scrapyd/conf.d").glob("*"))
    return [
        Path("/etc/scrapyd/scrapyd.conf"), *more, *here[:1],
        Path.home() / ".scrapyd.conf", *here[1:],
    ]  # fmt: skip


def read_deploy_urls(project: Path | None) -> list[str]:
    """Return the addresses of the [deploy] sections of scrapy.cfg."""
    config = _read_config([project / "scrapy.cfg"] if project else [])
    return [
        config[name]["url"]
        for name in config.sections()
        if name.startswith("deploy") and "url" in config[name]
    ]


def ask(place: tuple[str, int]) -> Answer | None:
    """Return what answers there without a password, or None when nothing does."""
    host, port = place
    connection = http.client.HTTPConnection(host, port, timeout=PROBE_SECONDS)
    try:
        connection.request("GET", PROBE)
        response = connection.getresponse()
        body = response.read(4096)
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    needs_password = response.status == 401
    is_scrapyd = b'"node_name"' in body or (needs_password and _is_twisted(response))
    return Answer(host, port, is_scrapyd, needs_password, tuple(find_listeners(port)))


def judge(answers: Sequence[Answer | None]) -> Check:
    found = [answer for answer in answers if answer is not None and answer.is_scrapyd]
    unprotected = [answer for answer in found if not answer.needs_password]
    exposed = [answer for answer in found if answer.is_exposed]
    if unprotected:
        where = f"{unprotected[0].host}:{unprotected[0].port}"
        beyond = ", also to other machines" if unprotected[0].is_exposed else ""
        return problem(NAME, f"answers without a password at {where}{beyond}", SET_PASSWORD)
    if exposed:
        where = f"{', '.join(exposed[0].addresses)} port {exposed[0].port}"
        return warning(NAME, f"answers other machines ({where}), password in clear text", BIND)
    if found:
        return ok(NAME, f"asks for a password at {found[0].host}:{found[0].port}")
    return ok(NAME, "none answers here")


def find_listeners(port: int) -> list[str]:
    """Return the local addresses on which this machine listens on *port*."""
    texts = []
    for name in ("tcp", "tcp6"):
        try:
            texts.append((Path("/proc/net") / name).read_text(encoding="ascii"))
        except OSError:
            continue
    return [address for text in texts for address in parse_listeners(text, port)]


def parse_listeners(table: str, port: int) -> list[str]:
    """Read ``/proc/net/tcp`` or ``tcp6`` (proc(5)): words in hexadecimal, host byte order."""
    rows = (line.split() for line in table.splitlines()[1:])
    places = (row[1].split(":") for row in rows if len(row) > 3 and row[3] == LISTENING)
    return [_read_address(address) for address, number in places if int(number, 16) == port]


def _read_address(text: str) -> str:
    words = [bytes.fromhex(text[start : start + 8])[::-1] for start in range(0, len(text), 8)]
    family = socket.AF_INET if len(words) == 1 else socket.AF_INET6
    return socket.inet_ntop(family, b"".join(words))


def _configured_place(files: Iterable[Path]) -> tuple[str, int] | None:
    config = _read_config(files)
    port = config.get("scrapyd", "http_port", fallback=str(DEFAULT[1]))
    host = config.get("scrapyd", "bind_address", fallback=DEFAULT[0])
    if not port.isdigit():
        return None  # a unix socket only
    is_any = host in {"", "0.0.0.0", "::"}
    return (DEFAULT[0] if is_any else host), int(port)


def _read_config(files: Iterable[Path]) -> configparser.ConfigParser:
    """A file that is no configuration says nothing here; Scrapyd itself would not start with it."""
    config = configparser.ConfigParser(interpolation=None, strict=False)
    for file in files:
        try:
            config.read(file, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue
    return config


def _place_of(url: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified or _is_own(host)


def _is_own(host: str) -> bool:
    """Only an address of this machine can be bound to."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def _is_twisted(response: http.client.HTTPResponse) -> bool:
    return "TwistedWeb" in response.headers.get("Server", "")
