"""The frames between the crawl and a page worker.

A frame is two big-endian 32-bit lengths, a JSON head and a raw body. The crawl sends one frame
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
_HEAD_FIELDS = {field.name for field in fields(Snapshot)} - {"body"}


def frame(head: bytes, body: bytes = b"") -> bytes:
    return LENGTHS.pack(len(head), len(body)) + head + body


def frame_snapshot(snapshot: Snapshot, answer: str | None = None) -> bytes:
    """Return the frame of a page, with what a model said of it where it was asked."""
    head = _SNAPSHOT.dump_json(snapshot, include=_HEAD_FIELDS)
    if answer is not None:
        head = b'%s,"%s":%s}' % (head[:-1], ANSWER.encode(), to_json(answer))
    return frame(head, snapshot.body)


def parse_page(head: bytes, body: bytes) -> tuple[Snapshot, str | None]:
    values: dict[str, Any] = from_json(head)
    answer = values.pop(ANSWER, None)
    return _SNAPSHOT.validate_python({**values, "body": body}), answer
