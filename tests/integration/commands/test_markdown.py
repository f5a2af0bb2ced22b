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

SENTENCE = "The harbour master keeps a log of every vessel that enters or leaves the basin. "
PAGE = (
    "<html><head><title>Harbour log | Port</title></head><body><nav><a href='/'>Home</a></nav>"
    f"<article><h1>Harbour log</h1>{''.join(f'<p>{SENTENCE * 3}</p>' for _ in range(4))}"
    "<p>See the <a href='/rules'>rules</a>.</p></article></body></html>"
)
PORT = """
site: port
authorization: {basis: "test fixture", approved_by: tests, expires: 2099-01-01}
start: ["https://example.com/log"]
record: {type: notice}
content: {zone: "nav"}
"""
KEYS = {"id", "url", "markdown", "title", "word_count", "tokens_raw", "tokens_markdown"}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs ``scrapy markdown ARGS`` and returns its exit code."""
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")
    sites = tmp_path / "sites"
    sites.mkdir()
    (sites / "port.yaml").write_text(PORT)

    def run_command(*args: object) -> int:
        given = {
            "COMMANDS_MODULE": "crawler.commands",
            "SITES_DIR": str(sites),
            "DATA_DIR": str(tmp_path / "data"),
        }
        with pytest.raises(SystemExit) as ended:
            execute(
                ["scrapy", "markdown", *map(str, args)],
                settings=Settings(given, priority="project"),
            )
        return int(ended.value.code or 0)

    return run_command


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "log.html"
    path.write_text(PAGE)
    return path


def test_page_is_one_line_with_what_it_costs(run: Run, lines: Lines, page: Path) -> None:
    assert run(page, "--url", "https://example.com/log") == 0
    [line] = lines()
    assert set(line) >= {*KEYS, "content_hash"}
    assert line["title"] == "Harbour log"
    assert line["markdown"].startswith("The harbour master")
    assert line["markdown"].endswith("See the [rules](https://example.com/rules).")
    assert 0 < line["tokens_markdown"] < line["tokens_raw"]
    assert line["problems"] == []


def test_batch_reads_what_it_can_and_explains_the_rest(
    run: Run, lines: Lines, page: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "log.html.gz"
    packed.write_bytes(gzip.compress(PAGE.encode()))
    entries = [
        {"id": "a", "file": page.name, "url": "https://example.com/a"},
        {"id": "b", "file": packed.name, "url": "https://example.com/b"},
        {"id": "c", "file": "gone.html", "url": "https://example.com/c"},
        {"id": "d", "file": page.name},
    ]
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text("".join(json.dumps(entry) + "\n" for entry in entries) + "{\n")
    assert run("--batch", manifest) == 0
    first, second, *failed = lines()
    assert [first["id"], second["id"]] == ["a", "b"]
    assert first["word_count"] == second["word_count"] > 100
    assert [bool(line["problems"]) for line in failed] == [True, True, True]
    assert [line["markdown"] for line in failed] == ["", "", ""]


def test_output_is_the_same_every_time(run: Run, lines: Lines, page: Path) -> None:
    run(page, "--url", "https://example.com/log")
    first = lines()
    run(page, "--url", "https://example.com/log")
    assert lines() == first


def test_site_file_names_the_zone(run: Run, lines: Lines, page: Path) -> None:
    assert run(page, "--url", "https://example.com/log", "--site", "port") == 0
    assert lines()[0]["markdown"] == "[Home](https://example.com/)"


def test_text_is_the_markdown_alone(
    run: Run, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(page, "--url", "https://example.com/log", "--text") == 0
    assert capsys.readouterr().out.startswith("The harbour master")


def test_text_needs_nothing_that_counts(
    run: Run, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("crawler.extraction.content.tokens.load_counter")

    assert run(page, "--url", "https://example.com/log", "--text") == 0


def test_counting_can_be_left_out(run: Run, lines: Lines, page: Path) -> None:
    assert run(page, "--url", "https://example.com/log", "--encoding", "none") == 0
    assert lines()[0]["tokens_raw"] is None


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["gone.html", "--url", "https://example.com/"], 1),
        (["--batch", "gone.jsonl"], 2),
        (["a.html"], 2),
        ([], 2),
        (["a.html", "--url", "https://example.com/", "--snapshot", "12345678"], 2),
        (["a.html", "--url", "https://example.com/", "--encoding", "gpt2"], 2),
        (["a.html", "--url", "https://example.com/", "--site", "nowhere"], 2),
    ],
)
def test_what_cannot_be_read_has_an_exit_code(run: Run, args: list[str], code: int) -> None:
    assert run(*args) == code


LONG = "We keep what you write for thirty days and give it to nobody. " * 6
FAULTS = {
    "MK01": ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
    "MK02": (
        (
            "<table><tr><th>Day</th><th>Price</th></tr><tr><td rowspan=2>Mon</td><td>1|2</td></tr>"
            "<tr><td>3</td></tr></table>"
        ),
        "| Day | Price |\n| --- | --- |\n| Mon | 1\\|2 |\n|  | 3 |",
    ),
    "MK03": (
        '<a href="https://other.example/x">GPL</a> <a href="/policy">P</a>',
        "[GPL](https://other.example/x) [P](https://example.com/policy)",
    ),
    "MK05": ("<div>" * 400 + "x" + "</div>" * 400, "x"),
    "MK06": (
        (
            '<pre><code class="language-python">if x:\n    y = 1\n</code></pre>'
            "<pre>```\nnot a fence\n```</pre>"
        ),
        "```python\nif x:\n    y = 1\n```\n\n````\n```\nnot a fence\n```\n````",
    ),
    "MK07": (
        '<img src="data:image/gif;base64,R0lGOD" data-src="/real.jpg" alt="Plan">',
        "![Plan](https://example.com/real.jpg)",
    ),
    "MK08": (
        (
            '<div><div>Step 1: <a href="#">open</a></div><div>Step 2</div></div><table><caption>Fees'
            '</caption><tr><td>A</td><td><img src="a.png"></td><td><img src="b.png"></td></tr></table>'
        ),
        (
            "Step 1: [open](https://example.com/docs/)\n\nStep 2\n\nFees\n\n"
            "| A | ![](https://example.com/docs/a.png) | ![](https://example.com/docs/b.png) |\n"
            "| --- | --- | --- |"
        ),
    ),
    "MK09": (
        (
            '<div class="hero"><p>Your privacy matters.</p></div>'
            f"<main><h1>Privacy notice</h1><p>{LONG}</p></main>"
        ),
        f"# Privacy notice\n\n{LONG.strip()}",
    ),
}
"""What converters and zone finders made wrong of real pages: the input, and what is right."""


def test_faults_of_other_converters_are_none_of_ours(
    run: Run, lines: Lines, tmp_path: Path
) -> None:
    entries = []
    for name, (html, _) in FAULTS.items():
        (tmp_path / name).write_text(html)
        entries.append({"id": name, "file": name, "url": "https://example.com/docs/"})
    (tmp_path / "faults.jsonl").write_text("\n".join(map(json.dumps, entries)))
    assert run("--batch", tmp_path / "faults.jsonl", "--images", "--encoding", "none") == 0
    found = {line["id"]: line for line in lines()}
    assert {name: line["markdown"] for name, line in found.items()} == {
        name: expected for name, (_, expected) in FAULTS.items()
    }
    assert found["MK09"]["zone_share"] > 0.8


def test_small_share_of_what_a_page_shows_is_flagged(
    run: Run, lines: Lines, tmp_path: Path
) -> None:
    others = "".join(f'<p><a href="/{n}">What visitor {n} wrote</a></p>' for n in range(80))
    page = tmp_path / "small.html"
    page.write_text(f'<article><p>{LONG[:120]}</p></article><div class="related">{others}</div>')
    assert run(page, "--url", "https://example.com/x", "--encoding", "none") == 0
    [line] = lines()
    assert (line["problems"], line["zone_share"] < 0.1) == (["small_zone"], True)
