"""``scrapy shell`` on a page that is at hand; nothing in it can ask for another one."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrapy.commands import shell
from scrapy.exceptions import UsageError
from scrapy.utils.url import guess_scheme
from w3lib.url import file_uri_to_path

from crawler.commands.not_here import UNGUARDED
from crawler.commands.offline import is_web_address

PLAIN: Mapping[str, Any] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "DOWNLOADER": "scrapy.core.downloader.Downloader",
    "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https", "ftp", "s3", "data")),
    "DOWNLOADER_MIDDLEWARES": {},
    "SPIDER_MIDDLEWARES": {},
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {},
    "ROBOTSTXT_OBEY": False,
    # Scrapy leaves the thread of the loop running; uvloop's does not survive the interpreter's end.
    "ASYNCIO_EVENT_LOOP": None,
}
"""Scrapy as it comes, of which only files can be had: no site is asked, no ledger is needed."""


class Command(shell.Command):
    def syntax(self) -> str:
        return "[FILE]"

    def short_desc(self) -> str:
        return "Interactive console, with a saved page"

    def long_desc(self) -> str:
        return "Interactive console for trying selectors on a saved page, such as ./page.html."

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.setdict(PLAIN, priority="cmdline")
        url = guess_scheme(args[0]) if args else ""
        if url.startswith("file:") and not Path(file_uri_to_path(url)).is_file():
            raise UsageError(f"{args[0]}: no such file")
        if is_web_address(url):
            raise UsageError(f"{args[0]}: scrapy shell {UNGUARDED}, scrapy shell ./page.html")
