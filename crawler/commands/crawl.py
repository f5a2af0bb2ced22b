"""``scrapy crawl`` with an exit code that says how the run ended: Scrapy's own is 0 throughout."""

import argparse
import sys

from scrapy.commands import crawl
from scrapy.exceptions import UsageError

from crawler.commands.offline import refuse_unknown_options
from crawler.commands.output import describe_unknown


class Command(crawl.Command):
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
        known = self._sites()
        if args[0] not in known:
            sys.stderr.write(f"{describe_unknown(args[0], known)}\n")
            sys.exit(2)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from crawler.contracts.errors import CrawlerError

        if reserved := find_reserved(opts.spargs):
            raise UsageError(f"-a {reserved}=... would replace a part of the spider")
        try:
            self._crawl(args[0], opts.spargs)
        except CrawlerError as error:
            self._refuse(str(error))

    def _sites(self) -> list[str]:
        from scrapy.spiderloader import get_spider_loader

        assert self.settings is not None
        return get_spider_loader(self.settings).list()

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

    def _refuse(self, message: str) -> None:
        sys.stderr.write(f"{message}\n")
        self.exitcode = 2


def find_reserved(arguments: dict[str, str]) -> str | None:
    """Return an argument that names what a spider is made of: Scrapy would overwrite it."""
    from crawler.spiders.site import SiteSpider

    made_of = {*dir(SiteSpider), *SiteSpider.__annotations__, "crawler", "settings"}
    return next((name for name in arguments if name in made_of), None)
