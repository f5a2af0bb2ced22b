"""Compares the CPU of reading one record with that of extruct: ``python -m tests.bench.bench_extraction CORPORA``.

Both read the same pages by turns in one process, extruct its JSON-LD alone, and on every tenth page
all of its syntaxes. Every page is read for the type that its folder suggests, default rules only.
"""

import argparse
import contextlib
import logging
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import extruct  # type: ignore[import-untyped]
import psutil  # type: ignore[import-untyped]

from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.extraction.jsonld import read_blocks
from crawler.extraction.records import extract
from tests.bench.score_extraction import default_rules, make_snapshot, read_body, read_manifest

FOLDERS = {
    "recipe-scrapers": "recipe",
    "article-extraction-benchmark": "article",
    "wcxb": "article",
    "htmldate": "article",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="of each folder")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    process = psutil.Process()
    print(
        f"{'folder':32}{'pages':>6}{'ours ms':>9}{'extruct ms':>11}{'broken':>8}{'RSS MB':>8}"
        f"{'every 10th: ours':>18}{'extruct, all':>14}"
    )
    for name, record_type in FOLDERS.items():
        rules = default_rules(record_type)
        pages = list(islice(read_pages(options.corpora / name), options.pages))
        ours, theirs, broken = compare(pages, rules)
        count = len(pages)
        memory = process.memory_info().rss / 1e6
        print(
            f"{name:32}{count:6}{1000 * ours / count:9.2f}{1000 * theirs / count:11.2f}"
            f"{broken:8}{memory:8.0f}",
            end="",
        )
        few = pages[::10]
        ours, everything = measure(few, rules, extruct.SYNTAXES)
        print(f"{1000 * ours / len(few):18.2f}{1000 * everything / len(few):14.2f}", flush=True)


def read_pages(folder: Path) -> Iterator[Snapshot]:
    for entry in read_manifest(folder):
        yield make_snapshot(entry["url"], read_body(folder, entry))


def compare(pages: list[Snapshot], rules: Rules) -> tuple[float, float, int]:
    """Return the seconds of CPU of both, and the JSON-LD blocks that could not be read."""
    ours, theirs = measure(pages, rules, ["json-ld"])
    return ours, theirs, sum(len(read_blocks(Document(snapshot))[1]) for snapshot in pages)


def measure(pages: list[Snapshot], rules: Rules, syntaxes: list[str]) -> tuple[float, float]:
    ours = theirs = 0.0
    for snapshot in pages:
        document = Document(snapshot)
        text = document.text  # decoded before: extruct is given text too
        started = time.process_time()
        extract(document, snapshot, rules)
        between = time.process_time()
        read_by_extruct(text, syntaxes)
        ours, theirs = ours + between - started, theirs + time.process_time() - between
    return ours, theirs


def read_by_extruct(text: str, syntaxes: list[str]) -> Any:
    with contextlib.suppress(Exception):
        return extruct.extract(text, syntaxes=syntaxes, errors="ignore")


if __name__ == "__main__":
    main()
