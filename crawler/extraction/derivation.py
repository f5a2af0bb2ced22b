"""Derive a value again from nothing but its evidence."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from lxml import etree
from pydantic import JsonValue

from crawler.contracts.evidence import Evidence, Missing, Source
from crawler.contracts.record import FieldKind
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import Snapshot
from crawler.document.data import Data, Entry, parse_location
from crawler.document.document import Document, Node
from crawler.document.jsonpath import Parts, parse_locator, value_at
from crawler.document.loaded import Response
from crawler.document.open_data import open_data
from crawler.document.text import block_text
from crawler.extraction.content.page import read_shown
from crawler.extraction.fields.kinds import LISTS, READERS, combine
from crawler.extraction.fields.reading import Unreadable
from crawler.extraction.items import read_element
from crawler.extraction.jsonld import JsonLd, read_blocks
from crawler.extraction.lines import read_line_again, read_row
from crawler.extraction.meta_tags import WITHOUT_SITE
from crawler.extraction.metadata import SYNTAXES, Metadata
from crawler.extraction.model.passage import find_passages
from crawler.extraction.place import DATA, MAX_RAW, Place, write_raw
from crawler.extraction.placement.found import WITH_TEXT, current_text
from crawler.extraction.placement.signs import MONEY
from crawler.extraction.scripts import read_script
from crawler.extraction.selectors import read_again

_SCRIPT = re.compile(r"script\[(\d{1,6})\]", re.ASCII)


class Derivation:
    """One snapshot, ready to be asked for the value at a place."""

    def __init__(
        self,
        snapshot: Snapshot,
        place: Place | None = None,
        blocks: Sequence[JsonLd] | None = None,
    ) -> None:
        """*place* is the page as it was read, or the one that loaded the snapshot; without it how
        the site writes figures is not known."""
        read = place if place is not None and place.snapshot is snapshot else None
        self._document = read.document if read else Document(snapshot)
        self._metadata = read.metadata if read else Metadata(self._document)
        self._place = place or Place(snapshot, self._document, "", self._metadata)
        self._responses: dict[str, Derivation | None] = {}
        self._scripts: dict[int, JsonLd | None] = {}
        self._snapshot = snapshot
        if blocks is None and not snapshot.representation.is_data:
            blocks = read_blocks(self._document)[0]
        found = blocks or ()
        self._blocks = {block.index: block for block in found}

    def derive(self, kind: FieldKind, evidence: Evidence) -> JsonValue:
        """Return the value that the evidence leads to; None when it leads to none."""
        if evidence.capture_id != self._snapshot.capture_id:
            response = self._response(evidence.capture_id)
            return response.derive(kind, evidence) if response else None
        if evidence.digest != self._snapshot.digest:
            return None
        if kind in LISTS:
            parts = evidence.locator.split("\n")
            if evidence.source is Source.MODEL:
                return self._read_passages(kind, parts, evidence)
            values = [self._read(kind, evidence, part) for part in parts]
            return None if None in values else combine(kind, values)
        return self._read(kind, evidence, evidence.locator)

    def _response(self, capture_id: str) -> "Derivation | None":
        """Return a response of those that the page loaded, ready to be asked."""
        if capture_id not in self._responses:
            found = self._document.loaded.find(capture_id)
            self._responses[capture_id] = self._open(found) if found else None
        return self._responses[capture_id]

    def _open(self, response: Response) -> "Derivation":
        place = replace(self._place, response=response.snapshot, data=response.data)
        return Derivation(response.snapshot, place)

    def _read_passages(
        self, kind: FieldKind, parts: Sequence[str], evidence: Evidence
    ) -> JsonValue:
        quotes = evidence.raw.split("\n")
        if len(parts) != len(quotes):
            return None
        values = [
            self._read(kind, replace(evidence, raw=quote), part)
            for part, quote in zip(parts, quotes, strict=True)
        ]
        return None if None in values else combine(kind, values)

    def _read(self, kind: FieldKind, evidence: Evidence, locator: str) -> JsonValue:
        try:
            raw = self._raw_at(kind, locator, evidence)
        except (LookupError, ValueError):
            return None
        if kind not in LISTS and self._text_at(locator, evidence, raw)[:MAX_RAW] != evidence.raw:
            return None
        context = self._place_of(locator, evidence).context(
            evidence.source, is_machine_written="/@" in locator
        )
        value = READERS[kind](raw, context)
        return None if isinstance(value, Missing | Unreadable) else value

    def _raw_at(self, kind: FieldKind, locator: str, evidence: Evidence) -> JsonValue:
        """Raises LookupError, BadPathError or BadSelectorError when there is nothing to read."""
        if evidence.source is Source.MODEL:
            return self._passage(locator, evidence.raw)
        read = RAW_READERS.get(evidence.source)
        if read is not None:
            raw = read(self, evidence.source, locator)
        else:
            raw = read_again(locator, evidence.rule, self._document)
        is_whole = not isinstance(raw, str) or raw[:MAX_RAW] == evidence.raw
        if is_whole or kind not in MONEY or evidence.source not in WITH_TEXT:
            return raw
        return read_again(locator, evidence.rule, self._document, current_text)

    @cached_property
    def _data(self) -> Data:
        return self._place.data or open_data(self._snapshot, Collect())

    @cached_property
    def _entries(self) -> dict[Parts, Entry]:
        return {entry.node.parts: entry for entry in self._data.entries}

    def _text_at(self, locator: str, evidence: Evidence, raw: JsonValue) -> str:
        """Return the text behind a value, which is another one where it was converted."""
        written = write_raw(raw)
        if evidence.source not in DATA:
            return written
        return self._data.raws.get(parse_location(locator)) or written

    def _place_of(self, locator: str, evidence: Evidence) -> Place:
        """Return what a value is read in: an entry of a feed has an address base of its own."""
        if evidence.source not in DATA:
            return self._place
        parts = parse_location(locator)
        known = (self._entries.get(parts[:length]) for length in range(len(parts)))
        return replace(self._place, entry=next(filter(None, known), None))

    def _in_data(self, _source: Source, locator: str) -> JsonValue:
        return value_at(self._data.top, parse_location(locator))

    def _passage(self, locator: str, quote: str) -> str:
        found = self._document.xpath(locator)
        if len(found) != 1 or not isinstance(found[0], etree._Element):
            raise LookupError(locator)
        passages = find_passages(quote, read_shown(self._document, found[0]))
        if not passages:
            raise LookupError(quote)
        return passages[0].text

    def _of_page(self, _source: Source, locator: str) -> JsonValue:
        if locator == "url":
            return self._snapshot.final_url
        headings = self._metadata.headings
        return next((each.text for each in headings if each.locator == locator), None)

    def _in_content(self, _source: Source, locator: str) -> JsonValue:
        content = self._metadata.content  # costs as much as all the rest of a page
        if content.zone != locator:
            raise LookupError(locator)
        return content.markdown

    def _in_block(self, _source: Source, locator: str) -> JsonValue:
        number, _, path = locator.partition(":")
        return value_at(self._blocks[int(number)].value, parse_locator(path))

    def _in_state(self, _source: Source, locator: str) -> JsonValue:
        name, _, path = locator.partition(":")
        numbered = _SCRIPT.fullmatch(name)
        state = self._script(int(numbered[1])) if numbered else self._metadata.state(name)
        if state is None:
            raise LookupError(name)
        return value_at(state.value, parse_locator(path))

    def _script(self, number: int) -> JsonLd | None:
        """Return what a script holds; read once for all values of it."""
        if number not in self._scripts:
            self._scripts[number] = read_script(self._document, number)
        return self._scripts[number]

    def _in_meta_tag(self, _source: Source, locator: str) -> JsonValue:
        place = locator.removesuffix(WITHOUT_SITE)
        tag = next((tag for tag in self._metadata.meta_tags if tag.locator == place), None)
        if tag is None:
            raise LookupError(locator)
        return tag.content if place == locator else self._metadata.without_site(tag.content)

    def _in_item(self, source: Source, locator: str) -> JsonValue:
        if locator.endswith("/text()"):
            return block_text(self._element(locator.removesuffix("/text()")))
        return read_element(self._element(locator.partition("/@")[0]), SYNTAXES[source])

    def _in_line(self, _source: Source, locator: str) -> JsonValue:
        return read_line_again(self._document, locator)

    def _in_list(self, _source: Source, locator: str) -> JsonValue:
        return read_row(self._element(locator))

    def _element(self, path: str) -> Node:
        found = self._document.xpath(path)
        if len(found) != 1 or not isinstance(found[0], etree._Element):
            raise LookupError(path)
        return found[0]


RAW_READERS = {
    Source.PAGE: Derivation._of_page,
    Source.CONTENT: Derivation._in_content,
    Source.JSONLD: Derivation._in_block,
    Source.STATE: Derivation._in_state,
    Source.OPENGRAPH: Derivation._in_meta_tag,
    Source.META: Derivation._in_meta_tag,
    Source.MICRODATA: Derivation._in_item,
    Source.RDFA: Derivation._in_item,
    Source.FEED: Derivation._in_data,
    Source.ICAL: Derivation._in_data,
    Source.JSON: Derivation._in_data,
    Source.MICROFORMATS: Derivation._in_item,
    Source.PLUGIN: Derivation._in_item,
    Source.LIST: Derivation._in_list,
    Source.LABEL: Derivation._in_line,
}
