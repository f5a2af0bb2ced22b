import fcntl
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from crawler.contracts.errors import CrawlerError, LedgerVersionError, StorageFailed
from crawler.ledger.admitting import admit
from crawler.ledger.database import describe, ledger_url, open_for_reading, open_ledger
from crawler.ledger.queries import reading
from crawler.ledger.queries.funnel import list_sites, read_funnel
from crawler.ledger.tables import SCHEMA_VERSION, meta
from tests.integration.ledger.builders import NOW, SITE, make_rows, start
from tests.postgres import fresh_database

IS_VERSION = meta.c.name == "schema_version"
OPEN = "import sys; from crawler.ledger.database import open_ledger; open_ledger(sys.argv[1])"


def open_in_processes(url: str, count: int) -> list[tuple[int, str]]:
    started = [
        subprocess.Popen([sys.executable, "-c", OPEN, url], stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    return [(process.returncode, err) for process in started for _, err in [process.communicate()]]


def read_version(url: str) -> str | None:
    with reading(url) as conn:
        return conn.scalar(sa.select(meta.c.value).where(IS_VERSION))


def test_processes_that_start_together_make_one_ledger(tmp_path: Path) -> None:
    url = ledger_url(tmp_path / "new")

    assert open_in_processes(url, 4) == [(0, "")] * 4
    assert read_version(url) == str(SCHEMA_VERSION)


@pytest.mark.postgres
def test_processes_that_start_together_make_one_postgresql_ledger(postgres_server: str) -> None:
    with fresh_database(postgres_server, "together") as url:
        assert open_in_processes(url, 3) == [(0, "")] * 3
        assert read_version(url) == str(SCHEMA_VERSION)


def test_nobody_else_may_read_the_ledger(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    engine = open_ledger(ledger_url(folder))
    with engine.begin() as conn:
        start(conn)
        files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    engine.dispose()

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert files == {
        "ledger.db": 0o600,
        "ledger.db-wal": 0o600,
        "ledger.db-shm": 0o600,
        "locks": 0o700,
    }


@pytest.mark.parametrize("version", ["0", "2", "99", "none"])
def test_another_version_of_the_schema_is_refused(url: str, version: str) -> None:
    engine = open_ledger(url)
    with engine.begin() as conn:
        conn.execute(sa.update(meta).where(IS_VERSION).values(value=version))
    try:
        for refused in (open_ledger, open_for_reading):
            with pytest.raises(LedgerVersionError, match=f"schema version {version}, this program"):
                refused(url)
    finally:
        with engine.begin() as conn:
            conn.execute(sa.update(meta).where(IS_VERSION).values(value=str(SCHEMA_VERSION)))
        engine.dispose()


def test_reading_needs_a_ledger_and_makes_none(tmp_path: Path) -> None:
    with pytest.raises(CrawlerError, match="nothing has been crawled yet"):
        open_for_reading(ledger_url(tmp_path / "var"))

    assert list(tmp_path.iterdir()) == []


def test_a_reader_cannot_write(url: str) -> None:
    open_ledger(url).dispose()
    with reading(url) as conn, pytest.raises(sa.exc.DBAPIError, match=r"(?i)read.?only"):
        conn.execute(sa.update(meta).values(value="9"))


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to look like one" * 99])
def test_what_is_no_ledger_is_not_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ledger.db").write_bytes(content)

    with pytest.raises((LedgerVersionError, StorageFailed)):
        open_for_reading(ledger_url(tmp_path))


def test_a_file_that_is_no_database_is_not_written(tmp_path: Path) -> None:
    content = b"not a database, but long enough to look like one" * 99
    (tmp_path / "ledger.db").write_bytes(content)

    with pytest.raises(StorageFailed, match="not a database"):
        open_ledger(ledger_url(tmp_path))

    assert (tmp_path / "ledger.db").read_bytes() == content


def test_a_server_that_does_not_answer_is_a_storage_failure(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="postgresql"):
        open_ledger(f"postgresql+psycopg://nobody:secret@/nothing?host={tmp_path}", wait=1)


def test_a_password_is_never_shown() -> None:
    engine = sa.create_engine("postgresql+psycopg://user:secret@db.example/crawl")

    assert "secret" not in describe(engine)


def test_a_site_that_was_never_crawled_has_an_empty_funnel(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        funnel = read_funnel(conn, "unknown")
        sites = list_sites(conn)

    assert sites == []
    assert funnel == {
        "site": "unknown",
        "cycle": 0,
        "admitted": 0,
        "duplicates": 0,
        "open": {"pending": 0, "deferred": 0, "leased": 0},
        "outcomes": {},
        "records": {"accepted": 0, "unchanged": 0, "rejected": {}},
    }


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ledger.db",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://u:secret@db/x",
        "postgresql://db",
    ],
)
def test_an_unusable_url_is_named_by_its_setting(url: str) -> None:
    for refused in (open_ledger, open_for_reading):
        with pytest.raises(CrawlerError, match="LEDGER_URL") as caught:
            refused(url)
        assert "secret" not in str(caught.value)


def test_a_process_stuck_while_opening_is_not_waited_for_forever(sqlite_url: str) -> None:
    folder = Path(sqlite_url.removeprefix("sqlite:///")).parent
    (folder / "locks").mkdir()
    with (folder / "locks" / "opening").open("w") as stuck:
        fcntl.flock(stuck, fcntl.LOCK_EX)
        with pytest.raises(StorageFailed, match="opening the ledger for too long"):
            open_ledger(sqlite_url, wait=0.1)

    open_ledger(sqlite_url, wait=0.1).dispose()


def test_a_funnel_read_during_a_crawl_adds_up(engine: sa.Engine, url: str) -> None:
    with engine.begin() as conn:
        run = start(conn, rows=2)
    with reading(url) as reader:
        before = read_funnel(reader, SITE)
        with engine.begin() as conn:
            admit(conn, run.cycle, make_rows(9), NOW)
        assert read_funnel(reader, SITE) == before
    with reading(url) as reader:
        assert read_funnel(reader, SITE)["admitted"] == 9
