"""Mistakes in a site file by the place of what they are about, and how such places are named."""

from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from crawler.sites.typed import Place

Finding = tuple[Place, str]


def select(
    data: JsonValue, pattern: tuple[str, ...], at: Place = ()
) -> Iterator[tuple[Place, JsonValue]]:
    """Return the places that match *pattern*, where ``*`` is any key or index, and their values."""
    if not pattern:
        yield at, data
        return
    head, *rest = pattern
    for key, value in _children(data):
        if head in {"*", key}:
            yield from select(value, tuple(rest), (*at, key))


def _children(data: JsonValue) -> Iterable[tuple[str | int, JsonValue]]:
    if isinstance(data, dict):
        return data.items()
    return enumerate(data) if isinstance(data, list) else ()
