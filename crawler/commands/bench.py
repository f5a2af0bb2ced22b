from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import NotHere


class Command(NotHere, ScrapyCommand):
    instead = (
        "measures Scrapy as it comes. What this project does in a second is measured by make bench"
    )
