from scrapy.commands import ScrapyCommand

from crawler.commands.not_here import UNGUARDED, NotHere


class Command(NotHere, ScrapyCommand):
    instead = (
        f"{UNGUARDED}; then try the rules of a site on it: "
        "scrapy extract page.html --url URL --site NAME"
    )
