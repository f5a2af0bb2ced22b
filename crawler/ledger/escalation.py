"""A row goes on to be rendered: it stays leased, and what it lacked is on record first."""

import sqlalchemy as sa

from crawler.contracts.frontier import Escalation
from crawler.contracts.snapshot import Representation
from crawler.ledger.captures import Filing, GroupSink, file_captures
from crawler.ledger.frontier import held, keep_decisions
from crawler.ledger.tables import requests
from crawler.ledger.text import DECISION


def escalate(
    conn: sa.Connection, page: Escalation, sink: GroupSink, now: float, lease_seconds: float
) -> float | None:
    """Return until when the row is leased now; None when its lease was no longer held.

    Whoever leases the row again, should this worker die, fetches it to be rendered.
    """
    until = now + lease_seconds
    changed = conn.execute(
        sa.update(requests)
        .where(held(page.row.id, page.row.token))
        .values(
            representation=Representation.RENDERED_DOM.value,
            attempts=page.row.attempts,
            spent_seconds=page.row.spent_seconds,
            lease_until=until,
        )
        .returning(requests.c.cycle)
    ).one_or_none()
    if changed is None:
        return None
    filing = Filing(page.capture, page.row.id, changed.cycle, page.kind, page.decision.reason)
    file_captures(conn, [filing], sink)
    keep_decisions(conn, [(page.row.id, DECISION.dump(page.decision))], now)
    return until
