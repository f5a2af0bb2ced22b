"""Pages read in this process: the same report, byte for byte, and as many bounds as there can be."""

import asyncio
import signal
import threading
import time
from dataclasses import replace

import pytest

from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation import worker
from crawler.interpretation.answer import InterpretationBug
from crawler.interpretation.in_process import InProcess, interpret_here
from crawler.interpretation.interpreter import make_interpreter
from crawler.interpretation.limits import PoolLimits
from crawler.interpretation.pool import WorkerPool
from crawler.interpretation.protocol import REPLY, Reply
from tests.integration.interpretation.stand_in import obey
from tests.unit.document.pages import NOTICE, PRODUCT, make_bulletins, make_rules, make_snapshot
from tests.unit.document.responses import LOADED_ROWS, load_page
from tests.unit.extraction.model.pages import answer_of, make_model_rules, page_of

ROW = '<article data-id="n" data-published="2026-09-10"><h2>A</h2></article>'
SHOP = (
    '<html lang="de"><head><title>Kanne</title><script type="application/ld+json">'
    '{"@type": "Product", "name": "Kanne &amp; Krug", "offers": {"price": "12,50"},'
    ' "keywords": ["a", "b"], "releaseDate": "2026-05"},</script></head>'
    '<body><h1>Kanne</h1><p class="price">12,50 €</p></body></html>'
)
PAGES: dict[str, tuple[Rules, Snapshot, str | None]] = {
    "rows": (make_bulletins(), make_snapshot(ROW), None),
    "a rejected row": (make_bulletins(), make_snapshot(ROW.replace("2026-09-10", "soon")), None),
    "mended JSON-LD": (make_rules(PRODUCT), make_snapshot(SHOP), None),
    "no record": (make_bulletins(), make_snapshot("<p>nothing</p>"), None),
    "another encoding": (
        make_bulletins(),
        make_snapshot(ROW.replace(">A<", ">Ä\u2028<").encode("utf-16")),
        None,
    ),
    "not text at all": (make_bulletins(), make_snapshot(bytes(range(256)) * 20), None),
    "too deep": (make_bulletins(), make_snapshot("<div>" * 100_000), None),
    "what it loaded": (
        make_rules(NOTICE, LOADED_ROWS),
        load_page({"rows": [{"id": "é", "title": "T", "day": "2026-09-10"}]}, {"rows": []}),
        None,
    ),
    "a question": (make_model_rules("price"), make_snapshot(page_of("<p>€25</p>")), None),
    "an answer": (
        make_model_rules("price"),
        make_snapshot(page_of("<p>€25</p>")),
        answer_of(price=(25, "€25")),
    ),
}


def bytes_of(report: PageReport) -> bytes:
    return REPLY.dump_json(Reply(report))


@pytest.mark.parametrize("name", PAGES)
def test_the_report_is_the_same_byte_for_byte_as_a_workers(name: str) -> None:
    rules, snapshot, answer = PAGES[name]

    async def read() -> PageReport:
        pool = WorkerPool(rules)
        try:
            return await pool.interpret(snapshot, answer)
        finally:
            await pool.close()

    here, there = interpret_here(snapshot, rules, answer), asyncio.run(read())

    assert bytes_of(here) == bytes_of(there)
    assert here == there


def test_a_setting_of_minus_one_starts_no_process() -> None:
    rules, snapshot, _ = PAGES["rows"]
    interpreter = make_interpreter(rules, PoolLimits(workers=-1))

    async def read() -> PageReport:
        await interpreter.prepare()
        report = await interpreter.interpret(snapshot)
        await interpreter.close()
        return report

    assert isinstance(interpreter, InProcess)
    assert interpreter.network == "in-process"
    assert asyncio.run(read()) == interpret_here(snapshot, rules)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpretation does what a page's body tells it to."""
    monkeypatch.setattr(worker, "interpret", obey)


def order(body: str, seconds: float = 10.0) -> PageReport:
    return interpret_here(make_snapshot(body), make_bulletins(), limits=PoolLimits(seconds=seconds))


@pytest.mark.usefixtures("stand_in")
def test_a_page_that_takes_too_long_costs_one_rejection_and_the_next_is_read() -> None:
    started = time.monotonic()

    [rejection] = order("sleep 30", seconds=0.2).rejections

    assert rejection.reason is RejectReason.EXTRACTION_TIMEOUT
    assert time.monotonic() - started < 15
    assert order("echo b").notes == ("b",)


@pytest.mark.usefixtures("stand_in")
def test_a_page_that_asks_for_too_much_memory_costs_one_rejection() -> None:
    [rejection] = order(f"hoard {2**60}").rejections

    assert rejection.reason is RejectReason.EXTRACTION_CRASH


@pytest.mark.usefixtures("stand_in")
def test_a_bug_is_told_with_its_trace() -> None:
    with pytest.raises(InterpretationBug, match="LookupError: oops"):
        order("raise oops")


@pytest.mark.usefixtures("stand_in")
def test_the_alarm_of_whoever_calls_is_left_as_it_was() -> None:
    def own(_number: int, _frame: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGALRM, own)
    try:
        order("echo a")
        assert signal.getsignal(signal.SIGALRM) is own
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_in_another_thread_a_page_is_read_without_a_deadline() -> None:
    rules, snapshot, _ = PAGES["rows"]
    found: list[PageReport] = []
    thread = threading.Thread(target=lambda: found.append(interpret_here(snapshot, rules)))
    thread.start()
    thread.join()

    assert found == [interpret_here(snapshot, rules)]


def test_nothing_of_one_page_is_left_for_the_next() -> None:
    rules, snapshot, _ = PAGES["mended JSON-LD"]
    first = interpret_here(snapshot, rules)
    interpret_here(replace(snapshot, final_url="https://example.com/other"), rules)

    assert interpret_here(snapshot, rules) == first
