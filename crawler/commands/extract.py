"""``scrapy extract``: what saved pages say, without a crawl, an archive or a ledger."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.manifest import (
    CannotReadError,
    Entry,
    print_batch,
    print_line,
    read_body,
)
from crawler.commands.offline import Offline
from crawler.commands.output import standard_output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from crawler.contracts.record import Candidate, Rejection
    from crawler.contracts.rules import Rules
    from crawler.contracts.snapshot import Representation, Snapshot
    from crawler.interpretation.reading import Reading


@dataclass(frozen=True, slots=True)
class Page:
    """One saved page to read."""

    id: str
    file: Path
    url: str
    type: str


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "FILE --url URL [--type TYPE] [--site SITE] | --batch MANIFEST.jsonl"

    def short_desc(self) -> str:
        return "Read records from saved pages"

    def long_desc(self) -> str:
        return (
            "Print one JSON line for each page: id, values, evidence, problems, and records where "
            "a page holds several. Each line of a manifest is an object with id, file, url and "
            "type; files are relative to the manifest's folder, and a .gz file is unpacked. "
            "Without --site a page is read by the default rules of its record type. The exit code "
            "is 1 when FILE cannot be read at all."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--url", help="address that the file was saved from")
        parser.add_argument("--type", help="record type (default: event, or the site's)")
        parser.add_argument("--site", help="read by the rules of this site file")
        parser.add_argument("--batch", metavar="MANIFEST", help="read every page of a manifest")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if bool(args) == bool(opts.batch) or len(args) > 1 or (args and not opts.url):
            raise UsageError("extract takes a FILE with --url, or --batch with a manifest")
        if opts.site and opts.type:
            raise UsageError("a site file names its record type: leave --type out")
        with standard_output(self):
            self._run(args, opts)

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        reader = self._open_reader(opts.site)
        if reader is None:
            self.exitcode = 2
        elif opts.batch:
            print_batch(self, Path(opts.batch), lambda entry: reader.read(_page(entry)), _failure)
        else:
            page = Page(args[0], Path(args[0]), opts.url, opts.type or "event")
            self._run_one(page, reader)

    def _open_reader(self, site: str | None) -> PageReader | None:
        from crawler.contracts.errors import SiteConfigError

        assert self.settings is not None
        try:
            return PageReader(self.settings.get("SITES_DIR") or None, site)
        except SiteConfigError as error:
            sys.stderr.write(f"{error}\n")
            return None

    def _run_one(self, page: Page, reader: PageReader) -> None:
        try:
            line = reader.read(page)
        except CannotReadError as error:
            line, self.exitcode = _failure(page.id, error), 1
        print_line(line)


class PageReader:
    """Reads saved pages by the rules of one site, or by the defaults of their record types."""

    def __init__(self, sites_dir: str | None, site: str | None) -> None:
        from crawler.sites.loading import load_site
        from crawler.sites.record_types import load_types
        from crawler.sites.source import find_sites_dir

        self._types = load_types(find_sites_dir(sites_dir)).types
        self._site = load_site(site, sites_dir).rules if site else None
        self._rules: dict[str, Rules] = {}

    def read(self, page: Page) -> dict[str, Any]:
        """Return what one page says; raise CannotReadError."""
        # Whether a file was saved as served or as rendered, it does not say.
        rules = replace(self._site or self._rules_of(page.type), fetched=None)
        snapshot = _snapshot(page, read_body(page.file), rules)
        return {"id": page.id, **_describe(snapshot, rules)}

    def _rules_of(self, name: str) -> Rules:
        from crawler.contracts.site.record import RecordRules
        from crawler.sites.config import build_rules

        record_type = self._types.get(name)
        if record_type is None:
            known = ", ".join(sorted(self._types))
            raise CannotReadError(f"unknown record type {name!r}; known are {known}")
        if name not in self._rules:
            self._rules[name] = build_rules("extract", RecordRules(type=name), record_type)
        return self._rules[name]


def _describe(snapshot: Snapshot, rules: Rules) -> dict[str, Any]:
    from crawler.contracts.snapshot import PageKind
    from crawler.interpretation.page import read_page

    reading = read_page(snapshot, rules)
    candidates = reading.candidates
    if reading.left_alone:
        listing = read_page(replace(snapshot, page_kind=PageKind.LISTING), rules)
        candidates = (*reading.candidates, *_others(listing, reading))
    described: dict[str, Any] = {
        "values": _values(candidates[0]) if candidates else {},
        "evidence": _evidence(candidates[0]) if candidates else {},
        "problems": _problems(reading),
    }
    if len(candidates) > 1:
        described["records"] = [
            {"key": each.key, "values": _values(each), "evidence": _evidence(each)}
            for each in candidates
        ]
    return described


def _others(listing: Reading, reading: Reading) -> Iterator[Candidate]:
    """Return the records beside the main one, which is told by where its values stand."""
    main = _places(reading.candidates[0])
    return (each for each in listing.candidates if not _places(each) <= main)


def _places(candidate: Candidate) -> set[str]:
    fields = candidate.fields.values()
    return {
        field.evidence.locator for field in fields if field.evidence and field.value is not None
    }


def _values(candidate: Candidate) -> dict[str, Any]:
    return {name: value for name, value in candidate.values.items() if value is not None}


def _evidence(candidate: Candidate) -> dict[str, Any]:
    fields = candidate.fields.items()
    return {name: asdict(field.evidence) for name, field in fields if field.evidence is not None}


def _problems(reading: Reading) -> list[str]:
    report = reading.report
    verdict = report.verdict
    seen = [] if verdict.is_eligible else [": ".join((verdict.reason, *verdict.evidence))]
    return [*seen, *map(_spell, report.rejections), *report.notes]


def _spell(rejection: Rejection) -> str:
    return f"{rejection.reason}: {rejection.detail}"


def _failure(name: str, problem: object) -> dict[str, Any]:
    return {"id": name, "values": {}, "evidence": {}, "problems": [str(problem)]}


def _page(entry: Entry) -> Page:
    fields = entry.fields
    return Page(entry.id, entry.file, fields["url"], str(fields.get("type") or "event"))


def _snapshot(page: Page, body: bytes, rules: Rules) -> Snapshot:
    from crawler.contracts.snapshot import PageKind
    from crawler.replay.saved import make_snapshot

    representation = _representation(body, rules)
    holds_several = rules.record.each is not None or representation.is_data
    return replace(
        make_snapshot(page.url, body, site=rules.site),
        run="extract",
        representation=representation,
        page_kind=PageKind.LISTING if holds_several else PageKind.DETAIL,
    )


def _representation(body: bytes, rules: Rules) -> Representation:
    """Return what the page is read as: what the site file's records are in, else what it begins as.

    A feed or calendar shows what it is; JSON has no rules that hold for every site.
    """
    from crawler.contracts.snapshot import Representation
    from crawler.document.sniff import is_written_as

    source = rules.collect.data_source
    if source is not None:
        is_data = source.gives == "records"
        return source.REPRESENTATION if is_data else Representation.HTML
    known = (Representation.FEED, Representation.CALENDAR)
    return next((each for each in known if is_written_as(each, body)), Representation.HTML)
