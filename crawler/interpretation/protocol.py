"""The frames between the crawl and a page worker.

A frame is two big-endian 32-bit lengths, a JSON head and a raw body; that of a page is followed by
those of the responses that it loaded, in one piece. The crawl sends one frame
with ``Rules`` and then one per page; the worker answers the first with what isolates it and each
page with a ``Reply``, in order. Both sides check every head against a schema; nothing is pickled.
"""

import struct
from dataclasses import dataclass, fields
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot

LENGTHS = struct.Struct(">II")
MAX_HEAD = 64 * 2**20
MAX_BODY = 2**30


@dataclass(frozen=True, slots=True)
class Hello:
    """The first thing a worker says."""

    pid: int
    network: str
    """``namespace`` where the kernel gave the worker an empty network, else ``audit-hook``."""
    memory_limit: int
    """Bytes of address space."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A report, or the trace of the bug that prevented one."""

    report: PageReport | None
    trace: str | None = None
    is_out_of_memory: bool = False


HELLO = TypeAdapter(Hello)
REPLY = TypeAdapter(Reply)
RULES = TypeAdapter(Rules)
_SNAPSHOT = TypeAdapter(Snapshot)
ANSWER = "answer"
LOADED = "loaded"
SIZE = "size"
_HEAD_FIELDS = {field.name for field in fields(Snapshot)} - {"body", LOADED}


def frame(head: bytes, body: bytes = b"") -> bytes:
    return LENGTHS.pack(len(head), len(body)) + head + body


def frame_snapshot(snapshot: Snapshot, answer: str | None = None) -> bytes:
    """Return the frame of a page, with what a model said of it where it was asked."""
    head = _SNAPSHOT.dump_json(snapshot, include=_HEAD_FIELDS)
    if answer is not None:
        head = _extend(head, ANSWER, to_json(answer))
    if snapshot.loaded:
        heads = (
            _extend(_SNAPSHOT.dump_json(each, include=_HEAD_FIELDS), SIZE, b"%d" % len(each.body))
            for each in snapshot.loaded
        )
        head = _extend(head, LOADED, b"[%s]" % b",".join(heads))
    return frame(head, b"".join((snapshot.body, *(each.body for each in snapshot.loaded))))


def _extend(head: bytes, name: str, value: bytes) -> bytes:
    return b'%s,"%s":%s}' % (head[:-1], name.encode(), value)


def parse_page(head: bytes, body: bytes) -> tuple[Snapshot, str | None]:
    values: dict[str, Any] = from_json(head)
    answer = values.pop(ANSWER, None)
    loaded = values.pop(LOADED, ())
    end = len(body) - sum(each[SIZE] for each in loaded)
    values["body"], rest = body[:end], end
    for each in loaded:
        rest, start = rest + each.pop(SIZE), rest
        each["body"] = body[start:rest]
    return _SNAPSHOT.validate_python({**values, LOADED: tuple(loaded)}), answer
