"""``scrapy classify``: what saved pages are, without a crawl, an archive or a ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.manifest import (
    CannotReadError,
    Entry,
    print_batch,
    print_line,
    read_body,
)
from crawler.commands.offline import Offline
from crawler.commands.output import standard_output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

STATUSES = range(100, 1000)


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "FILE --url URL [--status N] [--headers JSON] | --batch MANIFEST.jsonl"

    def short_desc(self) -> str:
        return "Tell challenges, walls and error pages from saved pages"

    def long_desc(self) -> str:
        return (
            "Print one JSON line for each page: id, kind, vendor, evidence, and whether it is "
            "eligible. Each line of a manifest is an object with id, file, url, status and "
            "headers; files are relative to the manifest's folder, and a .gz file is unpacked. "
            "A page without a status counts as answered with 200, one without a file as empty. "
            "What only a site file can say, such as required regions, is not looked at. The exit "
            "code is 1 when FILE cannot be read at all."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--url", help="address that the file was saved from")
        parser.add_argument("--status", default="200", help="status of the response")
        parser.add_argument("--headers", metavar="JSON", help="object of names and values")
        parser.add_argument("--batch", metavar="MANIFEST", help="judge every page of a manifest")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if bool(args) == bool(opts.batch) or len(args) > 1 or (args and not opts.url):
            raise UsageError("classify takes a FILE with --url, or --batch with a manifest")
        with standard_output(self):
            if opts.batch:
                print_batch(self, Path(opts.batch), _describe, _failure, required=("id",))
            else:
                self._run_one(args[0], opts)

    def _run_one(self, file: str, opts: argparse.Namespace) -> None:
        try:
            headers = json.loads(opts.headers) if opts.headers else None
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--headers is no JSON: {error}") from error
        fields = {"id": file, "file": file, "url": opts.url, "status": opts.status}
        try:
            line = _describe(Entry({**fields, "headers": headers}, Path()))
        except CannotReadError as error:
            line, self.exitcode = _failure(file, error), 1
        print_line(line)


def _describe(entry: Entry) -> dict[str, Any]:
    from crawler.classification.verdict import judge_snapshot, vendor_of
    from crawler.replay.saved import make_snapshot

    fields = entry.fields
    snapshot = make_snapshot(
        str(fields.get("url") or ""),
        read_body(entry.file) if fields.get("file") else b"",
        site="classify",
        status=_status(fields.get("status")),
        headers=header_pairs(fields.get("headers")),
    )
    verdict = judge_snapshot(snapshot)
    return {
        "id": entry.id,
        "kind": str(verdict.kind),
        "vendor": vendor_of(verdict),
        "evidence": list(verdict.evidence),
        "eligible": verdict.is_eligible,
    }


def _failure(name: str, problem: object) -> dict[str, Any]:
    nothing: dict[str, Any] = {"kind": None, "vendor": None, "evidence": [], "eligible": False}
    return {"id": name, **nothing, "problems": [str(problem)]}


def _status(value: object) -> int:
    if value is None:
        return 200
    if isinstance(value, int | str) and str(value).isdecimal() and int(value) in STATUSES:
        return int(value)
    raise CannotReadError(f"no status: {value!r}"[:200])


def header_pairs(value: object) -> tuple[tuple[str, str], ...]:
    """Return headers given as an object of texts or lists of texts, or as a list of pairs."""
    return tuple(_iterate_headers(value))


def _iterate_headers(value: object) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    pairs = list(value.items()) if isinstance(value, dict) else value
    if not isinstance(pairs, list):
        raise CannotReadError(f"no headers: {value!r}"[:200])
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise CannotReadError(f"no header: {pair!r}"[:200])
        name, values = pair
        for text in values if isinstance(values, list) else [values]:
            yield str(name), str(text)
