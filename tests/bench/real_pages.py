"""Crawls saved real pages and holds the crawl to its promises: ``python -m tests.bench.real_pages CORPORA``.

CORPORA is a folder of folders, each with a ``manifest.jsonl`` whose lines hold at least ``id``,
``file`` (relative to that folder, gzip when it ends in ``.gz``) and ``kind``. The bytes of each
page are served as they are from loopback, as text/html, every second page with the charset it
decodes in. Each folder is crawled twice: once with its pages as the start of the site, once
through listings that link to them.

Checked afterwards, of every site: admitted = outcomes + open, and nothing is open; no outcome is
``internal_error``; every eligible row has a capture that reads back with the bytes that were
served; every value of every record is derived again from its evidence; replay finds no difference.
Prints figures and the slowest pages; exit code 1 when a check failed.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from crawler.archive.reader import ArchiveReader
from crawler.contracts.errors import ArchiveError
from crawler.contracts.record import Record
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.extraction.derivation import Derivation
from crawler.interpretation.page import interpret
from crawler.ledger.database import ledger_url
from crawler.ledger.queries import reading
from crawler.ledger.queries.captures import iterate_captures
from crawler.ledger.queries.funnel import find_latest_cycle, read_funnel
from crawler.ledger.queries.records import iterate_records
from crawler.ledger.tables import requests
from crawler.replay.captures import read_snapshot
from crawler.sites.loading import load_site
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, Step

DEFAULT_FOLDERS = ("city-scrapers", "recipe-scrapers", "wcxb", "article-extraction-benchmark")
LISTED = 50
"""Links on one listing."""
HEADING = ["jsonld:$.headline", "jsonld:$.name", "css:h1", "css:title"]
FIRST_DATE = ["jsonld:$.datePublished", "css:time::attr(datetime)", "css:time"]
RECORDS: dict[str, dict[str, Any]] = {
    "event": {
        "type": "event",
        "fields": {
            "name": HEADING,
            "starts_at": ["jsonld:$.startDate", *FIRST_DATE],
            "description": ["jsonld:$.description", "xpath://meta[@name='description']/@content"],
            "image": ["jsonld:$.image", "css:main img::attr(src)", "css:img::attr(src)"],
        },
    },
    "notice": {
        "type": "notice",
        "required": ["id", "title"],
        "fields": {"id": "page:url", "title": HEADING, "published": FIRST_DATE},
    },
}


@dataclass(frozen=True, slots=True)
class Page:
    target: str
    body: bytes
    charset: str


@dataclass(slots=True)
class Figures:
    """What one site came to; ``faults`` is empty when every promise was kept."""

    site: str
    seconds: float = 0.0
    funnel: dict[str, Any] = field(default_factory=dict)
    captures: int = 0
    values: int = 0
    sources: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: list[tuple[float, int, str]] = field(default_factory=list)
    """Seconds to interpret, bytes, URL."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--folders", nargs="+", default=DEFAULT_FOLDERS)
    parser.add_argument("--pages", type=int, default=10_000, help="at most so many of each folder")
    parser.add_argument("--keep", type=Path, help="a folder for the data, instead of a passing one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = options.keep or Path(passing)
        found = [
            figures
            for name in options.folders
            for figures in crawl_folder(options.corpora / name, folder, options.pages)
        ]
    for figures in found:
        print_figures(figures)
    print_slowest(found)
    sys.exit(1 if any(figures.faults for figures in found) else 0)


def crawl_folder(corpus: Path, folder: Path, most: int) -> Iterator[Figures]:
    """Crawl one folder of pages by every site file it gets."""
    pages = list(read_pages(corpus, most))
    bodies = {page.target: page.body for page in pages}
    project = Project(sites=folder / "sites", data=folder / "data")
    project.sites.mkdir(parents=True, exist_ok=True)
    with Server() as server:
        listings = publish(server, corpus.name, pages)
        for kind, record in RECORDS.items():
            for start, collect in ((bodies, {}), (listings, {"links": "li a", "next": "a.next"})):
                name = f"{corpus.name}-{kind}-{'linked' if collect else 'plain'}"
                project.write_site(
                    name,
                    server,
                    start=list(start),
                    collect=collect,
                    access={"delay": 0, "concurrency": 16},
                    record=record,
                )
                yield crawl_site(project, name, bodies)


def read_pages(corpus: Path, most: int) -> Iterator[Page]:
    with (corpus / "manifest.jsonl").open(encoding="utf-8") as lines:
        for number, line in zip(range(most), lines, strict=False):
            file = corpus / json.loads(line)["file"]
            content = file.read_bytes()
            body = gzip.decompress(content) if file.suffix == ".gz" else content
            yield Page(f"/{corpus.name}/{number}", body, charset_of(body) if number % 2 else "")


def charset_of(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def publish(server: Server, name: str, pages: Sequence[Page]) -> list[str]:
    """Serve the pages and listings of them; returns the target of the first listing."""
    for page in pages:
        content_type = f"text/html; charset={page.charset}" if page.charset else "text/html"
        server.serve(page.target, Step(page.body, headers=(("Content-Type", content_type),)))
    for first in range(0, len(pages), LISTED):
        number = first // LISTED
        links = "".join(
            f'<li><a href="{page.target}">{page.target}</a></li>'
            for page in pages[first : first + LISTED]
        )
        is_last = first + LISTED >= len(pages)
        following = "" if is_last else f'<a class="next" href="/list/{name}/{number + 1}">on</a>'
        server.serve(
            f"/list/{name}/{number}",
            Step(f"<!doctype html><title>All</title><ul>{links}</ul>{following}".encode()),
        )
    return [f"/list/{name}/0"]


def crawl_site(project: Project, name: str, bodies: dict[str, bytes]) -> Figures:
    figures = Figures(name)
    started = time.perf_counter()
    crawled = run(project, "crawl", name)
    figures.seconds = time.perf_counter() - started
    note_failures(figures, "crawl", crawled)
    rules = load_site(name, project.sites).rules
    with reading(ledger_url(project.data)) as conn:
        figures.funnel = read_funnel(conn, name)
        check_funnel(figures)
        snapshots = check_captures(figures, conn, project, bodies)
        check_records(figures, conn, snapshots, rules)
    replayed = run(project, "replay", name, "--json")
    note_failures(figures, "replay", replayed)
    if replayed.code == 0:
        [told] = replayed.json
        figures.faults += [f"replay differs: {each}" for each in told["differences"]]
    figures.slowest = sorted(
        ((measure(snapshot, rules), len(snapshot.body), snapshot.final_url))
        for snapshot in snapshots.values()
    )[-10:]
    return figures


def run(project: Project, *args: str) -> Finished:
    try:
        return project.scrapy(*args, timeout=1200)
    except subprocess.TimeoutExpired:
        return Finished(-1, "", f"{args}: no end within 20 minutes")


def note_failures(figures: Figures, what: str, finished: Finished) -> None:
    if finished.code != 0:
        figures.faults.append(f"{what}: exit code {finished.code}: {finished.stderr[-2000:]}")
    if "Traceback" in finished.stderr:
        start = finished.stderr.index("Traceback")
        figures.faults.append(f"{what}: {finished.stderr[start : start + 2000]}")


def check_funnel(figures: Figures) -> None:
    funnel = figures.funnel
    still_open = sum(funnel["open"].values())
    if funnel["admitted"] != sum(funnel["outcomes"].values()) + still_open:
        figures.faults.append(f"the funnel does not add up: {funnel}")
    if still_open:
        figures.faults.append(f"{still_open} are still open")
    if funnel["outcomes"].get("internal_error"):
        figures.faults.append(f"{funnel['outcomes']['internal_error']} internal errors")


def check_captures(
    figures: Figures, conn: sa.Connection, project: Project, bodies: dict[str, bytes]
) -> dict[str, Snapshot]:
    """Return the eligible snapshots by capture; each must hold what the server sent."""
    archive = ArchiveReader(project.data / "archive")
    snapshots: dict[str, Snapshot] = {}
    rows: set[int | None] = set()
    for entry in list(iterate_captures(conn, figures.site)):
        if not entry.is_eligible:
            continue
        try:
            snapshot = read_snapshot(conn, archive, entry)
        except ArchiveError as error:
            figures.faults.append(f"{entry.url}: {error!r}")
            continue
        target = urlsplit(entry.url).path
        if target in bodies and snapshot.digest != sha256(bodies[target]).hexdigest():
            figures.faults.append(f"{entry.url}: the snapshot is not what was served")
        snapshots[entry.capture_id] = snapshot
        rows.add(entry.row)
    figures.captures = len(snapshots)
    cycle = find_latest_cycle(conn, figures.site)
    eligible = sa.select(requests.c.id).where(
        requests.c.cycle == cycle, requests.c.reason == "eligible"
    )
    bare = set(conn.scalars(eligible)) - rows
    figures.faults += [f"row {row} is eligible without a capture" for row in bare]
    return snapshots


def check_records(
    figures: Figures, conn: sa.Connection, snapshots: dict[str, Snapshot], rules: Rules
) -> None:
    kinds = {spec.name: spec.kind for spec in rules.record_type.fields}
    for record in iterate_records(conn, figures.site):
        derivation = Derivation(snapshots[record.capture_id])
        for name, value in record.fields.items():
            if value.value is None:
                continue
            assert value.evidence is not None, f"{record.url}: {name} has no evidence"
            figures.values += 1
            figures.sources[value.evidence.source] += 1
            if derivation.derive(kinds[name], value.evidence) != value.value:
                figures.faults.append(describe_underivable(record, name))


def describe_underivable(record: Record, name: str) -> str:
    return f"{record.url}: {name} = {record.fields[name].value!r} is not derived again"


def measure(snapshot: Snapshot, rules: Rules) -> float:
    started = time.perf_counter()
    interpret(snapshot, rules)
    return time.perf_counter() - started


def print_figures(figures: Figures) -> None:
    funnel = figures.funnel
    rate = funnel["admitted"] / figures.seconds
    print(f"{figures.site}: {figures.seconds:.1f} s, {rate:.0f} pages/s, start-up included")
    print(
        f"  admitted {funnel['admitted']}, duplicates {funnel['duplicates']}: {funnel['outcomes']}"
    )
    print(f"  records {funnel['records']}")
    print(
        f"  {figures.captures} eligible captures read back; {figures.values} values derived again"
    )
    print(f"  sources {describe_sources(figures)}")
    for fault in figures.faults:
        print(f"  FAULT {fault}")


def describe_sources(figures: Figures) -> str:
    return ", ".join(f"{source} {count}" for source, count in figures.sources.most_common())


def print_slowest(found: Sequence[Figures]) -> None:
    print("slowest to interpret:")
    slowest = sorted((entry for figures in found for entry in figures.slowest), reverse=True)
    for seconds, size, url in slowest[:10]:
        print(f"  {seconds * 1000:7.1f} ms  {size / 1000:7.0f} kB  {urlsplit(url).path}")


if __name__ == "__main__":
    main()
