from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from crawler.ledger.database import ledger_url, open_ledger
from crawler.ledger.tables import meta, metadata
from tests.postgres import find_server, fresh_database, serve_postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    programs = find_server()
    if programs is None:
        pytest.skip(
            "no PostgreSQL server here: initdb is neither on PATH nor in /usr/lib/postgresql"
        )
    with serve_postgres(programs) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    with fresh_database(postgres_server, "shared") as url:
        open_ledger(url).dispose()
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty ledger: every contract test runs on both databases."""
    if request.param == "sqlite":
        return ledger_url(tmp_path)
    database: str = request.getfixturevalue("postgres_url")
    return database


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    empty_tables(postgres_database)
    return postgres_database


def empty_tables(url: str) -> None:
    """A tenth of the time that a new database takes."""
    names = ", ".join(table.name for table in metadata.sorted_tables if table is not meta)
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as conn:
        conn.exec_driver_sql(f"TRUNCATE {names} RESTART IDENTITY")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return ledger_url(tmp_path)


@pytest.fixture
def engine(url: str) -> Iterator[sa.Engine]:
    engine = open_ledger(url)
    yield engine
    engine.dispose()


@pytest.fixture
def sqlite_engine(sqlite_url: str) -> Iterator[sa.Engine]:
    engine = open_ledger(sqlite_url)
    yield engine
    engine.dispose()
