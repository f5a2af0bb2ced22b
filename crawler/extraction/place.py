"""Where the values of one record are looked for, and the proof of what is found there."""

from dataclasses import dataclass

from pydantic import JsonValue
from pydantic_core import to_json

from crawler.contracts.evidence import Evidence, Source
from crawler.contracts.snapshot import Snapshot
from crawler.document.data import Data, Entry
from crawler.document.document import Document, Node
from crawler.document.jsonpath import JsonNode, Parts, value_in
from crawler.extraction.entities import Entity
from crawler.extraction.fields.locale import UNKNOWN, Locale
from crawler.extraction.fields.reading import Context
from crawler.extraction.items import Item
from crawler.extraction.metadata import Metadata
from crawler.extraction.model.inquiry import Inquiry
from crawler.extraction.row_set import RowSet

MAX_RAW = 2_000
"""Characters of the raw text kept as evidence; the locator leads to the rest."""
DATA = frozenset({Source.FEED, Source.ICAL, Source.JSON})
"""Sources that are no web pages: their values stand in entries."""
FOR_PROGRAMS = frozenset({Source.JSONLD, Source.STATE, Source.OPENGRAPH, Source.META, *DATA})
"""Sources that no reader sees."""
NOT_ASCII = "the document's encoding is not based on ASCII"
NO_SPAN = {
    Source.MICRODATA: "a parsed node has no byte offsets",
    Source.RDFA: "a parsed node has no byte offsets",
    Source.MICROFORMATS: "a parsed node has no byte offsets",
    Source.PLUGIN: "a parsed node has no byte offsets",
    Source.LABEL: "a parsed node has no byte offsets",
    Source.LIST: "a parsed node has no byte offsets",
    Source.HTML: "a parsed node has no byte offsets",
    Source.CSS: "a parsed node has no byte offsets",
    Source.XPATH: "a parsed node has no byte offsets",
    Source.MODEL: "the source does not hold the passage once and in one piece",
    Source.CONTENT: "it is rewritten, of parsed nodes that have no byte offsets",
    Source.PAGE: "a property of the observation, not of the document",
    Source.JSONLD: NOT_ASCII,
    Source.OPENGRAPH: NOT_ASCII,
    Source.META: NOT_ASCII,
    Source.STATE: NOT_ASCII,
    Source.FEED: "a value of a feed is read from markup, without byte offsets",
    Source.ICAL: NOT_ASCII,
    Source.JSON: NOT_ASCII,
}
ENCODED_TWICE = frozenset({Source.JSONLD, Source.ICAL, Source.JSON})
"""Sources whose texts were often written for a page first: entities stand in them."""


@dataclass(frozen=True, slots=True)
class Found:
    """One match of a rule: what stands there, and what proves it."""

    raw: JsonValue
    evidence: Evidence
    is_machine_written: bool
    part: tuple[JsonNode, Parts] | None = None
    """The node that it is a part of and its place, in JSON-LD and alike."""
    node: Node | None = None
    """The element that holds it, where there is one."""
    line: str | None = None
    """The line of text that ends with it, where it is no more than a part of the element."""

    @property
    def beside(self) -> JsonValue:
        """The object that it is a property of."""
        if self.part is None:
            return None
        node, parts = self.part
        try:
            around = value_in(node, parts[:-1])
        except LookupError:
            return None
        return around if isinstance(around, dict) else None

    @property
    def currency(self) -> JsonValue:
        """The currency beside a number."""
        beside = self.beside
        return beside.get("priceCurrency") if isinstance(beside, dict) else None


@dataclass(frozen=True, slots=True)
class Place:
    """A page, or one row, JSON-LD node or item of it."""

    snapshot: Snapshot
    document: Document
    rule_version: str
    metadata: Metadata
    row: Node | None = None
    entity: Entity | None = None
    item: Item | None = None
    """The item that is the record, on a page with several."""
    data: Data | None = None
    entry: Entry | None = None
    """The entry of *data* that is the record."""
    response: Snapshot | None = None
    """What the page loaded, where values stand in that: *data* is its."""
    rows: RowSet | None = None
    """The rows of the page, where *row* is one of them."""
    inquiry: Inquiry | None = None
    """The model that may be asked, where the site file names one."""
    locale: Locale = UNKNOWN
    is_whole_page: bool = True
    """False where the page holds several records: what the page says is then said of none."""

    @property
    def base_url(self) -> str:
        """What relative references are resolved against."""
        if self.snapshot.representation.is_data:
            return self.entry.base_url if self.entry else self.snapshot.final_url
        return self.document.base_url

    def context(self, source: Source, *, is_machine_written: bool) -> Context:
        return Context(
            base_url=self.base_url,
            has_entities=source in ENCODED_TWICE,
            is_machine_written=source in FOR_PROGRAMS or is_machine_written,
            locale=self.locale,
        )

    def evidence(
        self,
        source: Source,
        locator: str,
        raw: str,
        rule: str,
        *,
        span: tuple[int, int] | None = None,
        repairs: tuple[str, ...] = (),
    ) -> Evidence:
        origin = self.response or self.snapshot
        span = span if self.response or self.document.has_byte_offsets else None
        return Evidence(
            source=source,
            capture_id=origin.capture_id,
            digest=origin.digest,
            locator=locator,
            raw=raw[:MAX_RAW],
            rule=rule,
            rule_version=self.rule_version,
            span=span,
            span_reason=None if span else NO_SPAN[source],
            repairs=repairs,
        )


def write_raw(value: JsonValue) -> str:
    """Return a JSON-LD value as its evidence keeps it: a string as it is, else compact JSON."""
    return value if isinstance(value, str) else to_json(value).decode()
