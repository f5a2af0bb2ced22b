"""Feeds, calendars and JSON as one shape: a tree of values, and the entries that stand in it.

What a program wrote for programs has no nodes to select. Its values are reached by a path, and an
entry says by its id which one it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from pydantic import JsonValue

from crawler.document.json_spans import JsonSpans
from crawler.document.jsonpath import JsonNode, Parts, format_locator, parse_locator

MAX_ENTRIES = 10_000
MAX_ID = 500
_PATH = re.compile(r"\$(?:\['(?:[^'\\]|\\.)*'\]|\[\d+\])*(?= |\Z)")

Spans: TypeAlias = Mapping[Parts, tuple[int, int]] | JsonSpans
"""Byte offsets of values, where they are known; asked with ``get``."""


class Flaw(StrEnum):
    """Why a body gives no entries, and what follows from that."""

    CUT = "cut"
    """It ends too soon."""
    UNANSWERED = "unanswered"
    """It is well-formed and holds no place for entries: an error message, or a shell."""
    BROKEN = "broken"
    """It is not of its notation, or its structure cannot be trusted."""
    FOREIGN = "foreign"
    """It holds something else than was asked for."""
    TOO_LARGE = "too_large"
    """It unpacks to more than is read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a feed, event of a calendar, or row of a response."""

    node: JsonNode
    id: str
    """What the source calls it; empty where it says nothing."""
    base_url: str
    """What relative references in it are resolved against."""


@dataclass(frozen=True, slots=True)
class Data:
    """A body that could be read, or the problem that kept it from being read."""

    top: JsonValue = None
    entries: tuple[Entry, ...] = ()
    next_url: str | None = None
    """Where the source itself says that it goes on."""
    raws: Mapping[Parts, str] = field(default_factory=dict)
    """The text behind values that were read from another notation."""
    spans: Spans = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    """What had to be mended before it could be read."""
    flaw: Flaw | None = None
    problem: str = ""
    """What is wrong, in words; for a person."""


def locate(parts: Parts, entry_id: str) -> str:
    """Return the locator of a value: its path, and which entry it belongs to."""
    return f"{format_locator(parts)} {entry_id}".rstrip()


def parse_location(locator: str) -> Parts:
    """Return the path of ``locate``; raise BadPathError for any other text."""
    found = _PATH.match(locator)
    return parse_locator(found[0] if found else locator)


def tidy_id(text: str) -> str:
    """Return an id on one line and of bounded length."""
    return " ".join(text.split())[:MAX_ID]
