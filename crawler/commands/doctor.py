"""``scrapy doctor``: examines the installation, and says of each thing what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.offline import Offline
from crawler.commands.output import print_table, printable, standard_output, write_json

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from crawler.reporting.health.check import Check


class Command(Offline, ScrapyCommand):
    def short_desc(self) -> str:
        return "Check browser, storage, site files, exposure; say what to do"

    def long_desc(self) -> str:
        return (
            "Examine this installation: browser, ledger, archive, site files, page workers, "
            "Scrapyd, settings, clock and libraries. Sends nothing beyond this machine. Exits "
            "with 1 when something must be mended."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print one list of objects")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from datetime import datetime

        from crawler.engine.health import examine
        from crawler.reporting.health.check import State

        if args:
            raise UsageError("doctor takes no arguments")
        assert self.settings is not None
        with standard_output(self):
            checks = examine(self.settings, datetime.now().astimezone())
            if opts.json:
                write_json([_describe(check) for check in checks])
            else:
                _print(checks)
            self.exitcode = 1 if any(check.state is State.PROBLEM for check in checks) else 0


def _describe(check: Check) -> dict[str, str]:
    return {
        "name": check.name,
        "state": check.state.value,
        "found": printable(check.found),
        "advice": check.advice,
    }


def _print(checks: Sequence[Check]) -> None:
    from rich.table import Table
    from rich.text import Text

    from crawler.reporting.health.check import State

    styles = {State.OK: "green", State.WARNING: "yellow", State.PROBLEM: "bold red"}
    table = Table(box=None, header_style="bold")
    table.add_column("state")
    table.add_column("check", no_wrap=True)
    table.add_column("found", overflow="fold")
    table.add_column("what to do", overflow="fold")
    for check in checks:
        state = Text(check.state.value, style=styles[check.state])
        # Text: a bracket in a path is no markup for the terminal.
        rest = (Text(printable(cell)) for cell in (check.name, check.found, check.advice))
        table.add_row(state, *rest)
    print_table(table)
