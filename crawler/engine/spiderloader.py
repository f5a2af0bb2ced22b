"""Every site file is a spider. Its name is known without opening it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, cast

from scrapy.exceptions import UsageError
from scrapy.spiderloader import SpiderLoader
from scrapy.utils.misc import load_object

from crawler.contracts.errors import CrawlerError
from crawler.sites.source import find_sites_dir, list_names

if TYPE_CHECKING:
    import builtins
    from typing import Self

    from scrapy import Request, Spider
    from scrapy.settings import BaseSettings

SITE_SPIDER = "crawler.spiders.site.SiteSpider"


class SiteSpiderLoader:
    """Settings: SITES_DIR, SITE_SPIDER_CLASS, SPIDER_MODULES (hand-written spiders, also listed)."""

    def __init__(self, settings: BaseSettings) -> None:
        self._sites_dir: str | None = settings.get("SITES_DIR") or None
        self._spider_class: str = settings.get("SITE_SPIDER_CLASS") or SITE_SPIDER
        self._names = _list_names(self._sites_dir)
        has_modules = bool(settings.getlist("SPIDER_MODULES"))
        self._written = SpiderLoader.from_settings(settings) if has_modules else None
        self._warn_of_clashes()

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        return cls(settings)

    def _warn_of_clashes(self) -> None:
        clashes = set(self._names).intersection(self._written_names())
        for name in sorted(clashes):
            warnings.warn(
                f"A site file and a spider in SPIDER_MODULES are both named {name!r}; "
                "the site file is used.",
                stacklevel=2,
            )

    def _written_names(self) -> builtins.list[str]:
        return self._written.list() if self._written else []

    def list(self) -> builtins.list[str]:
        return sorted({*self._names, *self._written_names()})

    def load(self, spider_name: str) -> type[Spider]:
        """Return the spider class; raise KeyError for an unknown name, as Scrapy expects."""
        if spider_name in self._names:
            base = cast("type[Spider]", load_object(self._spider_class))
            return type(base.__name__, (base,), {"name": spider_name, "__module__": __name__})
        if self._written:
            return self._written.load(spider_name)
        raise KeyError(f"Spider not found: {spider_name}")

    def find_by_request(self, request: Request) -> builtins.list[str]:
        """Return hand-written spiders only: ``scrapy fetch`` must not crawl a site to show a page."""
        written = self._written.find_by_request(request) if self._written else []
        return [name for name in written if name not in self._names]


def _list_names(sites_dir: str | None) -> builtins.list[str]:
    try:
        return list_names(find_sites_dir(sites_dir))
    except CrawlerError as error:
        raise UsageError(str(error), print_help=False) from error
