"""What commands have in common that read what is there and crawl nothing."""

import argparse
from typing import Any, ClassVar
from urllib.parse import urlsplit

from scrapy.exceptions import UsageError


class Offline:
    """Mixed into a ScrapyCommand: no crawler process, and no log between the lines of output."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)  # type: ignore[misc]
        refuse_unknown_options(args)
        url = getattr(opts, "url", None)
        if url and not is_web_address(url):
            raise UsageError(f"--url: expected an http or https URL with a host, found {url!r}")


def refuse_unknown_options(args: list[str]) -> None:
    """Raise UsageError for what Scrapy, which takes options it does not know for arguments, left."""
    unknown = next((arg for arg in args if arg.startswith("-") and arg != "-"), None)
    if unknown is not None:
        raise UsageError(f"no such option: {unknown}")


def is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
