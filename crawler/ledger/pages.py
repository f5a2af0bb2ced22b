"""One page, one transaction: its outcome, links, capture, records and rejections."""

from collections.abc import Sequence

import sqlalchemy as sa

from crawler.contracts.bound import UNLIMITED, Limits
from crawler.contracts.frontier import CommitResult, PageCommit
from crawler.contracts.need import RenderingNeed
from crawler.contracts.outcome import Reason
from crawler.contracts.snapshot import PageKind
from crawler.ledger.admitting import Admission, Batch, admit_each
from crawler.ledger.captures import Filing, GroupSink, file_captures, observed_text
from crawler.ledger.chunks import CHUNK
from crawler.ledger.frontier import end_values, keep_decisions
from crawler.ledger.listings import keep_listings
from crawler.ledger.needs import note_pages
from crawler.ledger.records import Publication, Published, publish
from crawler.ledger.sessions import note_expired
from crawler.ledger.tables import IS_LEASED, requests
from crawler.ledger.text import DECISION, summarise_report

FENCED = CommitResult(is_fenced=True)


def commit_page(
    conn: sa.Connection,
    commit: PageCommit,
    sink: GroupSink,
    now: float,
    *,
    limits: Limits = UNLIMITED,
) -> CommitResult:
    """Write all that a page led to, unless its lease is no longer held."""
    return commit_pages(conn, [commit], sink, now, limits=limits)[0]


def commit_pages(
    conn: sa.Connection,
    commits: Sequence[PageCommit],
    sink: GroupSink,
    now: float,
    *,
    limits: Limits = UNLIMITED,
) -> list[CommitResult]:
    """Do the same for several pages of one cycle, with a tenth of the statements."""
    held = _find_held(conn, commits)
    current: dict[int, PageCommit] = {}
    for commit in commits:
        if (commit.row, commit.token) in held:
            current.setdefault(commit.row, commit)  # a second commit of one lease comes too late
    if current:
        results = _commit_held(conn, list(current.values()), sink, now, limits)
    return [results[c.row] if c is current.get(c.row) else FENCED for c in commits]


def _commit_held(
    conn: sa.Connection,
    commits: Sequence[PageCommit],
    sink: GroupSink,
    now: float,
    limits: Limits,
) -> dict[int, CommitResult]:
    note_expired(conn, commits, now)
    file_captures(conn, [f for commit in commits for f in _filings(commit)], sink)
    _end_rows(conn, commits, now)
    decided = [(c.row, DECISION.dump(c.decision)) for c in commits if c.decision]
    keep_decisions(conn, decided, now)
    batches = [Batch(c.links, c.row, c.trail, c.left_out) for c in commits]
    admissions = admit_each(conn, commits[0].cycle, batches, now, limits=limits)
    keep_listings(conn, commits[0].cycle, {c.row: c.listing for c in commits if c.listing})
    published = publish(conn, [_publication(commit) for commit in commits], now)
    needs = note_pages(conn, commits[0].site, [c.need for c in commits if c.need])
    return {
        commit.row: _result(admission, records, needs)
        for commit, admission, records in zip(commits, admissions, published, strict=True)
    }


def _find_held(conn: sa.Connection, commits: Sequence[PageCommit]) -> set[tuple[int, str]]:
    """Return (row, token) of the leases that are in force, their rows locked."""
    rows = sorted({commit.row for commit in commits})
    return {
        (row, token)
        for start in range(0, len(rows), CHUNK)
        for row, token in conn.execute(_HELD, {"rows": rows[start : start + CHUNK]})
    }


_HELD = (
    sa.select(requests.c.id, requests.c.lease_token)
    .where(IS_LEASED, requests.c.id.in_(sa.bindparam("rows", expanding=True)))
    .with_for_update()
)


def _filings(commit: PageCommit) -> list[Filing]:
    if commit.capture is None:
        return []
    outcome = commit.outcome
    return [Filing(commit.capture, commit.row, commit.cycle, outcome.kind, outcome.reason)]


def _end_rows(conn: sa.Connection, commits: Sequence[PageCommit], now: float) -> None:
    changes = [
        end_values(commit.outcome, now)
        | {
            "row": commit.row,
            "attempts": commit.attempts,
            "spent_seconds": commit.spent_seconds,
            "trace": commit.trace,
            "report": summarise_report(commit.report) if commit.report else None,
        }
        for commit in commits
    ]
    conn.execute(_END_ROW, changes)


_END_ROW = sa.update(requests).where(requests.c.id == sa.bindparam("row"))


def _publication(commit: PageCommit) -> Publication:
    """Return what the page publishes: nothing but the rejections unless it is eligible."""
    snapshot = commit.capture.snapshot if commit.capture else None
    report = commit.report
    is_usable = snapshot is not None and commit.outcome.reason is Reason.ELIGIBLE
    return Publication(
        site=commit.site,
        source_id=commit.source_id,
        cycle=commit.cycle,
        row=commit.row,
        capture_id=snapshot.capture_id if snapshot else "",
        digest=snapshot.digest if snapshot else "",
        observed_at=observed_text(snapshot) if snapshot else "",
        url=commit.url or (snapshot.final_url if snapshot else ""),
        extractor_version=commit.extractor_version,
        rule_version=commit.rule_version,
        volatile=commit.volatile,
        candidates=report.candidates if report and is_usable else (),
        rejections=report.rejections if report else (),
    )


def _result(
    admission: Admission, published: Published, needs: dict[PageKind, RenderingNeed]
) -> CommitResult:
    return CommitResult(
        is_fenced=False,
        accepted=tuple(published.accepted),
        unchanged=tuple(published.unchanged),
        rejected=published.rejected,
        admitted=admission.admitted,
        duplicates=admission.duplicates,
        left_out=admission.left_out,
        ended=admission.ended,
        version_of=published.version_of,
        needs=needs,
    )
