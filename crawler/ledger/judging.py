"""The verdict on a closed cycle: whether its collections are whole, and what has vanished."""

import sqlalchemy as sa

from crawler.contracts.collection import Collection, is_complete
from crawler.contracts.outcome import Reason
from crawler.ledger.disappearances import Listed, note_disappearances
from crawler.ledger.listings import read_ends, rows_in_order
from crawler.ledger.tables import cycles, requests
from crawler.ledger.text import COLLECTIONS
from crawler.validation.collection import CycleEnds, judge_collections
from crawler.validation.disappearance import Proof, prove_absence


def judge_cycle(conn: sa.Connection, cycle: int) -> tuple[Collection, ...]:
    """Keep and return the verdicts on the collections of a closed cycle, one for each start."""
    ends = read_ends(conn, cycle)
    found = judge_collections(ends)
    kept = sa.update(cycles).where(cycles.c.id == cycle)
    is_whole = is_complete(found)
    conn.execute(kept.values(collections=COLLECTIONS.dump(found), complete=int(is_whole)))
    gone = {row.row for row in ends.listings if row.is_start and row.reason == Reason.GONE}
    proof = Proof.NOTHING if _has_callbacks(conn, cycle) else prove_absence(found, gone)
    note_disappearances(conn, cycle, proof, _gather_listed(ends))
    return found


def judge_again(conn: sa.Connection, cycle: int) -> tuple[Collection, ...]:
    """Judge a cycle whose pages were read again; an open one is judged when it closes."""
    query = sa.select(cycles.c.closed_at).where(cycles.c.id == cycle)
    return () if conn.scalar(query) is None else judge_cycle(conn, cycle)


def _gather_listed(ends: CycleEnds) -> Listed:
    pages = [listing.page for listing in ends.listings if listing.page]
    names = frozenset(name for page in pages for name in page.records)
    return Listed(names, has_nameless=any(page.has_nameless for page in pages))


def _has_callbacks(conn: sa.Connection, cycle: int) -> bool:
    """Whether a hand-written spider led to pages: which ones it passed over, nobody can tell."""
    query = sa.select(requests.c.id).where(*rows_in_order(cycle), requests.c.callback.is_not(None))
    return conn.scalar(query.limit(1)) is not None
