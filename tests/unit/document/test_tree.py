import pytest

from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

BEHIND = {
    "</html>": "<html><body><p>a</p></body></html><h3>b</h3><p>c</p>",
    "</body>": "<html><body><p>a</p></body><h3>b</h3></html>x<p>c</p>",
    "text alone": "<html><body>a</body></html><h3>b</h3>x<p>c</p>",
    "a second page": "<html><body>a</body></html><html><body><h3>b</h3><p>c</p></body></html>",
}


@pytest.mark.parametrize("source", BEHIND.values(), ids=BEHIND)
def test_what_stands_behind_the_end_of_the_page_belongs_to_it(source: str) -> None:
    document = Document(make_snapshot(source))

    headings = document.css("h3")

    assert [document.text_of(node) for node in headings] == ["b"]
    assert document.xpath(document.path_of(headings[0])) == headings
    assert document.text_of(document.css("body")[0]).endswith("c")


def test_comments_around_the_page_are_no_part_of_it() -> None:
    document = Document(make_snapshot("<!-- x --><html><body><p>a</p></body></html><!-- y -->"))

    assert document.text_of(document.css("html")[0]) == "a"


@pytest.mark.parametrize("source", ["", " ", "<!-- x -->", "<", "\x00"], ids=repr)
def test_a_source_without_content_has_no_nodes_to_select(source: str) -> None:
    assert Document(make_snapshot(source)).css("p") == []
