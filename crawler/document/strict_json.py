"""JSON to the letter, and nothing in it that a later stage could not write down again."""

import json
import math
import re

from pydantic import JsonValue

MAX_DEPTH = 64
"""Containers inside each other; schema.org data stays below 20."""
MAX_DIGITS = 400
TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class RefusedError(ValueError):
    """JSON by its syntax, but holding what no later stage may see; mending cannot help."""


class Notes:
    """What was changed while decoding."""

    def __init__(self) -> None:
        self.said: list[str] = []


def parse(text: str, *, strict: bool) -> tuple[JsonValue, tuple[str, ...]]:
    """Return the value and what was changed in it; *strict* as in ``json``.

    Raises JSONDecodeError, RefusedError or RecursionError.
    """
    notes = Notes()
    value = vet(make_decoder(notes, strict=strict).decode(text), text, notes)
    return value, tuple(notes.said)


def vet(value: JsonValue, text: str, notes: Notes) -> JsonValue:
    """Return what *text* was decoded to, fit to be written again; raise RefusedError if it is not."""
    if text.count("{") + text.count("[") > MAX_DEPTH and _depth_exceeds(value, MAX_DEPTH):
        raise RefusedError(TOO_DEEP)
    if "\\u" in text and _has_lone_surrogate(value):
        notes.said.append("lone surrogates replaced")
        return _without_lone_surrogates(value)
    return value


def make_decoder(notes: Notes, *, strict: bool) -> json.JSONDecoder:
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
    built: dict[str, JsonValue], pairs: list[tuple[str, JsonValue]], notes: Notes
) -> None:
    """Keep no value under a key that was given two different ones: neither can be trusted."""
    for key, value in pairs:
        if key in built and built[key] != value:
            del built[key]
            notes.said.append(f"contradicting key {key[:40]!r} dropped")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise RefusedError(f"number out of range: {digits[:20]}")
    return value


def _bounded_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise RefusedError(f"number of {len(digits)} digits")
    return int(digits)


def _refuse_constant(name: str) -> JsonValue:
    raise RefusedError(f"{name} is no JSON value")


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
