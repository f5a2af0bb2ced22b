import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

Run = Callable[..., int]
Lines = Callable[[], list[dict[str, Any]]]

URL = "https://example.com/a"
EVENT = "<title>Sea songs</title><h1>Sea songs</h1><p>On Friday at eight.</p>"
CHALLENGE = "<title>Just a moment...</title><p>Checking your browser</p>"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs ``scrapy classify ARGS`` and returns its exit code."""
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")

    def run_command(*args: object) -> int:
        settings = Settings({"COMMANDS_MODULE": "crawler.commands"}, priority="project")
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "classify", *map(str, args)], settings=settings)
        return int(ended.value.code or 0)

    return run_command


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_challenge_is_told_with_its_maker_and_evidence(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    page = write(tmp_path, "page.html", CHALLENGE)

    assert run(page, "--url", URL, "--status", "503") == 0

    assert lines() == [
        {
            "id": str(page),
            "kind": "challenge",
            "vendor": "cloudflare",
            "evidence": ["just-a-moment (cloudflare): headline 'just a moment'"],
            "eligible": False,
        }
    ]


def test_an_ordinary_page_is_eligible(tmp_path: Path, run: Run, lines: Lines) -> None:
    assert run(write(tmp_path, "page.html", EVENT), "--url", URL) == 0

    (line,) = lines()
    assert (line["kind"], line["vendor"], line["evidence"]) == ("ok", None, [])
    assert line["eligible"] is True


@pytest.mark.parametrize(
    "headers",
    [
        {"CF-Mitigated": "challenge"},
        {"cf-mitigated": ["challenge"]},
        [["cf-mitigated", "challenge"], ["server", "x"]],
    ],
    ids=["texts", "lists of texts", "pairs"],
)
def test_headers_count(tmp_path: Path, run: Run, lines: Lines, headers: object) -> None:
    page = write(tmp_path, "page.html", EVENT)

    assert run(page, "--url", URL, "--headers", json.dumps(headers)) == 0

    assert lines()[0]["kind"] == "challenge"


def test_both_halves_of_the_verdict_are_told(tmp_path: Path, run: Run, lines: Lines) -> None:
    pages = {
        "limited": ("", 429, None, "rate_limit"),
        "denied": ("<h1>No</h1>", 403, None, "denied"),
        "gone": ("<h1>No</h1>", "404", None, "error_page"),
        "pdf": ("%PDF-1.7", 200, {"content-type": "application/pdf"}, "media_type"),
        "empty": ("", 200, {"content-type": "text/html"}, "empty"),
        "shell": ("<div id=root></div><script></script>", None, None, "shell"),
        "soft 404": ("<title>Page not found</title><h1>Oops</h1>", 200, None, "soft_404"),
        "login": ("<title>Sign in</title><input type=password>", 200, None, "login"),
        "ok": (EVENT, 200, None, "ok"),
    }
    for name, (body, *_) in pages.items():
        write(tmp_path, f"{name}.html", body)
    entries = [
        {"id": name, "file": f"{name}.html", "url": URL, "status": status, "headers": headers}
        for name, (_, status, headers, _) in pages.items()
    ]

    run("--batch", write(tmp_path, "manifest.jsonl", "\n".join(map(json.dumps, entries))))

    read = lines()
    assert {line["id"]: line["kind"] for line in read} == {
        name: kind for name, (*_, kind) in pages.items()
    }
    assert [line["id"] for line in read if line["eligible"]] == ["ok"]


def test_a_manifest_gives_one_line_for_each_of_its_lines_whatever_is_wrong_with_them(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    write(tmp_path, "plain.html", CHALLENGE)
    (tmp_path / "packed.html.gz").write_bytes(gzip.compress(CHALLENGE.encode()))
    (tmp_path / "torn.html.gz").write_bytes(gzip.compress(CHALLENGE.encode())[:-20])
    entries = [
        {"id": "plain", "file": "plain.html", "url": URL},
        {"id": "packed", "file": "packed.html.gz", "url": None, "status": None, "headers": None},
        {"id": "no file", "file": None, "url": URL, "headers": {"cf-mitigated": "challenge"}},
        {"id": "torn", "file": "torn.html.gz", "url": URL},
        {"id": "absent", "file": "absent.html", "url": URL},
        {"id": "status", "file": "plain.html", "url": URL, "status": 1000},
        {"id": "no status", "file": "plain.html", "url": URL, "status": "busy"},
        {"id": "headers", "file": "plain.html", "url": URL, "headers": "x: y"},
        {"id": "header", "file": "plain.html", "url": URL, "headers": [["x"]]},
        {"file": "plain.html", "url": URL},
        ["no object"],
    ]
    text = "\n".join(map(json.dumps, entries)) + "\n\n{no JSON\n"

    assert run("--batch", write(tmp_path, "manifest.jsonl", text)) == 0

    read = lines()
    assert len(read) == len(entries) + 1
    assert [line["id"] for line in read[:3]] == ["plain", "packed", "no file"]
    assert {line["kind"] for line in read[:3]} == {"challenge"}
    assert all(line["kind"] is None and not line["eligible"] for line in read[3:])
    assert all(line["problems"] for line in read[3:])
    assert not any("internal error" in problem for line in read[3:] for problem in line["problems"])


def test_a_file_that_cannot_be_read_is_a_problem_and_an_exit_code(
    tmp_path: Path, run: Run, lines: Lines
) -> None:
    assert run(tmp_path / "absent.html", "--url", URL) == 1

    assert lines()[0]["problems"][0].startswith("cannot read ")


WRONG_USAGE = {
    "nothing": [],
    "no address": ["page.html"],
    "two files": ["a.html", "b.html", "--url", URL],
    "file and manifest": ["a.html", "--batch", "m.jsonl"],
    "headers that are no JSON": ["a.html", "--url", URL, "--headers", "{"],
}


@pytest.mark.parametrize("args", WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_wrong_usage_is_refused(run: Run, args: list[str]) -> None:
    assert run(*args) == 2


def test_an_unknown_manifest_is_told_on_stderr(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--batch", tmp_path / "absent.jsonl") == 2

    output = capsys.readouterr()
    assert output.out == ""
    assert "absent.jsonl" in output.err
