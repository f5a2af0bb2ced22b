"""The file of a named session, read and checked before anything is sent.

It is a storage state as Playwright writes it (https://playwright.dev/docs/auth): cookies, and the
local storage of origins. No message here shows what the file holds beyond names of domains.
"""

import hashlib
import json
import os
import stat
from pathlib import Path

from crawler.admission.scope import site_origins
from crawler.admission.session import (
    find_foreign,
    find_public,
    parse_origins,
    reaches,
)
from crawler.contracts.errors import SessionUnusable
from crawler.contracts.session import OriginStorage, Session, SessionCookie, SessionUse
from crawler.contracts.site.access import NamedSession
from crawler.contracts.site.config import SiteConfig
from crawler.sites.storage_state import StoredCookie, read_storage_state

MAX_BYTES = 2 * 2**20
SHOWN = 5
REPOSITORY_MARKS = (".git", "scrapy.cfg")


def load_session(config: SiteConfig, named: NamedSession, folder: str, *, now: float) -> Session:
    """Return the session of a site from its file in *folder*. Raises SessionUnusable."""
    if not folder:
        raise SessionUnusable(
            f"{config.site}: access.session needs a folder: set SESSIONS_DIR in the environment"
        )
    path = locate(folder) / f"{config.site}.{named.name}.json"
    try:
        state = read_storage_state(_read_private(path))
    except (SessionUnusable, ValueError) as error:
        raise SessionUnusable(f"{path}: {error}") from None  # the cause shows what was read
    cookies = tuple(map(_read_cookie, state.cookies))
    storage = tuple(
        OriginStorage(each.origin, tuple((item.name, item.value) for item in each.local_storage))
        for each in state.origins
    )
    fault = _find_fault(cookies, storage, config, now)
    if fault is not None:
        raise SessionUnusable(f"{path}: {fault}")
    alive = tuple(cookie for cookie in cookies if _is_alive(cookie, now))
    use = SessionUse(named.name, _fingerprint(config.site, named.name, cookies, storage))
    return Session(use, str(path), alive, storage)


def locate(folder: str) -> Path:
    try:
        return Path(folder).expanduser()
    except RuntimeError:  # There is no such user: then it is a name like any other.
        return Path(folder)


def find_repository(path: Path) -> Path | None:
    """Return the working copy that *path* lies in: what is there may be committed or deployed."""
    return next(
        (
            folder
            for folder in path.resolve().parents
            if any((folder / mark).exists() for mark in REPOSITORY_MARKS)
        ),
        None,
    )


def _read_private(path: Path) -> bytes:
    """Return what only the owner of *path* may read. Raises SessionUnusable."""
    try:
        repository = find_repository(path)
        if repository is not None:
            raise SessionUnusable(f"lies inside the repository {repository}; keep it elsewhere")
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - what was looked at is what is read
            if fault := _find_file_fault(os.fstat(file.fileno())):
                raise SessionUnusable(fault)
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SessionUnusable("no such file; save the storage state of the session there") from None
    except (OSError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
        raise SessionUnusable(getattr(error, "strerror", None) or "cannot be read") from error
    if len(data) > MAX_BYTES:
        raise SessionUnusable(f"larger than {MAX_BYTES} bytes")
    return data


def _find_file_fault(found: os.stat_result) -> str | None:
    if not stat.S_ISREG(found.st_mode):
        return "not a file"
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        return f"open to other users ({mode:04o}); chmod 600 it"
    return None


def _find_fault(
    cookies: tuple[SessionCookie, ...],
    storage: tuple[OriginStorage, ...],
    config: SiteConfig,
    now: float,
) -> str | None:
    """Return why the site cannot work with this session, or None."""
    allowed = site_origins(config)
    origins = parse_origins(allowed)
    public = find_public(cookies)
    if public:
        return f"cookies for every site below {_name_some(public)}"
    foreign = find_foreign(cookies, {origin.host for origin in origins})
    foreign += sorted({each.origin for each in storage if each.origin not in allowed})
    if foreign:
        return (
            f"holds what belongs to other sites: {_name_some(foreign)}; take it out, or list the "
            "origin in access.hosts"
        )
    if cookies and not any(_is_alive(cookie, now) for cookie in cookies):
        return "all of its cookies have expired; sign in again and save the storage state anew"
    alive = [cookie for cookie in cookies if _is_alive(cookie, now)]
    if alive and not any(reaches(cookie, origins) for cookie in alive):
        return "all of its cookies are for https only, and the site is listed with http"
    is_rendered = config.access.representation.may_render
    if not alive and not (storage and is_rendered):
        return "holds no cookie, and local storage is of use to rendered pages only"
    return None


def _is_alive(cookie: SessionCookie, now: float) -> bool:
    return cookie.expires is None or cookie.expires > now


def _read_cookie(said: StoredCookie) -> SessionCookie:
    return SessionCookie(
        name=said.name,
        value=said.value,
        host=said.domain.lower().removeprefix("."),
        is_host_only=not said.domain.startswith("."),
        path=said.path,
        expires=None if said.expires == -1 else said.expires,
        is_secure=said.secure,
        is_http_only=said.http_only,
        same_site=said.same_site,
    )


def _fingerprint(
    site: str,
    name: str,
    cookies: tuple[SessionCookie, ...],
    storage: tuple[OriginStorage, ...],
) -> str:
    """Return the same for the same session, however the file is written or its dates are moved."""
    identity = [
        site,
        name,
        sorted([each.name, each.value, each.host, each.path] for each in cookies),
        sorted([each.origin, sorted(each.items)] for each in storage),
    ]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()


def _name_some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
