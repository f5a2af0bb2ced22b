"""What takes the place of Scrapy's own parts: scheduler, downloader, handler, spider loader, run.

The only folder that touches Scrapy's internals; it hands the run to everything else as a
``contracts.ports.CrawlRun``.
"""
