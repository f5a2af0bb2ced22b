import stat
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.engine.data import DataFolder


def data(folder: Path | str, url: str = "") -> DataFolder:
    return DataFolder.from_settings(Settings({"DATA_DIR": str(folder), "LEDGER_URL": url}))


def test_archive_and_ledger_lie_under_one_folder(tmp_path: Path) -> None:
    found = data(tmp_path)

    assert found.archive == tmp_path / "archive"
    assert found.url.endswith(f"{tmp_path}/ledger.db")
    assert found.ledger_hosts == frozenset()


def test_a_relative_folder_lies_in_the_current_one_without_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert data("data").path == tmp_path / "data"


def test_a_relative_folder_lies_beside_the_configuration_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")

    assert data("data").path == tmp_path / "data"
    assert data("").path == tmp_path / "var"


def test_a_ledger_elsewhere_names_its_host_and_is_taken_to_be_there(tmp_path: Path) -> None:
    found = data(tmp_path, "postgresql+psycopg://user:secret@db.example:5433/crawl")

    assert found.ledger_hosts == {"db.example"}
    assert found.has_ledger


def test_there_is_no_ledger_before_there_is_a_file(tmp_path: Path) -> None:
    before = data(tmp_path).has_ledger
    (tmp_path / "ledger.db").touch()

    assert (before, data(tmp_path).has_ledger) == (False, True)


def test_a_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    found = data(tmp_path / "new" / "data")

    found.create()
    found.path.chmod(0o755)
    found.create()

    assert stat.S_IMODE(found.path.stat().st_mode) == 0o700
