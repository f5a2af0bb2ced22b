"""Feeds whose lines are accepted records, in files that are whole."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any

from scrapy import Spider
from scrapy.exporters import CsvItemExporter
from scrapy.extensions.feedexport import FeedExporter
from w3lib.url import file_uri_to_path

from crawler.contracts.export import record_line
from crawler.contracts.inert import dump_json, neutral_cell
from crawler.contracts.item import EscalatedPage, JudgedPage, PublishedPage
from crawler.contracts.record import Record
from crawler.engine.whole_file import is_special, usual_mode
from crawler.ledger.captures import observed_text
from crawler.ledger.text import hash_content

CONTINUABLE = {"jsonlines", "jsonl", "jl"}
"""Formats of which two in a row are one: a second JSON array or table heading is not."""


class RecordFeedExporter(FeedExporter):
    """Writes the records that a page published or confirmed, one item each, and no pages."""

    def item_scraped(self, item: Any, spider: Spider) -> None:
        if isinstance(item, JudgedPage | EscalatedPage):
            return
        if not isinstance(item, PublishedPage):
            super().item_scraped(item, spider)
            return
        if not self.slots:
            return
        for record in published_records(item):
            line = json.loads(dump_json(record_line(record)))  # credentials in URLs are masked
            super().item_scraped(line, spider)


def published_records(page: PublishedPage) -> Iterator[Record]:
    """Yield the candidates of *page* that were accepted, as new versions or unchanged."""
    commit, versions = page.commit, page.result.version_of
    if commit.report is None or commit.capture is None:
        return
    snapshot = commit.capture.snapshot
    for candidate in commit.report.candidates:
        if candidate.key not in versions:
            continue
        yield Record(
            site=commit.site,
            source_id=commit.source_id,
            type=candidate.type,
            key=candidate.key,
            version=versions[candidate.key],
            schema_version=candidate.schema_version,
            extractor_version=commit.extractor_version,
            rule_version=commit.rule_version,
            capture_id=snapshot.capture_id,
            snapshot_sha256=snapshot.digest,
            observed_at=observed_text(snapshot),
            url=commit.url,
            content_hash=hash_content(candidate.values, commit.volatile),
            session=snapshot.session or None,
            fields=candidate.fields,
        )


class WholeFileStorage:
    """A file that appears under its name when it is complete, and not before.

    Without ``overwrite``, lines go behind those of the file that was there; in a format that cannot
    be continued, it is replaced. A pipe or a device is written to as it is.
    """

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        self._path = Path(file_uri_to_path(uri) if uri.startswith("file:") else uri)
        options = feed_options or {}
        self._is_continued = (
            not options.get("overwrite", False) and options.get("format") in CONTINUABLE
        )

    def open(self, _spider: Spider) -> IO[bytes]:
        if is_special(self._path):
            return self._path.open("wb")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = NamedTemporaryFile(  # noqa: SIM115 - closed by ``store``
            prefix=f".{self._path.name}.", dir=self._path.parent, delete=False
        )
        if self._is_continued and self._path.exists():
            with self._path.open("rb") as former:
                shutil.copyfileobj(former, file)
        return file

    def store(self, file: IO[bytes]) -> None:
        with file:
            if is_special(self._path):
                return
            file.flush()
            os.fchmod(file.fileno(), usual_mode(self._path))
            os.fsync(file.fileno())
        Path(file.name).replace(self._path)


class NeutralCsvExporter(CsvItemExporter):
    """A table whose cells no spreadsheet evaluates; what is no plain value is JSON."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return neutral_cell(super().serialize_field(field, name, value))
