"""The names of schema.org in a JSON-LD block, whatever its context lets them be called.

No context is ever fetched. What one says about prefixes, aliases of keywords and other names of
properties is taken from where it stands in the block; the bare names of schema.org are left as
they are.
"""

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

SCHEMA = re.compile(r"(?:(?:https?:)?//)?(?:www\.)?schema\.org/#?", re.IGNORECASE)
_IS_CALLED_OTHERWISE = re.compile(
    r"schema(?:\.org/#?|:)[A-Za-z]\w*\"\s*:|\"@context\"\s*:\s*(?:\{|\[[^\]\"]*(?:\"[^\"]*\"\s*,\s*)*\{)"
)
_KEYWORDS = frozenset({"@id", "@type", "@value", "@graph", "@list", "@set"})
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def bare_name(written: str) -> str:
    """Return a name without the address of schema.org in front of it."""
    if written.isalpha():
        return written
    name = written.strip()
    found = SCHEMA.match(name)
    return (name[found.end() :] if found else name.removeprefix("schema:")).rstrip("/")


def name_plainly(value: JsonValue, text: str) -> JsonValue:
    """Return the *value* of a block, which was parsed from *text*, with the bare names."""
    if not _IS_CALLED_OTHERWISE.search(text):
        return value
    return _rename(value, _Names(dict(_read_contexts(value))))


class _Names:
    def __init__(self, terms: Mapping[str, str]) -> None:
        self._terms = terms

    def of(self, written: str) -> str:
        """Return the name of schema.org that is meant; any other name as it is written."""
        meant = self._terms.get(written, written)
        prefix, colon, name = meant.partition(":")
        bare = name if colon and _is_schema(self._terms.get(prefix)) else bare_name(meant)
        return bare if _NAME.fullmatch(bare) or bare in _KEYWORDS else written


def _is_schema(address: str | None) -> bool:
    return address is not None and SCHEMA.fullmatch(address) is not None


def _read_contexts(value: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield what the contexts at the top of a block say that a name stands for."""
    for node in _listed(value):
        context = node.get("@context") if isinstance(node, dict) else None
        for part in _listed(context):
            if isinstance(part, dict):
                yield from _read_terms(part)


def _read_terms(context: dict[str, JsonValue]) -> Iterator[tuple[str, str]]:
    for term, meaning in context.items():
        named = meaning.get("@id") if isinstance(meaning, dict) else meaning
        if not term.startswith("@") and isinstance(named, str):
            yield term, named


def _rename(value: JsonValue, names: _Names) -> JsonValue:
    if isinstance(value, list):
        return [_rename(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    renamed: dict[str, JsonValue] = {}
    for key, inner in value.items():
        name = key if key.startswith("@") else names.of(key)
        if name == key or name not in value:
            renamed[name] = _rename_inside(name, inner, names)
    return renamed


def _rename_inside(name: str, value: JsonValue, names: _Names) -> JsonValue:
    if name == "@context":
        return value
    if name == "@type":
        return [names.of(each) if isinstance(each, str) else each for each in _listed(value)]
    return _rename(value, names)


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]
