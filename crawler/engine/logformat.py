"""Log lines: what became of a page is in the ledger, so that a crawl need not log every one."""

import logging
from typing import Any

from scrapy.logformatter import LogFormatter

from crawler.contracts.secrets import mask_secrets


class LedgerLogFormatter(LogFormatter):
    """Leaves out the two lines that Scrapy makes of every page, even to throw them away."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        return None

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        return None


class MaskingFilter(logging.Filter):
    """Hides credentials in whatever a handler is about to write, traces included."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = mask_secrets(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = mask_secrets(logging.Formatter().formatException(record.exc_info))
        return True


def mask_logs() -> None:
    """Let every handler that there is now write no credential; calling it twice does no more."""
    for handler in logging.root.handlers:
        if not any(isinstance(each, MaskingFilter) for each in handler.filters):
            handler.addFilter(MaskingFilter())
