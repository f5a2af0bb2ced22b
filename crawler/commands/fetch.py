from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import UNGUARDED, NotHere


class Command(NotHere, ScrapyCommand):
    instead = UNGUARDED
