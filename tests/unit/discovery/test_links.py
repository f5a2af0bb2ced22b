import pytest

from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind
from crawler.discovery.links import MAX_LINKS, find_links
from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

COLLECT = Collect(links="a.item", next="a[rel=next]")
BASE = "https://shop.example.com/a/b"


def find(source: str, collect: Collect = COLLECT) -> list[str]:
    document = Document(make_snapshot(source, url=BASE))
    return [link.url for link in find_links(document, collect).links]


HREFS: dict[str, tuple[str, list[str]]] = {
    "relative": ("c", ["https://shop.example.com/a/c"]),
    "spaces": (" https://x.example/ ", ["https://x.example/"]),
    "line breaks": ("\nhttps://y.example/p\n", ["https://y.example/p"]),
    "fragment": ("/c#top", ["https://shop.example.com/c"]),
    "script": ("javascript:void(0)", []),
    "mail": ("mailto:a@example.com", []),
    "data": ("data:text/html,x", []),
    "file": ("file:///C:/1.xml", []),
    "empty": ("", []),
    "too long": ("/" + "a" * 3_000, []),
    "NUL": ("/c\x00d", []),
}


@pytest.mark.parametrize(("href", "urls"), HREFS.values(), ids=HREFS)
def test_href_is_read_as_browsers_do_and_only_the_web_is_followed(
    href: str, urls: list[str]
) -> None:
    assert find(f'<a class="item" href="{href}">x</a>') == urls


def test_base_href_moves_relative_links() -> None:
    source = '<base href="https://cdn.example.com/z/"><a class=item href="files/d.pdf">PDF</a>'

    assert find(source) == ["https://cdn.example.com/z/files/d.pdf"]


def test_links_keep_their_order_and_come_once() -> None:
    source = "".join(f'<a class=item href="/{name}">x</a>' for name in "bacab")

    assert find(source) == [f"https://shop.example.com/{name}" for name in "bac"]


def test_next_link_is_a_listing_and_says_what_found_it() -> None:
    source = (
        '<a class=item href="/1">x</a><a rel=next href="?page=2">more</a><a href="/other">o</a>'
    )
    document = Document(make_snapshot(source, url=BASE))

    item, following = find_links(document, COLLECT).links

    assert item.page_kind is PageKind.DETAIL
    assert following.page_kind is PageKind.LISTING
    assert following.url == f"{BASE}?page=2"
    assert following.evidence == "a[rel=next]"


def test_without_selectors_nothing_is_followed() -> None:
    assert find('<a class=item href="/1">x</a>', Collect()) == []


def test_number_of_links_is_bounded_and_the_next_link_survives() -> None:
    items = "".join(f'<a class=item href="/{number}">x</a>' for number in range(MAX_LINKS + 5))

    urls = find(items + '<a rel=next href="/next">more</a>')

    assert len(urls) == MAX_LINKS + 1
    assert urls[-1] == "https://shop.example.com/next"


LISTING = """
<a href="/events/12/night?utm_source=x">Night</a> <a href="/events/12/night#place">Night</a>
<a href="/events/12/night;jsessionid=AB12">Night</a> <a href="/events/13/day?lang=en">Day</a>
<a href="/events/12/night?ical=1">iCal</a> <a href="/events/12/night?share=mail">Share</a>
<a href="/events/12/print">Print</a> <a href="/events/12/tickets">Tickets</a>
<a href="/events/12/night.ics">Save</a> <a href="/events/calendar/2027">Calendar</a>
<a href="/login?to=/events/1/x">Log in</a> <a href="mailto:a@example.com?body=/events/1/x">Tell</a>
<a href="https://other.example/events/9/x">Elsewhere</a> <a href="/about">About</a>
<a href="/events/14/old">Old</a>
"""


def test_match_finds_pages_of_items_anywhere_and_none_of_their_other_uses() -> None:
    collect = Collect(
        match=("/events/<int>/*",), exclude=("/events/**/old", "https://other.example/**")
    )

    assert find(LISTING, collect) == [
        "https://shop.example.com/events/12/night?utm_source=x",
        "https://shop.example.com/events/13/day?lang=en",
    ]


def test_a_word_that_the_pattern_spells_out_is_wanted() -> None:
    collect = Collect(match=("/events/<int>/tickets",))

    assert find(LISTING, collect) == ["https://shop.example.com/events/12/tickets"]


def test_links_and_match_must_both_agree() -> None:
    source = '<a class=item href="/e/1">x</a><a class=item href="/f/2">x</a><a href="/e/3">x</a>'

    assert find(source, Collect(links="a.item", match=("/e/<int>",))) == [
        "https://shop.example.com/e/1"
    ]


def test_exclude_holds_for_the_next_page_too() -> None:
    collect = Collect(next="a[rel=next]", exclude=("/a/b?page=2",))

    assert find('<a rel=next href="?page=2">more</a>', collect) == []


def test_links_beyond_the_bound_are_counted() -> None:
    items = "".join(f'<a class=item href="/{number}">x</a>' for number in range(MAX_LINKS + 5))

    assert find_links(Document(make_snapshot(items, url=BASE)), COLLECT).left_out == 5
