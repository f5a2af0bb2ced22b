"""YAML as a bounded tree of text with line numbers.

No scalar is given a type here: whether ``NO``, ``1.10`` or ``12:30`` is text is for the declaration
of the field to say. Tags, merge keys and objects do not exist.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.sites.source import WHOLE_FILE

MAX_DEPTH = 20
MAX_NODES = 100_000
"""Aliases counted as often as they are used."""

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# YAML 1.2, 5.1, without the byte order mark, which is removed by decoding.
_NOT_YAML = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT_TAG = "tag:yaml.org,2002:str"


@dataclass(frozen=True, slots=True)
class Scalar:
    text: str
    line: int
    is_quoted: bool = False

    @property
    def is_nothing(self) -> bool:
        """No value was given: an empty place, ``~`` or ``null`` without quotes."""
        return not self.is_quoted and self.text in {"", "~", "null"}


@dataclass(frozen=True, slots=True)
class Sequence:
    items: "tuple[Node, ...]"
    line: int


@dataclass(frozen=True, slots=True)
class Entry:
    key: str
    line: int
    value: "Node"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries in their order, keys given twice included."""

    entries: tuple[Entry, ...]
    line: int


Node = Scalar | Sequence | Mapping


QUOTING = "text that begins with @ * & ! % or holds [ ] { } , : # may need quotes"


class _FaultError(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def read_yaml(data: bytes, path: str) -> Node:
    """Return the one document in *data*; raise SiteConfigError at the first fault."""
    try:
        return _build(_decode(data))
    except _FaultError as fault:
        problem = Problem(path, fault.line, WHOLE_FILE, fault.message)
        raise SiteConfigError((problem,)) from fault


def _decode(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _FaultError(line, "expected UTF-8") from error
    if odd := _NOT_YAML.search(text):
        line = text.count("\n", 0, odd.start()) + 1
        raise _FaultError(line, f"expected printable text, found U+{ord(odd.group()):04X}")
    return text


def _build(text: str) -> Node:
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).document()
    except yaml.MarkedYAMLError as error:
        raise _describe(error, text) from error


def _describe(error: yaml.MarkedYAMLError, text: str) -> _FaultError:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    lines = text.splitlines()
    # A fault at the very end is reported one line behind the last.
    line = max(1, min(line, len(lines)))
    indent = re.match(r"\s*", lines[line - 1]) if lines else None
    if indent and "\t" in indent.group():
        return _FaultError(line, "expected indentation by spaces, found a tab")
    message = ", ".join(filter(None, (error.problem, error.context)))
    return _FaultError(line, f"expected valid YAML: {message}; {QUOTING}")


class _Builder:
    """Builds nodes from parser events, counting what aliases would expand to."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._count = 0

    def document(self) -> Node:
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise _FaultError(1, "expected a document, found nothing")
        node = self._node(next(self._events), 0)
        next(self._events)
        if isinstance(extra := next(self._events), yaml.DocumentStartEvent):
            raise _FaultError(_line(extra), "expected one document, found the start of another")
        return node

    def _node(self, event: yaml.Event, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        assert isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent)
        if event.tag not in {None, "!", _TEXT_TAG}:
            raise _FaultError(_line(event), f"expected a plain value, found the tag {event.tag}")
        if depth > MAX_DEPTH:
            raise _FaultError(_line(event), f"expected at most {MAX_DEPTH} levels")
        before = self._count
        self._add(1, event)
        node = self._plain(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node, self._count - before
        return node

    def _plain(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(event.value, _line(event), is_quoted=not event.implicit[0])
        if isinstance(event, yaml.SequenceStartEvent):
            return Sequence(tuple(self._items(depth + 1)), _line(event))
        return Mapping(tuple(self._entries(depth + 1)), _line(event))

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._node(event, depth)

    def _entries(self, depth: int) -> Iterator[Entry]:
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth)
            if not isinstance(key, Scalar):
                raise _FaultError(_line(event), "expected a key that is plain text")
            yield Entry(key.text, _line(event), self._node(next(self._events), depth))

    def _alias(self, event: yaml.AliasEvent) -> Node:
        # A collection that contains itself is not known yet where it does so.
        if event.anchor not in self._anchors:
            raise _FaultError(_line(event), f"expected an anchor &{event.anchor} before this alias")
        node, weight = self._anchors[event.anchor]
        self._add(weight, event)
        return node

    def _add(self, weight: int, event: yaml.Event) -> None:
        self._count += weight
        if self._count > MAX_NODES:
            raise _FaultError(
                _line(event), f"expected at most {MAX_NODES} values, those behind aliases included"
            )


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.line + 1
