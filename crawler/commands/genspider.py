from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import NotHere


class Command(NotHere, ScrapyCommand):
    instead = (
        "makes spiders of code, and a spider here is a site file: write spiders_config/NAME.yaml, as "
        "README.md shows it, and let scrapy sites check it"
    )
