"""From what a model quoted to the value of a field, read from the page by the parser of its kind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from crawler.contracts.evidence import Evidence, FieldValue, Missing, Source
from crawler.contracts.model import UNANSWERED
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import FieldKind, FieldSpec
from crawler.extraction.content.page import read_shown
from crawler.extraction.fields.kinds import LISTS, READERS, Reading, combine
from crawler.extraction.fields.reading import NOT_FOUND, FieldReading, Unreadable, shorten
from crawler.extraction.model.answer import Scalar
from crawler.extraction.model.inquiry import Inquiry
from crawler.extraction.model.passage import Passage, find_passages
from crawler.extraction.place import MAX_RAW, Place
from crawler.extraction.placement.context import words_around_passage
from crawler.extraction.placement.misplaced import find_misplaced

SELF_EVIDENT = frozenset(
    {
        FieldKind.TEXT,
        FieldKind.PROSE,
        FieldKind.LIST,
        FieldKind.NAMES,
        FieldKind.STEPS,
        FieldKind.PLACES,
        FieldKind.GTIN,
    }
)
"""Kinds of which the same words say the same wherever they stand; a number may count anything."""

_Quote = tuple[JsonValue, Evidence]


def read_quoted(spec: FieldSpec, rule: str, place: Place) -> FieldReading:
    """Return what the retained answer says of a field, as far as the page bears it out.

    Raises BadSelectorError for a zone that is none.
    """
    inquiry = place.inquiry
    if inquiry is None or not place.is_whole_page or not inquiry.lines:
        return NOT_FOUND
    if inquiry.answer is None:
        return replace(NOT_FOUND, detail=UNANSWERED, is_hint=True, is_open=True)
    if isinstance(inquiry.said, str):
        detail = f"the answer of the model is unusable: {inquiry.said}"
        return replace(NOT_FOUND, detail=detail, is_hint=True)
    said = inquiry.said.get(spec.name)
    return NOT_FOUND if said is None else _Reader(spec, rule, place, inquiry).read(said.pairs)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one field of one page."""

    spec: FieldSpec
    rule: str
    place: Place
    inquiry: Inquiry

    def read(self, pairs: Sequence[tuple[Scalar, str]]) -> FieldReading:
        if len(pairs) > 1 and self.spec.kind not in LISTS:
            return self._unsupported(f"{len(pairs)} quotes for one value", pairs[0][1])
        read: list[_Quote] = []
        for value, quote in pairs:
            passages = find_passages(quote, self.inquiry.lines)
            if not passages:
                problem = f"the quote {shorten(quote)} does not stand in the page"
                return self._unsupported(problem, quote)
            if len(passages) > 1 and self.spec.kind not in SELF_EVIDENT:
                return self._ambiguous(passages)
            found = self._read_passage(value, passages[0])
            if isinstance(found, str):
                return self._unsupported(found, quote)
            read.append(found)
        return self._merge(read)

    def _read_passage(self, value: Scalar, passage: Passage) -> _Quote | str:
        """Return the value that the passage gives, or why it does not bear out what was said."""
        kind, quote = self.spec.kind, shorten(passage.text)
        reading = self._parse(passage.text)
        if isinstance(reading, Missing | Unreadable):
            return f"the quote {quote} holds no {kind.value}"
        if not self._means(value, reading):
            return f"the quote {quote} does not say {shorten(value)}"
        if why := self._find_misplaced(passage):
            return f"{self.spec.name} stands in the wrong place: {why}"
        shown = read_shown(self.place.document, passage.element)
        if not find_passages(passage.text, shown):
            return f"the quote {quote} runs across what is no part of the content"
        return reading, self._evidence(passage)

    def _find_misplaced(self, passage: Passage) -> str | None:
        node = passage.element
        words = words_around_passage(node, passage.line.text, passage.start, passage.end)
        return find_misplaced(self.place.document, node, self.spec, words=words)

    def _parse(self, raw: Scalar, *, is_machine_written: bool = False) -> Reading:
        context = self.place.context(Source.MODEL, is_machine_written=is_machine_written)
        return READERS[self.spec.kind](raw, context)

    def _means(self, value: Scalar, reading: JsonValue) -> bool:
        """Whether a model's own spelling of a value means what was read from its quote."""
        return value == reading or any(
            self._parse(value, is_machine_written=is_machine) == reading
            for is_machine in (True, False)
        )

    def _merge(self, read: Sequence[_Quote]) -> FieldReading:
        value, evidence = read[0]
        if self.spec.kind not in LISTS:
            return FieldReading(FieldValue(value, evidence))
        quotes = "\n".join(each.raw for _, each in read)
        if len(read) > 1:
            evidence = replace(
                evidence,
                locator="\n".join(each.locator for _, each in read),
                raw=quotes[:MAX_RAW],
                span=None,
                span_reason="several passages",
            )
        if len(quotes) > MAX_RAW:
            return self._unsupported(f"quotes of more than {MAX_RAW} characters", quotes)
        values = [value for value, _ in read]
        return FieldReading(FieldValue(combine(self.spec.kind, values), evidence))

    def _ambiguous(self, passages: Sequence[Passage]) -> FieldReading:
        """It may count anything: nobody guesses which of the places was meant."""
        first = passages[0]
        detail = f"the quote {shorten(first.text)} stands {len(passages)} times in the page"
        field = FieldValue(None, self._evidence(first), Missing.AMBIGUOUS)
        return FieldReading(field, None, detail, is_hint=True)

    def _unsupported(self, problem: str, quote: str) -> FieldReading:
        evidence = self.place.evidence(Source.MODEL, "", quote, self.rule)
        field = FieldValue(None, replace(evidence, model=self.inquiry.model))
        return FieldReading(field, RejectReason.UNSUPPORTED_EVIDENCE, problem)

    def _evidence(self, passage: Passage) -> Evidence:
        document = self.place.document
        locator, span = document.path_of(passage.element), document.find_text(passage.text)
        evidence = self.place.evidence(Source.MODEL, locator, passage.text, self.rule, span=span)
        return replace(evidence, model=self.inquiry.model)
