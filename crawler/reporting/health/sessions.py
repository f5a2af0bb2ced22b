"""Files of named sessions: there, private, for their site, and not refused by it."""

import stat
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from crawler.contracts.errors import SessionUnusable
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import Session, SessionUse
from crawler.contracts.site.access import NamedSession
from crawler.reporting.health.check import Check, ok, problem, warning
from crawler.sites.session_file import find_repository, load_session, locate

NAME = "sessions"
SOON = 86_400.0
"""Seconds: who renews sessions wants to know a day before."""


def check_sessions(
    sites: Sequence[LoadedSite],
    folder: str,
    expired: Mapping[tuple[str, SessionUse], float],
    now: float,
) -> list[Check]:
    """*expired* says when a site has refused a session."""
    named = [(site, site.config.access.session) for site in sites]
    wanted = [(site, session) for site, session in named if session is not None]
    if not wanted:
        return [ok(NAME, "no site names one")]
    if not folder:
        names = ", ".join(site.config.site for site, _ in wanted[:3])
        return [problem(NAME, f"no folder, and one is needed for {names}", "set SESSIONS_DIR")]
    return [
        _check_folder(locate(folder)),
        *(_check_session(site, session, folder, expired, now) for site, session in wanted),
    ]


def _check_folder(folder: Path) -> Check:
    if not folder.is_dir():
        return problem(NAME, f"{folder} is no folder", "create it, or set SESSIONS_DIR")
    repository = find_repository(folder / "file")
    if repository is not None:
        return problem(NAME, f"{folder} lies inside {repository}", "set SESSIONS_DIR elsewhere")
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        found = f"other users may put files into {folder} ({mode:04o})"
        return warning(NAME, found, f"chmod 700 {folder}")
    return ok(NAME, str(folder))


def _check_session(
    site: LoadedSite,
    named: NamedSession,
    folder: str,
    expired: Mapping[tuple[str, SessionUse], float],
    now: float,
) -> Check:
    name = f"session of {site.config.site}"
    try:
        session = load_session(site.config, named, folder, now=now)
    except SessionUnusable as error:
        return problem(name, str(error), "save the storage state of a signed-in browser there")
    refused_at = expired.get((site.config.site, session.use))
    if refused_at is not None:
        when = datetime.fromtimestamp(refused_at, UTC).isoformat(timespec="seconds")
        return problem(
            name, f"refused by the site at {when}", f"sign in, save it to {session.path}"
        )
    return _judge_end(name, session, now)


def _judge_end(name: str, session: Session, now: float) -> Check:
    ends = [cookie.expires for cookie in session.cookies if cookie.expires is not None]
    first = min(ends, default=None)
    if first is None:
        return ok(name, f"{session.name}, without an end of its own")
    found = f"{session.name}, a cookie of it ends at " + datetime.fromtimestamp(
        first, UTC
    ).isoformat(timespec="seconds")
    if first - now < SOON:
        return warning(name, found, f"sign in again soon, save it to {session.path}")
    return ok(name, found)
