import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

Run = Callable[..., int]

EVENT = """<html><head><title>Programme</title><script type="application/ld+json">
{"@type": "Event", "name": "Sea songs", "startDate": "2026-03-04T18:00:00-05:00"};
</script></head><body><h1>Sea songs</h1></body></html>"""
BULLETIN = (
    '<article data-id="notice-1" data-published="2026-09-10">'
    "<h2>Maintenance window announced</h2></article>"
)
BULLETINS = """
site: bulletins
authorization: {basis: "test fixture", approved_by: tests, expires: 2099-01-01}
start: ["https://example.com/bulletins"]
record:
  type: notice
  schema_version: bulletins.v1
  each: article
  fields: {id: "xpath:./@data-id", title: "css:h2::text", published: "xpath:./@data-published"}
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs ``scrapy extract ARGS`` and returns its exit code."""
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")
    sites = tmp_path / "sites"
    sites.mkdir()
    (sites / "bulletins.yaml").write_text(BULLETINS)

    def run_command(*args: object) -> int:
        settings = Settings(
            {"COMMANDS_MODULE": "crawler.commands", "SITES_DIR": str(sites)}, priority="project"
        )
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "extract", *map(str, args)], settings=settings)
        return int(ended.value.code or 0)

    return run_command


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


Lines = Callable[[], list[dict[str, Any]]]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_saved_page_is_read_by_the_defaults_of_its_type(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    page = write(tmp_path, "page.html", EVENT)

    assert run(page, "--url", "https://example.com/e/1") == 0

    (line,) = lines()
    assert line["id"] == str(page)
    assert line["values"] == {
        "name": "Sea songs",
        "starts_at": "2026-03-04T18:00:00-05:00",
        "url": "https://example.com/e/1",
    }
    assert line["evidence"]["name"]["locator"] == "0:$['name']"
    assert line["problems"] == ["JSON-LD block 0: trailing semicolon dropped"]


def test_a_saved_page_is_read_by_the_rules_of_a_site(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    page = write(tmp_path, "page.html", BULLETIN + BULLETIN.replace("notice-1", "notice-2"))

    assert run(page, "--url", "https://example.com/bulletins", "--site", "bulletins") == 0

    (line,) = lines()
    assert line["values"]["id"] == "notice-1"
    assert line["evidence"]["title"]["source"] == "css"
    assert [record["values"]["id"] for record in line["records"]] == ["notice-1", "notice-2"]
    assert line["problems"] == []


def test_values_of_a_rejected_record_are_shown_with_the_problem(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    page = write(tmp_path, "page.html", EVENT.replace("startDate", "start"))

    run(page, "--url", "https://example.com/e/1")

    (line,) = lines()
    assert line["values"]["name"] == "Sea songs"
    assert any(problem.startswith("required_field: starts_at") for problem in line["problems"])


def test_a_page_with_several_records_shows_them_all_the_main_one_first(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    nodes = [
        {"@type": "Event", "name": name, "startDate": "2026-03-04", "url": f"/e/{name}"}
        for name in ("one", "two", "three")
    ]
    source = f'<p>x</p><script type="application/ld+json">{json.dumps(nodes)}</script>'

    run(write(tmp_path, "page.html", source), "--url", "https://example.com/e/two")

    (line,) = lines()
    assert line["values"]["name"] == "two"
    assert [record["values"]["name"] for record in line["records"]] == ["two", "one", "three"]


def test_a_manifest_gives_one_line_for_each_of_its_lines_whatever_is_wrong_with_them(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    write(tmp_path, "plain.html", EVENT)
    (tmp_path / "packed.html.gz").write_bytes(gzip.compress(EVENT.encode()))
    (tmp_path / "torn.html.gz").write_bytes(gzip.compress(EVENT.encode())[:-20])
    (tmp_path / "no.html.gz").write_bytes(b"no gzip")
    write(tmp_path, "empty.html", "")
    url = "https://example.com/e/1"
    entries = [
        {"id": "plain", "file": "plain.html", "url": url, "type": "event"},
        {"id": "packed", "file": "packed.html.gz", "url": url, "type": "event"},
        {"id": "torn", "file": "torn.html.gz", "url": url, "type": "event"},
        {"id": "no gzip", "file": "no.html.gz", "url": url, "type": "event"},
        {"id": "empty", "file": "empty.html", "url": url, "type": "event"},
        {"id": "absent", "file": "absent.html", "url": url, "type": "event"},
        {"id": "folder", "file": ".", "url": url, "type": "event"},
        {"id": "NUL", "file": "a\0b", "url": url, "type": "event"},
        {"id": "type", "file": "plain.html", "url": url, "type": "no-such-type"},
        {"id": "no file", "url": url},
        ["no object"],
    ]
    text = "\n".join(map(json.dumps, entries)) + "\n\n{no JSON\n"

    assert run("--batch", write(tmp_path, "manifest.jsonl", text)) == 0

    read = lines()
    assert len(read) == len(entries) + 1
    assert [line["id"] for line in read[:2]] == ["plain", "packed"]
    assert read[0]["values"] == read[1]["values"] != {}
    assert all(line["problems"] and not line["values"] for line in read[2:])
    assert "known are article, event, job_posting, notice, " in read[8]["problems"][0]
    assert not any("internal error" in problem for line in read for problem in line["problems"])


def test_output_is_utf_8_and_holds_nothing_that_is_no_text(
    tmp_path: Path, run: Run, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write(tmp_path, "page.html", EVENT.replace("Sea", "Mär"))
    entry = '{"id": "\\ud800", "file": "page.html", "url": "https://example.com/"}'

    run("--batch", write(tmp_path, "manifest.jsonl", entry))

    assert json.loads(capfdbinary.readouterr().out.decode())["values"]["name"] == "Mär songs"


def test_a_file_that_cannot_be_read_is_a_problem_and_an_exit_code(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    assert run(tmp_path / "absent.html", "--url", "https://example.com/") == 1

    assert lines()[0]["problems"][0].startswith("cannot read ")


WRONG_USAGE = {
    "nothing": [],
    "no address": ["page.html"],
    "two files": ["a.html", "b.html", "--url", "https://example.com/"],
    "file and manifest": ["a.html", "--batch", "m.jsonl"],
    "type beside site": ["a.html", "--url", "http://a/", "--site", "bulletins", "--type", "event"],
}


@pytest.mark.parametrize("args", WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_wrong_usage_is_refused(run: Run, args: list[str]) -> None:
    assert run(*args) == 2


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["a.html", "--url", "example.com/e/1"], "--url: expected an http or https URL"),
        (["a.html", "--url", "http:///e/1"], "--url: expected an http or https URL"),
        (["a.html", "--url", "http://[/"], "--url: expected an http or https URL"),
        (["a.html", "--url", "https://example.com/", "--typo"], "no such option: --typo"),
    ],
)
def test_an_option_that_cannot_be_meant_is_named(
    run: Run, capsys: pytest.CaptureFixture[str], args: list[str], told: str
) -> None:
    assert run(*args) == 2
    assert told in capsys.readouterr().err


def test_an_unknown_site_or_manifest_is_told_on_stderr(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("a.html", "--url", "https://example.com/", "--site", "bulletin") == 2
    assert run("--batch", tmp_path / "absent.jsonl") == 2

    output = capsys.readouterr()
    assert output.out == ""
    assert "did you mean bulletins?" in output.err
    assert "absent.jsonl" in output.err
