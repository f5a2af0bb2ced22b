"""``scrapy crawl`` with an exit code that says how the run ended: Scrapy's own is 0 throughout."""

import argparse
import logging
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.commands import crawl
from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from crawler.commands.offline import refuse_unknown_options
from crawler.commands.output import READING_FAILED, WRONG_USAGE, describe_unknown

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

STORAGE_FAILED = 3


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
        from crawler.contracts.errors import CrawlerError

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
        if self.settings.get("LOG_FILE"):  # All that Scrapyd shows of a job.
            configure_logging(self.settings)
            logger.error("%s", refusal.message)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no crawl is begun."""

    message: str
    code: int


def find_refusal(name: str, settings: "BaseSettings") -> Refusal | None:
    """Look at the site file, its session and the ledger as a run would, and write nothing."""
    from scrapy.spiderloader import get_spider_loader

    from crawler.contracts.errors import CrawlerError, StorageFailed

    try:
        loader = get_spider_loader(settings)
    except UsageError as error:
        return Refusal(str(error), WRONG_USAGE)
    known = loader.list()
    if name not in known:
        return Refusal(describe_unknown(name, known), WRONG_USAGE)
    spider = loader.load(name)
    settings = settings.copy()
    try:
        spider.update_settings(settings)
    except CrawlerError as error:
        return Refusal(str(error), WRONG_USAGE)
    try:
        if hasattr(spider, "site"):
            check_storage(settings)
    except StorageFailed as error:
        return Refusal(f"storage failed: {error}", STORAGE_FAILED)
    except CrawlerError as error:
        return Refusal(str(error), READING_FAILED)
    return None


def check_storage(settings: "BaseSettings") -> None:
    """Raise CrawlerError."""
    from crawler.engine.data import DataFolder
    from crawler.ledger.database import check_ledger

    data = DataFolder.from_settings(settings)
    check_ledger(data.url, wait=settings.getfloat("LEDGER_WAIT"))


def find_reserved(arguments: dict[str, str]) -> str | None:
    """Return an argument that names what a spider is made of: Scrapy would overwrite it."""
    from crawler.spiders.site import SiteSpider

    made_of = {*dir(SiteSpider), *SiteSpider.__annotations__, "crawler", "settings"}
    return next((name for name in arguments if name in made_of), None)
