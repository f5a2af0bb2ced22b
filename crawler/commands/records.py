"""``scrapy records``: the records an agent may use, or with --rejected those it may not."""

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import IO, TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.offline import Offline
from crawler.commands.output import check_site, only_site, open_output, read_ledger
from crawler.contracts.inert import dump_json, neutral_cell

STATUSES = ("new", "changed", "unchanged", "vanished")

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from crawler.contracts.record import Record
    from crawler.reporting.freshness import Freshness


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "[SITE] [--rejected] [--status STATUS] [--format jsonl|csv|json] [-o FILE]"

    def short_desc(self) -> str:
        return "Print accepted records with their provenance, or rejected ones with the reason"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--rejected", action="store_true", help="what may not be used, and why")
        parser.add_argument(
            "--status",
            action="append",
            choices=STATUSES,
            help="only records that are this; may be given more than once",
        )
        parser.add_argument(
            "--format",
            choices=tuple(WRITERS),
            default="jsonl",
            help="jsonl and csv: one record a line; json: one document for each snapshot",
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="written whole or not at all")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        site = only_site(args)
        if opts.rejected and opts.status:
            raise UsageError("--status is of accepted records, not of --rejected ones")
        read_ledger(self, lambda conn: self._write(conn, site, opts))

    def _write(self, conn: "Connection", site: str | None, opts: argparse.Namespace) -> None:
        from crawler.reporting.freshness import iterate_fresh

        if site is not None and not check_site(self, conn, site):
            return
        freshness = self._read_limits(conn, site)
        with open_output(opts.output) as file:
            if opts.rejected:
                write_rejections(conn, site, freshness, opts.format, file)
            else:
                fresh = iterate_fresh(conn, site, freshness)
                WRITERS[opts.format](select_by_status(fresh, opts.status), file)

    def _read_limits(self, conn: "Connection", site: str | None) -> "Freshness":
        """A site whose file cannot be read keeps its records, and is named."""
        from crawler.contracts.errors import SiteConfigError
        from crawler.contracts.site.section import parse_duration
        from crawler.ledger.queries.funnel import list_sites
        from crawler.reporting.freshness import Freshness
        from crawler.sites.loading import load_site

        assert self.settings is not None
        limits: dict[str, float | None] = {}
        for name in [site] if site else list_sites(conn):
            try:
                config = load_site(name, self.settings.get("SITES_DIR") or None).config
            except SiteConfigError as error:
                sys.stderr.write(f"{name}: freshness is not checked: {error}\n")
                continue
            limit = config.record.fresh_for
            limits[name] = parse_duration(limit) if limit else None
        return Freshness(limits, time.time())


def select_by_status(records: "Iterable[Record]", wanted: list[str] | None) -> "Iterator[Record]":
    for record in records:
        if not wanted or (record.standing and record.standing.status in wanted):
            yield record


def write_jsonl(records: "Iterable[Record]", file: IO[str]) -> None:
    from crawler.contracts.export import record_line

    for record in records:
        file.write(dump_json(record_line(record)) + "\n")


def write_json(records: "Iterable[Record]", file: IO[str]) -> None:
    """Write an array of collection documents, one for each snapshot, without holding them all."""
    from crawler.contracts.export import collection_document

    by_snapshot = groupby(records, lambda record: (record.capture_id, record.schema_version))
    documents = (collection_document(list(group)) for _, group in by_snapshot)
    _write_array(documents, file)


def write_csv(records: "Iterable[Record]", file: IO[str]) -> None:
    """Columns are the union of all fields, then the provenance; evidence is left to the others."""
    from crawler.contracts.export import PROVENANCE, STANDING, record_provenance, record_values

    rows = [(record_values(record), record_provenance(record)) for record in records]
    names = list(dict.fromkeys(name for values, _ in rows for name in values))
    writer = csv.writer(file, lineterminator="\n")
    sources = (*PROVENANCE, *STANDING)
    writer.writerow([*names, *(f"provenance.{name}" for name in sources)])
    for values, provenance in rows:
        cells = [*(values.get(name) for name in names), *(provenance.get(n) for n in sources)]
        writer.writerow(map(neutral_cell, cells))


WRITERS = {"jsonl": write_jsonl, "csv": write_csv, "json": write_json}


def write_rejections(
    conn: "Connection", site: str | None, freshness: "Freshness", layout: str, file: IO[str]
) -> None:
    from dataclasses import asdict

    from crawler.ledger.queries.records import iterate_rejections
    from crawler.reporting.collections import iterate_incomplete
    from crawler.reporting.freshness import iterate_stale

    rejections = chain(
        iterate_rejections(conn, site),
        iterate_incomplete(conn, site),
        iterate_stale(conn, site, freshness),
    )
    lines = (asdict(rejection) for rejection in rejections)
    if layout == "json":
        _write_array(lines, file)
    elif layout == "jsonl":
        file.writelines(dump_json(line) + "\n" for line in lines)
    else:
        _write_rejection_table(lines, file)


def _write_rejection_table(lines: Iterator[dict[str, Any]], file: IO[str]) -> None:
    columns = ("site", "url", "reason", "field", "detail", "capture_id", "observed_at")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for line in lines:
        cells = {**line, **line["rejection"]}
        writer.writerow(neutral_cell(cells[name]) for name in columns)


def _write_array(documents: Iterable[dict[str, Any]], file: IO[str]) -> None:
    separator = "["
    for document in documents:
        file.write(f"{separator}\n{dump_json(document)}")
        separator = ","
    file.write("[]\n" if separator == "[" else "\n]\n")
