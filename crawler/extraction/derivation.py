"""Derive a value again from nothing but its evidence."""

from collections.abc import Sequence

from pydantic import JsonValue

from crawler.contracts.evidence import Evidence, Missing, Source
from crawler.contracts.record import FieldKind
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.extraction.fields.kinds import READERS
from crawler.extraction.fields.reading import Unreadable
from crawler.extraction.jsonld import JsonLd, read_blocks
from crawler.extraction.jsonpath import parse_locator, value_at
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
        self._place = Place(snapshot, self._document, "")
        self._snapshot = snapshot
        found = read_blocks(self._document)[0] if blocks is None else blocks
        self._blocks = {block.index: block for block in found}

    def derive(self, kind: FieldKind, evidence: Evidence) -> JsonValue:
        """Return the value that the evidence leads to; None when it leads to none."""
        if evidence.capture_id != self._snapshot.capture_id:
            return None
        if evidence.digest != self._snapshot.digest:
            return None
        if kind is FieldKind.LIST:
            return [self._read(kind, evidence, part) for part in evidence.locator.split("\n")]
        return self._read(kind, evidence, evidence.locator)

    def _read(self, kind: FieldKind, evidence: Evidence, locator: str) -> JsonValue:
        try:
            raw = self._raw_at(locator, evidence)
        except (LookupError, ValueError):
            return None
        if kind is not FieldKind.LIST and write_raw(raw)[:MAX_RAW] != evidence.raw:
            return None
        context = self._place.context(evidence.source, is_machine_written="/@" in locator)
        value = READERS[kind](raw, context)
        return None if isinstance(value, Missing | Unreadable) else value

    def _raw_at(self, locator: str, evidence: Evidence) -> JsonValue:
        """Raises LookupError, BadPathError or BadSelectorError when there is nothing to read."""
        if evidence.source is Source.PAGE:
            return self._snapshot.final_url
        if evidence.source is not Source.JSONLD:
            return read_again(locator, evidence.rule, self._document)
        number, _, path = locator.partition(":")
        return value_at(self._blocks[int(number)].value, parse_locator(path))
