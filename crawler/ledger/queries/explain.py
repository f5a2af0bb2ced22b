"""All that is known of one URL: why it has, or has not, the outcome it has."""

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from crawler.contracts.collection import Collection
from crawler.contracts.need import RenderingNeed
from crawler.contracts.record import Record
from crawler.contracts.retry import RetryDecision
from crawler.contracts.snapshot import Hop, PageKind
from crawler.ledger.needs import read_needs
from crawler.ledger.queries.captures import CaptureEntry, iterate_captures
from crawler.ledger.queries.records import (
    StoredRejection,
    iterate_records,
    iterate_rejections,
)
from crawler.ledger.scopes import ScopeState, read_scope
from crawler.ledger.tables import AnyRow, aliases, cycles, decisions, left_out, requests
from crawler.ledger.text import COLLECTIONS, DECISION, HOPS

MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Decided:
    at: float
    decision: RetryDecision


@dataclass(frozen=True, slots=True)
class Explanation:
    """One row: a URL in one cycle of a site."""

    row: int
    site: str
    cycle_number: int
    requested_url: str
    url: str
    fingerprint: str
    scope: str
    scope_state: ScopeState
    state: str
    attempts: int
    deferrals: int
    interrupted: int
    crashes: int
    spent_seconds: float
    not_before: float | None
    admitted_at: float
    ended_at: float | None
    reason: str | None
    kind: str | None
    detail: str | None
    trace: str | None
    report: dict[str, Any] | None
    left_out: dict[str, int]
    collection: Collection | None
    """The verdict on what the row is the start address of, once its cycle is closed."""
    """Links of its page, by the bound that left them out."""
    redirects: tuple[Hop, ...]
    decisions: tuple[Decided, ...]
    captures: tuple[CaptureEntry, ...]
    records: tuple[Record, ...]
    rejections: tuple[StoredRejection, ...]
    page_kind: str
    need: RenderingNeed | None
    """What pages of its kind showed of whether they must be rendered, where the site leaves it open."""


def explain(conn: sa.Connection, name: str, site: str | None = None) -> list[Explanation]:
    """Return the rows of a URL or fingerprint, the newest first; redirect targets count too.

    A URL is compared with what is stored, letter by letter: normalise it as admission does.
    """
    is_match = (
        (requests.c.requested_url == name)
        | (requests.c.url == name)
        | (requests.c.fingerprint == name)
        | requests.c.id.in_(sa.select(aliases.c.row_id).where(aliases.c.fingerprint == name))
    )
    query = (
        sa.select(requests, cycles.c.site, cycles.c.number, cycles.c.collections)
        .join(cycles, cycles.c.id == requests.c.cycle)
        .where(is_match)
        .order_by(requests.c.id.desc())
        .limit(MOST_ROWS)
    )
    if site is not None:
        query = query.where(cycles.c.site == site)
    return [_explain_row(conn, row) for row in conn.execute(query).all()]


def _explain_row(conn: sa.Connection, row: AnyRow) -> Explanation:
    return Explanation(
        row=row.id,
        site=row.site,
        cycle_number=row.number,
        requested_url=row.requested_url,
        url=row.url,
        fingerprint=row.fingerprint,
        scope=row.scope,
        scope_state=read_scope(conn, row.scope),
        state=row.state,
        attempts=row.attempts,
        deferrals=row.deferrals,
        interrupted=row.interrupted,
        crashes=row.crashes,
        spent_seconds=row.spent_seconds,
        not_before=row.not_before,
        admitted_at=row.admitted_at,
        ended_at=row.ended_at,
        reason=row.reason,
        kind=row.kind,
        detail=row.detail,
        trace=row.trace,
        report=json.loads(row.report) if row.report else None,
        left_out=_read_left_out(conn, row.id),
        collection=_find_collection(row),
        redirects=HOPS.load(row.redirects),
        decisions=_read_decisions(conn, row.id),
        captures=tuple(iterate_captures(conn, row=row.id)),
        records=tuple(iterate_records(conn, row=row.id)),
        rejections=tuple(iterate_rejections(conn, row=row.id)),
        page_kind=row.page_kind,
        need=read_needs(conn, row.site).get(PageKind(row.page_kind)),
    )


def _find_collection(row: AnyRow) -> Collection | None:
    found = COLLECTIONS.load(row.collections) if row.collections else ()
    return next((collection for collection in found if collection.row == row.id), None)


def _read_left_out(conn: sa.Connection, row: int) -> dict[str, int]:
    query = sa.select(left_out.c.bound, left_out.c.links).where(left_out.c.row_id == row)
    return dict(map(tuple, conn.execute(query.order_by(left_out.c.bound))))


def _read_decisions(conn: sa.Connection, row: int) -> tuple[Decided, ...]:
    query = sa.select(decisions.c.decided_at, decisions.c.decision)
    ordered = query.where(decisions.c.row_id == row).order_by(decisions.c.id)
    return tuple(Decided(at, DECISION.load(text)) for at, text in conn.execute(ordered))
