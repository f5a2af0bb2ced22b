"""What a site file says of how pages are fetched and read, checked as far as it belongs together."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from crawler.classification.representation import GIVEN, SOURCES
from crawler.contracts.errors import Problem
from crawler.contracts.rules import LoadedSite
from crawler.contracts.site.access import Ready
from crawler.contracts.site.collect import Collect
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind, Representation
from crawler.sites.findings import Finding, select

READABLE = (Representation.HTML, Representation.RENDERED_DOM)
AVAILABLE_REPRESENTATIONS = (*READABLE, Representation.SCREENSHOT)
_UNTOLD = (
    "auto renders only {kind} pages without any text: neither access.ready nor record.each, nor "
    "collect.links of a listing, says what a whole one holds"
)
_UNTESTED = (
    "pages that come as {missing} end as representation_mismatch: the rules were not tested on them"
)
Section = Mapping[str, JsonValue]


def find_representation_faults(data: JsonValue) -> Iterator[Finding]:
    """Return the faults of a file that may be incomplete; other ones were reported before."""
    for (*place, name), value in select(data, ("access", "representation", "*")):
        if fault := _find_unavailable(value, (*AVAILABLE_REPRESENTATIONS, AUTO)):
            yield (tuple(place) if name == "pages" else (*place, name)), fault
    for at, value in select(data, ("record", "representations", "*")):
        if fault := _find_unavailable(value, READABLE):
            yield at, fault
    yield from _find_useless_kinds(data)


def _find_unavailable(value: JsonValue, available: tuple[str, ...]) -> str | None:
    if not isinstance(value, str) or value in available:
        return None
    known = " or ".join(available)
    source = next((name for kind, name in SOURCES.items() if kind == value), None)
    if source:
        return f"expected {known}, found {value!r}: collect.{source} says that"
    return f"expected {known}, found {value!r}: no record is read from that"


def _find_useless_kinds(data: JsonValue) -> Iterator[Finding]:
    wanted = _section(_section(data, "access"), "representation")
    absent = _absent_kinds(_section(data, "collect"))
    for kind in PageKind:
        place = ("access", "representation", kind.value)
        if wanted.get(kind) is None:
            continue
        if kind in absent:
            yield place, f"the site has no such pages: {absent[kind]}"
        elif wanted[kind] == wanted.get("pages"):
            yield place, "says the same as pages"
    if all(wanted.get(name) for name in ("pages", *PageKind)):
        yield ("access", "representation", "pages"), "listing and detail leave no other pages"


def _absent_kinds(collect: Section) -> dict[PageKind, str]:
    """Return the kinds of pages that a site cannot have, and why."""
    source = next((name for name in ("feed", "calendar", "api") if collect.get(name)), None)
    told = _section(collect, source) if source else {}
    absent = {}
    if source is not None and told.get("find", "start") == "start":
        absent[PageKind.LISTING] = f"collect.{source} is read from the start addresses"
    if collect.get("sitemap") and not any(collect.get(name) for name in ("links", "next", "pages")):
        absent[PageKind.LISTING] = "collect.sitemap is read in the place of the start addresses"
    gives = "pages" if source == "feed" else "records"
    gives_pages = told.get("url") is not None or told.get("gives", gives) == "pages"
    leads = any(collect.get(name) for name in ("links", "match", "sitemap"))
    if not leads and not (source and gives_pages):
        absent[PageKind.DETAIL] = "nothing in collect leads to details"
    return absent


def _section(data: JsonValue | Section, name: str) -> Section:
    value = data.get(name) if isinstance(data, Mapping) else None
    return value if isinstance(value, dict) else {}


def find_doubts(site: LoadedSite, text: str) -> Iterator[Problem]:
    """Yield what is allowed and hardly meant; *text* is the site's file."""
    for place, key, message in (*_find_untold_regions(site), *_find_untested(site)):
        lines = enumerate(text.splitlines(), 1)
        number = next((i for i, line in lines if key in line), 1)
        yield Problem(site.path, number, place, f"warning: {message}")


def _find_untold_regions(site: LoadedSite) -> Iterator[tuple[str, str, str]]:
    """Without a word on what a whole page holds, none that says anything is ever rendered."""
    config = site.config
    absent = _absent_kinds(config.collect.model_dump(mode="json"))
    for kind in PageKind:
        is_open = kind not in absent and config.access.representation.of(kind) == AUTO
        if is_open and not _says_what_is_whole(site, kind):
            yield (
                "access.representation",
                "representation:",
                _UNTOLD.format(kind=kind),
            )


def _says_what_is_whole(site: LoadedSite, kind: PageKind) -> bool:
    collect, access = site.config.collect, site.config.access
    if _is_observable(access.ready) or access.identity.selector is not None:
        return True
    if kind is PageKind.LISTING and collect.leads_to_details:
        return True
    return site.config.record.each is not None and not _is_only_led_by(collect, kind)


def _is_only_led_by(collect: Collect, kind: PageKind) -> bool:
    return kind is PageKind.LISTING and collect.data_source is not None


def _is_observable(ready: Ready) -> bool:
    """Whether it names anything by which a page as it is served can be told to lack something."""
    return bool(ready.present or ready.absent or ready.text or ready.count or ready.loaded)


def _find_untested(site: LoadedSite) -> Iterator[tuple[str, str, str]]:
    tested = site.config.record.representations
    wanted = site.config.access.representation
    given = {each for kind in PageKind for each in GIVEN[wanted.of(kind)]}
    missing = sorted(given - set(tested)) if tested else []
    if missing:
        yield (
            "record.representations",
            "representations:",
            _UNTESTED.format(missing=" or ".join(missing)),
        )
