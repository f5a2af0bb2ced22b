from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import NotHere


class Command(NotHere, ScrapyCommand):
    instead = (
        "would crawl without a site file. Name the module of your spider in SPIDER_MODULES, let it be a "
        "subclass of SiteSpider, and run scrapy crawl NAME"
    )
