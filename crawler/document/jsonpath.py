"""JSONPath (RFC 9535) on JSON-LD nodes, with the locator of everything it selects.

Plain paths (``$.offers.price``, ``$['a'][0]``, ``['a','b']``, ``[*]``, ``[?@['@type']=='X']``) are
walked here: it is quick, follows ``{"@id": …}`` references and takes one object for a list of one and
the other way round, as schema.org does. Other filters, slices and descents go to python-jsonpath, to
the letter.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Protocol, TypeAlias

from jsonpath import JSONPath as CompiledPath
from jsonpath import JSONPathEnvironment, JSONPathError
from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class OfType:
    """The elements whose ``@type`` is a name, or is not."""

    name: str
    is_wanted: bool


Step: TypeAlias = tuple[str, ...] | int | OfType | None
"""Names, an index, a type, or None for every element."""
Parts: TypeAlias = tuple[str | int, ...]


class References(Protocol):
    """Where the node with an ``@id`` stands in its block."""

    def get(self, name: str, /) -> Parts | None: ...


ELSEWHERE = "@block"
MAX_MATCHES = 1_000
MAX_HOPS = 4
"""References followed one behind the other."""
_SIMPLE = re.compile(
    r"\.([A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*)"
    r"|\['([^'\\]*)'\]|\[\"([^\"\\]*)\"\]|\[(\d+)\]|(\[\*\]|\.\*)"
    r"|\[('[^'\\]*'(?:\s*,\s*'[^'\\]*')+)\]|\[\?@\['@type'\]\s*([=!])=\s*'([A-Za-z]+)'\]"
)
_OF_SCHEMA = re.compile(r"https?://(?:www\.)?schema\.org/|schema:", re.IGNORECASE)
_TYPE_NAME = re.compile(r"[^/#:]*$")
_NORMAL_PART = re.compile(r"\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]")
_ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
_ESCAPED = str.maketrans(_ESCAPES)
_UNESCAPES = {escaped: plain for plain, escaped in _ESCAPES.items()}
_ENVIRONMENT = JSONPathEnvironment(strict=True)


class BadPathError(ValueError):
    """A JSONPath of a rule that cannot be read or evaluated."""


@dataclass(frozen=True, slots=True)
class JsonMatch:
    """One value and the keys that lead to it from the top of its block."""

    parts: Parts
    value: JsonValue


@dataclass(frozen=True, slots=True)
class JsonNode:
    """An object in a block, with what its references are resolved against."""

    top: JsonValue
    parts: Parts
    value: JsonValue
    references: References | None
    """None where an object with nothing but an ``@id`` refers to nothing."""
    elsewhere: Sequence[JsonValue] = ()
    """The other blocks that references may lead to; their parts begin with ``ELSEWHERE`` and a number."""


def select(path: str, node: JsonNode, limit: int = MAX_MATCHES) -> list[JsonMatch]:
    """Return what *path* selects below *node*, in order. Raises BadPathError."""
    steps = _simple_steps(path)
    if steps is None:
        return _select_strictly(path, node, limit)
    found = [JsonMatch(node.parts, node.value)]
    for step in steps:
        reached = (after for match in found for after in _advance(match, step, node))
        found = list(islice(reached, limit))
    return [resolve(match, node) for match in found]


def resolve(match: JsonMatch, node: JsonNode) -> JsonMatch:
    """Follow a reference to the node it names, and open what only holds a list.

    A name without a node is null, unless it is one of schema.org or the type stands beside it.
    """
    for _ in range(MAX_HOPS):
        value = match.value
        if node.references is None or not isinstance(value, dict):
            return match
        opened = _open(match.parts, value, node, node.references)
        if opened is None:
            return match
        match = opened
    return JsonMatch(match.parts, None)


def _open(
    parts: Parts, value: dict[str, JsonValue], node: JsonNode, references: References
) -> JsonMatch | None:
    """Return what an object holds or names; None for one that stands for itself."""
    if (key := _key_of_list(value)) is not None:
        return JsonMatch((*parts, key), value[key])
    if not is_reference(value):
        return None
    name = str(value["@id"])
    if (target := references.get(name)) is not None:
        return JsonMatch(target, value_in(node, target))
    return None if len(value) > 1 or _OF_SCHEMA.match(name) else JsonMatch(parts, None)


def _key_of_list(value: dict[str, JsonValue]) -> str | None:
    return next((key for key in ("@list", "@set") if key in value), None)


def is_reference(value: JsonValue) -> bool:
    """Whether *value* only names another node, with its type at most."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("@id"), str)
        and len(value) == (2 if "@type" in value else 1)
    )


def format_locator(parts: Parts) -> str:
    """Return the normalised path (RFC 9535, 2.7)."""
    return "$" + "".join(map(_format_part, parts))


def parse_locator(locator: str) -> Parts:
    """Return the keys of a normalised path; raise BadPathError for any other text."""
    if not locator.startswith("$"):
        raise BadPathError(locator)
    parts: list[str | int] = []
    position = 1
    while position < len(locator):
        part = _NORMAL_PART.match(locator, position)
        if part is None:
            raise BadPathError(locator)
        name, index = part.groups()
        parts.append(_unescape(name) if index is None else int(index))
        position = part.end()
    return tuple(parts)


def value_at(top: JsonValue, parts: Parts) -> JsonValue:
    """Return the value at *parts*; raise LookupError when there is none."""
    value = top
    for part in parts:
        value = _child_at(value, part)
    return value


def value_in(node: JsonNode, parts: Parts) -> JsonValue:
    """Return what stands at the place of a match of *node*; raise LookupError when there is none."""
    number, inner = part_block(parts)
    return value_at(node.top if number is None else node.elsewhere[number], inner)


def part_block(parts: Parts) -> tuple[int | None, Parts]:
    """Return the number of the block that a place is in, None for that of its node, and the rest."""
    if len(parts) > 1 and parts[0] == ELSEWHERE and isinstance(parts[1], int):
        return parts[1], parts[2:]
    return None, parts


def _child_at(value: JsonValue, part: str | int) -> JsonValue:
    if isinstance(value, dict) and isinstance(part, str):
        return value[part]
    if isinstance(value, list) and isinstance(part, int):
        return value[part]
    raise KeyError(part)


def _advance(match: JsonMatch, step: Step, node: JsonNode) -> Iterator[JsonMatch]:
    match = resolve(match, node)
    value = match.value
    if isinstance(value, list):
        for index, item in _chosen(value, step):
            inner = JsonMatch((*match.parts, index), item)
            if isinstance(step, tuple | OfType):
                yield from _advance(inner, step, node)
            else:
                yield inner
    elif isinstance(value, dict):
        yield from _advance_in_object(match.parts, value, step)


def _advance_in_object(
    parts: Parts, value: dict[str, JsonValue], step: Step
) -> Iterator[JsonMatch]:
    if isinstance(step, OfType):
        if _is_of_type(value, step):
            yield JsonMatch(parts, value)
    elif not isinstance(step, int):
        keys = value if step is None else filter(value.__contains__, step)
        yield from (JsonMatch((*parts, key), value[key]) for key in keys)


def _is_of_type(value: dict[str, JsonValue], step: OfType) -> bool:
    declared = value.get("@type")
    names = declared if isinstance(declared, list) else [declared]
    return step.is_wanted is any(
        isinstance(name, str) and _TYPE_NAME.search(name)[0] == step.name  # type: ignore[index]
        for name in names
    )


def _chosen(items: Sequence[JsonValue], step: Step) -> Iterator[tuple[int, JsonValue]]:
    if isinstance(step, int):
        if step < len(items):
            yield step, items[step]
    else:
        yield from enumerate(items)


def _select_strictly(path: str, node: JsonNode, limit: int) -> list[JsonMatch]:
    compiled = _compiled(path)
    matches: list[JsonMatch] = []
    try:
        for found in compiled.finditer(node.value):
            matches.append(JsonMatch((*node.parts, *found.parts), found.obj))  # type: ignore[arg-type]
            if len(matches) == limit:
                break
    except (JSONPathError, RecursionError) as error:
        raise BadPathError(f"{path}: {error}") from error
    return [resolve(match, node) for match in matches]


@lru_cache(maxsize=1024)
def _compiled(path: str) -> CompiledPath:
    try:
        return _ENVIRONMENT.compile(path)  # type: ignore[return-value]
    except (JSONPathError, RecursionError) as error:
        raise BadPathError(f"{path}: {error}") from error


@lru_cache(maxsize=1024)
def _simple_steps(path: str) -> tuple[Step, ...] | None:
    steps: list[Step] = []
    position = 1
    while position < len(path):
        part = _SIMPLE.match(path, position)
        if part is None:
            return None
        steps.append(_step(part))
        position = part.end()
    return tuple(steps) if path.startswith("$") else None


def _step(part: re.Match[str]) -> Step:
    if part[8]:
        return OfType(part[8], is_wanted=part[7] == "=")
    if part[6]:
        return tuple(name.strip()[1:-1] for name in part[6].split(","))
    name = next((group for group in part.group(1, 2, 3) if group is not None), None)
    return (name,) if name is not None else int(part[4]) if part[4] else None


def _format_part(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    is_plain = part.isprintable() and "'" not in part and "\\" not in part
    return f"['{part if is_plain else part.translate(_ESCAPED)}']"


def _unescape(name: str) -> str:
    if "\\" not in name:
        return name
    return re.sub(r"\\.", lambda escape: _UNESCAPES.get(escape[0], escape[0][1:]), name)
