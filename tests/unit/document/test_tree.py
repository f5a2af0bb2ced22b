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


LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE_XHTML = {
    "entities of entities": f'<!DOCTYPE html [<!ENTITY a0 "ha">{LAUGHS}]><html><p>&a9;</p></html>',
    "a file": ('<!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd">]><html><p>&a;</p></html>'),
    "an inclusion": (
        '<html xmlns:xi="http://www.w3.org/2001/XInclude"><p><xi:include href="file:///etc/passwd" '
        'parse="text"/></p></html>'
    ),
}


@pytest.mark.parametrize("source", HOSTILE_XHTML.values(), ids=HOSTILE_XHTML)
def test_what_an_xhtml_page_declares_is_neither_expanded_nor_fetched(source: str) -> None:
    root = Document(make_snapshot(f'<?xml version="1.0"?>{source}')).root

    assert root is not None
    text = "".join(root.itertext())
    assert "root:" not in text
    assert len(text) < len(source)
