"""Where the values of a JSON text stand: byte offsets, worked out only where they are asked for.

A level is scanned once, and only levels on the way to a value that was asked for.
"""

import json
import re
from collections.abc import Iterator

from crawler.document.jsonpath import Parts

Span = tuple[int, int]
_SPACE = re.compile(r"[ \t\r\n]*")
_NAME = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_DECODER = json.JSONDecoder()


class JsonSpans:
    """Spans by path, for a body that has been parsed without complaint."""

    def __init__(self, body: bytes, start: int = 0) -> None:
        # One character a byte, so that offsets are those of the body; structure is ASCII.
        self._text = body.decode("latin-1")
        self._levels: dict[Parts, dict[str | int, Span]] = {}
        self._whole = self._value_at(start)

    def get(self, parts: Parts) -> Span | None:
        if not parts:
            return self._whole
        above = parts[:-1]
        if above not in self._levels:
            outer = self.get(above)
            self._levels[above] = dict(self._children(outer)) if outer else {}
        return self._levels[above].get(parts[-1])

    def _value_at(self, position: int) -> Span:
        start = self._after_space(position)
        return start, _DECODER.raw_decode(self._text, start)[1]

    def _after_space(self, position: int) -> int:
        found = _SPACE.match(self._text, position)
        return found.end() if found else position

    def _children(self, outer: Span) -> Iterator[tuple[str | int, Span]]:
        is_object = self._text[outer[0]] == "{"
        if not is_object and self._text[outer[0]] != "[":
            return
        position, index = self._after_space(outer[0] + 1), 0
        while position < outer[1] - 1:
            key: str | int = index
            if is_object:
                key, position = self._key_at(position)
            span = self._value_at(position)
            yield key, span
            # Behind a value stands a comma, or the end of what it is in.
            position, index = self._after_space(self._after_space(span[1]) + 1), index + 1

    def _key_at(self, position: int) -> tuple[str, int]:
        """Return the name, and where its value may begin."""
        found = _NAME.match(self._text, position)
        if found is None:  # no name: what was parsed before is not what stands here
            raise LookupError(position)
        end = found.end()
        name = found[0].encode("latin-1").decode("utf-8", "replace")
        return json.loads(name, strict=False), self._after_space(end) + 1
