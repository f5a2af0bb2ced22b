"""Asks a model about pages, one call at a time for each question, and keeps what it answered.

An answer is durable before anyone reads it, and the first one for a key stands for good, usable or
not: what was paid for once is never paid for again, and a replay finds what the crawl found.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from crawler.authoring.budget import Budget, Charge, actual_charge, expect_charge
from crawler.contracts.model import (
    AnswerKey,
    AskOutcome,
    AskState,
    ModelAnswer,
    ModelQuestion,
    ModelRequest,
    ProviderFailed,
)
from crawler.contracts.ports import AnswerStore, ModelProvider
from crawler.contracts.site.model import ModelRules
from crawler.extraction.model.answer import MAX_ANSWER, find_answer_problem
from crawler.extraction.model.prompt import with_feedback

FAILURES_IN_A_ROW = 5
"""After so many pages without an answer no other page waits for one."""
FIRST_PAUSE = 0.5
HOPELESS = frozenset({AskState.NOT_CONFIGURED, AskState.REFUSED})
"""Failures that no other page will fare better with."""

Count = Callable[[str, float], object]


@dataclass(slots=True)
class _Attempts:
    """What came of the calls for one question so far."""

    failure: AskOutcome
    """Holds where there is no answer at all."""
    text: str | None = None
    """The last answer, usable or not."""
    sent: int = 0
    answered: int = 0


class Inquirer:
    """Asks one model for one run. Use from one event loop.

    Stats: ``model/calls``, ``model/input_tokens``, ``model/output_tokens``, ``model/cost``,
    ``model/questions/<state>``.
    """

    def __init__(
        self,
        rules: ModelRules,
        provider: ModelProvider,
        answers: AnswerStore,
        *,
        concurrency: int,
        count: Count,
    ) -> None:
        self._rules, self._provider, self._answers = rules, provider, answers
        self._count = count
        self._budget = Budget(rules)
        self._room = asyncio.Semaphore(concurrency)
        self._turns: WeakValueDictionary[AnswerKey, asyncio.Lock] = WeakValueDictionary()
        self._calls: set[asyncio.Task[AskOutcome]] = set()
        self._failures = 0
        self._has_given_up = False
        self._is_stopped = False

    async def answer(self, question: ModelQuestion, capture_id: str) -> AskOutcome:
        """Return the retained answer, or the one of a call; raises StorageFailed."""
        turn = self._turns.setdefault(question.key, asyncio.Lock())
        async with turn:
            retained = await self._answers.find_answer(question.key)
            if retained is not None:
                outcome = AskOutcome(AskState.RETAINED, retained)
            else:
                outcome = await self._ask_unless_stopped(question, capture_id)
        self._count(f"model/questions/{outcome.state}", 1)
        return outcome

    def stop(self) -> None:
        """Ask nothing any more, and cut what is being asked."""
        self._is_stopped = True
        for call in self._calls:
            call.cancel()

    async def close(self) -> None:
        self.stop()
        await asyncio.gather(*self._calls, return_exceptions=True)
        await self._provider.close()

    async def _ask_unless_stopped(self, question: ModelQuestion, capture_id: str) -> AskOutcome:
        if self._has_given_up:
            return AskOutcome(AskState.GIVEN_UP)
        if self._is_stopped:
            return AskOutcome(AskState.STOPPED)
        # A task of its own: what a client does on an event loop needs one, and stop() cancels it.
        call = asyncio.get_running_loop().create_task(self._ask(question, capture_id))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            outcome = await call
        except asyncio.CancelledError:
            if not self._is_stopped:
                call.cancel()
                raise
            return AskOutcome(AskState.STOPPED)
        self._note(outcome)
        return outcome

    def _note(self, outcome: AskOutcome) -> None:
        if outcome.answer is not None:
            self._failures = 0
        elif outcome.state not in {AskState.OVER_BUDGET, AskState.GIVEN_UP}:
            self._failures += 1
        if outcome.state in HOPELESS or self._failures >= FAILURES_IN_A_ROW:
            self._has_given_up = True

    async def _ask(self, question: ModelQuestion, capture_id: str) -> AskOutcome:
        async with self._room:
            if self._has_given_up:
                return AskOutcome(AskState.GIVEN_UP)
            attempts = _Attempts(AskOutcome(AskState.UNAVAILABLE))
            try:
                await self._open()
                async with asyncio.timeout(self._rules.timeout) as deadline:
                    await self._try(question, attempts, deadline.when() or 0.0)
            except TimeoutError:
                detail = f"no answer within {self._rules.timeout:g} s"
                attempts.failure = AskOutcome(AskState.TIMEOUT, detail=detail)
            except ProviderFailed as error:
                attempts.failure = AskOutcome(error.state, detail=error.detail)
        if attempts.text is None:
            return attempts.failure
        answer = ModelAnswer(
            question.key, capture_id, attempts.text, attempts.sent, attempts.answered
        )
        return AskOutcome(AskState.ANSWERED, await self._answers.keep_answer(answer))

    async def _open(self) -> None:
        with _surprises_told():
            await self._provider.open()

    async def _try(self, question: ModelQuestion, attempts: _Attempts, deadline: float) -> None:
        """Call until an answer can be used; one that cannot is sent back with the reason."""
        instructions = question.instructions
        for number in range(self._rules.tries):
            try:
                attempts.text = await self._call(question, instructions, attempts)
            except ProviderFailed as error:
                attempts.failure = AskOutcome(error.state, detail=error.detail)
                wait = FIRST_PAUSE * 2**number if error.wait is None else error.wait
                is_last = number + 1 == self._rules.tries
                left = deadline - asyncio.get_running_loop().time()
                if is_last or not error.is_transient or wait > left:
                    return
                await asyncio.sleep(wait)
                continue
            problem = find_answer_problem(attempts.text, question.fields)
            if problem is None:
                return
            instructions = with_feedback(question.instructions, problem)

    async def _call(self, question: ModelQuestion, instructions: str, attempts: _Attempts) -> str:
        """Return the text of one answer; raises ProviderFailed."""
        request = ModelRequest(
            model=question.key.model,
            instructions=instructions,
            page=question.page,
            schema=question.schema,
            max_tokens=self._rules.max_tokens,
            seconds=self._rules.timeout,
        )
        expected = expect_charge(request)
        if not self._budget.reserve(expected):
            raise ProviderFailed(AskState.OVER_BUDGET, "the budget of the run is used up")
        used = Charge(expected.sent, 0)  # A call that fails may be charged for what it was sent.
        try:
            with _surprises_told():
                reply = await self._provider.ask(request)
                used = actual_charge(reply, expected)
        finally:
            self._budget.settle(expected, used)
            attempts.sent, attempts.answered = (
                attempts.sent + used.sent,
                attempts.answered + used.answered,
            )
            self._count_call(used)
        return reply.text[: MAX_ANSWER + 1]

    def _count_call(self, used: Charge) -> None:
        self._count("model/calls", 1)
        self._count("model/input_tokens", used.sent)
        self._count("model/output_tokens", used.answered)
        if self._rules.price is not None:
            self._count("model/cost", used.cost(self._rules.price))


@contextmanager
def _surprises_told() -> Iterator[None]:
    """Turn what an SDK raises against its word into a failure: it costs an answer, not the page."""
    try:
        yield
    except ProviderFailed:
        raise
    except Exception as error:
        detail = f"the provider's library failed ({type(error).__name__})"
        raise ProviderFailed(AskState.UNAVAILABLE, detail) from error
