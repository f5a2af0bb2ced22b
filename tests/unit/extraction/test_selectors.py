import pytest

from crawler.document.document import Document
from crawler.extraction.selectors import NodeMatch, read_again, select_css, select_xpath
from tests.unit.document.pages import make_snapshot

PAGE = """
<article data-id="n1"><h2>A <b>big</b> lamp</h2><a href="/x">more</a><p></p></article>
<article data-id="n2"><h2>Chair</h2></article>
"""


@pytest.fixture
def document() -> Document:
    return Document(make_snapshot(PAGE))


CSS = {
    "all text": ("h2", [("/html/body/article[1]/h2", "A big lamp")]),
    "own text": ("h2::text", [("/html/body/article[1]/h2/text()", "A lamp")]),
    "attribute": ("a::attr(href)", [("/html/body/article[1]/a/@href", "/x")]),
    "attribute that no match has": ("h2::attr(href)", []),
    "empty": ("p::text", [("/html/body/article[1]/p/text()", "")]),
    "nothing": ("h3", []),
}


@pytest.mark.parametrize(("rule", "found"), CSS.values(), ids=CSS)
def test_css_selects_below_the_row(
    document: Document, rule: str, found: list[tuple[str, str]]
) -> None:
    matches = select_css(rule, document, document.css("article")[0])

    assert [(match.locator, match.raw) for match in matches] == found


XPATH = {
    "attribute of the row": ("./@data-id", [("/html/body/article[1]/@data-id", "n1")]),
    "element": (".//h2", [("/html/body/article[1]/h2", "A big lamp")]),
    "text nodes of one element": (".//h2/text()", [("/html/body/article[1]/h2/text()", "A lamp")]),
    "string": ("string(.//h2)", [("/html/body/article[1]", "A big lamp")]),
    "number": ("count(.//h2)", [("/html/body/article[1]", "1")]),
    "nothing": (".//h3", []),
}


@pytest.mark.parametrize(("rule", "found"), XPATH.values(), ids=XPATH)
def test_xpath_selects_from_the_row(
    document: Document, rule: str, found: list[tuple[str, str]]
) -> None:
    matches = select_xpath(rule, document, document.css("article")[0])

    assert [(match.locator, match.raw) for match in matches] == found


@pytest.mark.parametrize(
    "rule", ["./@data-id", ".//h2", ".//h2/text()", "string(.//h2)", "count(.//h2)"]
)
def test_what_a_rule_found_is_read_again_on_a_fresh_parse(document: Document, rule: str) -> None:
    (match,) = select_xpath(rule, document, document.css("article")[0])

    again = read_again(match.locator, f"xpath:{rule}", Document(make_snapshot(PAGE)))

    assert again == match.raw


@pytest.mark.parametrize("locator", ["", "/html/body/article[9]", "/html/body/article", "/x/@y"])
def test_a_locator_that_leads_to_no_single_node_gives_nothing(
    document: Document, locator: str
) -> None:
    assert read_again(locator, "css:h2", document) is None


def test_only_attributes_are_machine_written(document: Document) -> None:
    attribute = select_css("a::attr(href)", document, None)
    text = select_css("a::text", document, None)

    assert attribute == [NodeMatch("/html/body/article[1]/a/@href", "/x", is_attribute=True)]
    assert not text[0].is_attribute
