"""What a page calls itself."""

import re
from itertools import islice

from crawler.document.document import Document
from crawler.document.text import normalize_space
from crawler.extraction.content.inline import clean
from crawler.extraction.content.node import Element

_BEFORE_SITE = re.compile(r"\s+[|\u2013\u2014\u00b7\u2022»-]\s+")


def find_title(document: Document) -> str:
    """Return the heading that the page's own title begins with, or that title; may be empty."""
    root = document.root
    if root is None:
        return normalize_space(clean(document.title))
    named = next(root.iter("title"), None)
    title = "" if named is None else normalize_space(clean(named.text or ""))
    for heading in islice(root.iter("h1"), 5):
        text = normalize_space(clean(document.text_of(heading)))
        if len(text) > 3 and text.casefold() in title.casefold():
            return text
    declared = normalize_space(clean(find_declared(root, "og:title")))
    return declared or _BEFORE_SITE.split(title)[0]


def find_declared(root: Element, name: str) -> str:
    """Return what the first ``<meta>`` of an OpenGraph name says in the page's head, or nothing."""
    head = root.find("head")
    for meta in (root if head is None else head).iter("meta"):
        if name in {meta.get("property"), meta.get("name")}:
            return (meta.get("content") or "").strip()
    return ""
