import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from tests.unit.sites.builders import site_text

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs ``scrapy sites ARGS`` on *tmp_path* and returns its exit code."""
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")

    def run_command(*args: str) -> int:
        settings = Settings(
            {"COMMANDS_MODULE": "crawler.commands", "SITES_DIR": str(tmp_path)}, priority="project"
        )
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "sites", *args], settings=settings)
        return int(ended.value.code or 0)

    return run_command


def write_site(folder: Path, name: str, *, expires: str = "2099-01-01", **parts: str) -> Path:
    authorization = f"authorization: {{basis: b, approved_by: 'desk [x]', expires: {expires}}}"
    path = folder / f"{name}.yaml"
    path.write_text(site_text(site=f"site: {name}", authorization=authorization, **parts))
    return path


def test_sites_are_shown_with_who_allowed_them_until_when(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    write_site(tmp_path, "garden-jazz", start="start: [https://a.example/x, https://b.example/]")
    write_site(tmp_path, "old", expires="2001-01-01", record="record: {type: notice}")

    assert run() == 0

    output = capsys.readouterr()
    _, garden, old = output.out.splitlines()
    assert garden.split() == [
        *("garden-jazz", "desk", "[x]", "2099-01-01", "valid", "event"),
        *("https://a.example/x", "(+1)"),
    ]
    assert old.split()[3:6] == ["2001-01-01", "expired", "notice"]
    assert output.err == ""


def test_problems_go_to_stderr_and_decide_the_exit_code(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    write_site(tmp_path, "good")
    bad = write_site(tmp_path, "bad", collect="collect: {linsk: a}", access="access: {delay: x}")

    assert run() == 1

    output = capsys.readouterr()
    assert output.err.splitlines() == [
        f"{bad}:5: collect.linsk: unknown key 'linsk'; did you mean links?",
        f"{bad}:6: access.delay: expected a number, found 'x'",
    ]
    assert "good" in output.out
    assert "bad" not in output.out


def test_json_goes_to_stdout_alone(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_site(tmp_path, "old", expires="2001-01-01", access="access: {session: members}")
    (tmp_path / "bad.yaml").write_text("site: [\n")

    assert run("--json") == 1

    output = capsys.readouterr()
    (site,) = json.loads(output.out)
    assert site["site"] == "old"
    assert site["state"] == "expired"
    assert site["days_left"] < 0
    assert site["start"] == ["https://garden.example/events"]
    assert site["path"] == str(path)
    assert site["session"] == "members"
    assert len(site["site_hash"]) == len(site["authorization_hash"]) == 64
    assert "bad.yaml:1: file: expected valid YAML" in output.err


def test_the_schema_is_printed_even_if_a_site_is_broken(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.yaml").write_text("site: [\n")

    assert run("--schema") == 0

    output = capsys.readouterr()
    assert "authorization" in json.loads(output.out)["properties"]
    assert output.err == ""


def test_a_missing_folder_is_named_without_a_traceback(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("-s", f"SITES_DIR={tmp_path}/nowhere") == 1

    output = capsys.readouterr()
    assert output.err == f"{tmp_path}/nowhere:1: SITES_DIR: expected a folder of site files\n"


def test_an_authorisation_about_to_end_says_in_how_many_days(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    today = datetime.now(UTC).date()
    write_site(tmp_path, "soon", expires=str(today + timedelta(days=20)))

    assert run() == 0

    # The day may change between the two clocks.
    assert re.search("expires in (20|19) days", capsys.readouterr().out)
