from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa

from crawler.ledger.database import ledger_url, open_ledger
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


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty ledger: every contract test runs on both databases."""
    if request.param == "sqlite":
        yield ledger_url(tmp_path)
        return
    with fresh_database(request.getfixturevalue("postgres_server"), f"t{uuid4().hex}") as database:
        yield database


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return ledger_url(tmp_path)


@pytest.fixture
def engine(url: str) -> Iterator[sa.Engine]:
    engine = open_ledger(url)
    yield engine
    engine.dispose()
