"""What is known of whether the pages of a site must be rendered, by their kind."""

from collections.abc import Sequence

import sqlalchemy as sa

from crawler.admission.rendering import learn
from crawler.contracts.need import PageNeed, RenderingNeed
from crawler.contracts.snapshot import PageKind
from crawler.ledger.database import upsert
from crawler.ledger.tables import AnyRow, rendering_needs


def read_needs(conn: sa.Connection, site: str) -> dict[PageKind, RenderingNeed]:
    query = sa.select(rendering_needs).where(rendering_needs.c.site == site)
    return {PageKind(row.page_kind): _read(row) for row in conn.execute(query)}


def note_pages(
    conn: sa.Connection, site: str, pages: Sequence[PageNeed]
) -> dict[PageKind, RenderingNeed]:
    """Add what pages showed, in their order; returns what is known of their kinds then."""
    if not pages:
        return {}
    query = sa.select(rendering_needs).where(rendering_needs.c.site == site).with_for_update()
    known = {PageKind(row.page_kind): _read(row) for row in conn.execute(query)}
    for page in pages:
        known[page.kind] = learn(known.get(page.kind), page)
    for kind in sorted({page.kind for page in pages}):
        _keep(conn, site, kind, known[kind])
    return known


def _keep(conn: sa.Connection, site: str, kind: PageKind, need: RenderingNeed) -> None:
    values = {
        "site_hash": need.site_hash,
        "in_a_row": need.in_a_row,
        "at_once": need.at_once,
        "decided": need.decided,
        "missing": need.missing,
    }
    statement = upsert(conn, rendering_needs).values(site=site, page_kind=kind.value, **values)
    conn.execute(statement.on_conflict_do_update(index_elements=["site", "page_kind"], set_=values))


def _read(row: AnyRow) -> RenderingNeed:
    return RenderingNeed(row.site_hash, row.in_a_row, row.at_once, row.decided, row.missing)
