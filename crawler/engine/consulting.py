"""Reads pages, and has a model asked about those that leave fields open."""

import logging
from typing import TYPE_CHECKING, Any

from crawler.contracts.errors import StorageFailed
from crawler.contracts.page import PageReport
from crawler.contracts.site.model import ModelRules
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.interpreter import Interpreter

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from crawler.authoring.asking import Inquirer
    from crawler.contracts.model import AskOutcome, ModelQuestion
    from crawler.engine.store import Store

logger = logging.getLogger(__name__)


class Consulting:
    """Reads a page again with the answer, where there is one; without one the first report stands."""

    def __init__(self, interpreter: Interpreter, inquirer: "Inquirer | None") -> None:
        self._interpreter = interpreter
        self._inquirer = inquirer
        self._told: set[str] = set()

    async def interpret(self, snapshot: Snapshot) -> PageReport:
        """Raises InterpretationBug or WorkerUnusable."""
        report = await self._interpreter.interpret(snapshot)
        if report.question is None or self._inquirer is None:
            return report
        try:
            outcome = await self._inquirer.answer(report.question, snapshot.capture_id)
        except StorageFailed:
            return report.without_question()  # The writer has reported it; the run is ending.
        if outcome.answer is not None:
            answered = await self._interpreter.interpret(snapshot, outcome.answer.text)
            return answered.without_question()
        self._tell(report.question, outcome)
        return report.without_question(f"the model gave no answer: {_spell(outcome)}")

    def stop(self) -> None:
        if self._inquirer is not None:
            self._inquirer.stop()

    async def close(self) -> None:
        if self._inquirer is not None:
            await self._inquirer.close()

    def _tell(self, question: "ModelQuestion", outcome: "AskOutcome") -> None:
        """Log each kind of failure once: there may be one for every page."""
        spelled = _spell(outcome)
        if spelled not in self._told:
            self._told.add(spelled)
            logger.warning("no answer of %s: %s", question.key.model, spelled)


def _spell(outcome: "AskOutcome") -> str:
    return f"{outcome.state}: {outcome.detail}" if outcome.detail else outcome.state.value


def open_inquirer(
    rules: ModelRules | None, store: "Store", settings: "BaseSettings", stats: Any
) -> "Inquirer | None":
    """Setting MODEL_CONCURRENCY: calls to the provider at a time. None where no model is asked."""
    if rules is None:
        return None
    # Few sites ask a model, and each crawl would pay for the imports.
    from crawler.authoring.asking import Inquirer  # noqa: PLC0415
    from crawler.authoring.providers.hosted import HostedProvider  # noqa: PLC0415

    return Inquirer(
        rules,
        HostedProvider(rules.name),
        store,
        concurrency=settings.getint("MODEL_CONCURRENCY"),
        count=stats.inc_value,
    )
