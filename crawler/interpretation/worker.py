"""The page worker: a process that interprets one snapshot after another and can do nothing else.

Started by ``pool`` with a socket that frames come in and go out by. See ``protocol``.
"""

import io
import os
import traceback
from contextlib import suppress

from crawler.contracts.rules import Rules
from crawler.interpretation.isolation import leave_network, limit_memory
from crawler.interpretation.memory import settle_memory
from crawler.interpretation.page import interpret
from crawler.interpretation.protocol import (
    HELLO,
    LENGTHS,
    MAX_BODY,
    MAX_HEAD,
    REPLY,
    RULES,
    Hello,
    Reply,
    frame,
    parse_page,
)

MAX_TRACE = 8_000


def main(memory_limit: int, descriptor: int) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # The crawl is gone: no one to tell.
        _serve(memory_limit, descriptor)


def _serve(memory_limit: int, descriptor: int) -> None:
    source = io.BufferedReader(io.FileIO(os.dup(descriptor)), buffer_size=1 << 20)
    sink = io.FileIO(descriptor, "w")
    limit_memory(memory_limit)
    hello = Hello(pid=os.getpid(), network=leave_network(), memory_limit=memory_limit)
    configuration = _read_frame(source)
    if configuration is None:
        return
    rules = RULES.validate_json(configuration[0])
    settle_memory()
    _write(sink, HELLO.dump_json(hello))
    while (page := _read_frame(source)) is not None:
        reply = answer_page(*page, rules)
        _write(sink, REPLY.dump_json(reply))
        if reply.is_out_of_memory:
            return  # A heap that was full once is not trusted with the next page.


def answer_page(head: bytes, body: bytes, rules: Rules) -> Reply:
    try:
        snapshot, answer = parse_page(head, body)
        return Reply(interpret(snapshot, rules, answer))
    except MemoryError:
        return Reply(None, is_out_of_memory=True)
    except Exception:  # noqa: BLE001 - the outcome of this page is recorded as internal_error
        return Reply(None, trace=traceback.format_exc()[-MAX_TRACE:])


def _read_frame(source: "io.BufferedReader[io.FileIO]") -> tuple[bytes, bytes] | None:
    """None where the crawl ended, in the middle of a frame or between two."""
    lengths = source.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    sizes = LENGTHS.unpack(lengths)
    if sizes[0] > MAX_HEAD or sizes[1] > MAX_BODY:
        return None
    head, body = source.read(sizes[0]), source.read(sizes[1])
    return (head, body) if (len(head), len(body)) == sizes else None


def _write(sink: io.FileIO, head: bytes) -> None:
    view = memoryview(frame(head))
    while view:
        view = view[sink.write(view) :]
