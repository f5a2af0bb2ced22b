"""A PostgreSQL server of the suite's own: in a temporary folder, on a unix socket, without TCP."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

_ACCOUNTS = ("postgres", "nobody")
_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60")


def find_server() -> Path | None:
    """Return the folder with ``initdb`` and ``postgres``; Debian keeps them off the PATH."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@contextmanager
def serve_postgres(programs: Path) -> Iterator[str]:
    """Run a server, and yield the SQLAlchemy URL of its maintenance database."""
    account = _unprivileged_account()
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        if account:
            shutil.chown(folder, account.pw_uid, account.pw_gid)
        _run(
            account, programs / "initdb", "-D", folder / "data", "-U", "tests", "-A", "trust", "-N"
        )
        options = [f"-c{option}" for option in (*_FAST, "listen_addresses=")]
        server = subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", "-k", folder, *options],
            **_become(account),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _run(account, programs / "pg_isready", "-h", folder, "-t", "20", attempts=100)
            yield f"postgresql+psycopg://tests@/postgres?host={folder}"
        finally:
            server.send_signal(signal.SIGINT)  # disconnects clients, where SIGTERM waits for them
            server.wait(timeout=20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def fresh_database(server_url: str, name: str) -> Iterator[str]:
    """Create an empty database on the server, and drop it afterwards."""
    engine = sa.create_engine(server_url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as conn:
        conn.exec_driver_sql(f'CREATE DATABASE "{name}"')
    try:
        url = sa.make_url(server_url).set(database=name)
        yield url.render_as_string(hide_password=False)
    finally:
        with engine.connect() as conn:
            conn.exec_driver_sql(f'DROP DATABASE "{name}" WITH (FORCE)')


def _unprivileged_account() -> pwd.struct_passwd | None:
    """Return whom to become: the server refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(names[name] for name in _ACCOUNTS if name in names)


def _become(account: pwd.struct_passwd | None) -> dict[str, Any]:
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}


def _run(account: pwd.struct_passwd | None, *command: object, attempts: int = 1) -> None:
    for remaining in reversed(range(attempts)):
        done = subprocess.run(
            [str(part) for part in command],
            **_become(account),
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return
        if remaining:
            time.sleep(0.05)
    raise RuntimeError(f"{command[0]}: {done.stderr or done.stdout}")
