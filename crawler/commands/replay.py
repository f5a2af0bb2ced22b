"""``scrapy replay``: what the site file as it is now would make of the pages already retained."""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand

from crawler.commands.offline import Offline
from crawler.commands.output import (
    check_site,
    only_site,
    printable,
    read_ledger,
    write_json,
    write_table,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from crawler.replay.site import ReplayedPage

COLUMNS = ("site", "change", "url", "record", "field", "old", "new")


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "[SITE] [--apply]"

    def short_desc(self) -> str:
        return "Read retained pages again and show what would change; connects to nothing"

    def long_desc(self) -> str:
        return (
            "Interpret every eligible page of the latest cycle again under the site file as it is "
            "now, and show the differences from the ledger. With --apply the ledger is brought in "
            "line. No connection is made: the process forbids itself all but the ledger's. Exit "
            "code 1 when a page could not be read again."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--apply", action="store_true", help="publish what is read now")
        parser.add_argument("--json", action="store_true", help="one list, an object for each site")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        site = only_site(args)
        read_ledger(self, lambda conn: self._replay(conn, site, opts))

    def _replay(self, conn: "Connection", name: str | None, opts: argparse.Namespace) -> None:
        from crawler.contracts.errors import SiteConfigError
        from crawler.engine.data import DataFolder
        from crawler.ledger.queries.funnel import list_sites
        from crawler.replay.guard import forbid_connections
        from crawler.sites.loading import load_site

        assert self.settings is not None
        if name is not None and not check_site(self, conn, name):
            return
        data = DataFolder.from_settings(self.settings)
        forbid_connections(data.ledger_hosts)
        reports = []
        for site_name in [name] if name else list_sites(conn):
            try:
                site = load_site(site_name, self.settings.get("SITES_DIR") or None)
            except SiteConfigError as error:
                sys.stderr.write(f"{error}\n")
                self.exitcode = 1
                continue
            pages = asyncio.run(self._read_again(conn, data, site))
            if opts.apply:
                apply_pages(data, site_name, pages)
            reports.append((site_name, pages))
        self._show(reports, opts)

    async def _read_again(self, conn: "Connection", data: Any, site: Any) -> "list[ReplayedPage]":
        from rich.console import Console
        from rich.progress import track

        from crawler.archive.reader import ArchiveReader
        from crawler.engine.limits import page_limits
        from crawler.interpretation.interpreter import make_interpreter
        from crawler.replay.site import list_pages, replay_page

        assert self.settings is not None
        pool = make_interpreter(site.rules, page_limits(self.settings))
        archive = ArchiveReader(data.archive)
        pages = list_pages(conn, site.config.site)
        console = Console(stderr=True)
        bar = track(
            pages,
            f"replay {site.config.site}",
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        try:
            return [await replay_page(conn, archive, site, pool, page) for page in bar]
        finally:
            await pool.close()

    def _show(
        self, reports: "list[tuple[str, list[ReplayedPage]]]", opts: argparse.Namespace
    ) -> None:
        for _, pages in reports:
            for page in pages:
                if page.failure:
                    sys.stderr.write(f"{page.url}: {printable(page.failure)}\n")
                    self.exitcode = 1
        if opts.json:
            write_json([summarise(name, pages, is_applied=opts.apply) for name, pages in reports])
            return
        if any(page.differences for _, pages in reports for page in pages):
            write_table(COLUMNS, difference_lines(reports))
        for name, pages in reports:
            for line in describe_changes(name, pages, is_applied=opts.apply):
                sys.stderr.write(f"{line}\n")


def apply_pages(data: Any, site: str, pages: "Iterable[ReplayedPage]") -> None:
    """Publish what was read again, and judge its cycle anew.

    Raises StorageFailed; what was written before it stays.
    """
    import time
    import uuid

    from crawler.archive.writer import ArchiveWriter
    from crawler.ledger.operations import JudgeCycle, RepublishPage
    from crawler.ledger.writer import LedgerWriter

    owner = f"replay-{uuid.uuid4().hex[:12]}"
    archive = ArchiveWriter(data.archive, owner, clock=time.time)  # Nothing is ever appended.
    writer = LedgerWriter(data.url, archive, owner, site)
    writer.start()
    try:
        publications = [page.publication for page in pages if page.publication]
        for published in [writer.submit(RepublishPage(each)) for each in publications]:
            published.result()
        for cycle in sorted({publication.cycle for publication in publications}):
            writer.submit(JudgeCycle(cycle)).result()
    finally:
        writer.close()
        archive.close()


def describe_changes(site: str, pages: "list[ReplayedPage]", *, is_applied: bool) -> Iterator[str]:
    """Yield what is judged otherwise, most frequent first, and the count of all changes."""
    from crawler.replay.difference import count_verdicts

    differences = [d for page in pages for d in page.differences]
    for (of, old, new), count in count_verdicts(differences).most_common():
        yield f"{site}: {of}: {old or 'absent'} -> {new or 'absent'}: {count}"
    changes = Counter(d.change.value for d in differences)
    told = ", ".join(f"{n} {change}" for change, n in sorted(changes.items())) or "same"
    done = " (applied)" if is_applied else ""
    yield f"{site}: {told}{done}; pages read again: {len(pages)}"


def summarise(site: str, pages: "list[ReplayedPage]", *, is_applied: bool) -> dict[str, Any]:
    from crawler.replay.difference import count_verdicts

    differences = [d for page in pages for d in page.differences]
    verdicts = count_verdicts(differences).most_common()
    return {
        "site": site,
        "pages": len(pages),
        "applied": is_applied,
        "failures": [{"url": page.url, "why": page.failure} for page in pages if page.failure],
        "verdicts": [
            {"of": of, "old": old, "new": new, "count": count} for (of, old, new), count in verdicts
        ],
        "differences": [asdict(d) for d in differences],
    }


def difference_lines(
    reports: "list[tuple[str, list[ReplayedPage]]]",
) -> "Iterable[tuple[object, ...]]":
    for name, pages in reports:
        for page in pages:
            for d in page.differences:
                yield (name, d.change, d.url, d.key, d.field, d.old, d.new)
