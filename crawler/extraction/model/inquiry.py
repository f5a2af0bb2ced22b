"""One page and the model that may be asked about it."""

from collections.abc import Sequence
from functools import cached_property

from crawler.contracts.model import ModelQuestion
from crawler.contracts.record import FieldSpec
from crawler.contracts.rules import Rules
from crawler.contracts.site.model import ModelRules
from crawler.contracts.site.record import ContentRules
from crawler.document.document import Document
from crawler.extraction.content.lines import Line
from crawler.extraction.content.page import read_zone
from crawler.extraction.model.answer import Answer, UnusableAnswerError, parse_answer
from crawler.extraction.model.prompt import make_question

PREFIX = "model:"


class Inquiry:
    """What may be sent of a page, and the answer that was retained for it, if there is one."""

    def __init__(
        self, document: Document, rules: Rules, model: ModelRules, answer: str | None
    ) -> None:
        self._document, self._rules, self._model = document, rules, model
        self.answer = answer

    @property
    def model(self) -> str:
        return self._model.name

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The beginning of the zone, as much as may be sent. Raises BadSelectorError."""
        content = self._rules.content
        zone = ContentRules(zone=self._model.zone or content.zone, noise=content.noise)
        room, kept = self._model.max_characters, []
        for line in read_zone(self._document, zone):
            room -= len(line.text) + 1
            if room < 0:
                break
            kept.append(line)
        return tuple(kept)

    @cached_property
    def said(self) -> Answer | str:
        """What the answer says, or why it cannot be used."""
        try:
            return parse_answer(self.answer or "")
        except UnusableAnswerError as error:
            return str(error)

    def question(self, fields: Sequence[FieldSpec]) -> ModelQuestion:
        """Return what to ask about fields that are open."""
        wanted = [(spec, self._hint(spec)) for spec in fields]
        texts = [line.text for line in self.lines]
        return make_question(self._rules.site, self._model.name, wanted, texts)

    def _hint(self, spec: FieldSpec) -> str:
        rules = self._rules.record.fields.get(spec.name) or spec.rules
        hints = (rule.removeprefix(PREFIX) for rule in rules if rule.startswith(PREFIX))
        return " ".join(hints)
