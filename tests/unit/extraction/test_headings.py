import pytest

from crawler.document.document import Document
from crawler.extraction.headings import choose_heading, read_headings, without_site
from tests.unit.document.pages import make_snapshot


def choose(body: str, *titles: str, site: str = "Example") -> str | None:
    headings = read_headings(Document(make_snapshot(body)))
    chosen = choose_heading(headings, titles, (site,))
    return chosen.text if chosen else None


def test_headings_are_read_as_a_reader_sees_them() -> None:
    body = (
        "<h1> Salt &amp;  <b>pep</b>per<br>mill<!-- x --><script>y</script></h1><h1></h1><h1>B</h1>"
    )

    found = read_headings(Document(make_snapshot(body)))

    assert [(each.locator, each.text) for each in found] == [
        ("h1[1]", "Salt & pepper mill"),
        ("h1[3]", "B"),
    ]


CHOICES: dict[str, tuple[str, tuple[str, ...], str | None]] = {
    "the only one": ("<h1>Lamp</h1>", (), "Lamp"),
    "the one that opens the title": ("<h1>News</h1><h1>Lamp</h1>", ("Lamp | Example",), "Lamp"),
    "the longer of two": ("<h1>Lamp</h1><h1>Lamp, red</h1>", ("Lamp, red - Shop",), "Lamp, red"),
    "case apart": ("<h1>LAMP</h1><h1>News</h1>", ("Lamp",), "LAMP"),
    "the same twice": ("<h1>Lamp</h1><h1>Lamp</h1>", (), "Lamp"),
    "the name of the site": ("<h1>Example</h1>", ("Example",), None),
    "site and page": ("<h1>Example</h1><h1>Lamp</h1>", ("Example",), "Lamp"),
    "two that no title begins with": ("<h1>Lamp</h1><h1>Chair</h1>", ("Shop",), None),
    "none": ("<h2>Lamp</h2>", ("Lamp",), None),
    "never closed": ("<h1>Lamp", ("Lamp",), None),
}


@pytest.mark.parametrize(("body", "titles", "chosen"), CHOICES.values(), ids=CHOICES)
def test_the_heading_of_the_page_is_told_from_others(
    body: str, titles: tuple[str, ...], chosen: str | None
) -> None:
    assert choose(body, *titles) == chosen


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("Leek soup | Ada's Kitchen", "Leek soup"),
        ("Leek soup - Adas Kitchen", "Leek soup"),
        ("Leek soup \u2013 soups.example", "Leek soup"),
        ("Leek soup • Soups", "Leek soup"),
        ("Soup - with leek - Ada's Kitchen", "Soup - with leek"),
        ("Soup - with leek", "Soup - with leek"),
        ("Ada's Kitchen", "Ada's Kitchen"),
        ("Ada's Kitchen | Leek soup", "Ada's Kitchen | Leek soup"),
        ("Leek-Ada's Kitchen", "Leek-Ada's Kitchen"),
    ],
)
def test_the_name_of_the_site_behind_a_title_is_none_of_it(title: str, left: str) -> None:
    assert without_site(title, ["Ada's Kitchen"], "www.soups.example") == left
