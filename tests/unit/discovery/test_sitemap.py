import pytest

from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.sitemap import Listed, find_sitemap_links, sitemap_addresses
from crawler.document.sitemap import Place, Sitemap
from tests.unit.sites.builders import parse, site_text

URL = "https://hall.example/maps/sitemap.xml"


def find(*places: Place | str, collect: Collect | None = None) -> Listed:
    entries = tuple(Place(each) if isinstance(each, str) else each for each in places)
    return find_sitemap_links(Sitemap(entries, len(entries)), collect or Collect(), URL)


def urls(listed: Listed) -> list[str]:
    return [link.url for link in listed.links]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://hall.example/a?b=1", ["https://hall.example/a?b=1"]),
        ("https://hall.example/a#top", ["https://hall.example/a"]),
        ("https://hall.example/a b", ["https://hall.example/a%20b"]),
        ("https://elsewhere.example/", ["https://elsewhere.example/"]),
        ("/a", ["https://hall.example/a"]),
        ("b", ["https://hall.example/maps/b"]),
        ("//hall.example/a", ["https://hall.example/a"]),
        ("", []),
        ("mailto:a@hall.example", []),
        ("javascript:alert(1)", []),
        ("https://hall.example/a\ufffd", []),
        ("https://[", []),
        ("https://hall.example/" + "a" * 2100, []),
    ],
)
def test_an_entry_leads_to_its_page(address: str, expected: list[str]) -> None:
    assert urls(find(address)) == expected


def test_pages_are_details_and_sitemaps_are_listings() -> None:
    page, part = find(
        "https://hall.example/a", Place("https://hall.example/b.xml", is_sitemap=True)
    ).links

    assert (page.page_kind, page.representation) == (PageKind.DETAIL, None)
    assert (part.page_kind, part.representation) == (PageKind.LISTING, Representation.SITEMAP)


def test_one_page_is_one_link() -> None:
    listed = find("https://hall.example/a?utm_source=x", "https://hall.example/a#b", "/a")

    assert urls(listed) == ["https://hall.example/a?utm_source=x"]


def test_pages_are_taken_as_the_site_file_says_and_the_others_are_counted() -> None:
    collect = Collect(match=("/events/<int>",), exclude=("/events/3", "/old*.xml"))
    parts = [Place(f"https://hall.example/{name}.xml", is_sitemap=True) for name in ("old1", "new")]

    listed = find(
        "/events/1", "/about", "/events/2/share", "/events/3", "", *parts, collect=collect
    )

    assert urls(listed) == ["https://hall.example/events/1", "https://hall.example/new.xml"]
    assert listed.notes == (
        "4 entries with a relative address",
        "4 entries that match or exclude leaves out",
        "1 entries without a usable address",
    )
    assert listed.usable == 6


def test_the_date_of_a_page_goes_with_its_link_and_what_is_no_date_is_noted() -> None:
    dated = Place("https://hall.example/a", modified="2026-03-01T10:00:00Z")
    wrong = Place("https://hall.example/b", modified="last week")

    listed = find(dated, wrong, "https://hall.example/c")

    assert [link.unchanged_since for link in listed.links] == [1772359201.0, None, None]
    assert listed.notes == ("1 entries with a lastmod that is no date",)


@pytest.mark.parametrize(
    ("collect", "expected"),
    [
        ("collect: {}", ()),
        ("collect: {sitemap: robots}", ("https://garden.example/robots.txt",)),
        (
            'collect: {sitemap: ["https://garden.example/a.xml", robots, robots]}',
            ("https://garden.example/a.xml", "https://garden.example/robots.txt"),
        ),
    ],
)
def test_robots_stands_for_the_robots_files_of_the_start_addresses(
    collect: str, expected: tuple[str, ...]
) -> None:
    config = parse(site_text(collect=collect)).config

    assert sitemap_addresses(config) == expected
