"""The rows of a JSON response, found by the paths of the site file."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from pydantic import JsonValue

from crawler.contracts.site.collect import ApiSource
from crawler.contracts.snapshot import Snapshot
from crawler.document.data import MAX_ENTRIES, Data, Entry, Flaw, Spans, tidy_id
from crawler.document.json_body import read_json
from crawler.document.json_spans import JsonSpans
from crawler.document.jsonpath import JsonMatch, JsonNode, select

_EVERY = re.compile(r"(?:\[\*\]|\.\*)\Z")
_FILTER = re.compile(r"\[\?.*\]\Z", re.DOTALL)
_COMPLAINTS = ("error", "errors", "fault", "message", "detail", "title")
"""Where a response that is no answer says why."""


def read_rows(snapshot: Snapshot, source: ApiSource) -> Data:
    """Return the rows in order. Raises BadPathError.

    Without the place of the rows the response is no answer; a place with nothing in it is an
    answer, and says that there are none.
    """
    tree = read_tree(snapshot)
    return tree if tree.flaw else with_rows(tree, source, snapshot.final_url)


def read_tree(snapshot: Snapshot) -> Data:
    """Return the value of a response, no place in it being an entry yet."""
    body = read_json(snapshot)
    if body.flaw is not None:
        return Data(flaw=body.flaw, problem=body.problem)
    spans: Spans = JsonSpans(snapshot.body, body.start) if body.is_utf8 else {}
    return Data(body.value, spans=spans, repairs=body.repairs)


def with_rows(tree: Data, source: ApiSource, base_url: str) -> Data:
    """Return *tree* with its rows as entries, or with what is wrong with their place."""
    found = _find_rows(root_of(tree.top), source.rows)
    if isinstance(found, str):
        problem = f"{source.rows} {found}{_complaint(tree.top)}"
        return replace(tree, flaw=Flaw.UNANSWERED, problem=problem)
    entries = tuple(
        _entry(match, tree.top, source, base_url) for match in islice(found, MAX_ENTRIES)
    )
    return replace(tree, entries=entries, notes=_notes(found))


def root_of(value: JsonValue) -> JsonNode:
    """Return the whole value as the node that paths begin at; it holds no references."""
    return JsonNode(value, (), value, None)


def _find_rows(top: JsonNode, path: str) -> list[JsonMatch] | str:
    """Return the rows, or what is wrong with the place where they should be."""
    stem = _EVERY.sub("", path)
    places = select(stem, top)
    rows = [row for place in places for row in _open(place, is_every=stem != path)]
    strange = next((row.value for row in rows if not isinstance(row.value, dict)), None)
    if strange is not None:
        return f"finds {type(strange).__name__} where rows should be"
    if rows or any(isinstance(place.value, list | dict) for place in places):
        return rows
    outer = _FILTER.sub("", path)
    if outer != path and any(isinstance(place.value, list) for place in select(outer, top)):
        return []
    return "finds null" if places else "finds nothing"


def _open(place: JsonMatch, *, is_every: bool) -> Iterator[JsonMatch]:
    value = place.value
    if isinstance(value, list):
        yield from (JsonMatch((*place.parts, index), row) for index, row in enumerate(value))
    elif isinstance(value, dict) and is_every:
        yield from (JsonMatch((*place.parts, key), row) for key, row in value.items())
    elif isinstance(value, dict):
        yield place


def _entry(row: JsonMatch, top: JsonValue, source: ApiSource, url: str) -> Entry:
    node = JsonNode(top, row.parts, row.value, None)
    named = select(source.id, node) if source.id else []
    plain = (match.value for match in named if isinstance(match.value, str | int))
    return Entry(node, tidy_id(str(next(plain, ""))), url)


def _notes(rows: list[JsonMatch]) -> tuple[str, ...]:
    total = len(rows)
    return (f"{total} rows, of which {MAX_ENTRIES} were read",) if total > MAX_ENTRIES else ()


def _complaint(value: JsonValue) -> str:
    if not isinstance(value, dict):
        return f" in a {type(value).__name__}"
    said = next((value[key] for key in _COMPLAINTS if value.get(key)), None)
    return f"; the response says {str(said)[:200]!r}" if said else ""
