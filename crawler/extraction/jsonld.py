"""Read the JSON-LD blocks of a page one by one: a broken block costs only itself."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from crawler.document.document import Document
from crawler.document.ldjson import LdJsonBlock
from crawler.extraction.repair import (
    mend_syntax,
    strip_terminator,
    strip_wrappers,
    unescape_once,
)

MAX_DEPTH = 64
"""Containers inside each other; schema.org data stays below 20."""
MAX_DIGITS = 400
MAX_REPAIRABLE = 1_000_000
"""Characters of a block that repairs are tried on."""
MAX_VALUES = 100
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("wrapper stripped", strip_wrappers),
    ("trailing semicolon dropped", strip_terminator),
    ("HTML entities decoded", unescape_once),
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


@dataclass(frozen=True, slots=True)
class BrokenBlock:
    """One block that could not, and why."""

    index: int
    span: tuple[int, int]
    problem: str

    def __str__(self) -> str:
        start, end = self.span
        return f"JSON-LD block {self.index} (bytes {start}-{end}): {self.problem}"


class _RefusedError(ValueError):
    """JSON by its syntax, but holding what no later stage may see; mending cannot help."""


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
    return JsonLd(block.index, block.span, value, repairs)


TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


def parse_tolerantly(text: str) -> tuple[JsonValue, tuple[str, ...]]:
    """Return the value and what was mended to read it.

    Raises ValueError (a JSONDecodeError, of the text as it came, for bad syntax) or RecursionError.
    """
    try:
        return _parse(text, strict=True)
    except json.JSONDecodeError:
        mended = _repair(text) if len(text) <= MAX_REPAIRABLE else None
        if mended is None:
            raise
        return mended


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
        value, notes = _parse(text, strict=False)
    except json.JSONDecodeError:
        return None
    return value, (*_control_note(text), *notes)


def _control_note(text: str) -> tuple[str, ...]:
    try:
        _parse(text, strict=True)
    except json.JSONDecodeError:
        return ("raw control characters accepted",)
    return ()


def _parse_sequence(text: str) -> tuple[JsonValue, tuple[str, ...]] | None:
    """Read several objects that stand one behind the other as a list."""
    values: list[JsonValue] = []
    text = text.strip()
    position, notes = 0, _Notes()
    decoder = _decoder(notes, strict=False)
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
    _check(values, text)
    return values, (f"{len(values)} values in one block", *notes.said)


_SEPARATOR = re.compile(r"[\s,;]*")


class _Notes:
    def __init__(self) -> None:
        self.said: list[str] = []


def _parse(text: str, *, strict: bool) -> tuple[JsonValue, tuple[str, ...]]:
    notes = _Notes()
    value: JsonValue = _decoder(notes, strict=strict).decode(text)
    _check(value, text)
    if "\\u" in text and _has_lone_surrogate(value):
        value = _without_lone_surrogates(value)
        notes.said.append("lone surrogates replaced")
    return value, tuple(notes.said)


def _decoder(notes: _Notes, *, strict: bool) -> json.JSONDecoder:
    def build(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        built = dict(pairs)
        if len(built) != len(pairs):
            _drop_contradictions(built, pairs, notes)
        return built

    return json.JSONDecoder(
        object_pairs_hook=build,
        parse_float=_finite,
        parse_int=_bounded_int,
        parse_constant=_refuse_constant,
        strict=strict,
    )


def _drop_contradictions(
    built: dict[str, JsonValue], pairs: list[tuple[str, JsonValue]], notes: _Notes
) -> None:
    """Keep no value under a key that was given two different ones: neither can be trusted."""
    for key, value in pairs:
        if key in built and built[key] != value:
            del built[key]
            notes.said.append(f"contradicting key {key[:40]!r} dropped")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError(f"number out of range: {digits[:20]}")
    return value


def _bounded_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _RefusedError(f"number of {len(digits)} digits")
    return int(digits)


def _refuse_constant(name: str) -> JsonValue:
    raise _RefusedError(f"{name} is no JSON value")


def _check(value: JsonValue, text: str) -> None:
    if text.count("{") + text.count("[") > MAX_DEPTH and _depth_exceeds(value, MAX_DEPTH):
        raise _RefusedError(TOO_DEEP)


def _depth_exceeds(value: JsonValue, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return any(isinstance(value, dict | list) for value in level)


def _children(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _has_lone_surrogate(value: JsonValue) -> bool:
    return _LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def _without_lone_surrogates(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {
            _LONE_SURROGATE.sub("\ufffd", key): _without_lone_surrogates(item)
            for key, item in value.items()
        }
    return value
