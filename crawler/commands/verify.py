"""``scrapy verify``: reads the whole archive and names what is damaged."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.offline import Offline
from crawler.commands.output import print_table, standard_output, write_json

if TYPE_CHECKING:
    from crawler.archive.reader import ArchiveReader
    from crawler.archive.verify import FileReport, Indexed, VerifyReport
    from crawler.engine.data import DataFolder


class Command(Offline, ScrapyCommand):
    def short_desc(self) -> str:
        return "Check every capture of the archive"

    def long_desc(self) -> str:
        return (
            "Read every capture in DATA_DIR/archive and check lengths and digests. "
            "Exits with 1 when something is damaged; the unfinished end that a killed run "
            "leaves behind is only reported."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--repair",
            action="store_true",
            help="cut unfinished ends from files that no running crawl writes",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError("verify takes no arguments: it reads the whole archive")
        with standard_output(self):
            self._verify(opts)

    def _verify(self, opts: argparse.Namespace) -> None:
        from crawler.archive.reader import ArchiveReader
        from crawler.contracts.errors import CrawlerError
        from crawler.engine.data import DataFolder

        assert self.settings is not None
        data = DataFolder.from_settings(self.settings)
        if not data.archive.is_dir() and not data.has_ledger:
            print(f"{data.archive}: no archive here; nothing has been crawled yet", file=sys.stderr)
        reader = ArchiveReader(data.archive)
        try:
            report = verify_with_progress(reader, index=list_indexed(data))
        except CrawlerError as error:
            print(error, file=sys.stderr)
            self.exitcode = 1
            return
        cut = cut_torn_tails(reader.folder, report.files) if opts.repair else {}
        if opts.json:
            write_json(describe(report, cut))
        elif report.files:
            show_table(report, cut)
        self.exitcode = 0 if report.is_intact else 1


def list_indexed(data: "DataFolder") -> "list[Indexed] | None":
    """Return every capture the ledger knows; None where there is no ledger to compare with."""
    from crawler.archive.verify import Indexed
    from crawler.ledger.queries import reading
    from crawler.ledger.queries.captures import iterate_locations

    if not data.has_ledger:
        return None
    with reading(data.url) as conn:
        return [Indexed(*entry) for entry in iterate_locations(conn)]


def verify_with_progress(
    reader: "ArchiveReader", *, index: "Iterable[Indexed] | None" = None
) -> "VerifyReport":
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from crawler.archive.verify import measure_folder, verify_folder

    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task("verify", total=measure_folder(reader))
        return verify_folder(
            reader, index=index, progress=lambda size: bar.update(task, advance=size)
        )


def cut_torn_tails(folder: Path, files: "Iterable[FileReport]") -> dict[str, int]:
    """Return how many bytes were cut from which file."""
    from crawler.archive.repair import cut_tail

    cut: dict[str, int] = {}
    for file in files:
        if file.torn is None or file.is_open:
            continue
        try:
            cut[file.file] = cut_tail(folder, file.file, file.torn.offset)
        except BlockingIOError:
            print(f"{file.file}: left alone, a crawl writes it", file=sys.stderr)
    return cut


def describe(report: "VerifyReport", cut: dict[str, int]) -> dict[str, object]:
    return {
        "intact": report.is_intact,
        "captures": sum(file.captures for file in report.files),
        "files": [
            {
                "file": file.file,
                "bytes": file.size,
                "captures": file.captures,
                "unindexed": file.unindexed,
                "open": file.is_open,
                "damaged": [{"offset": d.offset, "what": d.what} for d in file.damages],
                "torn_at": file.torn.offset if file.torn else None,
                "cut_bytes": cut.get(file.file, 0),
            }
            for file in report.files
        ],
    }


def show_table(report: "VerifyReport", cut: dict[str, int]) -> None:
    from rich.table import Table

    table = Table(box=None)
    table.add_column("file", overflow="fold")
    for heading in ("bytes", "captures", "damaged", "unindexed"):
        table.add_column(heading, justify="right")
    table.add_column("end", no_wrap=True)
    for file in report.files:
        numbers = (file.size, file.captures, len(file.damages), file.unindexed)
        table.add_row(file.file, *map(str, numbers), describe_end(file, cut))
    print_table(table)
    for damage in report.damages:
        print(f"{damage.file}@{damage.offset}: {damage.what}", file=sys.stderr)


def describe_end(file: "FileReport", cut: dict[str, int]) -> str:
    if file.is_open:
        return "being written"
    if file.torn is None:
        return "whole"
    if file.file in cut:
        return f"cut by {cut[file.file]} bytes"
    return f"torn at {file.torn.offset}"
