"""What is taken out of a chosen zone, by the type of its page."""

import re

from crawler.extraction.content.controls import remove_controls, remove_forms
from crawler.extraction.content.elsewhere import remove_asides, remove_link_lists
from crawler.extraction.content.kind import PageType
from crawler.extraction.content.node import Node
from crawler.extraction.content.titled import remove_titled_boxes
from crawler.extraction.content.zone import PROSE_TYPES

_SHOPS = frozenset({PageType.PRODUCT, PageType.COLLECTION})
_FOOTNOTE = re.compile(r"[†‡§◊∆±]+ ?\w")
SHORT = 250
REPEAT = 30
"""Characters that are said twice by chance at most."""


def prune(zone: Node, kind: PageType) -> None:
    """Take out of *zone* what does not belong to the content; of a short one, nothing."""
    if zone.size < SHORT:
        return
    remove_titled_boxes(zone)
    remove_forms(zone)
    if kind is PageType.PRODUCT:
        remove_link_lists(zone)
    if kind is PageType.ARTICLE:
        remove_asides(zone)
    if kind not in PROSE_TYPES:
        remove_controls(zone)
        remove_repeats(zone)
    if kind in _SHOPS:
        remove_footnotes(zone)


def remove_footnotes(zone: Node) -> None:
    for node in zone.innermost_blocks():
        if node.is_within(zone) and _FOOTNOTE.match(node.plain_text()):
            node.remove()


def remove_repeats(zone: Node) -> None:
    """Remove blocks of words that were said before: sticky copies, carousels, labels of buttons."""
    seen: set[str] = set()
    for node in zone.innermost_blocks():
        text = node.plain_text().lower()
        if text in seen and len(text) > REPEAT and node.is_within(zone):
            node.remove()
        seen.add(text)
