"""``scrapy markdown``: the content of saved pages or of a snapshot, for an agent to read."""

from __future__ import annotations

import sys
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
from crawler.commands.output import printable, read_ledger, standard_output

if TYPE_CHECKING:
    import argparse

    from sqlalchemy import Connection

    from crawler.contracts.site.record import ContentRules
    from crawler.contracts.snapshot import Snapshot


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "FILE --url URL | --batch MANIFEST.jsonl | --snapshot ID_OR_DIGEST"

    def short_desc(self) -> str:
        return "Print the content of pages as Markdown, with what it costs in tokens"

    def long_desc(self) -> str:
        return (
            "Print one JSON line for each page: id, url, markdown, title, word_count, tokens_raw "
            "(of the HTML), tokens_markdown, content_hash, the type of page that was seen, the "
            "share of its shown text that is in the zone, and problems. Each line of a manifest "
            "is an object with id, file and url; files are relative to the manifest's folder, and "
            "a .gz file is unpacked. A retained snapshot has snapshot_sha256 and observed_at "
            "besides, and is read by the content section of its site file. The exit code is 1 "
            "when the page cannot be read at all."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--url", help="address that the file was saved from")
        parser.add_argument("--batch", metavar="MANIFEST", help="read every page of a manifest")
        parser.add_argument("--snapshot", metavar="ID_OR_DIGEST", help="read a retained snapshot")
        parser.add_argument("--site", help="read by the content section of this site file")
        parser.add_argument("--images", action="store_true", help="keep images, as links")
        parser.add_argument("--text", action="store_true", help="print the Markdown alone")
        parser.add_argument(
            "--encoding",
            default="o200k_base",
            choices=("o200k_base", "cl100k_base", "none"),
            help="what tokens are counted by; o200k_base by default",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        sources = [bool(args), bool(opts.batch), bool(opts.snapshot)]
        if sources.count(True) != 1 or len(args) > 1 or (args and not opts.url):
            raise UsageError(
                "markdown takes a FILE with --url, --batch with a manifest, or --snapshot"
            )
        with standard_output(self):
            reader = self._open_reader(opts)
            if reader is None:
                self.exitcode = 2
            elif opts.batch:
                print_batch(self, Path(opts.batch), reader.read, _failure)
            elif opts.snapshot:
                read_ledger(self, lambda conn: self._run_snapshot(conn, reader, opts))
            else:
                self._run_one(args[0], reader, opts)

    def _open_reader(self, opts: argparse.Namespace) -> ContentReader | None:
        from crawler.contracts.errors import CrawlerError

        assert self.settings is not None
        try:
            rules = load_rules(opts.site, self.settings.get("SITES_DIR") or None)
            encoding = "none" if opts.text else opts.encoding  # no count is printed
            return ContentReader(rules, encoding, with_images=opts.images)
        except CrawlerError as error:
            sys.stderr.write(f"{error}\n")
            return None
        except ValueError as error:
            raise UsageError(str(error)) from error

    def _run_one(self, file: str, reader: ContentReader, opts: argparse.Namespace) -> None:
        try:
            line = reader.read(Entry({"id": file, "file": file, "url": opts.url}, Path()))
        except CannotReadError as error:
            line, self.exitcode = _failure(file, error), 1
        _print(line, opts)

    def _run_snapshot(
        self, conn: Connection, reader: ContentReader, opts: argparse.Namespace
    ) -> None:
        from crawler.archive.reader import ArchiveReader
        from crawler.contracts.errors import SiteConfigError
        from crawler.engine.data import DataFolder
        from crawler.ledger.queries.captures import find_captures
        from crawler.replay.captures import read_snapshot

        assert self.settings is not None
        found = find_captures(conn, opts.snapshot, limit=1)
        if not found:
            sys.stderr.write(f"{printable(opts.snapshot)}: no capture has this id or digest\n")
            self.exitcode = 1
            return
        archive = ArchiveReader(DataFolder.from_settings(self.settings).archive)
        snapshot = read_snapshot(conn, archive, found[0])
        if not opts.site:
            try:
                rules = load_rules(snapshot.site, self.settings.get("SITES_DIR") or None)
                reader = reader.with_rules(rules)
            except SiteConfigError as error:
                sys.stderr.write(f"{error}\nread without its site file\n")
        line = reader.describe(snapshot.capture_id, snapshot)
        line["snapshot_sha256"] = snapshot.digest
        line["observed_at"] = snapshot.observed_at.isoformat()
        _print(line, opts)


def load_rules(site: str | None, sites_dir: str | None) -> ContentRules:
    """Return the content section of a site file, an empty one without; raise SiteConfigError."""
    from crawler.contracts.site.record import ContentRules
    from crawler.sites.loading import load_site

    return load_site(site, sites_dir).rules.content if site else ContentRules()


class ContentReader:
    """Reads pages by one set of rules, and counts tokens by one encoding, or not at all."""

    def __init__(self, rules: ContentRules, encoding: str, *, with_images: bool) -> None:
        from crawler.extraction.content import tokens

        self._rules = rules
        self._encoding = encoding
        self._with_images = with_images
        self._count = None if encoding == "none" else tokens.load_counter(encoding)

    def with_rules(self, rules: ContentRules) -> ContentReader:
        return ContentReader(rules, self._encoding, with_images=self._with_images)

    def read(self, entry: Entry) -> dict[str, Any]:
        """Return what a saved page says; raise CannotReadError."""
        from crawler.replay.saved import make_snapshot

        url = str(entry.fields["url"])
        return self.describe(entry.id, make_snapshot(url, read_body(entry.file), site="markdown"))

    def describe(self, name: str, snapshot: Snapshot) -> dict[str, Any]:
        from crawler.document.document import Document
        from crawler.extraction.content.page import read_content

        document = Document(snapshot)
        content = read_content(document, self._rules, with_images=self._with_images)
        return {
            "id": name,
            "url": snapshot.final_url,
            "markdown": content.markdown,
            "title": content.title,
            "word_count": content.word_count,
            "tokens_raw": self._count(document.text) if self._count else None,
            "tokens_markdown": self._count(content.markdown) if self._count else None,
            "content_hash": content.content_hash,
            "page_type": str(content.kind) if content.kind else None,
            "zone_share": content.share,
            "problems": [content.problem] if content.problem else [],
        }


def _failure(name: str, problem: object) -> dict[str, Any]:
    nothing = dict.fromkeys(
        ("url", "title", "word_count", "tokens_raw", "tokens_markdown", "content_hash")
    )
    return {"id": name, "markdown": "", **nothing, "problems": [str(problem)]}


def _print(line: dict[str, Any], opts: argparse.Namespace) -> None:
    if not opts.text:
        print_line(line)
        return
    if line["markdown"]:
        sys.stdout.write(line["markdown"] + "\n")
    for problem in line["problems"]:
        sys.stderr.write(f"{line['id']}: {problem}\n")
