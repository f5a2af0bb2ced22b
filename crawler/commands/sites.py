"""``scrapy sites``: check every site file, and show who allowed what until when."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.offline import Offline
from crawler.commands.output import print_table, standard_output, write_json

if TYPE_CHECKING:
    import argparse
    from datetime import date

    from crawler.contracts.rules import LoadedSite


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Check all site files; show their authorisations"

    def long_desc(self) -> str:
        return (
            "Check every site file and record type. Problems go to stderr as "
            "file:line: field: message, and the exit code is 1. Warnings, such as of selectors that "
            "lean on generated class names, leave it at 0."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        output = parser.add_mutually_exclusive_group()
        output.add_argument("--json", action="store_true", help="print the sites as JSON")
        output.add_argument(
            "--schema", action="store_true", help="print the JSON Schema of a site file"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError("sites takes no arguments: it checks every site file")
        with standard_output(self):
            if opts.schema:
                from crawler.sites.schema import json_schema

                print(json.dumps(json_schema(), indent=2))
            else:
                self._lint(as_json=opts.json)

    def _lint(self, *, as_json: bool) -> None:
        from datetime import UTC, datetime

        from crawler.contracts.errors import SiteConfigError
        from crawler.sites.loading import lint_all

        assert self.settings is not None
        try:
            report = lint_all(self.settings.get("SITES_DIR"))
        except SiteConfigError as error:
            self._complain(error.problems)
            return
        today = datetime.now(UTC).date()
        rows = [_describe(site, today) for site in report.sites]
        if as_json:
            write_json(rows)
        elif rows:
            _print_table(rows)
        elif not report.problems:
            print("no site files yet", file=sys.stderr)
        if report.warnings:
            print(*report.warnings, sep="\n", file=sys.stderr)
        self._complain(report.problems)

    def _complain(self, problems: tuple[object, ...]) -> None:
        if problems:
            print(*problems, sep="\n", file=sys.stderr)
            self.exitcode = 1


def _describe(site: LoadedSite, today: date) -> dict[str, Any]:
    from crawler.contracts.snapshot import PageKind
    from crawler.sites.authorization import authorization_state

    config = site.config
    authorization = authorization_state(config, today)
    return {
        "site": config.site,
        "approved_by": config.authorization.approved_by,
        "basis": config.authorization.basis,
        "expires": config.authorization.expires.isoformat(),
        "state": authorization.state.value,
        "days_left": authorization.days_left,
        "type": config.record.type,
        "session": config.access.session.name if config.access.session else None,
        "start": list(config.start),
        "representation": {kind: str(config.access.representation.of(kind)) for kind in PageKind},
        "path": site.path,
        "site_hash": site.site_hash,
        "authorization_hash": site.authorization_hash,
        "rule_version": site.rules.version,
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("site", "authorised by", "expires", "state", "type", box=None)
    table.add_column("start", overflow="fold")
    for row in rows:
        start, *more = row["start"]
        cells = (
            row["site"],
            row["approved_by"],
            row["expires"],
            _say_state(row["state"], row["days_left"]),
            row["type"],
            f"{start} (+{len(more)})" if more else start,
        )
        # Text: a bracket in a file is no markup for the terminal.
        table.add_row(*(Text(cell) for cell in cells))
    print_table(table)


def _say_state(state: str, days_left: int) -> str:
    if state == "expired" or days_left > WARN_DAYS:
        return state
    return f"expires in {days_left} days" if days_left else "expires today"


WARN_DAYS = 30
