"""Real folders and ledgers."""

import sqlite3
from pathlib import Path

import pytest

from crawler.ledger.database import ledger_url, open_ledger
from crawler.reporting.health.check import State
from crawler.reporting.health.storage import check_ledger, look_at_folder


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    url = ledger_url(tmp_path)
    open_ledger(url).dispose()
    return url


def test_a_ledger_that_can_be_written_is_fine_and_left_as_it_was(
    ledger: str, tmp_path: Path
) -> None:
    before = (tmp_path / "ledger.db").read_bytes()

    check = check_ledger(ledger, is_there=True, wait=1.0)

    assert check.state is State.OK
    assert "schema version" in check.found
    assert (tmp_path / "ledger.db").read_bytes() == before


def test_a_ledger_that_is_not_there_yet_is_not_created(tmp_path: Path) -> None:
    assert check_ledger(ledger_url(tmp_path), is_there=False, wait=1.0).state is State.OK
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_of_another_version_is_a_problem(ledger: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "ledger.db") as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE name = 'schema_version'")
    connection.close()

    check = check_ledger(ledger, is_there=True, wait=1.0)

    assert check.state is State.PROBLEM
    assert "schema version 999" in check.found


def test_a_file_that_is_no_ledger_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"not a database at all " * 100)

    assert check_ledger(ledger_url(tmp_path), is_there=True, wait=1.0).state is State.PROBLEM


def test_a_ledger_that_another_program_holds_is_a_problem(ledger: str, tmp_path: Path) -> None:
    holder = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    check = check_ledger(ledger, is_there=True, wait=0.1)

    holder.close()
    assert check.state is State.PROBLEM
    assert "locked" in check.found


def test_a_folder_is_seen_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o750)

    facts = look_at_folder(folder)

    assert (facts.is_there, facts.mode, facts.is_ours, facts.is_writable) == (
        True,
        0o750,
        True,
        True,
    )
    assert facts.free_bytes > 0


def test_a_missing_folder_is_judged_by_the_one_it_would_lie_in(tmp_path: Path) -> None:
    facts = look_at_folder(tmp_path / "a" / "b")
    assert (facts.is_there, facts.is_writable, facts.mode) == (False, True, 0)

    (tmp_path / "file").touch()
    assert not look_at_folder(tmp_path / "file" / "b").is_writable
