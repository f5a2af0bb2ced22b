"""What a site file says of the JSON that rendered pages load, checked as far as it belongs together."""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from crawler.admission.url import parse_url
from crawler.contracts.record import RecordType
from crawler.contracts.site.record import LOADED_PREFIX
from crawler.document.loaded import find_loaded_place
from crawler.document.url_overlap import may_fit_one_url
from crawler.sites.findings import Finding, select
from crawler.sites.globs import find_glob_fault
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
    kept = [str(pattern) for _, pattern in select(data, ("access", "capture", "*"))]
    for place, pattern in _find_readers(data):
        if not kept:
            yield place, UNKEPT
        elif pattern and not _is_kept(pattern, kept, _own_origins(data)):
            yield place, f"finds nothing: no pattern of access.capture fits what {pattern} fits"
    if has_loaded_rows(data):
        yield from _find_row_faults(data, record_type)
    elif any(value is not None for _, value in select(data, EACH)):
        for place, value in select(data, RULES):
            if _is_loaded(value):
                yield place, "finds nothing in rows of the page; expected a selector"


def _find_readers(data: JsonValue) -> Iterator[tuple[Place, str]]:
    """Yield the places that need something to be kept, and the URL pattern of what; often none."""
    for pattern in (*PLACES, RULES):
        for place, value in select(data, pattern):
            if isinstance(value, str) and (named := find_loaded_place(value)):
                yield place, named.pattern
    for place, value in select(data, READY):
        yield from ((place, str(each)) for each in (value if isinstance(value, list) else ()))


def _is_kept(pattern: str, kept: Sequence[str], own: frozenset[str]) -> bool:
    """Tell whether what *pattern* fits may be captured; patterns that cannot be read may."""
    if any(map(find_glob_fault, (pattern, *kept))):
        return True
    is_foreign = not pattern.startswith("/") and _origin(pattern) not in own
    return any(
        may_fit_one_url(each, pattern)
        for each in kept
        if not (is_foreign and each.startswith("/"))  # Means the hosts of the site only.
    )


def _own_origins(data: JsonValue) -> frozenset[str]:
    places = (("start", "*"), ("access", "hosts", "*"))
    found = (_origin(str(url)) for place in places for _, url in select(data, place))
    return frozenset(origin for origin in found if origin)


def _origin(url: str) -> str | None:
    parsed = parse_url(url)
    return parsed.origin if parsed else None


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
