"""Derive a value again from nothing but its evidence."""

from collections.abc import Sequence

from lxml import etree
from pydantic import JsonValue

from crawler.contracts.evidence import Evidence, Missing, Source
from crawler.contracts.record import FieldKind
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.extraction.fields.kinds import LISTS, READERS, combine
from crawler.extraction.fields.reading import Unreadable
from crawler.extraction.items import read_element
from crawler.extraction.jsonld import JsonLd, read_blocks
from crawler.extraction.jsonpath import parse_locator, value_at
from crawler.extraction.metadata import SYNTAXES, Metadata
from crawler.extraction.place import MAX_RAW, Place, write_raw
from crawler.extraction.selectors import read_again


class Derivation:
    """One snapshot, ready to be asked for the value at a place."""

    def __init__(
        self,
        snapshot: Snapshot,
        document: Document | None = None,
        blocks: Sequence[JsonLd] | None = None,
    ) -> None:
        self._document = document or Document(snapshot)
        self._metadata = Metadata(self._document)
        self._place = Place(snapshot, self._document, "", self._metadata)
        self._snapshot = snapshot
        found = read_blocks(self._document)[0] if blocks is None else blocks
        self._blocks = {block.index: block for block in found}

    def derive(self, kind: FieldKind, evidence: Evidence) -> JsonValue:
        """Return the value that the evidence leads to; None when it leads to none."""
        if evidence.capture_id != self._snapshot.capture_id:
            return None
        if evidence.digest != self._snapshot.digest:
            return None
        if kind in LISTS:
            parts = evidence.locator.split("\n")
            values = [self._read(kind, evidence, part) for part in parts]
            return None if None in values else combine(kind, values)
        return self._read(kind, evidence, evidence.locator)

    def _read(self, kind: FieldKind, evidence: Evidence, locator: str) -> JsonValue:
        try:
            raw = self._raw_at(locator, evidence)
        except (LookupError, ValueError):
            return None
        if kind not in LISTS and write_raw(raw)[:MAX_RAW] != evidence.raw:
            return None
        context = self._place.context(evidence.source, is_machine_written="/@" in locator)
        value = READERS[kind](raw, context)
        return None if isinstance(value, Missing | Unreadable) else value

    def _raw_at(self, locator: str, evidence: Evidence) -> JsonValue:
        """Raises LookupError, BadPathError or BadSelectorError when there is nothing to read."""
        read = RAW_READERS.get(evidence.source)
        if read is not None:
            return read(self, evidence.source, locator)
        return read_again(locator, evidence.rule, self._document)

    def _of_page(self, _source: Source, locator: str) -> JsonValue:
        if locator == "url":
            return self._snapshot.final_url
        headings = self._metadata.headings
        return next((each.text for each in headings if each.locator == locator), None)

    def _in_block(self, _source: Source, locator: str) -> JsonValue:
        number, _, path = locator.partition(":")
        return value_at(self._blocks[int(number)].value, parse_locator(path))

    def _in_state(self, _source: Source, locator: str) -> JsonValue:
        name, _, path = locator.partition(":")
        state = self._metadata.state(name)
        if state is None:
            raise LookupError(name)
        return value_at(state.value, parse_locator(path))

    def _in_meta_tag(self, _source: Source, locator: str) -> JsonValue:
        tags = (tag for tag in self._metadata.meta_tags if tag.locator == locator)
        tag = next(tags, None)
        if tag is None:
            raise LookupError(locator)
        return tag.content

    def _in_item(self, source: Source, locator: str) -> JsonValue:
        found = self._document.xpath(locator.partition("/@")[0])
        if len(found) != 1 or not isinstance(found[0], etree._Element):
            raise LookupError(locator)
        return read_element(found[0], SYNTAXES[source])


RAW_READERS = {
    Source.PAGE: Derivation._of_page,
    Source.JSONLD: Derivation._in_block,
    Source.STATE: Derivation._in_state,
    Source.OPENGRAPH: Derivation._in_meta_tag,
    Source.META: Derivation._in_meta_tag,
    Source.MICRODATA: Derivation._in_item,
    Source.RDFA: Derivation._in_item,
}
