"""Opening a ledger: a SQLite file for one machine, PostgreSQL for many."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from crawler.contracts.errors import CrawlerError, LedgerVersionError, StorageFailed
from crawler.ledger.failures import OPENING_ERRORS
from crawler.ledger.locks import AdvisoryLock, FileLock, OwnerLock, lock_key, try_lock
from crawler.ledger.tables import SCHEMA_VERSION, meta
from crawler.ledger.upgrade import is_current, is_upgradable, read_version, upgrade

DEFAULT_WAIT = 5.0
"""Seconds for which a locked ledger is waited for (setting LEDGER_WAIT)."""

UPGRADE = "the next crawl brings it up to date"
TOO_OLD = (
    "keep its records with the program that wrote it (scrapy records -o FILE), then crawl with "
    "another DATA_DIR or LEDGER_URL"
)

_DEAD_SERVER = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A server that is gone without a word is noticed within some 15 s."""


def ledger_url(data_dir: Path) -> str:
    return f"sqlite:///{data_dir.absolute() / 'ledger.db'}"


def upsert(conn: sa.Connection, table: sa.Table) -> Any:
    """Return an INSERT of this connection's dialect, which has ``on_conflict_do_…``."""
    if conn.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - slow to import, needed by few

    return postgresql.insert(table)


def open_ledger(url: str, *, wait: float = DEFAULT_WAIT) -> sa.Engine:
    """Return an engine whose transactions write; creates the ledger where there is none.

    Raises LedgerVersionError, or StorageFailed when it cannot be opened.
    """
    engine = _make_engine(url, wait, begin="BEGIN IMMEDIATE")
    with _opening(engine), _alone(engine, wait):
        _ensure_schema(engine)
    return engine


def open_for_reading(url: str, *, wait: float = DEFAULT_WAIT) -> sa.Engine:
    """Return an engine that cannot write. Raises CrawlerError when there is no ledger yet."""
    engine = _make_engine(url, wait, begin="BEGIN", is_read_only=True)
    path = _sqlite_path(engine.url)
    if path is not None and not path.exists():
        raise CrawlerError(f"{path}: no ledger here; nothing has been crawled yet")
    with _opening(engine), engine.connect() as conn:
        _check_version(conn, describe(engine))
    return engine


def check_ledger(url: str, *, wait: float = DEFAULT_WAIT) -> None:
    """Raise CrawlerError for a ledger that no run could open, and write nothing.

    One that is not there yet, or is still empty, is made by the first run.
    """
    engine = _make_engine(url, wait, begin="BEGIN", is_read_only=True)
    path = _sqlite_path(engine.url)
    if path is not None and not path.exists():
        return
    with _opening(engine), engine.connect() as conn:
        if sa.inspect(conn).has_table(meta.name):
            _refuse_foreign(conn, describe(engine))
    engine.dispose()


@contextmanager
def _opening(engine: sa.Engine) -> Iterator[None]:
    """Dispose of an engine whose ledger cannot be opened, and say why."""
    try:
        yield
    except OPENING_ERRORS as error:
        engine.dispose()
        raise StorageFailed(f"{describe(engine)}: {_first_line(error)}") from error
    except CrawlerError:
        engine.dispose()
        raise


def try_writing(url: str, *, wait: float = DEFAULT_WAIT) -> str:
    """Begin a transaction that could write, and drop it; return where the ledger is, and how old.

    Raises CrawlerError, as ``open_ledger`` does.
    """
    check_ledger(url, wait=wait)
    engine = _make_engine(url, wait, begin="BEGIN IMMEDIATE")
    with _opening(engine), engine.connect() as conn:  # begins with BEGIN IMMEDIATE
        told = _try_update(conn)
        conn.rollback()
    engine.dispose()
    return f"{describe(engine)}, {told}"


def _try_update(conn: sa.Connection) -> str:
    if not sa.inspect(conn).has_table(meta.name):
        return "empty: the first crawl creates its tables"
    conn.execute(sa.update(meta).where(sa.false()).values(value=""))
    next_step = "" if is_current(conn) else f" ({UPGRADE})"
    return f"schema version {read_version(conn)}{next_step}, writable"


def make_lock(engine: sa.Engine, owner: str) -> OwnerLock:
    path = _sqlite_path(engine.url)
    return AdvisoryLock(engine, owner) if path is None else FileLock(path.parent / "locks", owner)


def describe(engine: sa.Engine) -> str:
    """Return where the ledger is, without a password."""
    path = _sqlite_path(engine.url)
    return str(path) if path else engine.url.render_as_string(hide_password=True)


def _first_line(error: Exception) -> str:
    origin = getattr(error, "orig", None) or error
    return str(origin).partition("\n")[0]


def _sqlite_path(url: sa.URL) -> Path | None:
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def _make_engine(url: str, wait: float, *, begin: str, is_read_only: bool = False) -> sa.Engine:
    parsed = _parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        return _make_postgres_engine(parsed, wait, is_read_only=is_read_only)
    engine = sa.create_engine(parsed, connect_args={"timeout": wait})

    @sa.event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, see below
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA cache_size=-16000")
        if is_read_only:
            connection.execute("PRAGMA query_only=ON")

    @sa.event.listens_for(engine, "begin")
    def start(conn: sa.Connection) -> None:
        conn.exec_driver_sql(begin)

    return engine


def _parse_url(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise CrawlerError("LEDGER_URL cannot be read as a URL") from error
    is_known = parsed.get_backend_name() in {"sqlite", "postgresql"} and parsed.database
    if not is_known or parsed.database == ":memory:":
        raise CrawlerError("LEDGER_URL must be sqlite:///FILE or postgresql://…/DATABASE")
    return parsed


def _make_postgres_engine(url: sa.URL, wait: float, *, is_read_only: bool) -> sa.Engine:
    options = f"-c lock_timeout={round(wait * 1000)}"
    if is_read_only:
        options += " -c default_transaction_read_only=on"
    try:
        return sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_pre_ping=True,
            # Several reads must see one state; writers rely on seeing what was committed last.
            isolation_level="REPEATABLE READ" if is_read_only else "READ COMMITTED",
            connect_args=_DEAD_SERVER
            | {"connect_timeout": max(2, round(wait)), "options": options},
        )
    except ModuleNotFoundError as error:
        raise CrawlerError("PostgreSQL needs the extra: pip install crawler[postgres]") from error


@contextmanager
def _alone(engine: sa.Engine, wait: float) -> Iterator[None]:
    """Let one process at a time create a SQLite ledger: WAL cannot be switched on while shared."""
    path = _sqlite_path(engine.url)
    if path is None:
        yield
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    locks = path.parent / "locks"
    locks.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(locks / "opening", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _wait_for(descriptor, wait)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        _use_wal(engine)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, wait: float) -> None:
    deadline = time.monotonic() + wait
    while not try_lock(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            raise StorageFailed("another process has been opening the ledger for too long")
        time.sleep(0.02)


def _use_wal(engine: sa.Engine) -> None:
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode")
        if cursor.fetchone() != ("wal",):
            cursor.execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()


def _ensure_schema(engine: sa.Engine) -> None:
    if _has_schema(engine):
        return
    with engine.begin() as conn:
        if conn.dialect.name == "postgresql":
            key = lock_key("crawler ledger schema")
            conn.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))
        # Only now is it sure what another process has made of it.
        if sa.inspect(conn).has_table(meta.name):
            _refuse_foreign(conn, describe(engine))
        upgrade(conn)


def _has_schema(engine: sa.Engine) -> bool:
    with engine.connect() as conn:
        return sa.inspect(conn).has_table(meta.name) and is_current(conn)


def _check_version(conn: sa.Connection, where: str) -> None:
    """Raise LedgerVersionError for a ledger that cannot be read as it is."""
    if not sa.inspect(conn).has_table(meta.name):
        raise LedgerVersionError(f"{where}: not a ledger of this program")
    if is_current(conn):
        return
    _refuse_foreign(conn, where)
    raise LedgerVersionError(
        f"{where}: schema version {read_version(conn)} of an earlier program; {UPGRADE}"
    )


def _refuse_foreign(conn: sa.Connection, where: str) -> None:
    """Raise LedgerVersionError for a ledger that not even a crawl can bring up to date."""
    found = read_version(conn)
    if is_upgradable(found):
        return
    is_newer = found is not None and found.isdigit() and int(found) > SCHEMA_VERSION
    raise LedgerVersionError(
        f"{where}: schema version {found}, this program reads {SCHEMA_VERSION}; "
        + ("use the newer program" if is_newer else TOO_OLD)
    )
