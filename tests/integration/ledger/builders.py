"""Ledger values with sensible defaults: name only what the test is about."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from crawler.contracts.evidence import Evidence, FieldValue, Source
from crawler.contracts.frontier import (
    Deferral,
    Lease,
    LeasedRow,
    LeaseRequest,
    NewRow,
    Pace,
    PageCommit,
    Redirection,
    RunInfo,
    RunOpening,
)
from crawler.contracts.outcome import ELIGIBLE, Kind, Outcome, Reason, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Candidate, Rejection
from crawler.contracts.retry import Action, Layer, RetryDecision
from crawler.contracts.snapshot import (
    Capture,
    Encoding,
    EncodingSource,
    Hop,
    Location,
    PageKind,
    Representation,
    Snapshot,
)
from crawler.ledger.captures import GroupSink
from crawler.ledger.leasing import lease
from crawler.ledger.runs import open_run

SITE = "notices"
NOW = 1_800_000_000.0
UNPACED = Pace(delay=0.0, concurrency=16)
LEASE_SECONDS = 60.0


class MemorySink:
    """Keeps captures in a list; each takes one byte of its only file."""

    def __init__(self) -> None:
        self.appended: list[tuple[Capture, Snapshot | None]] = []
        self.synced = 0

    def append(self, capture: Capture, *, refers_to: Snapshot | None = None) -> Location:
        self.appended.append((capture, refers_to))
        return Location("memory.warc.gz", len(self.appended) - 1, 1)

    def sync(self) -> None:
        self.synced = len(self.appended)

    def close(self) -> None:
        self.sync()


def make_rows(count: int, *, start: int = 0, **changes: Any) -> tuple[NewRow, ...]:
    return tuple(make_row(number, **changes) for number in range(start, start + count))


def make_row(number: int, **changes: Any) -> NewRow:
    row = NewRow(
        url=f"https://site.example/{number}", fingerprint=f"fp{number}", scope="site.example"
    )
    return replace(row, **changes)


def make_opening(owner: str = "a", *, rows: int = 1, **changes: Any) -> RunOpening:
    opening = RunOpening(
        site=SITE,
        owner=owner,
        site_hash="s" * 64,
        authorization_hash="a" * 64,
        rule_version="r1",
        cycle_max_age=7 * 86400.0,
        seeds=make_rows(rows),
    )
    return replace(opening, **changes)


def start(
    conn: sa.Connection, owner: str = "a", *, rows: int = 1, now: float = NOW, **changes: Any
) -> RunInfo:
    return open_run(conn, make_opening(owner, rows=rows, **changes), now)


def take(
    conn: sa.Connection,
    run: RunInfo,
    owner: str = "a",
    *,
    want: int = 100,
    now: float = NOW,
    pace: Pace = UNPACED,
    in_flight: dict[str, int] | None = None,
    delays: dict[str, float] | None = None,
    lease_seconds: float = LEASE_SECONDS,
) -> Lease:
    request = LeaseRequest(run.cycle, owner, want, pace, in_flight or {}, delays or {})
    return lease(conn, request, now, lease_seconds)


def make_snapshot(run: RunInfo, url: str, body: bytes = b"<p>page</p>", **changes: Any) -> Snapshot:
    snapshot = Snapshot(
        capture_id=f"urn:uuid:{uuid4()}",
        site=SITE,
        run=run.run,
        requested_url=url,
        final_url=url,
        status=200,
        headers=(("Content-Type", "text/html"),),
        observed_at=datetime(2027, 1, 15, 8, tzinfo=UTC),
        representation=Representation.HTML,
        media_type="text/html",
        encoding=Encoding("utf-8", EncodingSource.HEADER),
        digest=hashlib.sha256(body).hexdigest(),
        body=body,
        page_kind=PageKind.DETAIL,
    )
    return replace(snapshot, **changes)


def make_capture(
    run: RunInfo,
    url: str,
    body: bytes = b"<p>page</p>",
    *,
    is_eligible: bool = True,
    **changes: Any,
) -> Capture:
    return Capture(make_snapshot(run, url, body, **changes), is_eligible=is_eligible)


def make_candidate(key: str = "n1", title: str = "Title", **changes: Any) -> Candidate:
    evidence = Evidence(
        source=Source.CSS,
        capture_id="urn:uuid:0",
        digest="d" * 64,
        locator="/html/body/h2",
        raw=title,
        rule="css:h2::text",
        rule_version="r1",
        span_reason="node path",
    )
    fields = {"id": FieldValue(key, evidence), "title": FieldValue(title, evidence)}
    return replace(Candidate("notice", key, "notices.v1", fields), **changes)


def make_rejection(reason: RejectReason = RejectReason.REQUIRED_FIELD) -> Rejection:
    return Rejection(reason, "title is missing", field="title", candidate=make_candidate())


def make_report(*candidates: Candidate, rejections: tuple[Rejection, ...] = ()) -> PageReport:
    return PageReport(ELIGIBLE, candidates=candidates, rejections=rejections)


def make_commit(
    run: RunInfo, row: LeasedRow, *candidates: Candidate, body: bytes = b"", **changes: Any
) -> PageCommit:
    commit = PageCommit(
        row=row.id,
        token=row.token,
        cycle=run.cycle,
        run=run.run,
        site=SITE,
        source_id="source",
        outcome=Outcome(Reason.ELIGIBLE, Kind.OK),
        capture=make_capture(run, row.url, body or row.url.encode()),
        report=make_report(*candidates),
        url=row.url,
        rule_version="r1",
        extractor_version="1",
        attempts=1,
    )
    return replace(commit, **changes)


def make_decision(reason: Reason = Reason.DEFER_RATE_LIMIT) -> RetryDecision:
    return RetryDecision(
        action=Action.DEFER,
        reason=reason,
        layer=Layer.ACCESS,
        benefit="the server named a time",
        remaining_attempts=2,
        remaining_seconds=80.0,
        wait_seconds=30.0,
        evidence=("Retry-After: 30",),
    )


def make_deferral(row: LeasedRow, not_before: float, **changes: Any) -> Deferral:
    deferral = Deferral(
        row=row.id,
        token=row.token,
        not_before=not_before,
        attempts=0,
        deferrals=1,
        spent_seconds=0.5,
        decision=make_decision(),
    )
    return replace(deferral, **changes)


def make_redirection(run: RunInfo, row: LeasedRow, target: str, **changes: Any) -> Redirection:
    move = Redirection(
        row=row.id,
        token=row.token,
        cycle=run.cycle,
        target_url=f"https://site.example/{target}",
        target_fingerprint=target,
        target_scope="site.example",
        redirects=(Hop(row.url, 302),),
        spent_seconds=0.1,
        pace=UNPACED,
    )
    return replace(move, **changes)


def new_sink() -> GroupSink:
    return GroupSink(MemorySink())


def lose_locks(url: str | sa.URL) -> None:
    """Cut what holds the locks of this ledger, as a server or a careless person may."""
    path = sa.make_url(url)
    if path.get_backend_name() == "sqlite":
        for lock in (Path(str(path.database)).parent / "locks").glob("*.lock"):
            lock.unlink()
        return
    holders = "SELECT pg_terminate_backend(pid, 30000) FROM pg_locks WHERE locktype = 'advisory'"
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as conn:
        ended = conn.exec_driver_sql(holders).scalars().all()
        assert ended
        assert all(ended)
    engine.dispose()
