"""One site file becomes a ``LoadedSite``, or all of its problems at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import PurePath

from pydantic import JsonValue

from crawler.contracts.errors import Problem
from crawler.contracts.record import RecordType
from crawler.contracts.rules import LoadedSite, Rules
from crawler.contracts.site.access import Identity, NamedSession, Ready, Representations
from crawler.contracts.site.collect import Collect
from crawler.contracts.site.config import SiteConfig
from crawler.contracts.site.model import ModelRules
from crawler.contracts.site.record import JSONLD_ROWS, ContentRules, RecordRules
from crawler.contracts.site.section import parse_duration
from crawler.extraction.fields.locale import LOCALES
from crawler.sites.addresses import find_origin_fault, find_permit_fault
from crawler.sites.data_source import find_source_faults
from crawler.sites.findings import Finding, select
from crawler.sites.hashing import hash_authorization, hash_bytes, hash_rules
from crawler.sites.loaded import find_loaded_faults
from crawler.sites.model import find_model_faults
from crawler.sites.quoting import shorten
from crawler.sites.record_types import TypeCatalog
from crawler.sites.rendering import find_rendering_faults
from crawler.sites.representation import find_representation_faults
from crawler.sites.selectors import find_json_path_fault
from crawler.sites.sitemap import find_sitemap_faults
from crawler.sites.typed import read_model, unknown
from crawler.sites.yaml import read_yaml

MAX_DAYS = 3650


@dataclass(frozen=True, slots=True)
class Sections:
    """What else of a site file decides how a page is read; left out, it is that of an empty file."""

    collect: Collect = field(default_factory=Collect)
    identity: Identity = field(default_factory=Identity)
    ready: Ready = field(default_factory=Ready)
    content: ContentRules = field(default_factory=ContentRules)
    fetched: Representations = field(default_factory=Representations)
    model: ModelRules | None = None
    session: NamedSession | None = None


def parse_site(data: bytes, path: str, catalog: TypeCatalog) -> LoadedSite:
    """Return what the file *path* with content *data* says.

    Raises SiteConfigError with all of its problems; an authorisation that has expired is none.
    """
    draft = read_model(read_yaml(data, path), SiteConfig, path)
    for place, message in find_faults(draft.data, PurePath(path).stem, catalog):
        draft.report(place, message)
    record_type = _type_of(draft.data, catalog)
    if draft.model is None or draft.problems or not isinstance(record_type, RecordType):
        broken = () if isinstance(record_type, RecordType) else record_type
        raise draft.error(*broken)
    return _load(draft.model, record_type, data, path)


def _load(config: SiteConfig, record_type: RecordType, data: bytes, path: str) -> LoadedSite:
    access = config.access
    rules = build_rules(
        config.site,
        config.record,
        record_type,
        Sections(
            collect=config.collect,
            identity=access.identity,
            ready=access.ready,
            content=config.content,
            model=config.model,
            session=access.session,
            fetched=access.representation,
        ),
    )
    return LoadedSite(
        config=config,
        rules=rules,
        site_hash=hash_bytes(data),
        authorization_hash=hash_authorization(config.authorization),
        path=path,
    )


def build_rules(
    site: str, record: RecordRules, record_type: RecordType, sections: Sections | None = None
) -> Rules:
    """Return the rules for pages of *site*."""
    given, applied = sections or Sections(), _apply(record, record_type)
    signed_out = given.session.signed_out if given.session else None
    fetched = given.fetched.spelled_out()
    return Rules(
        site=site,
        collect=given.collect,
        identity=given.identity,
        ready=given.ready,
        record=record,
        record_type=applied,
        version=hash_rules(
            applied,
            collect=given.collect,
            identity=given.identity,
            ready=given.ready,
            record=record,
            content=given.content,
            fetched=fetched,
            **({"model": given.model} if given.model else {}),
            **({"session": given.session} if given.session and signed_out else {}),
        ),
        content=given.content,
        model=given.model,
        signed_out=signed_out,
        fetched=fetched,
    )


def _apply(record: RecordRules, record_type: RecordType) -> RecordType:
    return replace(
        record_type,
        schema_version=record.schema_version or record_type.schema_version,
        fields=tuple(
            replace(spec, is_required=spec.is_required or spec.name in record.required)
            for spec in record_type.fields
        ),
    )


def find_faults(data: JsonValue, stem: str, catalog: TypeCatalog) -> Iterator[Finding]:
    """Return what the declaration of a site file cannot know: names that belong together, and more.

    *data* may be incomplete; what is missing was reported by whoever read it.
    """
    for pattern, find_fault in TEXT_CHECKS:
        for place, value in select(data, pattern):
            if isinstance(value, str) and (message := find_fault(value)):
                yield place, message
    for place, value in select(data, ("site",)):
        if isinstance(value, str) and value != stem:
            yield place, f"expected {stem!r}, the stem of the file; found {shorten(value)}"
    yield from find_representation_faults(data)
    yield from find_rendering_faults(data)
    yield from _find_type_faults(data, catalog)
    record_type = _type_of(data, catalog)
    known = record_type if isinstance(record_type, RecordType) else None
    yield from find_source_faults(data, known)
    yield from _find_row_faults(data)
    yield from find_sitemap_faults(data)
    yield from find_loaded_faults(data, known)
    if known is not None:
        yield from find_model_faults(data, known)


def _find_row_faults(data: JsonValue) -> Iterator[Finding]:
    """A JSON-LD object is no element: there is nothing in it to select."""
    each = next((value for _, value in select(data, ("record", "each"))), None)
    if not isinstance(each, str) or not each.startswith(JSONLD_ROWS):
        return
    for place, rule in select(data, ("record", "fields", "*", "*")):
        if isinstance(rule, str) and rule.startswith(("css:", "xpath:")):
            yield place, f"expected jsonld:$.path, as the rows are {each}; found {shorten(rule)}"


def _find_duration_fault(text: str) -> str | None:
    try:
        seconds = parse_duration(text)
    except (ValueError, KeyError):
        return None  # its form was reported already
    if isfinite(seconds) and seconds <= MAX_DAYS * 86_400:
        return None
    return f"expected at most {MAX_DAYS}d, found {shorten(text)}"


def _find_locale_fault(text: str) -> str | None:
    known = ", ".join(sorted(LOCALES))
    return None if text in LOCALES else f"expected one of {known}; found {shorten(text)}"


TEXT_CHECKS: tuple[tuple[tuple[str, ...], Callable[[str], str | None]], ...] = (
    (("access", "hosts", "*"), find_origin_fault),
    (("access", "permit_private", "*"), find_permit_fault),
    (("collect", "api", "rows"), find_json_path_fault),
    (("access", "cycle_max_age"), _find_duration_fault),
    (("record", "fresh_for"), _find_duration_fault),
    (("record", "locale"), _find_locale_fault),
    (("collect", "sitemap", "trust_lastmod"), _find_duration_fault),
)


def _type_of(data: JsonValue, catalog: TypeCatalog) -> RecordType | tuple[Problem, ...]:
    """Return the site's record type, or what is wrong with the file that declares it."""
    for _, name in select(data, ("record", "type")):
        if isinstance(name, str):
            return catalog.types.get(name) or catalog.problems.get(name, ())
    return ()


def _find_type_faults(data: JsonValue, catalog: TypeCatalog) -> Iterator[Finding]:
    record_type = _type_of(data, catalog)
    if isinstance(record_type, RecordType):
        yield from _find_field_faults(data, record_type)
        return
    for place, name in select(data, ("record", "type")):
        if isinstance(name, str) and not record_type:
            yield place, unknown("record type", name, catalog.types)


def _find_field_faults(data: JsonValue, record_type: RecordType) -> Iterator[Finding]:
    known = [field.name for field in record_type.fields]
    ruled = ((place, place[-1]) for place, _ in select(data, ("record", "fields", "*")))
    required = select(data, ("record", "required", "*"))
    volatile = select(data, ("record", "volatile", "*"))
    compared = select(data, ("record", "compare", "*"))
    for place, name in (*ruled, *required, *compared, *volatile):
        if isinstance(name, str) and name not in known:
            yield place, unknown("field", name, known, f"{record_type.name} has")
