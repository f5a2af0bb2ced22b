import pytest

from crawler.discovery.pagination import parse_count, read_expected_count
from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

COUNTS = {
    "96 results": 96,
    "Showing 24 of 96": 96,
    "Showing 1-24 of 1,096 events": 1096,
    "1\u201324 von 1.096 Treffern": 1096,
    "24 / 96": 96,
    "12 345 annonces": 12345,
    "0 events": 0,
    "no events": None,
    "Page 2 of 5": None,
    "Page 2 of 1,024": None,
    "Стр. 2 из 5, 96 событий": 96,
    "Page 1 of 4 (96 events)": 96,
    "96 events, page 1 of 4": 96,
    "96+ results": None,
    "over 1,000 results": None,
    "~500": None,
    "96\u4ef6\u4e2d1-24\u4ef6": 96,
    "1-24 \u0438\u0437 96": 96,
    "24 here, 96 there": None,
    "": None,
}


@pytest.mark.parametrize(("text", "count"), COUNTS.items(), ids=repr)
def test_count_is_the_total_or_the_only_number(text: str, count: int | None) -> None:
    assert parse_count(text) == count


def test_count_is_read_where_the_site_file_says() -> None:
    document = Document(make_snapshot("<p>5</p><span class=total>96 results</span>"))

    assert read_expected_count(document, "span.total") == 96
    assert read_expected_count(document, "span.none") is None
