"""``scrapy snapshots``: what the archive holds, oldest first."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from crawler.commands.offline import Offline
from crawler.commands.output import check_site, only_site, read_ledger, write_json, write_table

if TYPE_CHECKING:
    from sqlalchemy import Connection

COLUMNS = ("observed", "site", "status", "reason", "as", "digest", "capture", "url")


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
        rows = (
            (
                c.observed_at,
                c.site,
                c.status,
                c.reason,
                c.representation,
                c.digest[:12],
                c.capture_id,
                c.final_url,
            )
            for c in captures
        )
        write_table(COLUMNS, rows)
