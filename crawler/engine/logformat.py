"""Log lines: what became of a page is in the ledger, so that a crawl need not log every one."""

from typing import Any

from scrapy.logformatter import LogFormatter


class LedgerLogFormatter(LogFormatter):
    """Leaves out the two lines that Scrapy makes of every page, even to throw them away."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        return None

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        return None
