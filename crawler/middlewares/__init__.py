"""Thin downloader and spider middlewares: Scrapy's requests and responses in, decisions applied.

What to decide is asked of ``admission`` and ``classification``; nothing here imports ``engine``
or ``pipelines``. The run they work for is ``spider.run``, a ``contracts.ports.CrawlRun``.
"""
