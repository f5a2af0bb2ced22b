"""Reads every retained page of a site's latest cycle again, under the site file as it is now."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.archive.reader import ArchiveReader
from crawler.classification.page import page_of
from crawler.classification.verdict import judge_response
from crawler.contracts.errors import ArchiveError
from crawler.contracts.outcome import Outcome
from crawler.contracts.page import PageReport
from crawler.contracts.rules import LoadedSite
from crawler.contracts.snapshot import Snapshot
from crawler.interpretation.answer import InterpretationBug
from crawler.interpretation.interpreter import Interpreter
from crawler.interpretation.version import extractor_version
from crawler.ledger.answers import find_answer
from crawler.ledger.captures import observed_text
from crawler.ledger.listings import describe_listing
from crawler.ledger.queries.captures import PageToReplay, iterate_pages_to_replay
from crawler.ledger.queries.funnel import find_latest_cycle
from crawler.ledger.queries.records import iterate_records, iterate_rejections
from crawler.ledger.records import Publication
from crawler.replay.captures import read_snapshot
from crawler.replay.difference import Difference, compare_page

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class ReplayedPage:
    """One page read again: how it differs, and what would be published of it."""

    url: str
    differences: tuple[Difference, ...]
    publication: Publication | None
    """None when it could not be read: see ``failure``."""
    failure: str | None = None


def list_pages(conn: "Connection", site: str) -> list[PageToReplay]:
    """Return the pages of the site's latest cycle that interpretation has read, in row order."""
    cycle = find_latest_cycle(conn, site)
    return [] if cycle is None else list(iterate_pages_to_replay(conn, cycle))


async def replay_page(
    conn: "Connection",
    archive: ArchiveReader,
    site: LoadedSite,
    pool: Interpreter,
    page: PageToReplay,
) -> ReplayedPage:
    """Read one page again and compare; nothing is written."""
    try:
        snapshot = read_snapshot(conn, archive, page.capture)
        first = judge_response(page_of(snapshot))
        is_eligible = first.is_eligible
        report = await _read(conn, pool, snapshot) if is_eligible else PageReport(first)
    except (ArchiveError, InterpretationBug) as error:
        return ReplayedPage(page.requested_url, (), None, f"{type(error).__name__}: {error}")
    records = list(iterate_records(conn, row=page.row))
    rejected = [stored.rejection for stored in iterate_rejections(conn, row=page.row)]
    return ReplayedPage(
        page.requested_url,
        tuple(
            compare_page(
                page.requested_url, records, rejected, report, reason=page.reason or "open"
            )
        ),
        _publication(site, page, report, snapshot),
    )


async def _read(conn: "Connection", pool: Interpreter, snapshot: Snapshot) -> PageReport:
    """Read a page with the answer of a model that is retained for it; nobody is asked."""
    report = await pool.interpret(snapshot)
    if report.question is None:
        return report
    kept = find_answer(conn, report.question.key)
    if kept is not None:
        report = await pool.interpret(snapshot, kept.text)
    return report.without_question()


def _publication(
    site: LoadedSite, page: PageToReplay, report: PageReport, snapshot: Snapshot
) -> Publication:
    eligible = report.verdict.is_eligible
    return Publication(
        site=site.config.site,
        source_id=site.config.source,
        cycle=page.cycle,
        row=page.row,
        capture_id=page.capture.capture_id,
        digest=page.capture.digest,
        observed_at=observed_text(snapshot),
        url=page.capture.final_url,
        extractor_version=extractor_version(),
        rule_version=site.rules.version,
        volatile=site.rules.record.volatile,
        candidates=report.candidates if eligible else (),
        rejections=report.rejections if eligible else (),
        listing=describe_listing(report, site, snapshot),
        outcome=Outcome(
            report.verdict.reason, report.verdict.kind, "; ".join(report.verdict.evidence)[:500]
        ),
    )
