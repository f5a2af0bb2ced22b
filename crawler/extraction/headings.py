"""The heading of a page, found without a parse."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape

from crawler.document.document import Document
from crawler.document.text import normalize_space

MAX_HEADINGS = 20
MAX_LENGTH = 1_000
MAX_MARKUP = 20_000
"""Bytes of one heading, tags included."""
_SIGN = re.compile(r"\s+[|\u2013\u2014\u00b7\u2022\u00bb-]\s+|\s*\|\s*")
_UNSEEN = re.compile(r"<!--.*?-->|<(script|style|template)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[a-z/!][^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<(?:br|/?p|/?div)\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """One ``<h1>`` that says something; ``number`` counts all of the source."""

    number: int
    text: str
    span: tuple[int, int]

    @property
    def locator(self) -> str:
        return f"h1[{self.number}]"


def read_headings(document: Document) -> tuple[Heading, ...]:
    """Return the first-level headings in document order."""
    found: list[Heading] = []
    number, start = 0, None
    for tag in (tag for tag in document.outline if tag.name == b"h1"):
        if not tag.is_end:
            number, start = number + 1, tag.end
        elif start is not None:
            is_short = tag.start - start <= MAX_MARKUP
            text = _text(document.decode_markup(start, tag.start)) if is_short else ""
            if text and len(text) <= MAX_LENGTH:
                found.append(Heading(number, text, (start, tag.start)))
            start = None
        if len(found) == MAX_HEADINGS:
            break
    return tuple(found)


def choose_heading(
    headings: Iterable[Heading], titles: Iterable[str], site_names: Iterable[str]
) -> Heading | None:
    """Return the longest heading that opens a title of the page, else the only one.

    The name of the site is often marked up as a heading, and says nothing of the page.
    """
    sites = {name.casefold() for name in site_names}
    left = [heading for heading in headings if heading.text.casefold() not in sites]
    folded = [title.casefold() for title in titles]
    opening = [h for h in left if any(title.startswith(h.text.casefold()) for title in folded)]
    if opening:
        return max(opening, key=lambda heading: len(heading.text))
    return left[0] if len({heading.text for heading in left}) == 1 else None


def without_site(title: str, site_names: Iterable[str], host: str) -> str:
    """Return *title* without the name of the site at its end, set apart by a sign."""
    head, sign, tail = next(iter(_parts_of(title)), (title, "", ""))
    said = _letters(tail)
    known = {_letters(name) for name in site_names} | {
        _letters(part) for part in (host, host.removeprefix("www."), *host.split(".")[-2:-1])
    }
    return head if sign and said in known - {""} else title


def _parts_of(title: str) -> list[tuple[str, str, str]]:
    found = list(_SIGN.finditer(title))
    return [(title[: last.start()].strip(), last[0], title[last.end() :]) for last in found[-1:]]


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _text(markup: str) -> str:
    seen = _BREAK.sub(" ", _UNSEEN.sub("", markup))
    return normalize_space(unescape(_TAG.sub("", seen)))
