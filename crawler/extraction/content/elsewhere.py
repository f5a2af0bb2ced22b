"""Parts that lead elsewhere: lists of links, and lines such as *See also*."""

import re

from crawler.document.text import HEADINGS
from crawler.extraction.content.controls import says_control
from crawler.extraction.content.node import Node

LINK_LIST = 120
"""Characters that a block of links holds at least, to be a list of other things."""
_LEADS = re.compile(
    r"(?:also|related|see (?:more|also)|read (?:more|also|next)|more (?:from|on|news|stories)"
    r"|don\W?t miss|continue reading|image \d+ of \d+|comments?|sign up|subscribe|click here"
    r"|watch|listen)\b",
    re.IGNORECASE,
)
_LISTS = frozenset({"ul", "ol", "div", "section", "dl", "article", "nav", "p", "aside"})


def remove_asides(zone: Node) -> None:
    """Remove the title, lists of links, and lines that lead elsewhere from running text."""
    for node in list(zone.walk()):
        if node is not zone and node.size and _leads_elsewhere(node):
            node.remove()


def remove_link_lists(zone: Node) -> None:
    """Remove the lists of other things: blocks of several lines that are links nearly all."""
    for node in zone.walk():
        if node is not zone and node.is_within(zone) and _lists_links(node):
            node.remove()


def _lists_links(node: Node) -> bool:
    if node.tag not in _LISTS or node.size < LINK_LIST or node.link_share < 0.75:
        return False
    return not any(each.tag == "h1" for each in node.walk())


def _leads_elsewhere(node: Node) -> bool:
    if node.tag == "h1":
        return True
    if (node.tag not in _LISTS and node.tag not in HEADINGS) or node.prose > 300:
        return False
    if node.link_share > 0.7 and node.tag not in HEADINGS and node.tag != "p":
        return True
    if (node.size < 200 and node.link_share > 0.5) or node.size < 30:
        text = node.plain_text()
        return _LEADS.match(text) is not None or says_control(text)
    return False
