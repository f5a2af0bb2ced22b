"""Feeds whose lines are accepted records."""

from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.extensions.feedexport import FeedExporter

from crawler.contracts.export import record_line
from crawler.contracts.item import JudgedPage, PublishedPage
from crawler.contracts.record import Record
from crawler.ledger.captures import observed_text
from crawler.ledger.text import hash_content


class RecordFeedExporter(FeedExporter):
    """Writes the records that a page published or confirmed, one item each, and no pages."""

    def item_scraped(self, item: Any, spider: Spider) -> None:
        if isinstance(item, JudgedPage):
            return
        if not isinstance(item, PublishedPage):
            super().item_scraped(item, spider)
            return
        for record in published_records(item):
            super().item_scraped(record_line(record), spider)


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
            content_hash=hash_content(candidate.values),
            fields=candidate.fields,
        )
