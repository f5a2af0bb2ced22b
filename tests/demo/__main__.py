"""Crawl the demo site as a user would, then show what became of every page."""

import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.demo.site import open_demo_site, write_site_files

CHECKOUT = Path(__file__).parents[2]
FOLDER = Path("var/demo")
SITES = ("notices", "programme")
PLACES = ("-s", f"SITES_DIR={FOLDER}/sites", "-s", f"DATA_DIR={FOLDER}/data")

console = Console(highlight=False, soft_wrap=True)


class DemoFailed(Exception):
    """A command ended with another exit code than 0, or left nothing to show."""


def main() -> int:
    started = time.monotonic()
    shutil.rmtree(CHECKOUT / FOLDER, ignore_errors=True)
    try:
        crawl_demo_site()
        show_funnel({site: json.loads(scrapy("outcomes", site, "--json")) for site in SITES})
        for site in SITES:
            show_first_record(scrapy("records", site, "--format", "jsonl"))
    except DemoFailed as failure:
        console.print(str(failure), markup=False, style="red")
        return 1
    show_places(time.monotonic() - started)
    return 0


def crawl_demo_site() -> None:
    with open_demo_site() as server:
        write_site_files(CHECKOUT / FOLDER / "sites", server.authority)
        console.print(f"The demo site runs at {server.url()}\n")
        for site in SITES:
            scrapy("crawl", site)
    console.print(f"The demo site is off; it has answered {len(server.log)} requests.\n")


def scrapy(*args: str) -> str:
    """Run the command in the checkout, showing it first, and return its standard output."""
    console.print(f"$ {as_typed(*args)}", style="bold", markup=False)
    log = CHECKOUT / FOLDER / f"{'-'.join(args[:2])}.log"
    with log.open("w", encoding="utf-8") as stderr:
        finished = subprocess.run(
            [sys.executable, "-m", "scrapy", *args, *PLACES],
            cwd=CHECKOUT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            encoding="utf-8",
            check=False,
        )
    if finished.returncode:
        tail = "\n".join(log.read_text(encoding="utf-8").splitlines()[-20:])
        raise DemoFailed(f"{tail}\nexit code {finished.returncode}; the whole log: {log}")
    return finished.stdout


def as_typed(*args: str) -> str:
    return shlex.join([".venv/bin/scrapy", *args, *PLACES])


def show_funnel(reports: dict[str, Any]) -> None:
    """Print one column a site: what was admitted, what came back, what was kept."""
    table = Table(title="\nFunnel", title_justify="left", title_style="bold")
    table.add_column("")
    for site in reports:
        table.add_column(site, justify="right")
    for label, counts in funnel_rows(list(reports.values())):
        table.add_row(label, *[str(count) for count in counts])
    console.print(table)
    console.print()


def funnel_rows(reports: list[Any]) -> list[tuple[str, list[int]]]:
    """Return (label, count of each report), from admitted to accepted, reasons indented."""
    ended = [report["outcomes"] for report in reports]
    records = [report["records"] for report in reports]
    rejected = [record["rejected"] for record in records]
    return [
        ("pages admitted", [report["admitted"] for report in reports]),
        ("eligible snapshots", [outcomes.get("eligible", 0) for outcomes in ended]),
        *_rows_by_reason([{**outcomes, "eligible": 0} for outcomes in ended]),
        ("still open", [sum(report["open"].values()) for report in reports]),
        ("records accepted", [record["accepted"] for record in records]),
        ("records rejected", [sum(reasons.values()) for reasons in rejected]),
        *_rows_by_reason(rejected),
        ("links to pages already known", [report["duplicates"] for report in reports]),
    ]


def _rows_by_reason(counts: list[dict[str, int]]) -> list[tuple[str, list[int]]]:
    reasons = sorted({reason for count in counts for reason in count if count[reason]})
    return [(f"  {reason}", [count.get(reason, 0) for count in counts]) for reason in reasons]


def show_first_record(lines: str) -> None:
    """Print the values of the first record, each above the place that it was taken from."""
    if not lines:
        raise DemoFailed("no record was accepted")
    record = json.loads(lines.splitlines()[0])
    provenance, evidence = record["provenance"], record["evidence"]
    missing = [name for name, source in evidence.items() if "missing" in source]
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, source in evidence.items():
        if name not in missing:
            place = Text(f"{source['source']} {source['locator']}", style="dim")
            table.add_row(name, Text(f"{record[name]}\n") + place)
    console.print(
        f"\n{provenance['type']} of {provenance['site']}, from {provenance['url']}", style="bold"
    )
    console.print(f"snapshot sha256:{provenance['snapshot_sha256']}")
    console.print(table)
    if missing:
        console.print(f"not on the page: {', '.join(missing)}", style="dim")
    console.print()


def show_places(seconds: float) -> None:
    console.print(f"Done in {seconds:.1f} s. Everything lies in {FOLDER}/:")
    console.print(f"  {FOLDER}/sites/    the site files")
    console.print(f"  {FOLDER}/data/     ledger and archive (WARC)")
    console.print(f"  {FOLDER}/*.log     what each command wrote to its standard error")
    console.print("Go on without the network, for example:")
    for args in (("replay", "notices"), ("records", "programme", "--rejected"), ("verify",)):
        console.print(f"  {as_typed(*args)}", markup=False)


if __name__ == "__main__":
    sys.exit(main())
