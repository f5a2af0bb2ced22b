"""Whether the sitemaps of a site file can be asked for, and fit the rest of it."""

from collections.abc import Iterator

from pydantic import JsonValue

from crawler.admission.url import parse_url
from crawler.contracts.site.collect import ROBOTS
from crawler.sites.findings import Finding, select
from crawler.sites.quoting import shorten

SOURCES = ("feed", "calendar", "api")


def find_sitemap_faults(data: JsonValue) -> Iterator[Finding]:
    """Return contradictions with the rest of the file."""
    origins = _origins(data, ("start", "*")) | _origins(data, ("access", "hosts", "*"))
    for place, text in select(data, ("collect", "sitemap", "urls", "*")):
        origin = _origin(text)
        if origin is not None and origin not in origins:
            message = "would be refused; expected its origin in start or access.hosts"
            yield place, f"{message}, found {shorten(str(text))}"
    for place, _ in select(data, ("collect", "sitemap")):
        given = [name for name in SOURCES if any(select(data, ("collect", name)))]
        if given:
            yield place, f"expected one source; {given[0]} is given too"


def _origins(data: JsonValue, pattern: tuple[str, ...]) -> set[str | None]:
    return {_origin(text) for _, text in select(data, pattern)}


def _origin(text: JsonValue) -> str | None:
    parsed = parse_url(text) if isinstance(text, str) and text != ROBOTS else None
    return None if parsed is None else parsed.origin
