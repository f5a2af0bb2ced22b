"""What a page calls itself."""

import re

from crawler.document.document import Document
from crawler.document.text import normalize_space
from crawler.extraction.content.inline import clean

_BEFORE_SITE = re.compile(r"\s+[|\u2013\u2014\u00b7\u2022»-]\s+")


def find_title(document: Document) -> str:
    """Return the heading that the page's own title begins with, or that title; may be empty."""
    title = normalize_space(clean(document.title))
    if document.root is None:
        return title
    for heading in document.css("h1")[:5]:
        text = normalize_space(clean(document.text_of(heading)))
        if len(text) > 3 and text.casefold() in title.casefold():
            return text
    return _declared(document) or _BEFORE_SITE.split(title)[0]


def _declared(document: Document) -> str:
    found = document.xpath("string((//meta[@property='og:title'])[1]/@content)")
    return normalize_space(clean(str(found[0]))) if found else ""
