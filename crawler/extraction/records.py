"""The candidate records of a page, in document order.

With ``record.each`` every row is a record: an element, with the JSON-LD node that is about the same
thing where there is one, or a JSON-LD node itself. Else every JSON-LD node of the type is one on a
listing, or every microdata or RDFa item where there is no such node, and the main one on a page
about one thing. Else the page as a whole is one, when a rule finds anything; what its ``<meta>``
tags alone say is none unless they name the type, and is kept as a hint.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crawler.contracts.evidence import Source
from crawler.contracts.model import ModelQuestion
from crawler.contracts.record import Candidate, RecordType
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import PageKind, Representation, Snapshot
from crawler.document.data import Data
from crawler.document.document import Document, Node
from crawler.document.jsonpath import Parts
from crawler.document.ldjson import MAX_BLOCKS
from crawler.document.loaded import LoadedPlace, read_loaded_place
from crawler.extraction.candidates import Read, Records, drop_copies, read_places
from crawler.extraction.entities import Entity, find_entities
from crawler.extraction.fields.locale import LOCALES, UNKNOWN, Locale
from crawler.extraction.items import Item
from crawler.extraction.jsonld import BrokenBlock, JsonLd, read_blocks
from crawler.extraction.main_entity import PageIdentity, choose_main, is_called_main
from crawler.extraction.metadata import SYNTAXES, Metadata
from crawler.extraction.model.inquiry import Inquiry
from crawler.extraction.place import Place
from crawler.extraction.row_set import RowSet
from crawler.extraction.rows import find_row_entities, pair_rows
from crawler.extraction.scripts import find_script_entities

MAX_ROWS = 5_000
MAX_NOTES = 100
ABOUT_PAGES = frozenset({Source.OPENGRAPH, Source.META})
"""Sources that describe the page, whatever it is about."""
GUESSED = frozenset({Source.LABEL, Source.LIST, Source.HTML, Source.MODEL})
"""Sources that find something on many pages: a record is made of it when nothing required lacks."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a page holds before anything was judged."""

    records: Records = ()
    rows: tuple[Node, ...] = ()
    """The elements of ``record.each``, where the site file names such."""
    row_nodes: tuple[tuple[int, Parts], ...] = ()
    """Block and place of each JSON-LD node, where ``record.each`` leads to those."""
    blocks: tuple[JsonLd, ...] = ()
    notes: tuple[str, ...] = ()
    place: Place | None = None
    """The page as a whole, with what was read of it; what values are derived again from."""
    left_alone: int = 0
    """JSON-LD nodes of the type beside the main one."""
    hints: tuple[Candidate, ...] = ()
    """What the page says of itself without saying that it is about a record of the type."""
    question: ModelQuestion | None = None
    row_count: int | None = None
    """How many rows ``record.each`` found, read or not; None without one."""


def extract(
    document: Document, snapshot: Snapshot, rules: Rules, answer: str | None = None
) -> Extracted:
    """Return the candidates of a page, and what a model would have to be asked about them.

    *answer* is what it said to just this question. Raises BadSelectorError when ``each`` is none.
    """
    inquiry = Inquiry(document, rules, rules.model, answer) if rules.model else None
    identity = PageIdentity(snapshot, document)
    metadata = Metadata(document, rules.record_type.schema_types, identity, rules.content)
    locale = _locale_of(rules)
    whole = Place(snapshot, document, rules.version, metadata, inquiry=inquiry, locale=locale)
    if rules.record.loaded_rows is not None:
        return _extract_loaded(whole, rules, read_loaded_place(rules.record.loaded_rows))
    blocks, broken = read_blocks(document) if _needs(rules, "jsonld") else ((), ())
    notes = _note_blocks(blocks, broken)
    if rules.record.each is not None:
        read_rows = _extract_nodes if rules.record.row_path else _extract_rows
        return read_rows(whole, rules, blocks, notes)
    found = find_entities(blocks, rules.record_type.schema_types)
    if not found and snapshot.page_kind is PageKind.DETAIL and _needs(rules, "jsonld"):
        found = _find_in_scripts(document, rules, identity)
    entities, note = _choose(found, snapshot, identity)
    places = [_inside(whole, entity=entity) for entity in entities]
    if not entities and snapshot.page_kind is PageKind.LISTING:
        places = [_inside(whole, item=item) for item in _list_items(metadata, rules)]
    read, hints = _read_all(whole, places, rules)
    return Extracted(
        read.records,
        blocks=blocks,
        notes=(*notes, *note, *metadata.notes, *read.notes)[:MAX_NOTES],
        place=whole,
        left_alone=len(found) - len(entities),
        hints=hints,
        question=inquiry.question(read.open_fields) if inquiry and read.open_fields else None,
    )


def extract_entries(data: Data, snapshot: Snapshot, rules: Rules) -> Extracted:
    """Return one candidate for each entry of a feed, calendar or response."""
    document = Document(snapshot)
    locale = _locale_of(rules)
    whole = Place(snapshot, document, rules.version, Metadata(document), data=data, locale=locale)
    places = [replace(whole, entry=entry, is_whole_page=False) for entry in data.entries]
    read = read_places(places, rules)
    if snapshot.representation is not Representation.JSON:
        read = drop_copies(read, "entries")
    notes = (*data.repairs, *data.notes, *read.notes)[:MAX_NOTES]
    return Extracted(read.records, notes=notes, place=whole)


def _find_in_scripts(document: Document, rules: Rules, identity: PageIdentity) -> list[Entity]:
    """Scripts keep what else there is on a site: only what the page calls its own counts."""
    found = find_script_entities(document, rules.record_type.schema_types)
    return [entity for entity in found if is_called_main(entity, identity)]


def _locale_of(rules: Rules) -> Locale:
    """Return how the pages of the site write figures, as far as its file says."""
    return LOCALES[rules.record.locale] if rules.record.locale else UNKNOWN


def _note_blocks(blocks: Sequence[JsonLd], broken: Sequence[BrokenBlock]) -> list[str]:
    notes = [str(block) for block in broken]
    notes += [
        f"JSON-LD block {block.index}: {repair}" for block in blocks for repair in block.repairs
    ]
    if len(blocks) + len(broken) >= MAX_BLOCKS:
        notes.insert(0, f"{MAX_BLOCKS} JSON-LD blocks were read; any others were not")
    return notes


def _extract_rows(
    whole: Place, rules: Rules, blocks: Sequence[JsonLd], notes: Sequence[str]
) -> Extracted:
    rows = tuple(whole.document.css(rules.record.row_selector or ""))
    placed = replace(whole, rows=RowSet(rows, whole.document, whole.metadata))
    entities = find_entities(blocks, rules.record_type.schema_types)
    paired = pair_rows(whole.document, rows[:MAX_ROWS], entities)
    places = [_inside(placed, row=row, entity=paired.get(row)) for row in rows[:MAX_ROWS]]
    read = _read_rows(places, rules, len(rows))
    return replace(
        read,
        rows=rows,
        blocks=tuple(blocks),
        notes=(*notes, *read.notes)[:MAX_NOTES],
        place=whole,
    )


def _extract_nodes(
    whole: Place, rules: Rules, blocks: Sequence[JsonLd], notes: Sequence[str]
) -> Extracted:
    entities = find_row_entities(blocks, rules.record.row_path or "")
    places = [_inside(whole, entity=entity) for entity in entities[:MAX_ROWS]]
    read = _read_rows(places, rules, len(entities))
    return replace(
        read,
        row_nodes=tuple((entity.block.index, entity.node.parts) for entity in entities),
        blocks=tuple(blocks),
        notes=(*notes, *read.notes)[:MAX_NOTES],
        place=whole,
    )


def _read_rows(places: Sequence[Place], rules: Rules, count: int) -> Extracted:
    read = read_places(places, rules)
    if rules.record.row_path:
        read = drop_copies(read, "JSON-LD nodes")
        count = len(read.records)
    more = (f"{count} rows, of which {MAX_ROWS} were read",) if count > MAX_ROWS else ()
    return Extracted(read.records, notes=(*read.notes, *more), row_count=count)


def _extract_loaded(whole: Place, rules: Rules, place: LoadedPlace) -> Extracted:
    """Return the rows of all responses that fit, those asked for first before the others."""
    responses = [
        response.with_rows(place.path, whole.base_url)
        for response in whole.document.loaded.choose(place.pattern)
    ]
    places = [
        replace(_inside(whole), data=each.data, entry=entry, response=each.snapshot)
        for each in responses
        for entry in each.data.entries
    ]
    read = _read_rows(places[:MAX_ROWS], rules, len(places))
    notes = [note for each in responses for note in (*each.data.repairs, *each.data.notes)]
    return replace(read, notes=(*notes, *read.notes)[:MAX_NOTES], place=whole)


def _inside(
    whole: Place, *, row: Node | None = None, entity: Entity | None = None, item: Item | None = None
) -> Place:
    return replace(whole, row=row, entity=entity, item=item, is_whole_page=False)


def _needs(rules: Rules, source: str) -> bool:
    return any(
        rule.startswith(f"{source}:")
        for spec in rules.record_type.fields
        for rule in rules.record.fields.get(spec.name, spec.rules)
    )


def _choose(
    entities: list[Entity], snapshot: Snapshot, identity: PageIdentity
) -> tuple[list[Entity], tuple[str, ...]]:
    """Return the nodes to read, and why others of the type were left alone."""
    chosen = choose_main(entities, identity)
    if snapshot.page_kind is PageKind.LISTING or chosen is None:
        return entities, ()
    main, why = chosen
    more = len(entities) - 1
    note = f"{more} other JSON-LD nodes of the type were left alone; of the main one: {why}"
    return [main], (note,) if more else ()


def _list_items(metadata: Metadata, rules: Rules) -> Sequence[Item]:
    """Return the items of the first syntax that describes any."""
    for source in SYNTAXES:
        if _needs(rules, source) and (items := metadata.items(source)):
            return items
    return ()


def _read_all(
    whole: Place, places: list[Place], rules: Rules
) -> tuple[Read, tuple[Candidate, ...]]:
    """Return what was read, and the hints."""
    if len(places) > 1:
        return drop_copies(read_places(places, rules), "JSON-LD nodes"), ()
    place = replace(places[0], is_whole_page=True) if places else whole
    read = read_places([place], rules)
    candidate = read.records[0][0]
    if place.entity or place.item or _is_described(candidate, whole, rules.record_type):
        return read, ()
    return replace(read, records=()), (candidate,) if _sources(candidate) else ()


def _is_described(candidate: Candidate, whole: Place, record_type: RecordType) -> bool:
    """A page's own address, title and content are properties of every page, record or not."""
    sources = _sources(candidate)
    if sources - ABOUT_PAGES - GUESSED:
        return True
    if not sources or whole.snapshot.page_kind is not PageKind.DETAIL:
        return False
    if _names_type(whole.metadata, record_type):
        return True
    values = candidate.values
    required = [spec.name for spec in record_type.fields if spec.is_required]
    return bool(sources & GUESSED) and all(values.get(name) is not None for name in required)


def _sources(candidate: Candidate) -> set[Source]:
    """Return where values come from; an object that is only called like the page is a guess, too."""
    found = [field.evidence for field in candidate.fields.values() if field.evidence]
    sources = {Source.HTML if each.rule.startswith("object:") else each.source for each in found}
    return sources - {Source.PAGE, Source.CONTENT}


def _names_type(metadata: Metadata, record_type: RecordType) -> bool:
    """Whether ``og:type`` is the name of the record type, or of a schema.org type of it."""
    known = {record_type.name, *map(str.lower, record_type.schema_types)}
    return any(
        tag.content.strip().lower().rpartition(":")[2].partition(".")[0] in known
        for tag in metadata.meta_tags
        if "og:type" in tag.names
    )
