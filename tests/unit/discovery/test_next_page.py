import pytest

from crawler.contracts.site.collect import Collect, PageParameter
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind
from crawler.discovery.links import find_links
from crawler.discovery.next_page import find_ignored_next, find_next_page
from crawler.discovery.parts import next_part
from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

HERE = "https://example.com/events?page=2"
FOUND = {
    "link element": '<link rel=next href="?page=3">',
    "rel among others": '<a rel="nofollow next" href="?page=3">b</a>',
    "class": '<li class="pagination-next"><a href="?page=3">b</a></li>',
    "word": '<a href="?page=1">Previous</a><a href="?page=3">Next \u00bb</a>',
    "other language": '<a href="?page=3">N\u00e4chste Seite</a>',
    "label": '<a aria-label="Next page" href="?page=3"><svg></svg></a>',
    "older": '<a href="?page=3">\u2190 Older posts</a>',
    "load more": '<a href="?page=3">Load more</a>',
    "arrow, not the one to the end": '<a href="?page=9">\u00bb</a><a href="?page=3">\u203a</a>',
    "numbers": '<a href="?page=1">1</a> 2 <a href="?page=3">3</a> <a href="?page=9">9</a>',
    "marked number": '<b class=current>2</b> <a href="?page=3">3</a>',
}
NOT_FOUND = {
    "the page itself": '<a rel=next href="?page=2">Next</a>',
    "a teaser": '<a href="/story">More</a>',
    "a slide": '<div class="carousel"><a href="?page=3">Next</a></div>',
    "a month": '<div class="mini-calendar"><a href="?month=3" class="next">b</a></div>',
    "one that is off": '<a class="next disabled" href="?page=3">Next</a>',
    "one whose place is off": '<li class="disabled"><a href="?page=3">Next</a></li>',
    "one that says it is off": '<a aria-disabled="true" href="?page=3">Next</a>',
    "the way back": '<a rel="prev" class="next" href="?page=1">b</a>',
    "another host": '<a href="https://other.example/?page=3">Next</a>',
    "a rating": '<a href="/stars">3</a>',
    "a title that begins so": '<a href="/x">Next of kin</a>',
    "script": '<a href="javascript:next()">Next</a>',
}


def find(source: str) -> str | None:
    found = find_next_page(Document(make_snapshot(source, url=HERE)))
    return found and found[0]


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_the_next_page_is_known_by_what_pages_call_it(source: str) -> None:
    assert find(source) == "https://example.com/events?page=3"


@pytest.mark.parametrize("source", NOT_FOUND.values(), ids=NOT_FOUND)
def test_what_only_looks_like_a_next_page_is_left(source: str) -> None:
    assert find(source) is None


def test_auto_says_which_sign_it_went_by() -> None:
    document = Document(make_snapshot(FOUND["word"], url=HERE))

    (link,) = find_links(document, Collect(next=AUTO)).links

    assert (link.page_kind, link.evidence) == (PageKind.LISTING, "auto:word")


PARTS: list[tuple[str, PageParameter, str | None]] = [
    ("/e", PageParameter(param="page"), "/e?page=2"),
    ("/e?a=1&page=2&b", PageParameter(param="page"), "/e?a=1&page=3&b"),
    ("/e?page=5", PageParameter(param="page", last=5), None),
    ("/e", PageParameter(param="offset", first=0, step=20), "/e?offset=20"),
    ("/e?page=x", PageParameter(param="page"), None),
    ("/e", PageParameter(param="p[n]"), "/e?p[n]=2"),
]


@pytest.mark.parametrize(("url", "pages", "following"), PARTS)
def test_a_counted_part_leads_to_the_next_one(
    url: str, pages: PageParameter, following: str | None
) -> None:
    host = "https://example.com"

    assert next_part(host + url, pages) == (following and host + following)


IGNORED = {
    "a link": ('<a rel="nofollow next" href="?page=3">b</a>', "https://example.com/events?page=3"),
    "a link element": ('<link rel="next" href="/e/3#top">', "https://example.com/e/3"),
    "the page itself": ('<a rel=next href="?page=2">Next</a>', None),
    "another host": ('<a rel=next href="https://other.example/?page=3">Next</a>', None),
    "a word": ('<a href="?page=3">Next</a>', None),
    "a script": ('<script>var a = "<a rel=next href=/3>"</script>', None),
    "another relation": ('<a rel="nextish" href="?page=3">b</a>', None),
}


@pytest.mark.parametrize(("source", "named"), IGNORED.values(), ids=IGNORED)
def test_a_page_may_name_a_next_one_that_nobody_asked_for(source: str, named: str | None) -> None:
    assert find_ignored_next(Document(make_snapshot(source, url=HERE))) == named
