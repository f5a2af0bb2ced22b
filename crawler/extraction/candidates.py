"""The candidate at each place of a page: its fields, its key, and what could not be read of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic_core import to_json

from crawler.contracts.evidence import FieldValue
from crawler.contracts.record import Candidate, FieldKind, FieldSpec, RecordType, Rejection
from crawler.contracts.rules import Rules
from crawler.document.parameters import without_parameters
from crawler.extraction.agreement import COMPARED, find_disagreement
from crawler.extraction.fields.reading import FieldReading
from crawler.extraction.merge import read_field
from crawler.extraction.place import Place

ADDRESS = ("url",)
"""The key of types whose records are told apart by their pages."""

Records = tuple[tuple[Candidate, tuple[Rejection, ...]], ...]
"""Each candidate with what could not be read of it."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read at some places of a page."""

    records: Records
    notes: tuple[str, ...]
    open_fields: tuple[FieldSpec, ...] = ()
    """Fields that only a model may yet find."""


def drop_copies(read: Read, what: str) -> Read:
    """Keep the first of records that are the same in every value: pages repeat their JSON-LD."""
    kept = {
        to_json((candidate.key, candidate.values)): (candidate, problems)
        for candidate, problems in reversed(read.records)
    }
    dropped = len(read.records) - len(kept)
    notes = (f"{dropped} repeated {what} dropped",) if dropped else ()
    return Read(tuple(reversed(kept.values())), (*read.notes, *notes))


def read_places(places: Sequence[Place], rules: Rules) -> Read:
    records, notes, open_fields = [], [], []
    for number, place in enumerate(places):
        readings = {
            spec.name: read_field(
                spec,
                rules.record.fields.get(spec.name, ()),
                place,
                is_compared=_is_compared(spec, rules),
            )
            for spec in rules.record_type.fields
        }
        suffix = "" if place.is_whole_page else _suffix(readings, number)
        own = place.entry.id if place.entry else ""
        page = without_parameters(place.snapshot.final_url, rules.collect.ignore_params)
        candidate = _build(rules, readings, page + suffix, own)
        problems = tuple(_problems(candidate, readings, rules.record_type))
        records.append((candidate, problems))
        notes += [
            f"{name}: {reading.detail}" for name, reading in readings.items() if reading.is_hint
        ]
        open_fields += [spec for spec in rules.record_type.fields if readings[spec.name].is_open]
    return Read(tuple(records), tuple(notes), tuple(open_fields))


def _is_compared(spec: FieldSpec, rules: Rules) -> bool:
    """By default not the dates of the type's own rules.

    Of 575 articles 136 have ``<meta>`` tags whose dates differ by a zone that was lost.
    """
    named = rules.record.compare
    if named is not None:
        return spec.name in named
    is_listed = spec.name in rules.record.fields
    return spec.kind in COMPARED and (is_listed or spec.kind is not FieldKind.DATE)


def _suffix(readings: dict[str, FieldReading], number: int) -> str:
    """Return what tells records of one page apart when none of them has a key."""
    said = [
        str(reading.field.value)
        for name, reading in readings.items()
        if name in {"name", "title", "headline", "starts_at"} and reading.field.value is not None
    ]
    return "#" + ("|".join(said) or f"row-{number + 1}")


def _build(
    rules: Rules, readings: dict[str, FieldReading], fallback: str, own_id: str
) -> Candidate:
    """An entry's own id goes before an address: many entries may lead to one page."""
    record_type = rules.record_type
    fields = {name: reading.field for name, reading in readings.items()}
    own = own_id if record_type.key == ADDRESS else ""
    return Candidate(
        type=record_type.name,
        key=own or _key(record_type, fields, rules.collect.ignore_params) or fallback,
        schema_version=record_type.schema_version,
        fields=fields,
    )


def _key(record_type: RecordType, fields: dict[str, FieldValue], ignored: Sequence[str]) -> str:
    """What makes no other page of an address makes no other record of it either."""
    addresses = {spec.name for spec in record_type.fields if spec.kind is FieldKind.URL}
    values = [
        without_parameters(str(value), ignored) if name in addresses and value else value
        for name in record_type.key
        if name in fields
        for value in (fields[name].value,)
    ]
    return "|".join(str(value) for value in values) if any(values) else ""


def _problems(
    candidate: Candidate, readings: dict[str, FieldReading], record_type: RecordType
) -> Iterator[Rejection]:
    for spec in record_type.fields:
        reading = readings[spec.name]
        if reading.reason is not None:
            yield Rejection(reading.reason, reading.detail, spec.name, candidate)
        if problem := find_disagreement(candidate, spec, reading.rival):
            yield problem
