from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import NotHere


class Command(NotHere, ScrapyCommand):
    instead = (
        "opens the code of a spider, and a spider here is a site file: spiders_config/NAME.yaml, or where "
        "scrapy sites finds it"
    )
