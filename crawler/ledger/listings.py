"""What the listing pages of a cycle say of their collections, and how everything in it ended."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

import sqlalchemy as sa

from crawler.admission.fingerprint import page_fingerprint
from crawler.contracts.collection import ListedPage
from crawler.contracts.outcome import Reason
from crawler.contracts.page import MoreSign, PageReport, Shown
from crawler.contracts.rules import LoadedSite
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.ledger.tables import aliases, left_out, listings, observations, rejections, requests
from crawler.ledger.text import LISTED_PAGE, name_record, shorten, storable
from crawler.validation.collection import ACCEPTED, CycleEnds, ListingRow
from crawler.validation.listing import summarise_listing

IS_LISTING = requests.c.page_kind == PageKind.LISTING.value
IS_DETAIL = requests.c.page_kind == PageKind.DETAIL.value
WITHOUT_RECORD = "no_record"
"""End of an item whose page came, and holds no record that could be rejected."""


def describe_listing(report: PageReport, site: LoadedSite, snapshot: Snapshot) -> ListedPage | None:
    """Return what is kept of an eligible page of a listing; None for any other page."""
    if snapshot.page_kind is not PageKind.LISTING:
        return None
    type_ = site.rules.record_type.name
    return summarise_listing(
        _without_known_parts(report, site, snapshot.final_url),
        site.config.collect,
        snapshot.representation,
        url=snapshot.final_url,
        name_page=lambda url: shorten(page_fingerprint(url, site)),
        name_record=lambda key: shorten(name_record(site.config.site, type_, storable(key))),
    )


def _without_known_parts(report: PageReport, site: LoadedSite, url: str) -> PageReport:
    """Leave out what the page says of parts that the site file itself leads to: as start addresses,
    or by steps, which click a button for as long as that brings anything.
    """
    ignored, sign = report.ignored_next, report.more_sign
    if ignored is None and sign is None:
        return report  # As nearly all: a site file may have thousands of start addresses.
    starts = {page_fingerprint(start, site) for start in site.config.start}
    if ignored is not None and page_fingerprint(ignored, site) in starts:
        ignored = None
    if sign is not None and _is_known_part(sign, site, starts, url):
        sign = None
    return replace(report, ignored_next=ignored, more_sign=sign)


def _is_known_part(sign: MoreSign, site: LoadedSite, starts: set[str], url: str) -> bool:
    if sign.shown is Shown.BUTTON and site.config.access.steps:
        return True
    if sign.shown is Shown.LINK:
        return page_fingerprint(sign.what, site) in starts
    place = url.partition("?")[0]
    return sum(start.partition("?")[0] == place for start in site.config.start) > 1


def keep_listings(conn: sa.Connection, cycle: int, pages: Mapping[int, ListedPage]) -> None:
    rows = [
        {"row_id": row, "cycle": cycle, "page": LISTED_PAGE.dump(page)}
        for row, page in pages.items()
    ]
    if rows:
        conn.execute(sa.insert(listings), rows)


def replace_listing(conn: sa.Connection, cycle: int, row: int, page: ListedPage | None) -> None:
    conn.execute(sa.delete(listings).where(listings.c.row_id == row))
    keep_listings(conn, cycle, {row: page} if page else {})


def read_ends(conn: sa.Connection, cycle: int) -> CycleEnds:
    """Return what the verdict on a cycle is a function of; its iterables are read once."""
    found = _read_listings(conn, cycle)
    own = {name: listing.row for name, listing in found.items()}
    led = dict(_iterate_aliases(conn, cycle))
    lists_details = any(listing.page and listing.page.details for listing in found.values())
    return CycleEnds(
        listings=tuple(found.values()),
        listing_named=led | own,
        moved=dict(_iterate_moved(conn, cycle)) if lists_details else {},
        pages=_iterate_pages(conn, cycle) if lists_details else (),
        accepted=_iterate_accepted(conn, cycle),
    )


def _read_listings(conn: sa.Connection, cycle: int) -> dict[str, ListingRow]:
    """Return the listings by their names, in row order."""
    query = (
        sa.select(
            requests.c.id,
            requests.c.fingerprint,
            requests.c.requested_url,
            requests.c.reason,
            requests.c.depth,
            requests.c.same_as,
            listings.c.page,
        )
        .join_from(requests, listings, listings.c.row_id == requests.c.id, isouter=True)
        .where(*rows_in_order(cycle), IS_LISTING)
        .order_by(requests.c.id)
    )
    bounds = _read_bounds(conn, cycle)
    return {
        shorten(row.fingerprint): ListingRow(
            row=row.id,
            url=row.requested_url,
            reason=row.reason,
            is_start=row.depth == 0,
            page=LISTED_PAGE.load(row.page) if row.page else None,
            bounds=bounds[row.id],
            same_as=row.same_as,
        )
        for row in conn.execute(query)
    }


def _read_bounds(conn: sa.Connection, cycle: int) -> Mapping[int, tuple[str, ...]]:
    """Return what left out links of a page, by its row."""
    query = sa.select(left_out.c.row_id, left_out.c.bound).where(left_out.c.cycle == cycle)
    found: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
    for row, bound in conn.execute(query):
        found[row] += (bound,)
    return found


def _iterate_aliases(conn: sa.Connection, cycle: int) -> Iterator[tuple[str, int]]:
    """Yield the targets of listings that were redirected, each with its row."""
    query = (
        sa.select(aliases.c.fingerprint, aliases.c.row_id)
        .join(requests, requests.c.id == aliases.c.row_id)
        .where(aliases.c.cycle == cycle, IS_LISTING)
    )
    for fingerprint, row in conn.execute(query):
        yield shorten(fingerprint), row


def _iterate_moved(conn: sa.Connection, cycle: int) -> Iterator[tuple[str, str]]:
    """Yield names of detail pages that lead to another row's, those of redirect targets included."""
    target = requests.alias()
    is_detail = target.c.page_kind == PageKind.DETAIL.value
    led = (
        sa.select(aliases.c.fingerprint, target.c.fingerprint)
        .join(target, target.c.id == aliases.c.row_id)
        .where(aliases.c.cycle == cycle, is_detail)
    )
    seen = (
        sa.select(requests.c.fingerprint, target.c.fingerprint)
        .join(target, target.c.id == requests.c.same_as)
        .where(*rows_in_order(cycle), requests.c.same_as.is_not(None), is_detail)
    )
    for query in (seen, led):
        for name, holder in conn.execute(query):
            yield shorten(name), shorten(holder)


def _iterate_pages(conn: sa.Connection, cycle: int) -> Iterator[tuple[str, str]]:
    has_record = sa.exists().where(observations.c.row_id == requests.c.id)
    reason = (
        sa.select(rejections.c.reason)
        .where(rejections.c.row_id == requests.c.id)
        .order_by(rejections.c.id)
        .limit(1)
        .scalar_subquery()
    )
    end = sa.case(
        (requests.c.reason == Reason.NOT_MODIFIED.value, ACCEPTED),
        (requests.c.reason != Reason.ELIGIBLE.value, requests.c.reason),
        (has_record, ACCEPTED),
        else_=sa.func.coalesce(reason, WITHOUT_RECORD),
    )
    query = sa.select(requests.c.fingerprint, end).where(*rows_in_order(cycle), IS_DETAIL)
    for fingerprint, found in conn.execute(query):
        yield shorten(fingerprint), found


def rows_in_order(cycle: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Let the rows of a cycle be read as they lie: by their fingerprints each would be a page miss."""
    first = sa.select(sa.func.min(requests.c.id)).where(requests.c.cycle == cycle).scalar_subquery()
    return requests.c.id >= first, requests.c.cycle + 0 == cycle


def _iterate_accepted(conn: sa.Connection, cycle: int) -> Iterator[str]:
    query = sa.select(observations.c.record).where(observations.c.cycle == cycle)
    for record in conn.scalars(query):
        yield shorten(record)
