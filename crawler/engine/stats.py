"""Scrapy's stats without the price of its deprecation check."""

from scrapy.statscollectors import MemoryStatsCollector


class PlainStatsCollector(MemoryStatsCollector):
    """Scrapy 2.19 looks at every access for a ``spider`` argument that nobody here passes: a page
    counts a dozen times, and that look cost more than the counting."""

    __getattribute__ = object.__getattribute__
