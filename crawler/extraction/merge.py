"""One field of one record: its rules are tried in order, and the first that says something decides.

A place that is empty, not there, or that of something else lets the next rule speak. A place that
holds several values, or one that cannot be read, does not: taking a weaker source instead would
hide that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from crawler.contracts.evidence import Evidence, FieldValue, Missing, Source
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import FieldKind, FieldSpec
from crawler.document.document import BadSelectorError
from crawler.document.jsonpath import BadPathError
from crawler.document.text import HEADINGS
from crawler.extraction.fields.kinds import LISTS, READERS, Reading, combine
from crawler.extraction.fields.reading import NOT_FOUND, FieldReading, Unreadable
from crawler.extraction.finders import find
from crawler.extraction.model.inquiry import PREFIX
from crawler.extraction.model.reading import read_quoted
from crawler.extraction.place import MAX_RAW, Found, Place
from crawler.extraction.placement.found import keep_placed

MAX_LIST = 1_000
SELECTORS = frozenset({"css", "xpath"})
AT_HAND = frozenset({"opengraph", "meta"})
"""Sources that are read without a parse."""
_CUTTING = re.compile(r"-\d{2,4}x\d{2,4}(?=\.\w{3,4}(?:$|[?#]))")
"""How publishing systems name a smaller or cut copy of a picture."""
GUESSES = ("microformats:", "plugin:", "object:", "label:", "html:")
"""Rules that need a parse, and read what is written for people."""
AMOUNTS = frozenset({FieldKind.NUMBER, FieldKind.PRICE})
EXTREMES = {"_min": min, "_max": max}
"""Fields whose name says which of several numbers is meant."""
EXTREME_KINDS = {FieldKind.PRICE_MIN: min, FieldKind.PRICE_MAX: max}
"""Kinds that say so."""


@dataclass(frozen=True, slots=True)
class _Read:
    value: JsonValue
    found: Found

    @property
    def evidence(self) -> Evidence:
        return self.found.evidence


def read_field(
    spec: FieldSpec, site_rules: Sequence[str], place: Place, *, is_compared: bool = False
) -> FieldReading:
    """Return what the page says of one field; *site_rules* replace those of the type."""
    best = NOT_FOUND
    rules = site_rules or _worth_asking(spec, place)
    for number, rule in enumerate(rules, 1):
        reading = _follow(rule, spec, place, is_site_rule=bool(site_rules))
        if reading.reason and not site_rules and rule.startswith(GUESSES):
            continue
        if _is_final(reading) or (reading.reason and rule.startswith(PREFIX)):
            if is_compared and reading.field.value is not None:
                others = [each for each in rules[number:] if _is_other(each, rule)]
                rival = _find_rival(others, spec, place, is_listed=bool(site_rules))
                return replace(reading, rival=rival) if rival else reading
            return reading
        if best.field.missing is Missing.NOT_FOUND:
            best = replace(reading, is_open=True) if best.is_open else reading
        elif reading.is_open:
            best = replace(best, is_open=True)
    return best


def _is_other(rule: str, chosen: str) -> bool:
    """Whether two rules ask different sources that can contradict each other: two selectors are two
    places of one, and what is read of a text for people refutes no statement."""
    if rule.startswith((*GUESSES, "list:")):
        return False
    sources = (rule.partition(":")[0], chosen.partition(":")[0])
    return sources[0] != sources[1] and not set(sources) <= SELECTORS


def _find_rival(
    rules: Sequence[str], spec: FieldSpec, place: Place, *, is_listed: bool
) -> FieldValue | None:
    """Return the first value of another source; one that no site file lists must be at hand."""
    for rule in rules:
        if is_listed or place.document.is_parsed or rule.partition(":")[0] in AT_HAND:
            found = _follow(rule, spec, place, is_site_rule=False).field
            if found.value is not None:
                return found
    return None


def _follow(rule: str, spec: FieldSpec, place: Place, *, is_site_rule: bool) -> FieldReading:
    """Return what one rule says of a field."""
    try:
        if rule.startswith(PREFIX):
            return read_quoted(spec, rule, place)
        found = find(place, rule)
    except (BadPathError, BadSelectorError) as error:
        return _unusable_rule(rule, str(error))
    if not found:
        return NOT_FOUND
    kept, strays = keep_placed(found, spec, place)
    if strays and not kept:
        return _misplaced(*strays[0], spec.name, is_site_rule=is_site_rule)
    return _read_found(spec, kept, place, is_site_rule=is_site_rule)


def _is_final(reading: FieldReading) -> bool:
    if reading is NOT_FOUND or reading.reason is RejectReason.UNSUPPORTED_EVIDENCE:
        return False
    is_said = reading.field.missing not in {Missing.ABSENT, Missing.NOT_FOUND}
    return is_said or reading.reason is not None


def _misplaced(stray: Found, why: str, name: str, *, is_site_rule: bool) -> FieldReading:
    """A rule of the site file promises the right place; a default of the type looks elsewhere."""
    detail = f"{name} stands in the wrong place: {why}"
    if is_site_rule:
        field = FieldValue(None, stray.evidence)
        return FieldReading(field, RejectReason.UNSUPPORTED_EVIDENCE, detail)
    return FieldReading(FieldValue(None, None, Missing.NOT_FOUND), None, detail, is_hint=True)


def _worth_asking(spec: FieldSpec, place: Place) -> Sequence[str]:
    """Return the rules of the type; of a thing described in JSON-LD, what is left out is not sought
    in the text around it, unless nothing can be done without it."""
    is_stated = place.entity is not None and place.entity.block.source is Source.JSONLD
    if not is_stated or spec.is_required:
        return spec.rules
    return [rule for rule in spec.rules if not rule.startswith(GUESSES)]


def _unusable_rule(rule: str, problem: str) -> FieldReading:
    return FieldReading(
        FieldValue(None, None, Missing.NOT_FOUND),
        RejectReason.INVALID_VALUE,
        f"rule {rule} cannot be used: {problem[:200]}",
    )


def _read_found(
    spec: FieldSpec, found: Sequence[Found], place: Place, *, is_site_rule: bool
) -> FieldReading:
    readings = [(item, read_value(spec.kind, item, place)) for item in found[:MAX_LIST]]
    values = [
        _Read(reading, item)
        for item, reading in readings
        if not isinstance(reading, Missing | Unreadable)
    ]
    if spec.kind is FieldKind.IMAGE and values:
        return _pick_image(values, place)
    unreadable = [(item, bad) for item, bad in readings if isinstance(bad, Unreadable)]
    if unreadable:
        return _refuse(*unreadable[0], is_site_rule=is_site_rule)
    if not values:
        return _lack(readings)
    if not _is_whole(spec.kind, values):
        return NOT_FOUND
    if spec.kind in LISTS:
        return _collect(spec.kind, values)
    return _decide(spec, values, place, is_site_rule=is_site_rule)


def read_value(kind: FieldKind, found: Found, place: Place) -> Reading:
    """Return the value of one match; ``false`` is how some publishing systems write nothing."""
    if found.raw is False:
        return Missing.ABSENT
    source = found.evidence.source
    context = place.context(source, is_machine_written=found.is_machine_written)
    return READERS[kind](found.raw, context)


def _refuse(item: Found, bad: Unreadable, *, is_site_rule: bool) -> FieldReading:
    if bad.reason is not RejectReason.AMBIGUOUS_FIELD:
        return FieldReading(FieldValue(None, item.evidence), bad.reason, bad.detail)
    return _ambiguous(item.evidence, bad.detail, is_site_rule=is_site_rule)


def _ambiguous(evidence: Evidence, detail: str, *, is_site_rule: bool) -> FieldReading:
    """A rule of the site file promises one value; a default of the type promises nothing."""
    field = FieldValue(None, evidence, Missing.AMBIGUOUS)
    reason = RejectReason.AMBIGUOUS_FIELD if is_site_rule else None
    return FieldReading(field, reason, detail, is_hint=not is_site_rule)


def _lack(readings: Sequence[tuple[Found, Reading]]) -> FieldReading:
    """Absent when the page has the place, and it is empty."""
    empty = [item for item, reading in readings if reading is Missing.ABSENT]
    if not empty:
        return NOT_FOUND
    return FieldReading(FieldValue(None, empty[0].evidence, Missing.ABSENT))


def _is_whole(kind: FieldKind, values: Sequence[_Read]) -> bool:
    """Whether no part of a sum, and neither bound of a price, is missing."""
    names_parts = "','" in values[0].evidence.rule
    if kind is FieldKind.TOTAL:
        return (len(values) > 1) == names_parts and any(read.value for read in values)
    return kind is not FieldKind.PRICE or not names_parts or len(values) > 1


def _collect(kind: FieldKind, values: Sequence[_Read]) -> FieldReading:
    first = values[0].evidence
    evidence = replace(
        first,
        locator="\n".join(read.evidence.locator for read in values),
        raw="\n".join(read.evidence.raw for read in values)[:MAX_RAW],
    )
    return FieldReading(FieldValue(combine(kind, [read.value for read in values]), evidence))


def _decide(
    spec: FieldSpec, values: Sequence[_Read], place: Place, *, is_site_rule: bool
) -> FieldReading:
    first = values[0]
    if any(read.value != first.value for read in values[1:]):
        chosen = _pick_extreme(spec, values) or _pick_fullest(spec, values)
        if chosen is None:
            detail = f"{len(values)} values, such as {first.evidence.raw[:60]!r}"
            return _ambiguous(first.evidence, detail, is_site_rule=is_site_rule)
        return FieldReading(FieldValue(chosen.value, chosen.evidence))
    if len(values) > 1 and place.row is not None and _are_headings(values):
        detail = f"{len(values)} headings in one row"
        return _ambiguous(first.evidence, detail, is_site_rule=is_site_rule)
    return FieldReading(FieldValue(first.value, first.evidence))


def _pick_image(values: Sequence[_Read], place: Place) -> FieldReading:
    """Return the picture that the page itself puts forward, else the first that is no cutting."""
    shown = _shown_image(place) if len(values) > 1 else None
    whole = (read for read in values if not _CUTTING.search(str(read.value)))
    chosen = next((read for read in values if read.value == shown), next(whole, values[0]))
    return FieldReading(FieldValue(chosen.value, chosen.evidence))


def _shown_image(place: Place) -> JsonValue:
    for found in find(place, "opengraph:og:image")[:1]:
        reading = read_value(FieldKind.IMAGE, found, place)
        return None if isinstance(reading, Missing | Unreadable) else reading
    return None


def _are_headings(values: Sequence[_Read]) -> bool:
    """Two headings in a row are two records run together, even when they read the same."""
    return all(
        read.evidence.source in {Source.CSS, Source.XPATH} and _element_name(read) in HEADINGS
        for read in values
    )


def _element_name(read: _Read) -> str:
    path = read.evidence.locator.removesuffix("/text()")
    return path.rpartition("/")[2].partition("[")[0]


def _pick_extreme(spec: FieldSpec, values: Sequence[_Read]) -> _Read | None:
    """Return the lowest or highest number, where the field's name asks for it and units agree."""
    by_name = EXTREMES.get(spec.name[-4:]) if spec.kind in AMOUNTS else None
    choose = EXTREME_KINDS.get(spec.kind, by_name)
    if choose is None or len({str(read.found.currency) for read in values}) > 1:
        return None
    return choose(values, key=lambda read: _as_number(read.value))


def _pick_fullest(spec: FieldSpec, values: Sequence[_Read]) -> _Read | None:
    """Return the longest of ``6`` and ``6 servings``: one amount, said more or less fully."""
    if spec.kind is not FieldKind.YIELD:
        return None
    amounts = [re.findall(r"\d+", str(read.value)) for read in values]
    is_one = len({tuple(numbers[:1]) for numbers in amounts}) == 1 and amounts[0]
    return max(values, key=lambda read: len(str(read.value))) if is_one else None


def _as_number(value: JsonValue) -> float:
    return value if isinstance(value, int | float) else 0.0
