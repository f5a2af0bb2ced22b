from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import NotHere


class Command(NotHere, ScrapyCommand):
    instead = (
        "would run contracts against sites. Site files are checked by scrapy sites, rules are tried "
        "on a page by scrapy extract"
    )
