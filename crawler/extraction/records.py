"""The candidate records of a page, in document order.

With ``record.each`` every row is a record, read by selectors alone. Else every JSON-LD node of the
type is one on a listing, and the main node on a page about one thing. Else the page as a whole is
one, when a selector of the site file finds anything.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic_core import to_json

from crawler.contracts.evidence import FieldValue
from crawler.contracts.record import Candidate, RecordType, Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.document.document import Document, Node
from crawler.document.ldjson import MAX_BLOCKS
from crawler.extraction.entities import Entity, choose_main, find_entities
from crawler.extraction.jsonld import JsonLd, read_blocks
from crawler.extraction.merge import FieldReading, read_field
from crawler.extraction.place import Place

MAX_ROWS = 5_000
MAX_NOTES = 100


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a page holds before anything was judged."""

    records: tuple[tuple[Candidate, tuple[Rejection, ...]], ...] = ()
    """Each candidate with what could not be read of it."""
    rows: tuple[Node, ...] = ()
    """The elements of ``record.each``, where the site file names one."""
    blocks: tuple[JsonLd, ...] = ()
    notes: tuple[str, ...] = ()
    expects_rows: bool = False
    left_alone: int = 0
    """JSON-LD nodes of the type beside the main one."""


def extract(document: Document, snapshot: Snapshot, rules: Rules) -> Extracted:
    """Return the candidates of a page. Raises BadSelectorError when ``each`` is none."""
    whole = Place(snapshot, document, rules.version)
    if rules.record.each is not None:
        return _extract_rows(whole, rules, rules.record.each)
    blocks, broken = read_blocks(document) if _needs_blocks(rules) else ((), ())
    notes = [str(block) for block in broken]
    notes += [
        f"JSON-LD block {block.index}: {repair}" for block in blocks for repair in block.repairs
    ]
    if len(blocks) + len(broken) >= MAX_BLOCKS:
        notes.insert(0, f"{MAX_BLOCKS} JSON-LD blocks were read; any others were not")
    entities, more = _choose(find_entities(blocks, rules.record_type.schema_types), snapshot)
    if more:
        notes.append(f"{more} other JSON-LD nodes of the type were left alone")
    records, said = _read_entities(whole, entities, rules)
    return Extracted(records, (), blocks, (*notes, *said)[:MAX_NOTES], left_alone=more)


def _extract_rows(whole: Place, rules: Rules, each: str) -> Extracted:
    rows = tuple(whole.document.css(each))
    places = [_inside(whole, row=row) for row in rows[:MAX_ROWS]]
    records, notes = _read_places(places, rules)
    if len(rows) > MAX_ROWS:
        notes = (*notes, f"{len(rows)} rows, of which {MAX_ROWS} were read")
    return Extracted(records, rows, (), notes[:MAX_NOTES], expects_rows=True)


def _inside(whole: Place, *, row: Node | None = None, entity: Entity | None = None) -> Place:
    return Place(
        whole.snapshot,
        whole.document,
        whole.rule_version,
        row=row,
        entity=entity,
        is_whole_page=False,
    )


def _needs_blocks(rules: Rules) -> bool:
    return any(
        rule.startswith("jsonld:")
        for spec in rules.record_type.fields
        for rule in rules.record.fields.get(spec.name, spec.rules)
    )


def _choose(entities: list[Entity], snapshot: Snapshot) -> tuple[list[Entity], int]:
    """Return the nodes to read, and how many of the type were left alone."""
    if snapshot.page_kind is PageKind.LISTING or not entities:
        return entities, 0
    main = choose_main(entities, (snapshot.final_url, snapshot.requested_url))
    return ([main] if main else []), len(entities) - 1


Records = tuple[tuple[Candidate, tuple[Rejection, ...]], ...]


def _read_entities(
    whole: Place, entities: Sequence[Entity], rules: Rules
) -> tuple[Records, tuple[str, ...]]:
    if len(entities) > 1:
        places = [_inside(whole, entity=entity) for entity in entities]
        records, notes = _read_places(places, rules)
        return _drop_copies(records, notes)
    entity = entities[0] if entities else None
    place = Place(whole.snapshot, whole.document, whole.rule_version, entity=entity)
    records, notes = _read_places([place], rules)
    return (records if entity or _says_anything(records[0][0]) else ()), notes


def _says_anything(candidate: Candidate) -> bool:
    """A page's own address is a property of every page, record or not."""
    return any(
        field.evidence is not None and not field.evidence.rule.startswith("page:")
        for field in candidate.fields.values()
    )


def _drop_copies(records: Records, notes: tuple[str, ...]) -> tuple[Records, tuple[str, ...]]:
    """Keep the first of records that are the same in every value: pages repeat their JSON-LD."""
    kept = {
        to_json((candidate.key, candidate.values)): (candidate, problems)
        for candidate, problems in reversed(records)
    }
    dropped = len(records) - len(kept)
    if dropped:
        notes = (*notes, f"{dropped} repeated JSON-LD nodes dropped")
    return tuple(reversed(kept.values())), notes


def _read_places(places: Sequence[Place], rules: Rules) -> tuple[Records, tuple[str, ...]]:
    records, notes = [], []
    for number, place in enumerate(places):
        readings = {
            spec.name: read_field(spec, rules.record.fields.get(spec.name, ()), place)
            for spec in rules.record_type.fields
        }
        suffix = "" if place.is_whole_page else _suffix(readings, number)
        candidate = _build(rules.record_type, readings, place.snapshot.final_url + suffix)
        records.append((candidate, tuple(_problems(candidate, readings))))
        notes += [
            f"{name}: {reading.detail}" for name, reading in readings.items() if reading.is_hint
        ]
    return tuple(records), tuple(notes)


def _suffix(readings: dict[str, FieldReading], number: int) -> str:
    """Return what tells records of one page apart when none of them has a key."""
    said = [
        str(reading.field.value)
        for name, reading in readings.items()
        if name in {"name", "title", "starts_at"} and reading.field.value is not None
    ]
    return "#" + ("|".join(said) or f"row-{number + 1}")


def _build(record_type: RecordType, readings: dict[str, FieldReading], fallback: str) -> Candidate:
    fields = {name: reading.field for name, reading in readings.items()}
    return Candidate(
        type=record_type.name,
        key=_key(record_type, fields) or fallback,
        schema_version=record_type.schema_version,
        fields=fields,
    )


def _key(record_type: RecordType, fields: dict[str, FieldValue]) -> str:
    values = [fields[name].value for name in record_type.key if name in fields]
    return "|".join(str(value) for value in values) if any(values) else ""


def _problems(candidate: Candidate, readings: dict[str, FieldReading]) -> Iterator[Rejection]:
    for name, reading in readings.items():
        if reading.reason is not None:
            yield Rejection(reading.reason, reading.detail, name, candidate)
