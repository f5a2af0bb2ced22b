"""``scrapy outcomes``: what became of every URL of a site's latest cycle."""

import argparse
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand

from crawler.commands.offline import Offline
from crawler.commands.output import check_site, only_site, read_ledger, write_json, write_table

FUNNEL_COLUMNS = ("site", "cycle", "stage", "what", "count")
COLLECTION_COLUMNS = ("site", "cycle", "state", "items", "expected", "accepted", "start", "gaps")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "[SITE] [--collections]"

    def short_desc(self) -> str:
        return "Show what became of every URL: admitted, outcomes, records, rejections"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--collections",
            action="store_true",
            help="instead: whether what each start address lists is complete, and why not",
        )
        parser.add_argument(
            "--json", action="store_true", help="one object, or a list without SITE"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        site = only_site(args)
        read_ledger(self, lambda conn: self._show(conn, site, opts))

    def _show(self, conn: "Connection", site: str | None, opts: argparse.Namespace) -> None:
        from crawler.ledger.queries.funnel import list_sites, read_funnel

        if site is not None and not check_site(self, conn, site):
            return
        read, columns, lines = (
            (read_collections, COLLECTION_COLUMNS, collection_lines)
            if opts.collections
            else (read_funnel if opts.json else read_figures, FUNNEL_COLUMNS, funnel_lines)
        )
        found = [read(conn, name) for name in ([site] if site else list_sites(conn))]
        if opts.json:
            write_json(found[0] if site else found)
            return
        write_table(columns, (line for each in found for line in lines(each)))


def read_figures(conn: "Connection", site: str) -> dict[str, Any]:
    """Return the funnel with what bounds left out of it."""
    from crawler.ledger.queries.funnel import read_funnel, read_left_out

    return {**read_funnel(conn, site), "left_out": read_left_out(conn, site)}


def read_collections(conn: "Connection", site: str) -> dict[str, Any]:
    """Return the verdicts on the latest cycle; ``complete`` is None while it is open."""
    from crawler.ledger.queries.collections import find_judged_cycle
    from crawler.ledger.queries.funnel import read_funnel, read_left_out

    judged = find_judged_cycle(conn, site)
    return {
        "site": site,
        "cycle": read_funnel(conn, site)["cycle"],
        "complete": judged.is_complete if judged else None,
        "left_out": read_left_out(conn, site),
        "collections": [each.as_json() for each in judged.collections] if judged else [],
    }


def collection_lines(found: dict[str, Any]) -> "Iterator[tuple[object, ...]]":
    for each in found["collections"]:
        state = "complete" if each["complete"] else "incomplete"
        gaps = "; ".join(each["gaps"].values())
        yield (
            found["site"],
            found["cycle"],
            state,
            each["items"],
            each["expected"],
            each["accepted"],
            each["url"],
            gaps,
        )


def funnel_lines(funnel: dict[str, Any]) -> list[tuple[object, ...]]:
    head = (funnel["site"], funnel["cycle"])
    records = dict(funnel["records"])
    rejected = records.pop("rejected")
    lines = [
        ("admitted", "", funnel["admitted"]),
        ("duplicates", "", funnel["duplicates"]),
        *(("left out", bound, links) for bound, links in funnel["left_out"].items()),
        *(("open", state, count) for state, count in funnel["open"].items() if count),
        *(("outcome", reason, count) for reason, count in funnel["outcomes"].items()),
        *(("records", status, n) for status, n in records.items()),
        *(("rejected", reason, n) for reason, n in rejected.items()),
    ]
    return [(*head, *line) for line in lines]
