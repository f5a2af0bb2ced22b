"""``scrapy outcomes``: what became of every URL of a site's latest cycle."""

import argparse
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand

from crawler.commands.offline import Offline
from crawler.commands.output import check_site, only_site, read_ledger, write_json, write_table

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "[SITE]"

    def short_desc(self) -> str:
        return "Show what became of every URL: admitted, outcomes, records, rejections"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--json", action="store_true", help="one object, or a list without SITE"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        site = only_site(args)
        read_ledger(self, lambda conn: self._show(conn, site, opts))

    def _show(self, conn: "Connection", site: str | None, opts: argparse.Namespace) -> None:
        from crawler.ledger.queries.funnel import list_sites

        if site is not None and not check_site(self, conn, site):
            return
        funnels = [read_outcomes(conn, name) for name in ([site] if site else list_sites(conn))]
        if opts.json:
            write_json(funnels[0] if site else funnels)
            return
        columns = ("site", "cycle", "stage", "what", "count")
        write_table(columns, (line for funnel in funnels for line in funnel_lines(funnel)))


def read_outcomes(conn: "Connection", site: str) -> dict[str, Any]:
    """Return the funnel of the latest cycle, and once it is closed whether it is complete."""
    from crawler.ledger.queries.collections import find_judged_cycle
    from crawler.ledger.queries.funnel import read_funnel

    judged = find_judged_cycle(conn, site)
    return {
        **read_funnel(conn, site),
        "complete": judged.is_complete if judged else None,
        "collections": [each.as_json() for each in judged.collections] if judged else [],
    }


def funnel_lines(funnel: dict[str, Any]) -> list[tuple[object, ...]]:
    head = (funnel["site"], funnel["cycle"])
    lines = [
        ("admitted", "", funnel["admitted"]),
        ("duplicates", "", funnel["duplicates"]),
        *(("left out", bound, links) for bound, links in funnel["left_out"].items()),
        *(("open", state, count) for state, count in funnel["open"].items() if count),
        *(("outcome", reason, count) for reason, count in funnel["outcomes"].items()),
        ("records", "accepted", funnel["records"]["accepted"]),
        ("records", "unchanged", funnel["records"]["unchanged"]),
        *(("rejected", reason, n) for reason, n in funnel["records"]["rejected"].items()),
        *(collection_line(collection) for collection in funnel["collections"]),
    ]
    return [(*head, *line) for line in lines]


def collection_line(collection: dict[str, Any]) -> tuple[object, ...]:
    """Return a line like ``complete  https://garden.example/events  48 of 48``."""
    told = "; ".join((collection["url"], *collection["gaps"].values()))
    items, expected = collection["items"], collection["expected"]
    count = items if expected is None else f"{items} of {expected}"
    return ("complete" if collection["complete"] else "incomplete", told, count)
