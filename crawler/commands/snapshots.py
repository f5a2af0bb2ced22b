"""``scrapy snapshots``: what the archive holds, oldest first."""

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from crawler.commands.offline import Offline
from crawler.commands.output import check_site, only_site, read_ledger, write_json, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from crawler.ledger.queries.captures import CaptureEntry

COLUMNS = ("observed", "site", "status", "reason", "as", "digest", "capture", "url")
COLUMNS_ON_SCREEN = tuple(name for name in COLUMNS if name != "capture")
"""An id takes 45 columns, and broken over lines it cannot be copied; a digest names a page as well."""


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "[SITE]"

    def short_desc(self) -> str:
        return "List captures: eligible snapshots and diagnostics"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one list of objects")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        site = only_site(args)
        read_ledger(self, lambda conn: self._show(conn, site, opts))

    def _show(self, conn: "Connection", site: str | None, opts: argparse.Namespace) -> None:
        from crawler.ledger.queries.captures import iterate_captures

        if site is not None and not check_site(self, conn, site):
            return
        captures = iterate_captures(conn, site)
        if opts.json:
            write_json([asdict(capture) for capture in captures])
            return
        columns = COLUMNS_ON_SCREEN if sys.stdout.isatty() else COLUMNS
        write_table(columns, (tuple(name_cells(c, columns)) for c in captures))


def name_cells(capture: "CaptureEntry", columns: tuple[str, ...]) -> "Iterator[object]":
    cells = {
        "observed": f"{capture.observed_at[:19]}Z",
        "site": capture.site,
        "status": capture.status,
        "reason": capture.reason,
        "as": capture.representation,
        "digest": capture.digest[:12],
        "capture": capture.capture_id,
        "url": capture.final_url,
    }
    return (cells[name] for name in columns)
