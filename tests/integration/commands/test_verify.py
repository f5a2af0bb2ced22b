import argparse
import json
import os
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from crawler.archive.writer import ArchiveWriter
from crawler.commands.verify import Command
from crawler.contracts.snapshot import Location
from crawler.engine.data import DataFolder
from tests.unit.archive.builders import make_capture

FILE = "eligible-o-00001.warc.gz"


def write(data: Path) -> Location:
    """Return the last of three captures."""
    writer = ArchiveWriter(data / "archive", "o", clock=lambda: 0.0)
    locations = [writer.append(make_capture(number)) for number in (1, 2, 3)]
    writer.close()
    return locations[-1]


def run(data: Path, *args: str) -> int:
    command = Command()
    command.settings = Settings({"DATA_DIR": str(data)})
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args(args))
    return command.exitcode


def read_json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def flip_bit(data: Path, location: Location) -> None:
    path = data / "archive" / location.file
    content = bytearray(path.read_bytes())
    content[location.offset + 60] ^= 1
    path.write_bytes(content)


def test_an_intact_archive_is_summed_up_on_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)

    code = run(tmp_path)

    out = capsys.readouterr().out
    assert code == 0
    assert FILE in out
    assert "whole" in out


def test_damage_is_named_on_stderr_and_fails_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = write(tmp_path)
    flip_bit(tmp_path, last)

    code = run(tmp_path)

    assert code == 1
    assert f"{FILE}@{last.offset}: " in capsys.readouterr().err


def test_json_holds_the_figures_of_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = write(tmp_path)
    flip_bit(tmp_path, last)

    assert run(tmp_path, "--json") == 1

    document = read_json(capsys)
    (file,) = document["files"]
    assert (document["intact"], document["captures"]) == (False, 2)
    assert file["file"] == FILE
    assert [damage["offset"] for damage in file["damaged"]] == [last.offset]
    assert (file["torn_at"], file["cut_bytes"], file["open"]) == (None, 0, False)


def test_the_unfinished_end_of_a_dead_run_is_cut_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = write(tmp_path)
    path = tmp_path / "archive" / FILE
    os.truncate(path, last.offset + 70)

    assert run(tmp_path, "--json") == 0
    assert read_json(capsys)["files"][0]["torn_at"] == last.offset
    assert path.stat().st_size == last.offset + 70

    assert run(tmp_path, "--json", "--repair") == 0
    assert read_json(capsys)["files"][0]["cut_bytes"] == 70
    assert path.stat().st_size == last.offset


def test_a_file_that_a_crawl_writes_is_not_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = ArchiveWriter(tmp_path / "archive", "o", clock=lambda: 0.0)
    location = writer.append(make_capture())
    path = tmp_path / "archive" / location.file
    os.truncate(path, location.offset + 70)

    assert run(tmp_path, "--json", "--repair") == 0

    writer.close()
    assert read_json(capsys)["files"][0]["open"] is True
    assert path.stat().st_size == location.offset + 70


def test_no_archive_yet_is_no_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "var", "--json") == 0
    assert read_json(capsys) == {"intact": True, "captures": 0, "files": []}
    assert not (tmp_path / "var").exists()


def test_a_relative_data_folder_lies_beside_the_project_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    (tmp_path / "deeper").mkdir()
    monkeypatch.chdir(tmp_path / "deeper")

    assert DataFolder.from_settings(Settings({"DATA_DIR": "var"})).path == tmp_path / "var"
    assert DataFolder.from_settings(Settings({"DATA_DIR": "/data"})).path == Path("/data")
