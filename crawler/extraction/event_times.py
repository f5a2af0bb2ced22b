"""When an event begins and ends, by the links that put it into a calendar and by pairs of times."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from crawler.document.document import Document, Node
from crawler.extraction.selectors import NodeMatch, read_part

MAX_LINKS = 1_000
MAX_MARKED = 200
_LINKS = etree.XPath("//a[contains(@href, 'calendar') or contains(@href, 'outlook')]")
_CLASSES = etree.XPath("//*[contains(@class, 'atc_date')]")
CALENDARS: tuple[tuple[re.Pattern[str], tuple[str, str]], ...] = (
    (re.compile(r"^https?://(?:www\.|calendar\.)?google\.\w+/calendar/"), ("dates[0]", "dates[1]")),
    (re.compile(r"^https?://outlook\.(?:live|office)\.com/"), ("startdt[0]", "enddt[0]")),
    (re.compile(r"^https?://calendar\.yahoo\.com/"), ("st[0]", "et[0]")),
)
"""Addresses of calendars, and the parts of their parameters with the two times."""
MARKED = ("atc_date_start", "atc_date_end")
MARKERS = ("calendar", "outlook", "atc_date")
"""One of them is in the source of a page with such a link or class."""
_TIMED = re.compile(r"\d{4}-?\d\d-?\d\d[T ]\d\d:?\d\d")
_DATED = re.compile(r"\d{4}-\d\d-\d\d")


def find_calendar_times(document: Document, side: int) -> list[NodeMatch]:
    """Return the beginnings (*side* 0) or ends (1) that one calendar is told; days alone are none.

    Calendars count the last day of an event in different ways, and times in different zones.
    """
    if not document.mentions(MARKERS):
        return []
    links = [
        (link, str(link.get("href", "")).strip()) for link in document.query(_LINKS)[:MAX_LINKS]
    ]
    for address, parts in CALENDARS:
        found = [(link, href) for link, href in links if address.match(href)]
        values = [(link, read_part(href, parts[side])) for link, href in found]
        matches = [
            NodeMatch(f"{document.path_of(link)}/@href?{parts[side]}", value, is_attribute=True)
            for link, value in values
            if value and _TIMED.match(value)
        ]
        if matches:
            return matches
    marked = (
        each for each in document.query(_CLASSES) if MARKED[side] in each.get("class", "").split()
    )
    return [
        NodeMatch(document.path_of(each), document.text_of(each))
        for each in islice(marked, MAX_MARKED)
    ]


def find_pair(document: Document, times: Sequence[Node], side: int) -> list[NodeMatch]:
    """Return one end of the only two times of a page, where they stand together and in order."""
    if len(times) != 2 or not _are_together(times[0], times[1]):
        return []
    stamps = [str(time.get("datetime", "")).strip() for time in times]
    if not all(map(_DATED.match, stamps)) or len(stamps[0]) != len(stamps[1]):
        return []
    if stamps[0] >= stamps[1]:
        return []
    path = f"{document.path_of(times[side])}/@datetime"
    return [NodeMatch(path, stamps[side], is_attribute=True)]


def _are_together(first: Node, second: Node) -> bool:
    return bool(set(_around(first)) & set(_around(second)))


def _around(time: Node) -> Iterator[Node]:
    return islice(time.iterancestors("p", "div", "li", "dd", "td", "span", "section"), 2)
