"""What a page may cost, as the settings say."""

from scrapy.settings import BaseSettings

from crawler.interpretation.limits import PoolLimits


def page_limits(settings: BaseSettings) -> PoolLimits:
    """Settings: PAGE_WORKERS (0: as many as there are cores; -1: none), PAGE_TIMEOUT, PAGE_MEMORY."""
    return PoolLimits(
        workers=settings.getint("PAGE_WORKERS") or PoolLimits.default_workers(),
        seconds=settings.getfloat("PAGE_TIMEOUT"),
        memory=settings.getint("PAGE_MEMORY"),
    )
