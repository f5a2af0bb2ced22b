"""``scrapy crawl`` with an exit code that says how the run ended: Scrapy's own is 0 throughout."""

import argparse
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import crawl
from scrapy.exceptions import UsageError

from crawler.commands.offline import refuse_unknown_options
from crawler.commands.output import READING_FAILED, WRONG_USAGE, describe_unknown
from crawler.contracts.errors import CrawlerError, SessionError, SiteConfigError, StorageFailed

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

CODES: dict[type[Exception], int] = {
    UsageError: WRONG_USAGE,
    SiteConfigError: WRONG_USAGE,
    SessionError: WRONG_USAGE,
    StorageFailed: 3,
    CrawlerError: READING_FAILED,
}
"""Exit codes by why no crawl is begun: the first that fits."""
NO_SITE = "its class is no subclass of crawler.spiders.site.SiteSpider, so that it has no site file"


class Command(crawl.Command):
    def syntax(self) -> str:
        return "NAME [options]"

    def short_desc(self) -> str:
        return "Crawl a site of spiders_config, and say how it ended"

    def long_desc(self) -> str:
        return (
            "Crawl a site of spiders_config. Exit codes: 0 finished, 1 failed, 2 wrong usage or "
            "site file, 3 storage failed, 4 deferred (the rest is due later), 5 stopped, 6 session "
            "expired (the rest waits for a new one), 7 session in use by another worker."
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Refuse before the process of the crawl is made: it logs what it consists of."""
        super().process_options(args, opts)
        refuse_unknown_options(args)
        if len(args) != 1:
            raise UsageError("crawl takes the name of one site")
        if reserved := find_reserved(opts.spargs):
            raise UsageError(f"-a {reserved}=... would replace a part of the spider")
        assert self.settings is not None
        if refusal := find_refusal(args[0], self.settings):
            self._refuse(refusal)
            sys.exit(self.exitcode)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            self._crawl(args[0], opts.spargs)
        except CrawlerError as error:  # Changed since it was looked at.
            self._refuse(Refusal(str(error), WRONG_USAGE))

    def _crawl(self, name: str, arguments: dict[str, str]) -> None:
        from crawler.engine.ending import EXIT_CODES
        from crawler.engine.run import Run

        assert self.crawler_process is not None
        crawler = self._create_crawler(name)
        self.crawler_process.crawl(crawler, **arguments)
        self.crawler_process.start()
        run = None if self.crawler_process.bootstrap_failed else crawler.get_extension(Run)
        if run is None:
            self.exitcode = 1
            return
        sys.stderr.write(f"{run.describe_end()}\n")
        self.exitcode = EXIT_CODES[run.ended_as]

    def _refuse(self, refusal: "Refusal") -> None:
        sys.stderr.write(f"{refusal.message}\n")
        self.exitcode = refusal.code
        assert self.settings is not None
        log_file = self.settings.get("LOG_FILE")  # All that Scrapyd shows of a job.
        if log_file:
            with suppress(OSError), Path(log_file).open("a", encoding="utf-8") as log:
                log.write(f"{refusal.message}\n")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no crawl is begun."""

    message: str
    code: int


def find_refusal(name: str, settings: "BaseSettings") -> Refusal | None:
    try:
        check_start(name, settings.copy())
    except (CrawlerError, UsageError) as error:
        code = next(code for kind, code in CODES.items() if isinstance(error, kind))
        return Refusal(str(error), code)
    return None


def check_start(name: str, settings: "BaseSettings") -> None:
    """Look at spider, site file, session and ledger as a run would, and write nothing.

    Raises CrawlerError or UsageError.
    """
    from scrapy.spiderloader import get_spider_loader

    from crawler.engine.data import DataFolder
    from crawler.ledger.database import check_ledger

    loader = get_spider_loader(settings)
    known = loader.list()
    if name not in known:
        raise UsageError(describe_unknown(name, known))
    spider = loader.load(name)
    spider.update_settings(settings)
    if not hasattr(spider, "site"):
        raise UsageError(f"{name}: {NO_SITE}")
    data = DataFolder.from_settings(settings)
    check_ledger(data.url, wait=settings.getfloat("LEDGER_WAIT"))


def find_reserved(arguments: dict[str, str]) -> str | None:
    """Return an argument that names what a spider is made of: Scrapy would overwrite it."""
    from crawler.spiders.site import SiteSpider

    made_of = {*dir(SiteSpider), *SiteSpider.__annotations__, "crawler", "settings"}
    return next((name for name in arguments if name in made_of), None)
