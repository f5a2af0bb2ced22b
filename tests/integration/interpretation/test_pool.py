"""Real worker processes: what a page can do to them, and what becomes of the pages beside it."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.interpretation.answer import InterpretationBug
from crawler.interpretation.limits import PoolLimits
from crawler.interpretation.pool import WorkerPool, WorkerUnusable
from tests.integration.interpretation.stand_in import use_stand_in
from tests.unit.document.pages import make_bulletins, make_rules, make_snapshot

NOTICE = '<article data-id="n" data-published="2026-09-10"><h2>A</h2></article>'
"""A page with one record."""


@asynccontextmanager
async def opened(
    limits: PoolLimits | None = None, rules: Rules | None = None
) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(rules or make_bulletins(), limits or PoolLimits())
    try:
        yield pool
    finally:
        await pool.close()


def read(
    *bodies: str, limits: PoolLimits | None = None, rules: Rules | None = None
) -> list[PageReport | BaseException]:
    """Return what a new pool says of pages that are handed over at once."""

    async def run() -> list[PageReport | BaseException]:
        async with opened(limits, rules) as pool:
            return await read_all(pool, *bodies)

    return asyncio.run(run())


async def read_all(pool: WorkerPool, *bodies: str) -> list[PageReport | BaseException]:
    pages = (pool.interpret(make_snapshot(body)) for body in bodies)
    return await asyncio.gather(*pages, return_exceptions=True)


def tell(answer: PageReport | BaseException) -> str:
    """Return the reason of the rejection, the first note, or what was raised."""
    if isinstance(answer, BaseException):
        return f"{type(answer).__name__}: {answer}"
    if answer.rejections:
        return answer.rejections[0].reason.value
    return answer.notes[0]


def obey(*orders: str, limits: PoolLimits | None = None) -> list[str]:
    return [tell(answer) for answer in read(*orders, limits=limits)]


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    use_stand_in(monkeypatch)


def children() -> set[int]:
    """Return the processes that this one started and that have not been reaped."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has just ended
            found |= set(map(int, (task / "children").read_text().split()))
    return found


def network_of(pid: int | str) -> Path:
    return Path(f"/proc/{pid}/ns/net").readlink()


# Pages that are read


def test_a_page_is_interpreted() -> None:
    [report] = read(NOTICE)

    assert isinstance(report, PageReport)
    assert [candidate.key for candidate in report.candidates] == ["n"]
    assert report.rejections == ()


def test_many_pages_in_flight_each_get_their_own_report() -> None:
    bodies = [NOTICE.replace('"n"', f'"n{number}"') for number in range(60)]

    reports = read(*bodies, limits=PoolLimits(workers=2))

    keys = [report.candidates[0].key for report in reports if isinstance(report, PageReport)]
    assert keys == [f"n{number}" for number in range(60)]


@pytest.mark.usefixtures("stand_in")
def test_another_worker_starts_once_the_first_has_had_its_fill_for_long() -> None:
    async def run() -> tuple[int, int]:
        async with opened(PoolLimits(workers=2, queued=2, patience=0.1)) as pool:
            before = children()
            await read_all(pool, *["echo a"] * 6)
            alone = children() - before
            await read_all(pool, *["sleep 0.2"] * 8)
            return len(alone), len(children() - before)

    assert asyncio.run(run()) == (1, 2)


@pytest.mark.usefixtures("stand_in")
def test_no_more_workers_start_than_are_allowed() -> None:
    async def run() -> int:
        async with opened(PoolLimits(workers=1, queued=1, patience=0.0)) as pool:
            before = children()
            await pool.start()
            unwanted = asyncio.create_task(pool.interpret(make_snapshot("sleep 0.2")))
            await asyncio.sleep(0.05)
            unwanted.cancel()  # Its worker goes on with it, though there is room for another page.
            await read_all(pool, "echo a", "echo b")
            return len(children() - before)

    assert asyncio.run(run()) == 1


def test_a_body_of_many_megabytes_arrives_whole() -> None:
    [report] = read(NOTICE + "<!-- " + "x" * 20_000_000 + " -->")

    assert isinstance(report, PageReport)
    assert len(report.candidates) == 1


def test_a_worker_says_how_it_is_isolated() -> None:
    async def run() -> tuple[str, int, set[int], bool]:
        async with opened(PoolLimits(memory=2**29)) as pool:
            hello = await pool.start()
            is_apart = network_of("self") != network_of(hello.pid)
            return hello.network, hello.memory_limit, {hello.pid} & children(), is_apart

    network, memory, started, is_apart = asyncio.run(run())

    assert network == ("namespace" if is_apart else "audit-hook")
    assert memory == 2**29
    assert started


# Pages that are not


@pytest.mark.usefixtures("stand_in")
def test_a_page_that_hangs_costs_itself_and_none_behind_it() -> None:
    told = obey("echo a", "sleep 60", "echo b", "echo c", limits=PoolLimits(seconds=0.5))

    assert told == ["a", "extraction_timeout", "b", "c"]


@pytest.mark.usefixtures("stand_in")
def test_a_page_waiting_behind_others_is_timed_from_its_own_start() -> None:
    told = obey(*["sleep 0.4"] * 4, limits=PoolLimits(seconds=1.0))

    assert told == ["awake"] * 4


@pytest.mark.usefixtures("stand_in")
def test_a_page_that_ends_its_worker_costs_itself_alone() -> None:
    assert obey("exit 1", "echo b", "exit 0", "echo d") == [
        "extraction_crash",
        "b",
        "extraction_crash",
        "d",
    ]


@pytest.mark.usefixtures("stand_in")
def test_a_worker_that_is_killed_costs_the_page_it_was_busy_with() -> None:
    async def run() -> list[str]:
        async with opened() as pool:
            hello = await pool.start()
            reading = asyncio.gather(
                *map(pool.interpret, map(make_snapshot, ["sleep 60", "echo b"]))
            )
            await asyncio.sleep(0.3)
            os.kill(hello.pid, signal.SIGKILL)
            return [tell(answer) for answer in await reading]

    assert asyncio.run(run()) == ["extraction_crash", "b"]


@pytest.mark.usefixtures("stand_in")
def test_an_idle_worker_that_is_killed_costs_no_page() -> None:
    async def run() -> list[str]:
        async with opened() as pool:
            os.kill((await pool.start()).pid, signal.SIGKILL)
            await asyncio.sleep(0.3)
            return [tell(answer) for answer in await read_all(pool, "echo a")]

    assert asyncio.run(run()) == ["a"]


@pytest.mark.usefixtures("stand_in")
def test_a_page_that_runs_out_of_memory_costs_itself_and_none_behind_it() -> None:
    told = obey("hoard 600000000", "echo b", "echo c", limits=PoolLimits(memory=2**29))

    assert told == ["extraction_crash", "b", "c"]


@pytest.mark.usefixtures("stand_in")
def test_a_bug_is_raised_with_its_trace_and_costs_no_worker() -> None:
    async def run() -> tuple[PageReport | BaseException, PageReport | BaseException, bool]:
        async with opened() as pool:
            before = (await pool.start()).pid
            bug, good = await read_all(pool, "raise heron", "echo b")
            return bug, good, (await pool.start()).pid == before

    bug, good, is_same_worker = asyncio.run(run())

    assert isinstance(bug, InterpretationBug)
    assert str(bug) == "LookupError: heron"
    assert "in obey" in bug.trace
    assert tell(good) == "b"
    assert is_same_worker


# What a worker cannot do


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("order", ["resolve example.com", "spawn", "fork", "shell true"])
def test_a_page_cannot_reach_the_network_or_start_a_process(order: str) -> None:
    [told] = obey(order)

    assert told.startswith("InterpretationBug: "), told
    assert "IsolationBroken" in told


@pytest.mark.usefixtures("stand_in")
def test_a_page_cannot_connect_to_a_server_of_this_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        [told] = obey(f"connect {server.getsockname()[1]}")

        assert "IsolationBroken" in told
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.usefixtures("stand_in")
def test_a_worker_sees_no_secret_of_the_crawl(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CANARY_TOKEN", "c4n4ry")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with (tmp_path / "ledger").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        names, files = obey("environment", "files")

    assert set(names.split()) <= {"PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "LC_CTYPE"}
    assert "/dev/null" in files
    assert str(tmp_path) not in files


@pytest.mark.usefixtures("stand_in")
def test_what_libraries_print_does_not_reach_the_protocol() -> None:
    assert obey("print " + "\0" * 64, "read", "echo c") == ["printed", "", "c"]


# The protocol


ODD_FRAMES = {
    "no lengths": b"GET / HTTP/1.1\r\n\r\n",
    "too long": b"\xff\xff\xff\xff\0\0\0\0{}",
    "with a body": b"\0\0\0\2\0\0\0\1{}x",
    "no JSON": b"\0\0\0\1\0\0\0\0{",
    "another schema": b'\0\0\0\x0c\0\0\0\0{"report":1}',
    "too deep": b"\0\1\x86\xa0\0\0\0\0" + b"[" * 100_000,
}


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("odd", ODD_FRAMES.values(), ids=ODD_FRAMES)
def test_a_worker_that_breaks_the_protocol_loses_only_the_page_it_had(odd: bytes) -> None:
    assert obey(f"send {odd.hex()}", "echo b", "echo c") == ["extraction_crash", "b", "c"]


@pytest.mark.usefixtures("stand_in")
def test_a_worker_that_answers_unasked_is_ended() -> None:
    reply = b'{"report":null}'
    odd = (b"\0\0\0\x0f\0\0\0\0" + reply) * 2

    async def run() -> tuple[str, str, bool]:
        async with opened() as pool:
            before = (await pool.start()).pid
            [first] = await read_all(pool, f"send {odd.hex()}")
            [second] = await read_all(pool, "echo b")
            return tell(first), tell(second), (await pool.start()).pid == before

    assert asyncio.run(run()) == ("InterpretationBug: no trace", "b", False)


@pytest.mark.parametrize(
    "boot",
    [
        "raise SystemExit(3)",
        "import os, sys; os.write(int(sys.argv[3]), b'hello, here I am')",
        "import os, sys; os.write(int(sys.argv[3]), bytes.fromhex('0000000200000000') + b'{}')",
        "no python",
    ],
)
def test_a_worker_that_does_not_start_properly_is_said_to_be_unusable(
    monkeypatch: pytest.MonkeyPatch, boot: str
) -> None:
    monkeypatch.setattr("crawler.interpretation.child.BOOT", boot)
    before = children()

    [answer] = read(NOTICE)

    assert isinstance(answer, WorkerUnusable)
    assert children() == before


def test_a_worker_that_cannot_be_executed_is_said_to_be_unusable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent/python")

    [answer] = read(NOTICE)

    assert isinstance(answer, WorkerUnusable)


@pytest.mark.usefixtures("stand_in")
def test_pages_are_not_left_waiting_when_no_other_worker_can_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> list[str]:
        async with opened() as pool:
            await pool.start()
            monkeypatch.setattr("sys.executable", "/nonexistent/python")
            async with asyncio.timeout(20):
                return [
                    tell(answer) for answer in await read_all(pool, "exit 1", "echo b", "echo c")
                ]

    told = asyncio.run(run())

    assert told[0] == "extraction_crash"
    assert {each.partition(":")[0] for each in told[1:]} == {"WorkerUnusable"}


# The end


Ending = Callable[[WorkerPool], Coroutine[Any, Any, None]]


async def _close_unused(pool: WorkerPool) -> None:
    await pool.close()


async def _close_idle(pool: WorkerPool) -> None:
    await pool.start()
    await pool.close()


async def _close_busy(pool: WorkerPool) -> None:
    await pool.start()
    pages = asyncio.gather(
        *map(pool.interpret, map(make_snapshot, ["sleep 60", "sleep 60"])), return_exceptions=True
    )
    await asyncio.sleep(0.1)
    await pool.close()
    answers = await pages
    assert {type(answer) for answer in answers} == {asyncio.CancelledError}


async def _close_while_it_starts(pool: WorkerPool) -> None:
    starting = asyncio.create_task(pool.start())
    await asyncio.sleep(0.05)
    await pool.close()
    with pytest.raises(WorkerUnusable):
        await starting


async def _close_before_the_worker_is_spawned(pool: WorkerPool) -> None:
    starting = asyncio.create_task(pool.start())
    await asyncio.sleep(0)
    await pool.close()
    with pytest.raises(WorkerUnusable):
        await starting


async def _cancel_the_start(pool: WorkerPool) -> None:
    starting = asyncio.create_task(pool.start())
    await asyncio.sleep(0.05)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await pool.close()


async def _cancel_a_page(pool: WorkerPool) -> None:
    await pool.start()
    page = asyncio.create_task(pool.interpret(make_snapshot("sleep 0.2")))
    await asyncio.sleep(0.05)
    page.cancel()
    assert [tell(answer) for answer in await read_all(pool, "echo b")] == ["b"]
    await pool.close()


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    "end",
    [
        _close_unused,
        _close_idle,
        _close_busy,
        _close_while_it_starts,
        _close_before_the_worker_is_spawned,
        _cancel_the_start,
        _cancel_a_page,
    ],
)
def test_no_process_is_left_however_the_pool_ends(end: Ending) -> None:
    before = children()

    asyncio.run(asyncio.wait_for(end(WorkerPool(make_bulletins())), 20))

    assert children() == before


def test_a_closed_pool_takes_no_page() -> None:
    async def run() -> PageReport:
        pool = WorkerPool(make_bulletins())
        await pool.close()
        return await pool.interpret(make_snapshot(NOTICE))

    with pytest.raises(WorkerUnusable):
        asyncio.run(run())


# Hostile pages through the real interpretation


DEEP = "<div>" * 100_000
HOSTILE = {
    "100,000 nested elements": (NOTICE + DEEP, {"record_structure"}),
    "5,000 nested elements": (NOTICE + "<div>" * 5_000, {"record_structure"}),
    "500,000 siblings": ("<p>" * 500_000 + NOTICE, {""}),
    "50,000 attributes": (
        "<div " + " ".join(f"a{n}=1" for n in range(50_000)) + f">{NOTICE}</div>",
        {""},
    ),
    "a text of 60 MB": (f"<p>{'word ' * 12_000_000}</p>{NOTICE}", {"", "extraction_crash"}),
}


@pytest.mark.parametrize(("body", "permitted"), HOSTILE.values(), ids=HOSTILE)
def test_a_huge_page_has_a_typed_outcome_in_bounded_time(body: str, permitted: set[str]) -> None:
    hostile, ordinary = read(body, NOTICE, limits=PoolLimits(seconds=2))

    assert isinstance(hostile, PageReport)
    reason = hostile.rejections[0].reason.value if hostile.rejections else ""
    assert reason in permitted | {RejectReason.EXTRACTION_TIMEOUT}
    assert isinstance(ordinary, PageReport)
    assert len(ordinary.candidates) == 1


JSON_BLOCKS = {
    "100,000 nested arrays": "[" * 100_000,
    "100,000 arrays that close": "[" * 100_000 + "]" * 100_000,
    "5,000 digits": '{"@type": "Product", "name": "B", "offers": {"price": ' + "9" * 5_000 + "}}",
    "beyond a float": '{"@type": "Product", "name": 1e400}',
    "NaN": '{"@type": "Product", "name": NaN}',
    "a lone surrogate": r'{"@type": "Product", "name": "\ud800"}',
}


@pytest.mark.parametrize("block", JSON_BLOCKS.values(), ids=JSON_BLOCKS)
def test_a_hostile_block_leaves_its_siblings_alone(block: str) -> None:
    good = '{"@type": "Product", "name": "A", "url": "https://example.com/p/1"}'
    scripts = (f'<script type="application/ld+json">{text}</script>' for text in (block, good))

    [report] = read("<html><title>A</title>" + "".join(scripts), rules=make_rules())

    assert isinstance(report, PageReport)
    assert [candidate.values["name"] for candidate in report.candidates] == ["A"]


def test_ten_thousand_blocks_are_read_up_to_a_limit_that_is_said() -> None:
    good = '<script type="application/ld+json">{"@type": "Product", "name": "A"}</script>'
    empty = '<script type="application/ld+json">{}</script>'

    [report] = read(f"<title>A</title>{good}{empty * 10_000}", rules=make_rules())

    assert isinstance(report, PageReport)
    assert [candidate.values["name"] for candidate in report.candidates] == ["A"]
    assert report.notes == ("1000 JSON-LD blocks were read; any others were not",)


def test_a_selector_of_catastrophic_cost_ends_at_the_deadline() -> None:
    rules = make_bulletins()
    costly = rules.record.model_copy(
        update={"fields": {**rules.record.fields, "office": ("xpath:" + "//*" * 4,)}}
    )
    page = f"{NOTICE}{'<div>' * 2_000}{'</div>' * 2_000}"

    hostile, ordinary = read(
        page, NOTICE, limits=PoolLimits(seconds=1), rules=make_rules(rules.record_type, costly)
    )

    assert tell(hostile) == RejectReason.EXTRACTION_TIMEOUT
    assert isinstance(ordinary, PageReport)
    assert len(ordinary.candidates) == 1
