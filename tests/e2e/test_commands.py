"""What the commands print of a crawl that is over: data to stdout, messages to stderr.

One crawl serves them all. Its pages try to speak to the terminal, the spreadsheet and the shell.
"""

import csv
import hashlib
import io
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, page

pytestmark = pytest.mark.e2e

HOSTILE = "\x1b[31m[bold]red\x1b[0m <script>alert(1)</script> \u202egnp.exe\x07 caf\u00e9 :smile:"
"""Escape codes of a terminal, markup of two kinds, a bidirectional override, a bell, a word."""
FORMULAS = {"f-1": "=1+1", "f-2": "+1", "f-3": "-1", "f-4": "@SUM(A1)", "f-5": '"quoted", too'}
NOT_PRINTED = ("\x1b", "\u202e", "\x07")


def heading(text: str) -> str:
    return f"<h2>{text.replace('&', '&amp;').replace('<', '&lt;')}</h2>"


@dataclass(frozen=True, slots=True)
class Crawled:
    project: Project
    server: Server

    def scrapy(self, *args: str) -> Finished:
        return self.project.scrapy(*args)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    folder = tmp_path_factory.mktemp("commands")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server:
        server.serve("/hostile", board(article("h-1", heading(HOSTILE))))
        formulas = (article(key, heading(text)) for key, text in FORMULAS.items())
        server.serve("/formulas", board(*formulas))
        server.serve("/bad", board(article("", heading("=2+2"))))
        server.serve("/busy", page("<h1>Busy</h1>", 503), board(article("b-1")))
        write_bulletins(project, server, "/hostile", "/formulas", "/bad", "/busy", "/gone")
        project.write_text(
            "idle.yaml",
            (project.sites / "bulletins.yaml").read_text().replace("site: bulletins", "site: idle"),
        )
        finished = project.scrapy("crawl", "bulletins")
        assert finished.code == 0, finished.stderr
    return Crawled(project, server)


def of(finished: Finished) -> str:
    """Return what a command that succeeded in silence printed."""
    assert (finished.code, finished.stderr) == (0, "")
    return finished.stdout


# outcomes


def test_outcomes_in_json_have_exactly_these_keys(crawled: Crawled) -> None:
    funnel = json.loads(of(crawled.scrapy("outcomes", "bulletins", "--json")))

    assert funnel == {
        "site": "bulletins",
        "cycle": 1,
        "admitted": 5,
        "duplicates": 0,
        "open": {"pending": 0, "deferred": 0, "leased": 0},
        "outcomes": {"eligible": 4, "gone": 1},
        "records": {"accepted": 7, "unchanged": 0, "rejected": {"required_field": 1}},
    }


def test_collections_in_json_have_exactly_these_keys(crawled: Crawled) -> None:
    told = json.loads(of(crawled.scrapy("outcomes", "bulletins", "--collections", "--json")))

    assert {",".join(sorted(each)) for each in told.pop("collections")} == {
        "accepted,complete,duplicates,expected,failed,gaps,items,pages,url"
    }
    assert told == {"site": "bulletins", "cycle": 1, "complete": False, "left_out": {}}


def test_outcomes_of_all_sites_are_a_list(crawled: Crawled) -> None:
    funnels = json.loads(of(crawled.scrapy("outcomes", "--json")))

    assert [funnel["site"] for funnel in funnels] == ["bulletins"]


def test_outcomes_as_a_table_have_a_line_for_each_figure(crawled: Crawled) -> None:
    lines = of(crawled.scrapy("outcomes", "bulletins")).splitlines()

    figures = [tuple(line.split()[2:]) for line in lines[1:]]
    assert ("outcome", "eligible", "4") in figures
    assert ("rejected", "required_field", "1") in figures


def test_outcomes_of_a_site_that_was_never_crawled_are_none(crawled: Crawled) -> None:
    funnel = json.loads(of(crawled.scrapy("outcomes", "idle", "--json")))

    assert (funnel["cycle"], funnel["admitted"], funnel["outcomes"]) == (0, 0, {})


# shell


def test_a_saved_page_is_tried_in_the_shell_and_nobody_is_asked(
    crawled: Crawled, tmp_path: Path
) -> None:
    saved = tmp_path / "page.html"
    saved.write_text("<h1>Saved</h1>")
    asked = len(crawled.server.log)

    shown = crawled.scrapy("shell", str(saved), "--nolog", "-c", "response.css('h1::text').get()")
    code = f"fetch('{crawled.server.url('/hostile')}')"
    fetched = crawled.scrapy("shell", str(saved), "--nolog", "-c", code)

    assert (shown.code, shown.stdout) == (0, "Saved\n")
    assert fetched.code == 1
    assert "no handler available for that scheme" in fetched.stderr
    assert len(crawled.server.log) == asked


# records


def test_records_are_one_object_a_line_with_values_provenance_and_evidence(
    crawled: Crawled,
) -> None:
    lines = [json.loads(line) for line in of(crawled.scrapy("records")).splitlines()]

    titles = {line["id"]: line["title"] for line in lines}
    assert titles.keys() == {*FORMULAS, "h-1", "b-1"}
    assert titles["f-1"] == "=1+1"
    assert {line["provenance"]["site"] for line in lines} == {"bulletins"}
    assert all(line["evidence"]["title"]["locator"].startswith("/html") for line in lines)


def test_records_as_json_are_one_document_for_each_snapshot(crawled: Crawled) -> None:
    documents = json.loads(of(crawled.scrapy("records", "bulletins", "--format", "json")))

    assert [len(document["records"]) for document in documents] == [1, 5, 1]
    assert {tuple(document) for document in documents} == {
        (
            "schema_version",
            "source_id",
            "snapshot_sha256",
            "observed_at",
            "extractor_version",
            "records",
        )
    }
    assert len({document["snapshot_sha256"] for document in documents}) == 3


def test_records_as_csv_cannot_run_in_a_spreadsheet(crawled: Crawled) -> None:
    rows = list(csv.DictReader(io.StringIO(of(crawled.scrapy("records", "--format", "csv")))))

    titles = {row["id"]: row["title"] for row in rows}
    assert {titles[key] for key in ("f-1", "f-2", "f-3", "f-4")} == {
        "'=1+1",
        "'+1",
        "'-1",
        "'@SUM(A1)",
    }
    assert titles["f-5"] == FORMULAS["f-5"]
    assert {row["provenance.source_id"] for row in rows} == {"bulletins"}


@pytest.mark.parametrize("layout", ["jsonl", "json", "csv"])
def test_what_was_rejected_is_printed_with_the_reason(crawled: Crawled, layout: str) -> None:
    printed = of(crawled.scrapy("records", "--rejected", "--format", layout))

    found = read_rejected(printed, layout)
    assert len(found) == 1
    assert found[0]["site"] == "bulletins"
    assert str(found[0]["url"]).endswith("/bad")
    assert "required_field" in printed


def read_rejected(printed: str, layout: str) -> list[dict[str, object]]:
    if layout == "csv":
        return list(csv.DictReader(io.StringIO(printed)))
    if layout == "json":
        found: list[dict[str, object]] = json.loads(printed)
        return found
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize(
    ("layout", "empty"), [("jsonl", ""), ("json", "[]\n"), ("csv", "provenance.site,")]
)
def test_no_record_is_still_well_formed(crawled: Crawled, layout: str, empty: str) -> None:
    printed = of(crawled.scrapy("records", "idle", "--format", layout))

    assert printed.startswith(empty)
    assert len(printed.splitlines()) <= 1


# snapshots, snapshot


def test_snapshots_lists_every_capture_with_its_reason(crawled: Crawled) -> None:
    captures = json.loads(of(crawled.scrapy("snapshots", "bulletins", "--json")))

    pages = [each for each in captures if not each["url"].endswith("/robots.txt")]
    assert sorted((each["status"], each["reason"]) for each in pages) == [
        *[(200, "eligible")] * 4,
        (404, "gone"),
        (503, "attempts_exhausted"),
    ]
    table = of(crawled.scrapy("snapshots", "bulletins"))
    assert len(table.splitlines()) == len(captures) + 1
    assert all("  html  " in line for line in table.splitlines()[1:])


def test_a_snapshot_reads_back_by_id_and_by_a_prefix_of_its_digest(
    crawled: Crawled, tmp_path: Path
) -> None:
    [record] = [r for r in crawled.project.records("bulletins") if r["id"] == "h-1"]
    digest = record["provenance"]["snapshot_sha256"]

    names = (record["provenance"]["capture_id"], digest, digest[:8], digest[:12].upper())
    bodies = [of(crawled.scrapy("snapshot", name)) for name in names]

    assert len(set(bodies)) == 1
    assert hashlib.sha256(bodies[0].encode()).hexdigest() == digest
    target = tmp_path / "body.html"
    assert of(crawled.scrapy("snapshot", digest, "-o", str(target))) == ""
    assert target.read_text() == bodies[0]
    again = crawled.scrapy("snapshot", digest, "-o", str(target))
    assert (again.code, again.stdout, "exists" in again.stderr) == (1, "", True)


def test_the_head_of_a_snapshot_is_told_without_its_body(crawled: Crawled) -> None:
    [record] = [r for r in crawled.project.records("bulletins") if r["id"] == "h-1"]

    told = of(crawled.scrapy("snapshot", record["provenance"]["capture_id"], "--headers"))

    facts = dict(line.split(": ", 1) for line in told.splitlines() if line)
    assert facts["sha256"] == record["provenance"]["snapshot_sha256"]
    assert facts["status"] == "200"
    assert facts["Content-Type"] == "text/html; charset=utf-8"
    assert "alert" not in told


@pytest.mark.parametrize(
    "name", ["0123456789abcdef", "abcdef", "%", "../../etc/passwd", "urn:uuid:x", "' OR 1=1 --"]
)
def test_a_snapshot_that_is_not_there_is_said_so(crawled: Crawled, name: str) -> None:
    finished = crawled.scrapy("snapshot", name)

    assert (finished.code, finished.stdout) == (1, "")
    assert finished.stderr.startswith(f"{name}: no capture")


# explain


def test_explain_tells_the_retry_decisions_of_a_url(crawled: Crawled) -> None:
    told = of(crawled.scrapy("explain", crawled.server.url("/busy")))

    facts = [line.split(maxsplit=1) for line in told.splitlines()[1:]]
    assert [name for name, _ in facts if name in {"outcome", "capture", "record"}] == [
        "outcome",
        "capture",
        "capture",
        "record",
    ]
    [decision] = [rest for name, rest in facts if name == "decision"]
    assert " retry" in decision
    assert "attempts left" in decision


def test_explain_in_json_holds_everything_known(crawled: Crawled) -> None:
    [row] = json.loads(of(crawled.scrapy("explain", crawled.server.url("/busy"), "--json")))

    assert (row["reason"], row["attempts"]) == ("eligible", 2)
    assert [each["decision"]["action"] for each in row["decisions"]] == ["retry"]
    assert [capture["status"] for capture in row["captures"]] == [503, 200]
    assert [record["key"] for record in row["records"]] == ["b-1"]


def test_explain_takes_a_url_as_it_was_written(crawled: Crawled) -> None:
    written = crawled.server.url("/x/../busy#top").replace("http:", "HTTP:")

    assert "b-1" in of(crawled.scrapy("explain", written))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/none", "no url", "http://[", "\x1b[31m", "x" * 5000]
)
def test_explain_says_so_when_a_url_is_unknown(crawled: Crawled, url: str) -> None:
    finished = crawled.scrapy("explain", url)

    assert (finished.code, finished.stdout) == (1, "")
    assert "not in the frontier" in finished.stderr
    assert "\x1b" not in finished.stderr


# list and sites


def test_every_site_file_is_listed_and_checked(crawled: Crawled) -> None:
    listed = of(crawled.scrapy("list"))
    checked = json.loads(of(crawled.scrapy("sites", "--json")))

    assert listed.splitlines() == ["bulletins", "idle"]
    assert [site["site"] for site in checked] == ["bulletins", "idle"]


# What pages wrote is inert


PRINTING = {
    "records": ("records",),
    "records as json": ("records", "--format", "json"),
    "records as csv": ("records", "--format", "csv"),
    "explain": ("explain", "/hostile"),
    "explain in json": ("explain", "/hostile", "--json"),
    "outcomes": ("outcomes",),
    "snapshots": ("snapshots",),
    "replay": ("replay", "bulletins"),
    "rejected": ("records", "--rejected"),
    "verify": ("verify",),
}


@pytest.mark.parametrize("args", PRINTING.values(), ids=PRINTING)
def test_nothing_that_a_page_wrote_speaks_to_the_terminal(
    crawled: Crawled, args: tuple[str, ...]
) -> None:
    given = [crawled.server.url(arg) if arg.startswith("/") else arg for arg in args]

    finished = crawled.scrapy(*given)

    assert finished.code == 0, finished.stderr
    assert finished.stdout or args[0] == "replay"
    for code in NOT_PRINTED:
        assert code not in finished.stdout
        assert code not in finished.stderr


def test_a_record_holds_what_a_reader_sees_and_its_evidence_what_was_there(
    crawled: Crawled,
) -> None:
    [record] = [r for r in crawled.project.records("bulletins") if r["id"] == "h-1"]

    assert record["title"].endswith("<script>alert(1)</script> gnp.exe caf\u00e9 :smile:")
    assert "\u202egnp.exe" in record["evidence"]["title"]["raw"]


# Output that goes wrong


COMMANDS = {
    "records": ("records",),
    "records as csv": ("records", "--format", "csv"),
    "explain": ("explain", "/hostile"),
    "explain in json": ("explain", "/hostile", "--json"),
    "outcomes": ("outcomes",),
    "snapshots": ("snapshots",),
    "replay in json": ("replay", "bulletins", "--json"),
    "verify": ("verify",),
    "sites": ("sites",),
    "sites in json": ("sites", "--json"),
}


def run_into(project: Project, descriptor: int, *args: str) -> tuple[int, str]:
    """Run a command whose standard output is *descriptor*; returns exit code and messages."""
    process = subprocess.run(
        project.command(*args),
        cwd=Path(__file__).parents[2],
        env={**os.environ, "SCRAPY_SETTINGS_MODULE": "crawler.settings"},
        stdin=subprocess.DEVNULL,
        stdout=descriptor,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    return process.returncode, process.stderr


@pytest.mark.parametrize("args", COMMANDS.values(), ids=COMMANDS)
def test_a_reader_that_has_gone_ends_a_command_in_silence(
    crawled: Crawled, args: tuple[str, ...]
) -> None:
    given = [crawled.server.url(arg) if arg.startswith("/") else arg for arg in args]
    reading, writing = os.pipe()
    os.close(reading)

    try:
        code, messages = run_into(crawled.project, writing, *given)
    finally:
        os.close(writing)

    assert (code, messages) == (0, "")


@pytest.mark.parametrize("layout", ["jsonl", "json", "csv"])
def test_output_that_cannot_be_written_is_one_message(crawled: Crawled, layout: str) -> None:
    with Path("/dev/full").open("wb") as full:
        code, messages = run_into(crawled.project, full.fileno(), "records", "--format", layout)

    assert (code, messages) == (1, "No space left on device\n")


@pytest.mark.parametrize("args", [COMMANDS["records"], COMMANDS["explain in json"]])
def test_output_is_utf_8_whatever_the_locale_says(
    crawled: Crawled, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [crawled.server.url(arg) if arg.startswith("/") else arg for arg in args]
    usual = crawled.scrapy(*given)
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")

    plain = crawled.scrapy(*given)

    assert (plain.code, plain.stdout, plain.stderr) == (usual.code, usual.stdout, usual.stderr)


# Mistakes


SITE_COMMANDS = ["outcomes", "records", "snapshots", "replay"]


@pytest.mark.parametrize("command", SITE_COMMANDS)
def test_an_unknown_site_is_answered_with_the_closest_name(crawled: Crawled, command: str) -> None:
    finished = crawled.scrapy(command, "bulletin\x1b[31m")

    assert (finished.code, finished.stdout) == (2, "")
    assert "no such site; did you mean bulletins?" in finished.stderr
    assert "\x1b" not in finished.stderr


@pytest.mark.parametrize("command", [*SITE_COMMANDS, "snapshot 0123456789", "explain http://a/"])
def test_without_a_ledger_a_command_says_what_is_missing(project: Project, command: str) -> None:
    finished = project.scrapy(*command.split())

    assert (finished.code, finished.stdout) == (1, "")
    assert len(finished.stderr.splitlines()) == 1, finished.stderr
    assert not project.data.exists()


@pytest.mark.parametrize("command", [*SITE_COMMANDS, "verify", "snapshot", "explain"])
def test_too_many_arguments_are_wrong_usage(crawled: Crawled, command: str) -> None:
    assert crawled.scrapy(command, "bulletins", "idle").code == 2
