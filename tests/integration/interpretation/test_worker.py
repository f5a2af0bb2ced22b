"""One worker, spoken to over its socket as the pool does and as it never would."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from crawler.interpretation import child
from crawler.interpretation.protocol import (
    HELLO,
    LENGTHS,
    MAX_BODY,
    MAX_HEAD,
    REPLY,
    RULES,
    Reply,
    frame,
    frame_snapshot,
)
from tests.unit.document.pages import make_bulletins, make_snapshot

RULE_FRAME = frame(RULES.dump_json(make_bulletins()))
NOTICE = '<article data-id="n" data-published="2026-09-10"><h2>A</h2></article>'


@dataclass(frozen=True, slots=True)
class Worker:
    process: subprocess.Popen[str]
    socket: socket.socket

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def receive(self) -> bytes:
        """Return the head of the next frame; empty when the worker has gone."""
        lengths = self._read(LENGTHS.size)
        return self._read(LENGTHS.unpack(lengths)[0]) if lengths else b""

    def _read(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            part = self.socket.recv(size - len(found))
            if not part:
                return b""
            found += part
        return found

    def end(self) -> tuple[int, str]:
        """Return exit code and messages of a worker that ends by itself."""
        _, messages = self.process.communicate(timeout=20)
        return self.process.returncode, messages


@contextmanager
def started(before: str = "") -> Iterator[Worker]:
    """Start a worker whose process runs *before* as its first lines."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(20)
        arguments = (json.dumps(sys.path), str(2**30), str(theirs.fileno()))
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", before + child.BOOT, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            text=True,
        )
        theirs.close()
        with process:
            try:
                yield Worker(process, ours)
            finally:
                process.kill()
                process.communicate()


def test_a_worker_introduces_itself_once_it_has_its_rules_and_then_answers_in_order() -> None:
    with started() as worker:
        worker.send(RULE_FRAME)
        hello = HELLO.validate_json(worker.receive())
        for key in ("a", "b"):
            worker.send(frame_snapshot(make_snapshot(NOTICE.replace('"n"', f'"{key}"'))))
        replies = [REPLY.validate_json(worker.receive()) for _ in range(2)]

    assert hello.pid == worker.process.pid
    assert hello.network in {"namespace", "audit-hook"}
    assert [keys(reply) for reply in replies] == [["a"], ["b"]]


def keys(reply: Reply) -> list[str]:
    assert reply.report is not None
    return [candidate.key for candidate in reply.report.candidates]


def test_the_same_page_and_rules_give_the_same_bytes_in_every_worker() -> None:
    answers = set()
    for seed in ("1", "2"):
        with started(f"import random; random.seed({seed}); ") as worker:
            worker.send(RULE_FRAME + frame_snapshot(make_snapshot(NOTICE)) * 2)
            worker.receive()
            answers |= {worker.receive(), worker.receive()}

    assert len(answers) == 1


def test_what_is_printed_while_libraries_are_imported_is_no_frame() -> None:
    with started("print('welcome'); ") as worker:
        worker.send(RULE_FRAME)

        assert HELLO.validate_json(worker.receive()).pid == worker.process.pid


ENDS = {
    "nothing at all": b"",
    "half of a length": b"\0\0\0",
    "no head": LENGTHS.pack(10, 0),
    "rules and no page": RULE_FRAME,
    "rules and half of a page": RULE_FRAME + frame_snapshot(make_snapshot(NOTICE))[:-1],
}


@pytest.mark.parametrize("data", ENDS.values(), ids=ENDS)
def test_a_worker_ends_when_the_crawl_has_gone(data: bytes) -> None:
    with started() as worker:
        worker.send(data)
        worker.socket.shutdown(socket.SHUT_WR)
        code, messages = worker.end()

    assert "Traceback" not in messages, messages
    assert code == 0


def test_a_worker_ends_in_silence_when_nobody_waits_for_its_answer() -> None:
    with started() as worker:
        worker.send(RULE_FRAME + frame_snapshot(make_snapshot(NOTICE)) * 50)
        worker.receive()
        worker.socket.close()

        assert worker.end() == (0, "")


@pytest.mark.parametrize(
    "lengths", [(MAX_HEAD + 1, 0), (2**32 - 1, 0), (2, MAX_BODY + 1)], ids=["head", "all", "body"]
)
def test_a_worker_does_not_wait_for_a_frame_beyond_the_limits(lengths: tuple[int, int]) -> None:
    with started() as worker:
        worker.send(RULE_FRAME)
        worker.receive()
        worker.send(LENGTHS.pack(*lengths))

        assert worker.end() == (0, "")


BAD_PAGES = {
    "no JSON": frame(b"{"),
    "no object": frame(b"[]"),
    "no snapshot": frame(b"{}"),
    "too deep": frame(b"[" * 100_000),
    "no text": frame(b"\xff\xfe"),
}


@pytest.mark.parametrize("page", BAD_PAGES.values(), ids=BAD_PAGES)
def test_a_page_that_is_no_snapshot_is_a_bug_that_is_told(page: bytes) -> None:
    with started() as worker:
        worker.send(RULE_FRAME + page + frame_snapshot(make_snapshot(NOTICE)))
        worker.receive()
        odd, good = (REPLY.validate_json(worker.receive()) for _ in range(2))

    assert odd.report is None
    assert odd.trace
    assert keys(good) == ["n"]
