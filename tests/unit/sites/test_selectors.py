import pytest

from crawler.sites.selectors import find_row_fault, find_rule_fault, find_selector_fault


@pytest.mark.parametrize(
    "text", ["article.event a[href]", "a[rel=next]", "h1", "li:not(.ad) > a", "[data-x='1'], b"]
)
def test_a_css_selector_of_elements_has_no_fault(text: str) -> None:
    assert find_selector_fault(text) is None


@pytest.mark.parametrize(
    "text",
    ["a[href", "a::text", "a::attr(href)", "//a", "", "a:nosuch", "a >", ":is(" * 240, "ns|a"],
)
def test_what_selects_no_elements_is_named(text: str) -> None:
    fault = find_selector_fault(text)

    assert fault is not None
    assert fault.startswith("expected a CSS selector, found ")
    assert "\n" not in fault


@pytest.mark.parametrize(
    "text",
    [
        "jsonld:$.name",
        "jsonld:$['@id']",
        "jsonld:$.offers[0].price",
        "jsonld:$.a[?@.b == 'c'].d",
        "microdata:$.offers.price",
        "rdfa:$.name",
        "opengraph:og:title",
        "opengraph:article:published_time",
        "meta:dcterms.issued",
        "state:__NEXT_DATA__:$.props.pageProps",
        "state:$store.item-1:$['a'][0]",
        "css:h1",
        "css:h2::text",
        "css:a::attr(href)",
        "xpath:./@data-id",
        "xpath:normalize-space(.//h1)",
        "page:url",
        "page:heading",
    ],
)
def test_a_rule_of_each_source_has_no_fault(text: str) -> None:
    assert find_rule_fault(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("h1", "expected a rule: jsonld:$.path, microdata:$.path, rdfa:$.path, "),
        ("css:", "expected a rule"),
        ("regex:a+", "expected a rule"),
        ("python:1+1", "expected a rule"),
        ("CSS:h1", "expected a rule"),
        ("jsonld:name", "expected a JSONPath (RFC 9535) such as $.name, found 'name'"),
        ("jsonld:$.a[", "expected a JSONPath"),
        ("jsonld:$.a.length()", "expected a JSONPath"),
        ("jsonld:$[?" + "(" * 900, "expected a JSONPath"),
        ("microdata:name", "expected a JSONPath (RFC 9535) such as $.name, found 'name'"),
        ("rdfa:$.a[", "expected a JSONPath"),
        ("opengraph:og title", "expected the name of a <meta> tag such as og:title, found "),
        ("meta:'", "expected the name of a <meta> tag"),
        ("state:$.a", "expected a name and a JSONPath such as __NEXT_DATA__:$.props, found '$.a'"),
        ("state:__NEXT_DATA__", "expected a name and a JSONPath"),
        ("state:a b:$.c", "expected a name and a JSONPath"),
        ("state:__NEXT_DATA__:props", "expected a JSONPath (RFC 9535)"),
        ("css:h1::txt", "expected a CSS selector, found 'h1::txt'"),
        ("xpath://a[", "expected an XPath expression, found '//a['"),
        ("xpath:document('x')", "expected an XPath expression"),
        ("xpath:re:test(., '(a+)+')", "expected an XPath expression"),
        ("xpath:$secret", "expected an XPath expression"),
        ("xpath:" + "(" * 990, "expected an XPath expression"),
        ("page:body", "expected page:heading or page:url, found 'page:body'"),
    ],
)
def test_a_rule_that_could_never_be_evaluated_is_named(text: str, message: str) -> None:
    fault = find_rule_fault(text)

    assert fault is not None
    assert fault.startswith(message)
    assert "\n" not in fault


def test_content_is_written_as_markdown_and_nothing_else() -> None:
    assert find_rule_fault("content:markdown") is None
    assert "expected content:markdown" in str(find_rule_fault("content:html"))


@pytest.mark.parametrize("text", ["css:article", "xpath://article", "json:$.items"])
def test_what_is_written_like_the_rule_of_a_field_is_told_to_be_no_selector(text: str) -> None:
    source = text.partition(":")[0]

    assert find_row_fault(text) == (
        f"expected a bare CSS selector ({source}: is for rules of fields), found '{text}'"
    )


def test_a_selector_may_begin_like_a_rule() -> None:
    assert find_row_fault("html:root") is None


def test_a_jsonpath_without_its_root_is_told_where_it_begins() -> None:
    assert str(find_row_fault("jsonld:items[*]")).endswith("(it begins with $)")
