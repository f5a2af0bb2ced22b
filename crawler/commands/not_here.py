"""Commands of Scrapy that would leave a project like this one without what it promises."""

import argparse
import sys
from typing import ClassVar

from crawler.commands.output import WRONG_USAGE

UNGUARDED = (
    "would ask for pages without the authorisation, robots.txt and pace of a site file. Crawl the "
    "site, and look at what came back: scrapy snapshots, scrapy snapshot ID -o page.html"
)
ELSEWHERE = "Outside of this project the command is Scrapy's own."


class NotHere:
    """Mixed into a ScrapyCommand: says what to do in its place, and does nothing."""

    requires_project = True
    requires_crawler_process = False
    instead: ClassVar[str]

    def syntax(self) -> str:
        return "…"

    def short_desc(self) -> str:
        return "Not in this project; says what to do instead"

    def long_desc(self) -> str:
        name = type(self).__module__.rpartition(".")[2]
        return f"scrapy {name} {self.instead}. {ELSEWHERE}"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Whatever was asked for: nothing of it is done."""
        sys.stderr.write(f"{self.long_desc()}\n")
        sys.exit(WRONG_USAGE)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Never reached."""
