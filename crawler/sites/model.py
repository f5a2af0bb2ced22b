"""What rules that ask a model need beside them, and what a model section needs to be of use."""

from collections.abc import Iterator

from pydantic import JsonValue

from crawler.contracts.record import RecordType
from crawler.sites.findings import Finding, select
from crawler.sites.typed import Place

PREFIX = "model:"


def find_model_faults(data: JsonValue, record_type: RecordType) -> Iterator[Finding]:
    asking = list(_find_asking(data, record_type))
    section = next((value for _, value in select(data, ("model",))), None)
    for place, is_last in asking:
        if section is None:
            yield place, "expected a section model: that says which model to ask; there is none"
        elif not is_last:
            yield place, "expected the model: rule as the last of its field: it is the last resort"
    if section is None:
        return
    if not asking:
        yield ("model",), "expected a field with a model: rule; none asks the model"
        return
    yield from _find_row_faults(data)
    yield from _find_price_faults(section)


def _find_asking(data: JsonValue, record_type: RecordType) -> Iterator[tuple[Place, bool]]:
    """Yield where rules that are in force ask a model, and whether they stand last."""
    ruled: dict[str | int, list[JsonValue]] = {
        place[-1]: rules
        for place, rules in select(data, ("record", "fields", "*"))
        if isinstance(rules, list) and rules
    }
    for name, rules in ruled.items():
        for index, rule in enumerate(rules):
            if isinstance(rule, str) and rule.startswith(PREFIX):
                yield ("record", "fields", name, index), index == len(rules) - 1
    for spec in record_type.fields:
        if spec.name not in ruled and any(rule.startswith(PREFIX) for rule in spec.rules):
            yield ("record", "type"), spec.rules[-1].startswith(PREFIX)


def _find_row_faults(data: JsonValue) -> Iterator[Finding]:
    if any(value for _, value in select(data, ("record", "each"))):
        yield ("record", "each"), "expected no rows: a model answers for a page, not for its rows"


def _find_price_faults(section: JsonValue) -> Iterator[Finding]:
    if isinstance(section, dict) and section.get("run_cost") and not section.get("price"):
        yield ("model", "run_cost"), "expected model.price beside it: without, no cost is known"
