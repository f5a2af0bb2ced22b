import pytest

from crawler.document.document import BadSelectorError, Document
from tests.unit.document.pages import make_snapshot


def read(body: bytes | str, url: str = "https://shop.example.com/a/b") -> Document:
    return Document(make_snapshot(body, url=url))


def test_text_behind_a_nul_byte_is_kept_and_no_link_is_invented() -> None:
    document = read(b'<html>\x00<body><a href="file:///C:\x001.xml">x</a><p>after\x00</p></body>')

    assert [document.text_of(node) for node in document.css("p")] == ["after"]
    assert document.xpath("//a/@href") == ["file:///C:\ufffd1.xml"]


def test_a_page_nested_deeper_than_the_parser_goes_says_so() -> None:
    assert read("<div>" * 100_000 + "text").is_too_deep
    assert not read("<div>" * 1_000 + "text").is_too_deep


def test_an_empty_body_is_a_page_without_nodes() -> None:
    document = read(b"")

    assert document.root is None
    assert document.css("a") == []
    assert document.title == ""


def test_nothing_is_parsed_for_title_base_and_canonical_link() -> None:
    document = read(
        '<base href="/z/"><title>\n Tea &amp;  Cake</title><link rel="Canonical" href=" x?a=1 ">'
    )

    assert document.title == "Tea & Cake"
    assert document.canonical_url == "https://shop.example.com/z/x?a=1"
    assert not document.is_parsed


def test_what_scripts_hold_is_no_word_of_the_page() -> None:
    document = read("<SCRIPT>let tea = 1</script><p title=Cake>Éclair</p><script>milk")

    assert document.mentions(["tea"]) is False
    assert document.mentions(["cake"])
    assert document.mentions(["éclair"])
    assert document.bare == "<SCRIPT></script><p title=Cake>Éclair</p><script>milk".encode()
    assert not document.is_parsed


BASES = {
    "none": ("<p>", "https://shop.example.com/a/b"),
    "other host": ('<base href="https://cdn.example.com/z/">', "https://cdn.example.com/z/"),
    "first with href counts": (
        '<base target="_top"><base href="/one/"><base href="/two/">',
        "https://shop.example.com/one/",
    ),
    "no web address": ('<base href="javascript:x">', "https://shop.example.com/a/b"),
    "in a comment": ('<!-- <base href="/z/"> -->', "https://shop.example.com/a/b"),
}


@pytest.mark.parametrize(("source", "base"), BASES.values(), ids=BASES)
def test_base_url_honours_base_href(source: str, base: str) -> None:
    assert read(source).base_url == base


PATHS = {
    "element": ("//p[2]", "/html/body/p[2]"),
    "attribute": ("//p[1]/@class", "/html/body/p[1]/@class"),
    "text": ("//p[1]/text()[1]", "/html/body/p[1]/text()"),
    "text behind a child belongs to its parent": ("//p[1]/text()[2]", "/html/body/p[1]/text()"),
    "scalar": ("string(//p)", ""),
}


@pytest.mark.parametrize(("expression", "path"), PATHS.values(), ids=PATHS)
def test_path_leads_back_to_the_match(expression: str, path: str) -> None:
    document = read('<p class="c">one <b>two</b> three</p><p>four</p>')

    assert document.path_of(document.xpath(expression)[0]) == path


TEXTS = {
    "blocks apart": ("<p>Hall A<br>1 Main St</p>", "Hall A 1 Main St"),
    "elements laid out like blocks": (
        "<p><a>Hall</a><span>12 Main St</span><span>Troy, NY</span><span>USA</span></p>",
        "Hall 12 Main St Troy, NY USA",
    ),
    "pieces of a number": ("<p><span>$1</span><span>,</span><span>299</span></p>", "$1,299"),
    "pieces of a word": (
        "<p><span>J</span><span>azz</span> <b>Mac</b><b>Book</b></p>",
        "Jazz MacBook",
    ),
    "inline together": ("<p>a<b>b</b>c</p>", "abc"),
    "no scripts": ("<p>a<script>x()</script><style>y</style>b</p>", "ab"),
    "no comments": ("<p>a<!-- x -->b</p>", "ab"),
    "space collapsed": ("<p>\n a\u00a0 \tb\u200b </p>", "a b"),
}


@pytest.mark.parametrize(("source", "text"), TEXTS.values(), ids=TEXTS)
def test_text_is_what_a_reader_sees(source: str, text: str) -> None:
    document = read(source)

    assert document.text_of(document.css("p")[0]) == text


def test_cells_of_a_table_do_not_run_into_each_other() -> None:
    document = read("<table><tr><td>a</td><td>b</td></tr></table>")

    assert document.text_of(document.css("table")[0]) == "a b"


@pytest.mark.parametrize("selector", ["a[", "::nonsense", ""])
def test_a_selector_that_cannot_be_read_is_refused_with_its_text(selector: str) -> None:
    with pytest.raises(BadSelectorError):
        read("<a>").css(selector)


@pytest.mark.parametrize("expression", ["//a[", "document('x')", "unknown()", "$x"])
def test_an_expression_that_cannot_be_evaluated_is_refused(expression: str) -> None:
    with pytest.raises(BadSelectorError):
        read("<a>").xpath(expression)
