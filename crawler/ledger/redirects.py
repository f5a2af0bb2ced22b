"""Following a redirect: the row moves on to its target, which no other row may have."""

import sqlalchemy as sa

from crawler.contracts.frontier import Redirection, RedirectionResult
from crawler.contracts.outcome import Outcome, Reason
from crawler.ledger.captures import Filing, GroupSink, file_captures
from crawler.ledger.database import upsert
from crawler.ledger.frontier import end_values, held
from crawler.ledger.scopes import register_scopes, reserve_send
from crawler.ledger.tables import aliases, requests
from crawler.ledger.text import HEADERS, HOPS

_BEFORE = {
    name: sa.func.coalesce(requests.c[f"requested_{name}"], requests.c[name])
    for name in ("method", "body", "headers", "scope")
}
_KEPT = {f"requested_{name}": value for name, value in _BEFORE.items()}
AS_REQUESTED = {"url": requests.c.requested_url, **_BEFORE}
"""A row as it was admitted, whatever redirects have made of it: what a later cycle asks for."""


def redirect(
    conn: sa.Connection, move: Redirection, sink: GroupSink, now: float
) -> RedirectionResult:
    """Let a leased row follow a redirect, unless its target is another row's already."""
    query = sa.select(requests.c.fingerprint).where(held(move.row, move.token)).with_for_update()
    own = conn.scalar(query)
    if own is None:
        return RedirectionResult(is_fenced=True, is_seen=False)
    is_own = own == move.target_fingerprint or move.may_be_shared
    if not is_own and not _claim_target(conn, move):
        _end_as_seen(conn, move, sink, now)
        return RedirectionResult(is_fenced=False, is_seen=True)
    _file_hop(conn, move, sink, None)
    conn.execute(
        sa.update(requests)
        .where(requests.c.id == move.row)
        .values(
            url=move.target_url,
            method=move.method,
            body=move.body,
            headers=HEADERS.dump(move.headers) if move.headers else "[]",
            **_KEPT,
            redirects=HOPS.dump(move.redirects),
            spent_seconds=move.spent_seconds,
        )
    )
    send_at = _enter_scope(conn, move, now) if move.is_admitted else now
    return RedirectionResult(is_fenced=False, is_seen=False, send_at=send_at)


def _enter_scope(conn: sa.Connection, move: Redirection, now: float) -> float:
    """Charge the row to the scope of its target; returns when it may be sent there."""
    register_scopes(conn, [move.target_scope], move.cycle)
    statement = sa.update(requests).where(requests.c.id == move.row)
    conn.execute(statement.values(scope=move.target_scope))
    return reserve_send(conn, move.target_scope, move.pace, now)


def _claim_target(conn: sa.Connection, move: Redirection) -> bool:
    """Claim the target for this row; False when another row was or leads there."""
    target = move.target_fingerprint
    taken = sa.select(requests.c.id).where(
        requests.c.cycle == move.cycle, requests.c.fingerprint == target
    )
    if conn.scalar(taken) is not None:
        return False
    claim = {"cycle": move.cycle, "fingerprint": target, "row_id": move.row}
    conn.execute(upsert(conn, aliases).on_conflict_do_nothing(), claim)
    claimant = sa.select(aliases.c.row_id).where(
        aliases.c.cycle == move.cycle, aliases.c.fingerprint == target
    )
    return conn.scalar(claimant) == move.row


def _end_as_seen(conn: sa.Connection, move: Redirection, sink: GroupSink, now: float) -> None:
    outcome = Outcome(Reason.REDIRECTED_TO_SEEN, detail=move.target_url)
    _file_hop(conn, move, sink, outcome.reason)
    values = end_values(outcome, now) | {
        "same_as": _find_holder(conn, move),
        "redirects": HOPS.dump(move.redirects),
        "spent_seconds": move.spent_seconds,
    }
    conn.execute(sa.update(requests).where(requests.c.id == move.row).values(values))


def _find_holder(conn: sa.Connection, move: Redirection) -> int | None:
    """Return the row that has the target, or that was led there."""
    for table, holder in ((requests, requests.c.id), (aliases, aliases.c.row_id)):
        is_target = (table.c.cycle == move.cycle) & (table.c.fingerprint == move.target_fingerprint)
        found: int | None = conn.scalar(sa.select(holder).where(is_target))
        if found is not None:
            return found
    return None


def _file_hop(
    conn: sa.Connection, move: Redirection, sink: GroupSink, reason: Reason | None
) -> None:
    if move.capture:
        filing = Filing(move.capture, move.row, move.cycle, kind=None, reason=reason)
        file_captures(conn, [filing], sink)
