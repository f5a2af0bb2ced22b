"""Where the values of one record are looked for, and what is found there by a rule."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue
from pydantic_core import to_json

from crawler.contracts.evidence import Evidence, Source
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document, Node
from crawler.extraction.entities import Entity
from crawler.extraction.fields.reading import Context
from crawler.extraction.jsonpath import JsonMatch, Parts, format_locator, resolve, select, value_at
from crawler.extraction.selectors import NodeMatch, select_css, select_xpath

MAX_RAW = 2_000
"""Characters of the raw text kept as evidence; the locator leads to the rest."""
NO_SPAN = {
    Source.CSS: "a parsed node has no byte offsets",
    Source.XPATH: "a parsed node has no byte offsets",
    Source.PAGE: "a property of the observation, not of the document",
    Source.JSONLD: "the document's encoding is not based on ASCII",
}


@dataclass(frozen=True, slots=True)
class Found:
    """One match of a rule: what stands there, and what proves it."""

    raw: JsonValue
    evidence: Evidence
    is_machine_written: bool
    currency: JsonValue = None
    """The currency beside a number in JSON-LD."""


@dataclass(frozen=True, slots=True)
class Place:
    """A page, or one row or JSON-LD node of it."""

    snapshot: Snapshot
    document: Document
    rule_version: str
    row: Node | None = None
    entity: Entity | None = None
    is_whole_page: bool = True
    """False where the page holds several records: what the page says is then said of none."""

    def find(self, rule: str) -> list[Found]:
        """Return what *rule* matches. Raises BadPathError or BadSelectorError."""
        source, _, expression = rule.partition(":")
        return FINDERS[source](self, rule, expression)

    def context(self, source: Source, *, is_machine_written: bool) -> Context:
        is_jsonld = source is Source.JSONLD
        return Context(
            base_url=self.document.base_url,
            has_entities=is_jsonld,
            is_machine_written=is_jsonld or is_machine_written,
        )

    def evidence(
        self, source: Source, locator: str, raw: str, rule: str, span: tuple[int, int] | None = None
    ) -> Evidence:
        return Evidence(
            source=source,
            capture_id=self.snapshot.capture_id,
            digest=self.snapshot.digest,
            locator=locator,
            raw=raw[:MAX_RAW],
            rule=rule,
            rule_version=self.rule_version,
            span=span,
            span_reason=None if span else NO_SPAN[source],
            repairs=self.entity.block.repairs if source is Source.JSONLD and self.entity else (),
        )


def _find_in_jsonld(place: Place, rule: str, path: str) -> list[Found]:
    entity = place.entity
    if entity is None:
        return []
    span = entity.block.span if place.document.has_byte_offsets else None
    return [
        Found(
            match.value,
            place.evidence(
                Source.JSONLD,
                f"{entity.block.index}:{format_locator(match.parts)}",
                write_raw(match.value),
                rule,
                span,
            ),
            is_machine_written=True,
            currency=_currency_beside(entity, match.parts),
        )
        for match in _entries(select(path, entity.node), entity)
    ]


def _entries(matches: Iterable[JsonMatch], entity: Entity) -> Iterator[JsonMatch]:
    """Take a list apart; an empty one is a place with nothing in it."""
    for match in matches:
        if isinstance(match.value, list) and match.value:
            inner = (
                resolve(JsonMatch((*match.parts, index), item), entity.node)
                for index, item in enumerate(match.value)
            )
            yield from _entries(inner, entity)
        else:
            yield replace(match, value=None) if match.value == [] else match


def _find_by_css(place: Place, rule: str, selector: str) -> list[Found]:
    if place.row is None and not place.is_whole_page:
        return []
    matches = select_css(selector, place.document, place.row)
    return _found_nodes(place, Source.CSS, rule, matches)


def _find_by_xpath(place: Place, rule: str, expression: str) -> list[Found]:
    if place.row is None and not place.is_whole_page:
        return []
    matches = select_xpath(expression, place.document, place.row)
    return _found_nodes(place, Source.XPATH, rule, matches)


def _found_nodes(place: Place, source: Source, rule: str, matches: list[NodeMatch]) -> list[Found]:
    return [
        Found(
            match.raw,
            place.evidence(source, match.locator, match.raw, rule),
            is_machine_written=match.is_attribute,
        )
        for match in matches
    ]


def _find_page_property(place: Place, rule: str, name: str) -> list[Found]:
    if name != "url" or not place.is_whole_page:
        return []
    url = place.snapshot.final_url
    return [Found(url, place.evidence(Source.PAGE, "url", url, rule), is_machine_written=True)]


FINDERS: dict[str, Callable[[Place, str, str], list[Found]]] = {
    "jsonld": _find_in_jsonld,
    "css": _find_by_css,
    "xpath": _find_by_xpath,
    "page": _find_page_property,
}


def write_raw(value: JsonValue) -> str:
    """Return a JSON-LD value as its evidence keeps it: a string as it is, else compact JSON."""
    return value if isinstance(value, str) else to_json(value).decode()


def _currency_beside(entity: Entity, parts: Parts) -> JsonValue:
    try:
        parent = value_at(entity.node.top, parts[:-1])
    except LookupError:
        return None
    return parent.get("priceCurrency") if isinstance(parent, dict) else None
