"""Collections that are not known to be whole, told as rejections of what was collected."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crawler.contracts.collection import Collection, Gap
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Rejection
from crawler.interpretation.version import extractor_version
from crawler.ledger.queries.captures import iterate_captures
from crawler.ledger.queries.collections import find_judged_cycle
from crawler.ledger.queries.funnel import list_runs, list_sites
from crawler.ledger.queries.records import StoredRejection, iterate_rejections

if TYPE_CHECKING:
    from sqlalchemy import Connection

TOLD_ELSEWHERE = frozenset({Gap.PAGE_UNREAD})
"""By the rejection of the page."""


def iterate_incomplete(conn: "Connection", site: str | None) -> Iterator[StoredRejection]:
    """Yield each incomplete collection of the sites' latest cycles, once they are closed.

    Not those of which nothing was read: what became of their start address is its outcome.
    """
    for name in [site] if site else list_sites(conn):
        judged = find_judged_cycle(conn, name)
        found = [each for each in judged.collections if _is_telling(each)] if judged else []
        rule_version = list_runs(conn, name)[-1].rule_version if found else ""
        for collection in found:
            if not _is_rejected(conn, collection.row):
                yield _reject(conn, name, collection, rule_version)


def _is_telling(collection: Collection) -> bool:
    return collection.pages > 0 and bool(collection.gaps.keys() - TOLD_ELSEWHERE)


def _is_rejected(conn: "Connection", row: int) -> bool:
    """Tell whether its only page was found to be incomplete when it was read."""
    found = [stored.rejection.reason for stored in iterate_rejections(conn, row=row)]
    return RejectReason.INCOMPLETE_COLLECTION in found


def _reject(
    conn: "Connection", site: str, collection: Collection, rule_version: str
) -> StoredRejection:
    found = [each for each in iterate_captures(conn, row=collection.row) if each.is_eligible]
    capture = found[0] if found else None
    return StoredRejection(
        site=site,
        row=collection.row,
        url=collection.url,
        capture_id=capture.capture_id if capture else None,
        snapshot_sha256=capture.digest if capture else None,
        observed_at=capture.observed_at if capture else None,
        rule_version=rule_version,
        extractor_version=extractor_version(),
        rejection=Rejection(
            RejectReason.INCOMPLETE_COLLECTION, "; ".join(collection.gaps.values())
        ),
    )
