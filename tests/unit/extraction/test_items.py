"""Microdata and RDFa as trees, with the element of every property."""

from time import process_time

import pytest
from pydantic import JsonValue

from crawler.document.document import Document
from crawler.extraction.items import MAX_DEPTH, Item, Syntax, find_items, read_element
from crawler.extraction.microdata import MICRODATA
from crawler.extraction.microformats import MICROFORMATS
from crawler.extraction.rdfa import RDFA
from tests.unit.document.pages import make_snapshot

SCHEMA = "https://schema.org"


def items(body: str, *types: str, syntax: Syntax = MICRODATA) -> tuple[Document, tuple[Item, ...]]:
    document = Document(make_snapshot(body))
    return document, find_items(document, syntax, types or ("Product", "Article"))


def values(body: str, *types: str, syntax: Syntax = MICRODATA) -> list[JsonValue]:
    return [item.node.value for item in items(body, *types, syntax=syntax)[1]]


def product(inner: str, attributes: str = "") -> str:
    return f'<div itemscope itemtype="{SCHEMA}/Product" {attributes}>{inner}</div>'


def test_an_item_that_is_referenced_before_it_begins_keeps_its_nested_item() -> None:
    body = (
        '<div id="x"><img itemprop="image" src="2.jpg">'
        f'<div itemscope itemtype="{SCHEMA}/Product" itemprop="related">'
        '<span itemprop="name">REL</span></div></div>'
    ) + product('<span itemprop="name">Main</span>', 'itemref="x"')

    (value,) = values(body)

    assert value == {
        "@type": ["Product"],
        "name": "Main",
        "image": "2.jpg",
        "related": {"@type": ["Product"], "name": "REL"},
    }


def test_a_reference_that_no_id_can_be_leads_nowhere() -> None:
    (value,) = values(product('<b itemprop="name">A</b>', 'itemref="\x01 \ufffe x"'))

    assert value == {"@type": ["Product"], "name": "A"}


def test_the_properties_of_a_nested_item_stay_its_own() -> None:
    body = (
        f'<div itemscope itemtype="{SCHEMA}/Article"><h1 itemprop="name">Title</h1>'
        f'<div itemprop="editor" itemscope itemtype="{SCHEMA}/Person">'
        '<span itemprop="name">J. Doe</span></div></div>'
    )

    (value,) = values(body)

    assert isinstance(value, dict)
    assert value["name"] == "Title"
    assert value["editor"] == {"@type": ["Person"], "name": "J. Doe"}


@pytest.mark.parametrize(
    "written",
    [
        "http://schema.org/Product",
        "https://www.schema.org/Product",
        "https://schema.org/Product/",
        "//schema.org/Product",
        "schema.org/Product",
        "HTTPS://Schema.org/Product",
        "https:&#x2F;&#x2F;schema.org&#x2F;Product",
    ],
)
def test_a_type_is_known_however_its_address_is_written(written: str) -> None:
    (value,) = values(f"<p itemscope itemtype='{written}'><b itemprop=name>A</b></p>")

    assert value == {"@type": ["Product"], "name": "A"}


PROPERTIES: dict[str, tuple[str, JsonValue]] = {
    "text": ("<b itemprop=p> a <i>b</i> </b>", "a b"),
    "lines": ("<div itemprop=p><p>a</p><p>b</p></div>", "a\nb"),
    "address on an element that leads nowhere": (
        f"<span itemprop=p href='{SCHEMA}/InStock'>Yes</span>",
        f"{SCHEMA}/InStock",
    ),
    "day on an element that is no time": ("<b itemprop=p datetime=2026-03-04>x</b>", "2026-03-04"),
    "form field": ("<input itemprop=p value=19.00>", "19.00"),
    "meta": ('<meta itemprop=p content="a">', "a"),
    "content of any element": ("<span itemprop=p content='140.000'>£140</span>", "140.000"),
    "time": ('<time itemprop=p datetime="2026-03-04">today</time>', "2026-03-04"),
    "time without attribute": ("<time itemprop=p>2026-03-04</time>", "2026-03-04"),
    "link element": ('<link itemprop=p href="https://schema.org/InStock">', f"{SCHEMA}/InStock"),
    "link with text": ('<a itemprop=p href="/a">A</a>', {"@id": "/a", "@value": "A"}),
    "link without text": ('<a itemprop=p href="/a"></a>', "/a"),
    "anchor that is no link": ("<a itemprop=p>A</a>", "A"),
    "image": ('<img itemprop=p src="a.jpg">', "a.jpg"),
    "image that loads late": ('<img itemprop=p src="data:x" data-src="a.jpg">', "a.jpg"),
    "data": ('<data itemprop=p value="5">five</data>', "5"),
    "two": ("<b itemprop=p>a</b><b itemprop=p>b</b>", ["a", "b"]),
    "full name": (f"<b itemprop='{SCHEMA}/p'>a</b>", "a"),
    "scripts are not text": ("<b itemprop=p>a<script>x</script></b>", "a"),
}


@pytest.mark.parametrize(("inner", "value"), PROPERTIES.values(), ids=PROPERTIES)
def test_a_property_has_the_value_of_its_element(inner: str, value: JsonValue) -> None:
    (item,) = values(product(inner))

    assert isinstance(item, dict)
    assert item["p"] == value


NO_ITEMS = {
    "another type": '<div itemscope itemtype="https://schema.org/Person"></div>',
    "a longer type": f'<div itemscope itemtype="{SCHEMA}/ProductGroup"></div>',
    "another vocabulary": '<div itemscope itemtype="https://example.com/Product"></div>',
    "a type without scope": f'<div itemtype="{SCHEMA}/Product"></div>',
    "related to another": f'<div itemprop="isRelatedTo" itemscope itemtype="{SCHEMA}/Product"></div>',
    "inside a comment": f'<!--<div itemscope itemtype="{SCHEMA}/Product"></div>-->',
}


@pytest.mark.parametrize("body", NO_ITEMS.values(), ids=NO_ITEMS)
def test_what_is_no_item_of_the_type_is_not_found(body: str) -> None:
    assert values(f"<body>{body}</body>", "Product") == []


def test_a_page_without_the_markup_never_becomes_a_tree() -> None:
    document, found = items("<p>Product</p>")

    assert found == ()
    assert not document.is_parsed


def test_an_item_inside_itself_ends() -> None:
    body = product('<b itemprop="name">A</b>', 'id="x" itemprop="part" itemref="x"')
    outer = f'<div itemscope itemtype="{SCHEMA}/Article" itemref="x"></div>'

    assert len(values(outer + body, "Article")) == 1


def test_items_nested_without_end_are_cut() -> None:
    body = f'<div itemprop="part" itemscope itemtype="{SCHEMA}/Thing">' * 40
    (value,) = values(product(body))

    depth = 0
    while isinstance(value, dict):
        value, depth = value.get("part"), depth + 1
    assert depth == MAX_DEPTH


RDFA_PAGES: dict[str, tuple[str, dict[str, JsonValue]]] = {
    "vocabulary": (
        (
            '<div vocab="https://schema.org/" typeof="Product"><b property="name">A</b>'
            '<span property="offers" typeof="Offer"><meta property="price" content="5"></span></div>'
        ),
        {"name": "A", "offers": {"@type": ["Offer"], "price": "5"}},
    ),
    "vocabulary further out": (
        '<body vocab="http://schema.org/"><div typeof="Product"><b property="name">A</b></div>',
        {"name": "A"},
    ),
    "prefix": ('<div typeof="schema:Product"><b property="schema:name">A</b></div>', {"name": "A"}),
    "declared prefix": (
        '<div prefix="s: https://schema.org/" typeof="s:Product"><b property="s:name">A</b></div>',
        {"name": "A"},
    ),
    "link": (
        '<div vocab="https://schema.org" typeof="Product"><a property="url" href="/a">A</a></div>',
        {"url": {"@id": "/a", "@value": "A"}},
    ),
    "other vocabularies beside it": (
        (
            '<div vocab="https://schema.org/" typeof="Product foaf:Thing">'
            '<b property="og:title">X</b><b property="name">A</b></div>'
        ),
        {"name": "A"},
    ),
}


@pytest.mark.parametrize(("body", "value"), RDFA_PAGES.values(), ids=RDFA_PAGES)
def test_rdfa_is_read_in_every_way_to_name_schema_org(
    body: str, value: dict[str, JsonValue]
) -> None:
    (found,) = values(body, "Product", syntax=RDFA)

    assert isinstance(found, dict)
    assert {"@type": ["Product"], **value} == found


@pytest.mark.parametrize(
    "body",
    [
        '<div typeof="Product"><b property="name">A</b></div>',
        '<div vocab="https://example.com/" typeof="Product"></div>',
        '<div typeof="foaf:Product"></div>',
        '<div typeof="gr:Product" prefix="gr: http://purl.org/goodrelations/v1#"></div>',
    ],
)
def test_a_name_of_another_vocabulary_is_no_type_of_schema_org(body: str) -> None:
    assert values(body, "Product", syntax=RDFA) == []


def test_every_property_leads_back_to_its_element() -> None:
    body = product(
        '<b itemprop="name">A</b><div itemprop="offers" itemscope>'
        '<meta itemprop="price" content="5"><meta itemprop="price" content="6"></div>'
    )

    document, (item,) = items(body)

    assert {parts: document.path_of(node) for parts, node in item.origins.items()} == {
        (): "/html/body/div",
        ("name",): "/html/body/div/b",
        ("offers",): "/html/body/div/div",
        ("offers", "price", 0): "/html/body/div/div/meta[1]",
        ("offers", "price", 1): "/html/body/div/div/meta[2]",
    }
    assert read_element(item.origins["offers", "price", 1], MICRODATA) == "6"


def test_an_item_that_another_is_about_is_known_as_such() -> None:
    page = f'<div itemscope itemtype="{SCHEMA}/WebPage">{{}}</div>'
    body = page.format(product("", 'itemprop="mainEntity"')) + product("")

    _, found = items(body)

    assert [item.is_main_entity for item in found] == [True, False]


def test_items_that_share_their_elements_are_read_within_bounds() -> None:
    opening = f'<div itemscope itemtype="{SCHEMA}/Product">'
    body = opening * 200 + '<b itemprop="name">A</b>' * 10_000

    started = process_time()
    _, found = items(body)

    assert len(found) == 200
    assert process_time() - started < 2


UNQUOTED = {
    "typeof": (RDFA, f"{SCHEMA} " + "typeof=" * 60_000),
    "class": (MICROFORMATS, "xhproduct " + "class=" * 60_000),
}


@pytest.mark.parametrize(("syntax", "body"), UNQUOTED.values(), ids=UNQUOTED)
def test_attributes_without_quotation_marks_cost_no_more_than_their_length(
    syntax: Syntax, body: str
) -> None:
    started = process_time()

    assert find_items(Document(make_snapshot(body)), syntax, ("Product",)) == ()
    assert process_time() - started < 2
