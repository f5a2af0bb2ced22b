"""Questions against a provider on loopback and a ledger on disk: one call each, and bounded."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from crawler.authoring.asking import FAILURES_IN_A_ROW, Inquirer
from crawler.authoring.providers.hosted import HostedProvider
from crawler.contracts.model import AnswerKey, AskOutcome, ModelAnswer, ModelQuestion
from crawler.contracts.record import FieldSpec
from crawler.contracts.site.model import ModelRules
from crawler.extraction.model.prompt import make_question
from crawler.ledger.database import ledger_url, open_for_reading
from crawler.ledger.operations import FindAnswer, KeepAnswer
from crawler.ledger.tables import model_answers
from crawler.ledger.writer import LedgerWriter
from tests.e2e.provider import PATH, Provider, completion, failure, instructions_in
from tests.e2e.server import Server, Step
from tests.integration.ledger.builders import MemorySink

T = TypeVar("T")
MODEL = "openai:test-model"
GOOD = json.dumps({"price": {"value": 25, "quote": "€25"}})
USAGE = {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}


class Answers:
    """The ledger's writer as the crawl uses it, on this test's event loop."""

    def __init__(self, writer: LedgerWriter) -> None:
        self._writer = writer

    async def find_answer(self, key: AnswerKey) -> ModelAnswer | None:
        return await asyncio.wrap_future(self._writer.submit(FindAnswer(key)))

    async def keep_answer(self, answer: ModelAnswer) -> ModelAnswer:
        return await asyncio.wrap_future(self._writer.submit(KeepAnswer(answer)))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with Server() as server:
        made = Provider(server, lambda _: GOOD)
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made


def question(text: str = "Tickets €25") -> ModelQuestion:
    return make_question("shows", MODEL, [(FieldSpec("price"), "")], [text])


class Asked:
    """What a run with an Inquirer gave."""

    def __init__(self) -> None:
        self.stats: Counter[str] = Counter()
        self.result: Any = None


def run(
    folder: Path, work: Callable[[Inquirer], Awaitable[Any]], *, concurrency: int = 4, **limits: Any
) -> Asked:
    rules = ModelRules.model_validate({"name": MODEL, "timeout": 5.0, **limits})
    asked = Asked()

    def count(name: str, amount: float) -> None:
        asked.stats[name] += amount  # type: ignore[assignment]

    async def main() -> None:
        inquirer = Inquirer(
            rules, HostedProvider(MODEL), Answers(writer), concurrency=concurrency, count=count
        )
        try:
            asked.result = await work(inquirer)
        finally:
            await inquirer.close()

    writer = LedgerWriter(ledger_url(folder), MemorySink(), "a", "shows")
    writer.start()
    try:
        asyncio.run(main())
    finally:
        writer.close()
    return asked


def one(folder: Path, asked: ModelQuestion | None = None, **limits: Any) -> AskOutcome:
    result: AskOutcome = run(
        folder, lambda inquirer: inquirer.answer(asked or question(), "urn:uuid:1"), **limits
    ).result
    return result


def kept_in(folder: Path) -> list[Any]:
    engine = open_for_reading(ledger_url(folder))
    try:
        with engine.connect() as conn:
            return list(conn.execute(sa.select(model_answers)))
    finally:
        engine.dispose()


def test_an_answer_is_durable_with_all_that_it_depends_on(
    provider: Provider, tmp_path: Path
) -> None:
    outcome = one(tmp_path)

    assert (outcome.state, outcome.answer and outcome.answer.text) == ("answered", GOOD)
    [row] = kept_in(tmp_path)
    key = question().key
    assert (row.site, row.zone_hash, row.rule_version, row.model) == (
        "shows", key.zone_hash, key.rule_version, MODEL,
    )  # fmt: skip
    assert (row.capture_id, row.answer, row.input_tokens, row.output_tokens) == (
        "urn:uuid:1", GOOD, 900, 40,
    )  # fmt: skip


def test_what_was_answered_once_is_never_asked_again(provider: Provider, tmp_path: Path) -> None:
    first = one(tmp_path)
    provider.reply = lambda _: "{}"
    second = one(tmp_path)

    assert second == AskOutcome(second.state, first.answer)
    assert second.state == "retained"
    assert len(provider.calls) == 1


def test_two_pages_with_the_same_zone_cost_one_call(provider: Provider, tmp_path: Path) -> None:
    provider.delay = 0.1

    async def twice(inquirer: Inquirer) -> list[str]:
        outcomes = await asyncio.gather(
            *(inquirer.answer(question(), f"urn:uuid:{n}") for n in range(5))
        )
        return sorted(outcome.state for outcome in outcomes)

    asked = run(tmp_path, twice)

    assert asked.result == ["answered", *["retained"] * 4]
    assert len(provider.calls) == 1
    assert asked.stats["model/questions/retained"] == 4


def test_an_unusable_answer_is_sent_back_with_the_reason_and_tried_again(
    provider: Provider, tmp_path: Path
) -> None:
    answers = iter(["Sorry, I cannot.", GOOD])
    provider.reply = lambda _: next(answers)

    outcome = one(tmp_path)

    assert outcome.answer is not None
    assert outcome.answer.text == GOOD
    first, second = map(instructions_in, provider.calls)
    assert (
        second.removeprefix(first)
        .strip()
        .startswith("Your last answer could not be used: it is no JSON")
    )
    assert "Sorry" not in second
    assert (outcome.answer.input_tokens, outcome.answer.output_tokens) == (1800, 80)


@pytest.mark.parametrize("tries", [1, 3])
def test_a_model_that_never_answers_in_form_is_asked_so_often_and_no_more(
    provider: Provider, tmp_path: Path, tries: int
) -> None:
    provider.reply = lambda _: "Sorry, I cannot."

    assert one(tmp_path, tries=tries).state == "answered"
    assert len(provider.calls) == tries
    assert one(tmp_path, tries=tries).state == "retained", "nor is it paid for again"
    assert len(provider.calls) == tries


@pytest.mark.parametrize(
    ("steps", "state", "calls"),
    [
        ((failure(500), completion(GOOD, usage=USAGE)), "answered", 2),
        ((failure(429, retry_after="0.1"), completion(GOOD, usage=USAGE)), "answered", 2),
        ((Step(is_reset=True), completion(GOOD, usage=USAGE)), "answered", 2),
        ((failure(500),), "unavailable", 2),
        ((failure(401),), "refused", 1),
        ((failure(429, retry_after="3600"),), "unavailable", 1),
    ],
)
def test_a_failure_is_tried_again_where_that_may_help(
    provider: Provider, tmp_path: Path, steps: tuple[Step, ...], state: str, calls: int
) -> None:
    provider.server.serve(PATH, *steps)

    assert one(tmp_path).state == state
    assert provider.server.hits(PATH) == calls
    assert len(kept_in(tmp_path)) == (state == "answered")


def test_the_deadline_of_a_page_covers_all_of_its_tries(provider: Provider, tmp_path: Path) -> None:
    provider.server.serve(PATH, Step(is_silent=True))

    outcome = one(tmp_path, timeout=0.4, tries=5)

    assert outcome.state == "timeout"
    assert provider.server.hits(PATH) == 1, "nothing is left of it for another try"


def test_a_run_that_may_spend_no_more_asks_no_more(provider: Provider, tmp_path: Path) -> None:
    async def several(inquirer: Inquirer) -> list[str]:
        return [(await inquirer.answer(question(f"€{n}"), "urn:uuid:1")).state for n in range(4)]

    limits = {"run_tokens": 2_400, "max_tokens": 100}
    asked = run(tmp_path, several, **limits)

    assert asked.result == ["answered", "answered", "over_budget", "over_budget"]
    assert asked.stats["model/calls"] == len(provider.calls) == 2
    assert asked.stats["model/input_tokens"] == 1800


def test_the_cost_is_counted_where_the_price_is_known(provider: Provider, tmp_path: Path) -> None:
    price = {"input": 1.0, "output": 10.0}

    asked = run(tmp_path, lambda i: i.answer(question(), "urn:uuid:1"), price=price)

    assert asked.stats["model/cost"] == pytest.approx(0.0013)


def test_a_provider_that_is_down_delays_a_few_pages_and_then_none(
    provider: Provider, tmp_path: Path
) -> None:
    provider.server.serve(PATH, failure(503))

    async def several(inquirer: Inquirer) -> list[str]:
        return [(await inquirer.answer(question(f"€{n}"), "urn:uuid:1")).state for n in range(8)]

    asked = run(tmp_path, several, tries=1)

    assert asked.result == ["unavailable"] * FAILURES_IN_A_ROW + ["given_up"] * 3
    assert provider.server.hits(PATH) == FAILURES_IN_A_ROW


@pytest.mark.parametrize("address", ["http://[bad", "nonsense", "ftp://127.0.0.1/v1"])
@pytest.mark.usefixtures("provider")
def test_an_address_that_is_none_costs_an_answer_and_not_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)

    assert one(tmp_path, tries=1).state == "unavailable"


def test_no_more_calls_run_at_a_time_than_are_allowed(provider: Provider, tmp_path: Path) -> None:
    provider.delay = 0.1

    async def several(inquirer: Inquirer) -> int:
        questions = [question(f"€{n}") for n in range(6)]
        await asyncio.gather(*(inquirer.answer(each, "urn:uuid:1") for each in questions))
        return provider.server.most_in_flight

    assert run(tmp_path, several, concurrency=2).result == 2


def test_stopping_cuts_what_is_being_asked_at_once(provider: Provider, tmp_path: Path) -> None:
    provider.server.serve(PATH, Step(is_silent=True))

    async def stopped(inquirer: Inquirer) -> list[str]:
        asking = asyncio.gather(
            *(inquirer.answer(question(f"€{n}"), "urn:uuid:1") for n in range(6))
        )
        while not provider.server.hits(PATH):  # noqa: ASYNC110 - the server runs in a thread
            await asyncio.sleep(0.01)
        inquirer.stop()
        return [outcome.state for outcome in await asyncio.wait_for(asking, 1)]

    assert run(tmp_path, stopped, timeout=60).result == ["stopped"] * 6


def test_the_first_of_two_workers_to_be_answered_decides_for_both(
    provider: Provider, tmp_path: Path
) -> None:
    one(tmp_path)

    async def late(inquirer: Inquirer) -> str:
        answer = ModelAnswer(question().key, "urn:uuid:2", "{}")
        return (await inquirer._answers.keep_answer(answer)).text

    assert run(tmp_path, late).result == GOOD
