"""What the machine gives a crawl: a right clock, the pinned libraries, a cage for page workers."""

import ctypes
import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from crawler.reporting.health.check import Check, ok, problem, warning

TIME_ERROR = 5
"""What adjtimex(2) returns while the clock is synchronised with nothing."""
SHOWN = 5
OF_ENVIRONMENT = frozenset({"pip", "setuptools"})
"""Comes with a new virtual environment in a version of its own; no page is read by it."""
ISOLATION_SECONDS = 30.0

_PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;#]+)")
_PROBE = "from crawler.interpretation.isolation import leave_network; print(leave_network())"


def is_clock_synchronized() -> bool | None:
    """Ask the kernel; None where it does not say."""
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != TIME_ERROR


def judge_clock(now: datetime, newest: datetime | None, *, is_synchronized: bool | None) -> Check:
    """*now* bears its offset; *newest* is when something was last written here."""
    found = now.isoformat(timespec="seconds")
    if newest is not None and newest > now:
        return problem(
            "clock",
            f"{found}, before what was written at {newest.isoformat(timespec='seconds')}",
            "set the clock: cool-downs, expiry and freshness are reckoned by it",
        )
    if is_synchronized is False:
        return warning(
            "clock", f"{found}, not synchronised", "switch on NTP (systemd-timesyncd, chrony)"
        )
    return ok("clock", f"{found} ({now.tzname()}); times are kept in UTC")


def read_pins(constraints: str) -> dict[str, str]:
    """Return the versions that a constraints file pins, by name."""
    lines = (line.partition("#")[0].strip() for line in constraints.splitlines())
    return {match[1]: match[2] for line in lines if (match := _PIN.fullmatch(line))}


def find_versions(names: Mapping[str, str]) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    found: dict[str, str] = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def judge_versions(pinned: Mapping[str, str], installed: Mapping[str, str]) -> Check:
    """A package that is not installed belongs to an extra, or the crawler would not run."""
    other = [
        f"{name} {installed[name]} in place of {pin}"
        for name, pin in pinned.items()
        if name in installed and installed[name] != pin and name not in OF_ENVIRONMENT
    ]
    if other:
        more = f" and {len(other) - SHOWN} more" if len(other) > SHOWN else ""
        return warning(
            "libraries",
            ", ".join(other[:SHOWN]) + more,
            "pip install -c constraints.txt -e . ; records may differ from those of the tests",
        )
    return ok("libraries", f"{len(installed)} as pinned")


def check_versions(constraints: Path) -> Check:
    try:
        pinned = read_pins(constraints.read_text(encoding="utf-8"))
    except OSError:
        return ok("libraries", "no constraints.txt here to compare with")
    return judge_versions(pinned, find_versions(pinned))


def find_isolation() -> str:
    """Return what cuts a page worker off the network here, in a process that tries it."""
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _PROBE],
            capture_output=True,
            encoding="utf-8",
            timeout=ISOLATION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    return tried.stdout.strip() or "nothing"


def judge_isolation(means: str) -> Check:
    if means == "namespace":
        return ok("page workers", "each in a network namespace of its own")
    if means == "audit-hook":
        return warning(
            "page workers",
            "kept from the network by an audit hook, which native code could pass",
            "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or in the "
            "container's profile) for the stronger means",
        )
    return problem(
        "page workers", f"not cut off from the network: {means}", "pages cannot be read safely here"
    )
