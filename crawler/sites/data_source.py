"""Whether what a site file says of a feed, calendar or API fits together with the rest of it."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from crawler.contracts.record import RecordType
from crawler.sites.findings import Finding
from crawler.sites.loaded import has_loaded_rows

PREFIXES = {"feed": "feed", "calendar": "ical", "api": "json"}
"""The rules that read the entries of each source."""
ALTERNATIVES = frozenset({"links", "next"})
COMPLETE: Mapping[str, Mapping[str, str]] = {
    "expected_count": {"api": "collect.api.total"},
    "empty": {
        "feed": "collect.feed.may_be_empty",
        "calendar": "collect.calendar.may_be_empty",
        "api": "an empty list of rows",
    },
}
"""Selectors, and what stands for them in each source."""
Section = Mapping[str, JsonValue]


def find_source_faults(data: JsonValue, record_type: RecordType | None) -> Iterator[Finding]:
    """Return contradictions; of what is missing or malformed was reported already."""
    collect, record = _section(data, "collect"), _section(data, "record")
    given = [name for name in PREFIXES if isinstance(collect.get(name), dict)]
    for other in given[1:]:
        yield ("collect", other), f"expected one source; {given[0]} is given too"
    name = given[0] if given else None
    source = _section(collect, name) if name else {}
    if name is not None:
        yield from _find_overlaps(name, source, collect)
    if name == "api":
        yield from _find_paging_faults(source)
    if name is not None and _gives_records(name, source):
        yield from _find_record_faults(name, record, record_type)
    elif not has_loaded_rows(data):
        yield from _find_strange_rules(record)


def _section(data: JsonValue | Section, name: str) -> Section:
    value = data.get(name) if isinstance(data, Mapping) else None
    return value if isinstance(value, dict) else {}


def _gives_records(name: str, source: Section) -> bool:
    if name == "api":
        return source.get("url") is None
    return source.get("gives", "pages" if name == "feed" else "records") == "records"


def _find_overlaps(name: str, source: Section, collect: Section) -> Iterator[Finding]:
    if source.get("find") == "auto":
        return
    for key in sorted(ALTERNATIVES & collect.keys()):
        if collect[key] is not None:
            yield ("collect", key), f"finds nothing: collect.{name} has no web pages to select from"
    complete = _section(collect, "complete")
    for key in sorted(key for key in COMPLETE if complete.get(key) is not None):
        instead = COMPLETE[key].get(name)
        advice = f"; {instead} says it" if instead else ""
        yield (
            ("collect", "complete", key),
            f"finds nothing: collect.{name} has no web pages to select from{advice}",
        )


def _find_paging_faults(source: Section) -> Iterator[Finding]:
    counting = [key for key in ("count_by", "first") if source.get(key) is not None]
    if source.get("param") is None:
        for key in counting:
            yield ("collect", "api", key), "expected param beside it: the parameter that counts"
    elif source.get("next") is not None:
        for key in counting:
            yield ("collect", "api", key), "expected no next beside it: param takes what next finds"


def _find_record_faults(
    name: str, record: Section, record_type: RecordType | None
) -> Iterator[Finding]:
    prefix = PREFIXES[name]
    if record.get("each") is not None:
        yield ("record", "each"), f"expected none: the entries of collect.{name} are the records"
    for place, rule in _rules(record):
        if not rule.startswith(f"{prefix}:"):
            yield place, f"finds nothing in collect.{name}; expected {prefix}:…"
    ruled = _section(record, "fields")
    for field in record_type.fields if record_type else ():
        has_rule = any(rule.startswith(f"{prefix}:") for rule in field.rules)
        if field.is_required and field.name not in ruled and not has_rule:
            yield (
                ("record", "fields"),
                f"{field.name} is required, and no {prefix}: rule says where it stands",
            )


def _find_strange_rules(record: Section) -> Iterator[Finding]:
    for name, prefix in PREFIXES.items():
        for place, rule in _rules(record):
            if rule.startswith(f"{prefix}:"):
                yield place, f"finds nothing: collect.{name} gives no records"


def _rules(record: Section) -> Iterator[Finding]:
    for name, rules in _section(record, "fields").items():
        for index, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, str):
                yield ("record", "fields", name, index), rule
