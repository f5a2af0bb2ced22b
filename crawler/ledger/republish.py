"""Publishing a capture again, under other rules: what replay applies."""

from dataclasses import replace

import sqlalchemy as sa

from crawler.contracts.outcome import Reason
from crawler.contracts.record import Candidate
from crawler.ledger.listings import replace_listing
from crawler.ledger.records import Publication, Published, publish
from crawler.ledger.tables import (
    captures,
    observations,
    record_versions,
    records,
    rejections,
    requests,
)
from crawler.ledger.text import hash_content, name_record, storable
from crawler.ledger.withdrawal import withdraw_claim


def republish_page(conn: sa.Connection, page: Publication, now: float) -> Published:
    """Replace what a page led to by *page*, its records and its rejections.

    What it says already stays untouched, so that applying the same reading twice changes nothing.
    A reading that ran out of time or memory says nothing of the page: it replaces nothing.
    """
    if any(rejection.reason.is_resource_outcome for rejection in page.rejections):
        return Published()
    replace_listing(conn, page.cycle, page.row, page.listing)
    former = _read_former(conn, page)
    read_now = {_name(page, c): hash_content(c.values, page.volatile) for c in page.candidates}
    for record in former.keys() - {
        name for name, v in former.items() if read_now.get(name) == v[0]
    }:
        withdraw_claim(conn, record, page.cycle, successor_hash=None)
    conn.execute(sa.delete(rejections).where(rejections.c.row_id == page.row))
    _drop_withdrawn_twins(conn, page)
    kept, changed = _split(page, former, read_now)
    [result] = publish(conn, [replace(page, candidates=changed)], now)
    for candidate in kept:
        result.unchanged.append(candidate.key)
        result.version_of[candidate.key] = former[_name(page, candidate)][1]
    _correct_outcome(conn, page)
    return result


def _correct_outcome(conn: sa.Connection, page: Publication) -> None:
    """The capture stays where it is filed; only what is said of it changes."""
    if page.outcome is None:
        return
    named = {"reason": page.outcome.reason, "kind": page.outcome.kind}
    is_other = (requests.c.id == page.row) & (requests.c.reason != page.outcome.reason)
    row = sa.update(requests).where(is_other)
    conn.execute(row.values(**named, detail=page.outcome.detail, trace=None))
    capture = sa.update(captures).where(captures.c.capture_id == page.capture_id)
    is_eligible = page.outcome.reason is Reason.ELIGIBLE
    conn.execute(capture.values(**named, eligible=int(is_eligible)))


def _name(page: Publication, candidate: Candidate) -> str:
    return name_record(page.site, candidate.type, storable(candidate.key))


def _read_former(conn: sa.Connection, page: Publication) -> dict[str, tuple[str, int]]:
    """Return content hash and version of each record that the page's row has in its cycle.

    What a later cycle has seen since is the business of that cycle's pages.
    """
    version = (record_versions.c.record == observations.c.record) & (
        record_versions.c.version == observations.c.version
    )
    query = (
        sa.select(observations.c.record, record_versions.c.content_hash, observations.c.version)
        .join_from(observations, record_versions, version)
        .join(records, records.c.id == observations.c.record)
        .where(
            observations.c.cycle == page.cycle,
            observations.c.row_id == page.row,
            records.c.claim_cycle == page.cycle,
        )
    )
    return {record: (content, number) for record, content, number in conn.execute(query)}


def _split(
    page: Publication, former: dict[str, tuple[str, int]], read_now: dict[str, str]
) -> tuple[list[Candidate], tuple[Candidate, ...]]:
    kept: list[Candidate] = []
    changed: list[Candidate] = []
    for candidate in page.candidates:
        name = _name(page, candidate)
        is_kept = name in former and former[name][0] == read_now[name]
        (kept if is_kept else changed).append(candidate)
    return kept, tuple(changed)


def _drop_withdrawn_twins(conn: sa.Connection, page: Publication) -> None:
    """Forget withdrawn versions of this very reading: it is about to be published again."""
    conn.execute(
        sa.delete(record_versions).where(
            record_versions.c.capture_id == page.capture_id,
            record_versions.c.extractor_version == page.extractor_version,
            record_versions.c.rule_version == page.rule_version,
            record_versions.c.withdrawn == 1,
        )
    )
