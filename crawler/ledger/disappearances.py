"""Records that a whole cycle did not find any more: said of them, and never done to them."""

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from crawler.contracts.snapshot import PageKind
from crawler.ledger.chunks import CHUNK
from crawler.ledger.tables import AnyRow, captures, disappearances, requests
from crawler.ledger.text import shorten
from crawler.ledger.unseen import UNSEEN
from crawler.validation.disappearance import FormerPage, Proof, has_vanished


@dataclass(frozen=True, slots=True)
class Listed:
    """What stands on the listings of a cycle themselves."""

    records: frozenset[str] = frozenset()
    """Names of all of them, rejected ones too."""
    has_nameless: bool = False
    """Some were rejected and have no key."""


def note_disappearances(conn: sa.Connection, cycle: int, proof: Proof, listed: Listed) -> None:
    """Say which records have vanished as of *cycle*; what was said as of it before is dropped."""
    conn.execute(sa.delete(disappearances).where(disappearances.c.cycle == cycle))
    if proof is Proof.NOTHING:
        return
    gone = [
        {"cycle": cycle, "record": row.record}
        for row in _iterate_unseen(conn, cycle)
        if has_vanished(_describe_former_page(row, listed), proof)
    ]
    for start in range(0, len(gone), CHUNK):
        conn.execute(sa.insert(disappearances), gone[start : start + CHUNK])


def _describe_former_page(row: AnyRow, listed: Listed) -> FormerPage:
    return FormerPage(
        was_listing=row.page_kind == PageKind.LISTING.value,
        is_listed=shorten(row.record) in listed.records,
        has_nameless=listed.has_nameless,
        end=row.end,
        has_rejections=bool(row.rejections),
        was_alone=row.records == 1,
    )


def _iterate_unseen(conn: sa.Connection, cycle: int) -> Iterator[AnyRow]:
    """Yield records of the site that *cycle* has not, each with what became of its page.

    Not those that had vanished before, nor those last seen from a start address or with a session
    that this cycle did without.
    """
    views = {cycle: _read_view(conn, cycle)}
    for row in conn.execute(UNSEEN, {"cycle": cycle}).all():
        if row.last_cycle not in views:
            views[row.last_cycle] = _read_view(conn, row.last_cycle)
        if views[row.last_cycle] <= views[cycle]:
            yield row


def _read_view(conn: sa.Connection, cycle: int) -> frozenset[tuple[str, str]]:
    """Return where a cycle looked from: its start addresses, and the sessions they were read with."""
    query = (
        sa.select(requests.c.fingerprint, captures.c.session)
        .join_from(
            requests,
            captures,
            (captures.c.row_id == requests.c.id) & (captures.c.eligible == 1),
            isouter=True,
        )
        .where(
            requests.c.cycle == cycle,
            requests.c.page_kind == PageKind.LISTING.value,
            requests.c.depth == 0,
        )
    )
    found = conn.execute(query).all()
    starts = {("start", fingerprint) for fingerprint, _ in found}
    return frozenset(starts | {("session", name) for _, name in found if name is not None})
