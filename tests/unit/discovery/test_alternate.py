import pytest

from crawler.contracts.site.collect import CalendarSource, Collect, FeedSource
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.alternate import find_alternates
from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

AUTO = Collect(feed=FeedSource(find="auto"))
RSS = '<link rel="alternate" type="application/rss+xml" href="/feed?a=1&amp;b=2#c">'
FOUND = "https://example.com/feed?a=1&b=2"


def find(markup: str, collect: Collect = AUTO) -> list[str]:
    found = find_alternates(Document(make_snapshot(markup)), collect)
    assert all(link.page_kind is PageKind.LISTING for link in found)
    return [link.url for link in found]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (RSS, [FOUND]),
        (RSS * 2, [FOUND]),
        (RSS.replace("alternate", "ALTERNATE home"), [FOUND]),
        (RSS.replace("rss+xml", "atom+xml; charset=utf-8"), [FOUND]),
        (RSS.replace("alternate", "stylesheet"), []),
        (RSS.replace("rss+xml", "json+oembed"), []),
        (RSS.replace("/feed", "/comments/feed/"), []),
        (RSS.replace("application/rss+xml", "text/calendar"), []),
        (f"<!-- {RSS} -->", []),
        ("<p>No feed", []),
    ],
)
def test_a_page_names_its_feeds_as_alternates(markup: str, expected: list[str]) -> None:
    assert find(markup) == expected


def test_calendars_are_found_where_they_are_asked_for() -> None:
    markup = RSS + '<link rel="alternate" type="text/calendar" href="a.ics">'

    assert find(markup, Collect(calendar=CalendarSource(find="auto"))) == [
        "https://example.com/p/a.ics"
    ]


def test_nothing_is_looked_for_where_the_start_is_the_feed() -> None:
    assert find(RSS, Collect(feed=FeedSource())) == []
    assert find(RSS, Collect()) == []


def test_what_is_found_is_read_as_a_feed() -> None:
    (link,) = find_alternates(Document(make_snapshot(RSS)), AUTO)

    assert link.representation is Representation.FEED
