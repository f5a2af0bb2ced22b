"""What a site file says of the JSON that rendered pages load, checked as far as it belongs together."""

from collections.abc import Iterator

from pydantic import JsonValue

from crawler.contracts.record import RecordType
from crawler.contracts.site.record import LOADED_PREFIX
from crawler.sites.findings import Finding, select
from crawler.sites.typed import Place

IN_ROWS = "json:"
"""The rules that read the rows of what was loaded."""
RULES = ("record", "fields", "*", "*")
EACH = ("record", "each")
PLACES = (
    EACH,
    ("collect", "links"),
    ("collect", "next"),
    ("collect", "complete", "expected_count"),
)
READY = ("access", "ready", "loaded")
UNKEPT = "finds nothing: access.capture says which responses are kept"


def has_loaded_rows(data: JsonValue) -> bool:
    return any(_is_loaded(value) for _, value in select(data, EACH))


def find_loaded_faults(data: JsonValue, record_type: RecordType | None) -> Iterator[Finding]:
    """Return contradictions; of what is missing or malformed was reported already."""
    if not any(value for _, value in select(data, ("access", "capture"))):
        yield from ((place, UNKEPT) for place in _find_readers(data))
    if has_loaded_rows(data):
        yield from _find_row_faults(data, record_type)
    elif any(value is not None for _, value in select(data, EACH)):
        for place, value in select(data, RULES):
            if _is_loaded(value):
                yield place, "finds nothing in rows of the page; expected a selector"


def _find_readers(data: JsonValue) -> Iterator[Place]:
    """Yield the places that need something to be kept."""
    for pattern in (*PLACES, RULES):
        yield from (place for place, value in select(data, pattern) if _is_loaded(value))
    yield from (place for place, value in select(data, READY) if value)


def _find_row_faults(data: JsonValue, record_type: RecordType | None) -> Iterator[Finding]:
    for place, value in select(data, RULES):
        if isinstance(value, str) and not value.startswith(IN_ROWS):
            yield place, f"finds nothing in rows of what was loaded; expected {IN_ROWS}$.path"
    ruled = {place[-1] for place, _ in select(data, ("record", "fields", "*"))}
    for field in record_type.fields if record_type else ():
        if field.is_required and field.name not in ruled:
            message = f"{field.name} is required, and no {IN_ROWS} rule says where it stands"
            yield ("record", "fields"), message


def _is_loaded(value: JsonValue) -> bool:
    return isinstance(value, str) and value.startswith(LOADED_PREFIX)
