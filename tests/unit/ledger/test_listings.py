"""Listings of several pages, read page by page and judged as one."""

import json
from dataclasses import replace

import pytest

from crawler.admission.fingerprint import page_fingerprint
from crawler.contracts.collection import Collection, Gap, ListedPage
from crawler.contracts.rules import LoadedSite
from crawler.contracts.snapshot import PageKind, Representation
from crawler.interpretation.page import interpret
from crawler.ledger.listings import describe_listing
from crawler.ledger.text import shorten
from crawler.validation.collection import CycleEnds, ListingRow, judge_collections
from tests.unit.document.pages import make_snapshot
from tests.unit.sites.builders import parse, site_text

START = "https://garden.example/events"
LINKS = parse(
    site_text(
        collect="""
        collect:
          links: li a
          next: a[rel=next]
          complete: {expected_count: .total, empty: .none}
        """
    )
)
ROWS = parse(
    site_text(
        collect="collect: {next: 'a[rel=next]', complete: {expected_count: .total}}",
        record="""
        record:
          type: notice
          each: article
          reject: row
          fields: {id: "xpath:./@id", title: "css:h2::text", published: "xpath:./@data-day"}
        """,
    )
)
COUNTED = parse(site_text(collect="collect: {links: li a, pages: {param: page}}"))
API = parse(
    site_text(
        collect="collect: {api: {rows: '$.items', id: $.sku, total: $.total, param: page}}",
        record="record: {type: product, fields: {sku: 'json:$.sku', name: 'json:$.name'}}",
    )
)


def judge(site: LoadedSite, *pages: str) -> Collection:
    """Judge a cycle in which the pages of one listing came, and every item gave its record."""
    read = [describe(site, number, body) for number, body in enumerate(pages, 1)]
    rows = [
        ListingRow(number, address(number), "eligible", number == 1, page)
        for number, page in enumerate(read, 1)
    ]
    named = {shorten(page_fingerprint(row.url, site)): row.row for row in rows}
    details = dict.fromkeys(name for page in read for name in page.details)
    records = dict.fromkeys(name for page in read for name in page.records)
    ends = tuple((name, "accepted") for name in details)
    [found] = judge_collections(CycleEnds(rows, named, pages=ends, accepted=tuple(records)))
    return found


def describe(site: LoadedSite, number: int, body: str) -> ListedPage:
    wanted = site.config.collect.start_representation or Representation.HTML
    snapshot = make_snapshot(
        body, url=address(number), page_kind=PageKind.LISTING, representation=wanted
    )
    page = describe_listing(interpret(snapshot, site.rules), site, snapshot)
    assert page is not None
    return page


def address(number: int) -> str:
    return START if number == 1 else f"{START}?page={number}"


def on(number: int) -> str:
    return f'<a rel=next href="?page={number}">on</a>'


def links(*names: str, total: object = "", following: str = "") -> str:
    items = "".join(f'<li><a href="/e/{name}">{name}</a></li>' for name in names)
    return f"<p class=total>{total}</p><ul>{items}</ul>{following}"


def rows(*names: str, total: object = "", following: str = "", key: str = "{}") -> str:
    articles = "".join(
        f'<article id="{key.format(name)}" data-day=2026-09-01><h2>{name}</h2></article>'
        for name in names
    )
    return f"<p class=total>{total}</p>{articles}{following}"


def answer(total: int, *names: str) -> str:
    return json.dumps({"total": total, "items": [{"sku": n, "name": f"Tool {n}"} for n in names]})


COMPLETE = {
    "links over two pages": (
        LINKS,
        (links("a", "b", total="Showing 1-2 of 3", following=on(2)), links("c", total="3 of 3")),
        3,
    ),
    "one item under two campaigns": (
        LINKS,
        (links("a", total=2, following=on(2)), links("a?utm_source=list", "b", total=2)),
        2,
    ),
    "rows over two pages": (
        ROWS,
        (rows("a", "b", total=3, following=on(2)), rows("c", total=3)),
        3,
    ),
    "rows of which one is rejected": (
        ROWS,
        (rows("a", "b", total=3, following=on(2)), rows("", total=3, key="c")),
        3,
    ),
    "an API over three pages": (API, (answer(5, "a", "b"), answer(5, "c", "d"), answer(5, "e")), 5),
    "a page behind the last": (COUNTED, (links("a"), links("b"), links(total="The end")), 2),
    "a listing that says it is empty": (LINKS, ("<p class=none>Nothing on</p>",), 0),
}


@pytest.mark.parametrize(("site", "pages", "items"), COMPLETE.values(), ids=COMPLETE)
def test_a_listing_is_complete(site: LoadedSite, pages: tuple[str, ...], items: int) -> None:
    found = judge(site, *pages)

    assert found.gaps == {}
    assert (found.items, found.pages) == (items, len(pages))


INCOMPLETE = {
    "an item that moved to the next page": (
        LINKS,
        (links("a", "b", total=4, following=on(2)), links("b", "c", total=4)),
        {Gap.COUNT_DIFFERS: "3 items, the page states 4"},
    ),
    "a row that moved to the next page": (
        ROWS,
        (rows("a", "b", total=4, following=on(2)), rows("b", "c", total=4)),
        {Gap.COUNT_DIFFERS: "3 items, the page states 4"},
    ),
    "a row without a key that moved to the next page": (
        ROWS,
        (
            rows("a", "b", total=4, following=on(2), key=""),
            rows("b", "c", total=4, key=""),
        ),
        {Gap.COUNT_DIFFERS: "3 items, the page states 4"},
    ),
    "a row of an API that moved to the next page": (
        API,
        (answer(4, "a", "b"), answer(4, "b", "c")),
        {Gap.COUNT_DIFFERS: "3 items, the page states 4"},
    ),
    "a list that grew meanwhile": (
        LINKS,
        (links("a", total=2, following=on(2)), links("b", total=3)),
        {Gap.COUNTS_DISAGREE: "the pages state 2, 3 items"},
    ),
    "an API that lost a row meanwhile": (
        API,
        (answer(4, "a", "b"), answer(3, "c"), answer(3)),
        {Gap.COUNTS_DISAGREE: "the pages state 3, 4 items"},
    ),
    "a count that stands elsewhere now": (
        LINKS,
        (links("a"),),
        {Gap.COUNT_MISSING: "no page states how many items there are"},
    ),
    "no items, and no word of it": (
        LINKS,
        ("<p>Welcome</p>",),
        {Gap.PAGE_UNREAD: "a page was rejected: unverified_empty"},
    ),
}


@pytest.mark.parametrize(("site", "pages", "gaps"), INCOMPLETE.values(), ids=INCOMPLETE)
def test_a_listing_is_incomplete(
    site: LoadedSite, pages: tuple[str, ...], gaps: dict[Gap, str]
) -> None:
    assert judge(site, *pages).gaps == gaps


def test_a_detail_page_says_nothing_of_a_collection() -> None:
    snapshot = make_snapshot(links("a"), url=START)

    assert describe_listing(interpret(snapshot, LINKS.rules), LINKS, snapshot) is None


def test_a_page_is_known_by_where_it_was_found_not_by_what_led_there() -> None:
    here = make_snapshot(links("a"), url=START, page_kind=PageKind.LISTING)
    moved = replace(here, requested_url="https://garden.example/old")
    report = interpret(here, LINKS.rules)

    assert describe_listing(report, LINKS, moved) == describe_listing(report, LINKS, here)


ITEMS = "<ul><li><a href=/e/1>One</a></ul>"
PARTS = """start:
- https://garden.example/events
- https://garden.example/events?page=2
"""
CLICKED = """
access:
  representation: rendered_dom
  steps: [{click: .more}]
"""
NEXT_LINK = '<a rel=next href="?page=2">On</a>'
LINK, TEXT, BUTTON = '<a href="?page=2">2</a>', "<p>Page 1 of 2</p>", "<button>Load more</button>"
SHOWN = {
    "a link": ({}, LINK, {Gap.MORE_SHOWN}),
    "a text": ({}, TEXT, {Gap.MORE_SHOWN}),
    "a button": ({}, BUTTON, {Gap.MORE_SHOWN}),
    "a next one": ({}, NEXT_LINK, {Gap.NEXT_IGNORED}),
    "a link to another start": ({"start": PARTS}, LINK, set()),
    "a link to a third part": ({"start": PARTS}, '<a href="?page=3">Next</a>', {Gap.MORE_SHOWN}),
    "a text where starts are parts": ({"start": PARTS}, TEXT, set()),
    "a next one that is another start": ({"start": PARTS}, NEXT_LINK, set()),
    "a button that was clicked": ({"access": CLICKED}, BUTTON, set()),
    "a text beside steps": ({"access": CLICKED}, TEXT, {Gap.MORE_SHOWN}),
}


@pytest.mark.parametrize(("parts", "source", "gaps"), SHOWN.values(), ids=SHOWN)
def test_parts_that_a_page_shows_are_missed_unless_the_site_file_leads_there(
    parts: dict[str, str], source: str, gaps: set[Gap]
) -> None:
    site = parse(site_text(collect="collect: {links: li a}", **parts))
    wanted = Representation.RENDERED_DOM if "access" in parts else Representation.HTML
    snapshot = make_snapshot(
        ITEMS + source, url=START, page_kind=PageKind.LISTING, representation=wanted
    )
    page = describe_listing(interpret(snapshot, site.rules), site, snapshot)

    [found] = judge_collections(CycleEnds([ListingRow(1, START, "eligible", True, page)]))

    assert found.gaps.keys() - {Gap.ITEMS_OPEN} == gaps
