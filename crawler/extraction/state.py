"""What a page keeps for its own scripts: ``__NEXT_DATA__``, ``window.__STATE__ = {…}`` and alike.

Only JSON is read. Nothing is evaluated: a state that is built by a program stays unread.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from crawler.document.document import Document
from crawler.document.scan import read_attributes
from crawler.document.strict_json import Notes, make_decoder, vet

MAX_TEXT = 5_000_000
"""Characters of a script that are read."""
MAX_VALUES = 200_000
"""Values of a flattened state that are put in their places."""
MAX_NESTING = 60
_JS_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\bundefined\b', re.DOTALL)
_STRING = re.compile(r"\s*\(\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')", re.DOTALL)
_WRAPPERS = frozenset({"Reactive", "ShallowReactive", "Ref", "ShallowRef"})


@dataclass(frozen=True, slots=True)
class State:
    """One embedded value; ``span`` counts the bytes of its script."""

    name: str
    value: JsonValue
    span: tuple[int, int]
    repairs: tuple[str, ...] = ()


def read_state(document: Document, name: str) -> State | None:
    """Return the state of this name; None where there is none that is JSON."""
    if name.encode() not in document.markup:
        return None
    for span, element_id in _scripts(document):
        text = document.decode_markup(*span)
        if len(text) <= MAX_TEXT and (element_id == name or name in text):
            found = _read_script(text, name, is_named=element_id == name)
            if found is not None:
                return State(name, found[0], span, found[1])
    return None


def _scripts(document: Document) -> Iterator[tuple[tuple[int, int], str | None]]:
    for tag in document.outline:
        if tag.name == b"script" and not tag.is_end and tag.content_end is not None:
            element_id = read_attributes(tag.attributes).get("id")
            yield (tag.end, tag.content_end), element_id


def _read_script(
    text: str, name: str, *, is_named: bool
) -> tuple[JsonValue, tuple[str, ...]] | None:
    if is_named:
        found = _decode(text, 0)
        return (_unflatten(found[0]), found[1]) if found and name == "__NUXT_DATA__" else found
    for start in _assignments(text, name):
        if found := decode_value(text, start):
            return found
    return None


def _assignments(text: str, name: str) -> Iterator[int]:
    """Yield where the values begin that the script gives to *name*."""
    quoted = re.escape(name)
    pattern = (
        rf"(?<![\w$.])(?:(?:window|self|globalThis)(?:\.|\[[\"']))?{quoted}(?:[\"']\])?\s*=(?!=)\s*"
    )
    for assignment in re.finditer(pattern, text):
        yield assignment.end()


def decode_value(text: str, start: int) -> tuple[JsonValue, tuple[str, ...]] | None:
    """Return the object or list that begins at *start*, there or in the text of a JSON.parse."""
    return _decode(*_argument_of_parse(text, start))


def _argument_of_parse(text: str, start: int) -> tuple[str, int]:
    """Return what ``JSON.parse("…")`` at *start* would parse, else the text as it is."""
    if not text.startswith("JSON.parse", start):
        return text, start
    literal = _STRING.match(text, start + len("JSON.parse"))
    if literal is None:
        return "", 0
    body = literal[1][1:-1]
    if literal[1][0] == "'":
        body = re.sub(r'(?<!\\)"', r"\"", body.replace(r"\'", "'"))
    try:
        argument = json.loads(f'"{body}"', strict=False)
    except ValueError:
        return "", 0
    return str(argument), 0


def _decode(text: str, start: int) -> tuple[JsonValue, tuple[str, ...]] | None:
    """Return the object or list that begins at *start*, whatever stands behind it."""
    source = text[start:].lstrip()
    if not source.startswith(("{", "[")):
        return None
    found = _decode_first(source)
    if found is not None or "undefined" not in source:
        return found
    found = _decode_first(_JS_TOKEN.sub(_null_for_undefined, source))
    return found and (found[0], ("undefined read as null", *found[1]))


def _decode_first(source: str) -> tuple[JsonValue, tuple[str, ...]] | None:
    notes = Notes()
    try:
        value, end = make_decoder(notes, strict=False).raw_decode(source)
        return vet(value, source[:end], notes), tuple(notes.said)
    except (ValueError, RecursionError):
        return None


def _null_for_undefined(token: re.Match[str]) -> str:
    return "null" if token[0] == "undefined" else token[0]


def _unflatten(flat: JsonValue) -> JsonValue:
    """Put the values of a Nuxt 3 payload, a list in which objects name indexes, in their places."""
    return _Unflattening(flat).value(0, 0) if isinstance(flat, list) else flat


class _Unflattening:
    def __init__(self, flat: list[JsonValue]) -> None:
        self._flat = flat
        self._left = MAX_VALUES

    def value(self, index: JsonValue, depth: int) -> JsonValue:
        """Return null beyond the bounds, which a circle reaches too."""
        self._left -= 1
        is_index = isinstance(index, int) and not isinstance(index, bool)
        if not is_index or not 0 <= index < len(self._flat):  # type: ignore[operator]
            return None
        if self._left < 0 or depth > MAX_NESTING:
            return None
        return self._expand(self._flat[index], depth + 1)  # type: ignore[index]

    def _expand(self, entry: JsonValue, depth: int) -> JsonValue:
        if isinstance(entry, dict):
            return {key: self.value(index, depth) for key, index in entry.items()}
        if not isinstance(entry, list):
            return entry
        if len(entry) == 2 and entry[0] in _WRAPPERS:
            return self.value(entry[1], depth)
        if len(entry) == 2 and entry[0] == "Date":
            return entry[1]
        return [self.value(index, depth) for index in entry]
