"""Read the JSON-LD blocks of a page one by one: a broken block costs only itself."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.document.document import Document
from crawler.document.ldjson import LdJsonBlock
from crawler.document.strict_json import TOO_DEEP, Notes, make_decoder, parse, vet
from crawler.extraction.context import name_plainly
from crawler.extraction.mending import mend_syntax
from crawler.extraction.repair import strip_terminator, strip_wrappers, unescape_once

MAX_REPAIRABLE = 1_000_000
"""Characters of a block that repairs are tried on."""
MAX_VALUES = 100

REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("wrapper stripped", strip_wrappers),
    ("trailing semicolon dropped", strip_terminator),
    ("HTML entities decoded", unescape_once),
    ("HTML entities decoded twice", unescape_once),
    ("wrapper stripped", strip_wrappers),
    ("trailing semicolon dropped", strip_terminator),
    ("syntax mended", mend_syntax),
)
"""Tried in order, each on the result of those before it, until the text parses."""


@dataclass(frozen=True, slots=True)
class JsonLd:
    """One block that could be read; ``span`` counts bytes of the scanned markup."""

    index: int
    span: tuple[int, int]
    value: JsonValue
    repairs: tuple[str, ...] = ()
    source: Source = Source.JSONLD

    @property
    def label(self) -> str:
        """What a locator calls it: the number of a block, or of a script among all scripts."""
        return str(self.index) if self.source is Source.JSONLD else f"script[{self.index}]"


@dataclass(frozen=True, slots=True)
class BrokenBlock:
    """One block that could not, and why."""

    index: int
    span: tuple[int, int]
    problem: str

    def __str__(self) -> str:
        start, end = self.span
        return f"JSON-LD block {self.index} (bytes {start}-{end}): {self.problem}"


def read_blocks(document: Document) -> tuple[tuple[JsonLd, ...], tuple[BrokenBlock, ...]]:
    """Return the readable blocks and the broken ones, each in document order."""
    read, broken = [], []
    for block in document.ld_json_blocks():
        outcome = read_block(block)
        if isinstance(outcome, JsonLd):
            read.append(outcome)
        else:
            broken.append(outcome)
    return tuple(read), tuple(broken)


def read_block(block: LdJsonBlock) -> JsonLd | BrokenBlock:
    if not block.text.strip():
        return BrokenBlock(block.index, block.span, "empty")
    try:
        value, repairs = parse_tolerantly(block.text)
    except json.JSONDecodeError as error:
        problem = f"{error.msg} at character {error.pos}"
        return BrokenBlock(block.index, block.span, problem)
    except ValueError as error:
        return BrokenBlock(block.index, block.span, str(error))
    except RecursionError:
        return BrokenBlock(block.index, block.span, TOO_DEEP)
    return JsonLd(block.index, block.span, name_plainly(value, block.text), repairs)


def parse_tolerantly(text: str) -> tuple[JsonValue, tuple[str, ...]]:
    """Return the value and what was mended to read it.

    Raises ValueError (a JSONDecodeError, of the text as it came, for bad syntax) or RecursionError.
    """
    try:
        value, repairs = parse(text, strict=True)
    except json.JSONDecodeError:
        mended = _repair(text) if len(text) <= MAX_REPAIRABLE else None
        if mended is None:
            raise
        return mended
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        value, inner = parse(value, strict=False)
        return value, ("text of a string parsed", *repairs, *inner)
    return value, repairs


def _repair(text: str) -> tuple[JsonValue, tuple[str, ...]] | None:
    repairs: list[str] = []
    for name, step in (("", _as_it_is), *REPAIRS):
        changed = step(text)
        if changed != text:
            repairs.append(name)
        elif name:
            continue
        text = changed
        for attempt in (_parse_one, _parse_sequence):
            found = attempt(text)
            if found is not None:
                value, notes = found
                return value, (*repairs, *notes)
    return None


def _as_it_is(text: str) -> str:
    return text


def _parse_one(text: str) -> tuple[JsonValue, tuple[str, ...]] | None:
    try:
        value, notes = parse(text, strict=False)
    except json.JSONDecodeError:
        return None
    return value, (*_control_note(text), *notes)


def _control_note(text: str) -> tuple[str, ...]:
    try:
        parse(text, strict=True)
    except json.JSONDecodeError:
        return ("raw control characters accepted",)
    return ()


def _parse_sequence(text: str) -> tuple[JsonValue, tuple[str, ...]] | None:
    """Read several objects that stand one behind the other as a list."""
    values: list[JsonValue] = []
    text = text.strip()
    position, notes = 0, Notes()
    decoder = make_decoder(notes, strict=False)
    while position < len(text) and len(values) < MAX_VALUES:
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError:
            return None
        if not isinstance(value, dict | list):
            return None
        values.append(value)
        position = _SEPARATOR.match(text, position).end()  # type: ignore[union-attr]
    if len(values) < 2 or position < len(text):
        return None
    vetted = vet(values, text, notes)
    return vetted, (f"{len(values)} values in one block", *notes.said)


_SEPARATOR = re.compile(r"[\s,;]*")
