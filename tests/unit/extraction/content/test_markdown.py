import pytest

from tests.unit.extraction.content.pages import markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol><li>a<ol start=3><li>b</li></ol></li></ol>", "1. a\n\n   3. b"),
        ("<ol start=4><li>a</li><li><p>b</p><p>c</p></li></ol>", "4. a\n5. b\n\n   c"),
        ("<ol><li>a</li><ul><li>b</li></ul><li>c</li></ol>", "1. a\n   - b\n2. c"),
        ("<li>alone</li><li>too</li>", "- alone\n- too"),
        ("<p>before</p><ul><li>a</li></ul><p>after</p>", "before\n\n- a\n\nafter"),
    ],
)
def test_lists_keep_their_nesting(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_table_values_stay_under_their_headers() -> None:
    html = (
        "<table><tr><th>Day</th><th>Price</th></tr>"
        '<tr><td rowspan="2">Mon</td><td>1|2</td></tr><tr><td>3</td></tr></table>'
    )
    assert markdown(html) == "| Day | Price |\n| --- | --- |\n| Mon | 1\\|2 |\n|  | 3 |"


def test_cells_that_span_columns_push_the_others_aside() -> None:
    html = (
        '<table><tr><th colspan="2">Name</th><th>Age</th></tr>'
        "<tr><td>A</td><td>B</td><td>7</td></tr><tr><td>C</td></tr></table>"
    )
    assert markdown(html).splitlines()[2:] == ["| A | B | 7 |", "| C |  |  |"]


def test_data_table_with_images_keeps_its_caption_and_words() -> None:
    html = (
        '<div><div>Step 1: <a href="#">open</a></div><div>Step 2</div></div>'
        "<table><caption>Fees</caption><tr><td>A</td>"
        '<td><img src="a.png"></td><td><img src="b.png"></td></tr></table>'
    )
    text = markdown(html)
    assert all(part in text for part in ("Step 1:", "Step 2", "Fees", "| A |"))


def test_table_that_only_arranges_a_page_is_written_as_blocks() -> None:
    html = "<table><tr><td><h2>Left</h2><p>One</p></td><td><p>Two</p></td></tr></table>"
    assert markdown(html) == "## Left\n\nOne\n\nTwo"


def test_code_keeps_its_spaces_and_cannot_leave_its_fence() -> None:
    html = (
        '<pre><code class="language-python">if x:\n    y = 1\n</code></pre>'
        "<pre>```\nnot a fence\n```</pre>"
    )
    assert markdown(html) == (
        "```python\nif x:\n    y = 1\n```\n\n````\n```\nnot a fence\n```\n````"
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [("a_b", "`a_b`"), ("`", "`` ` ``"), ("x``y", "`x``y`"), ("`a``b`", "``` `a``b` ```")],
)
def test_code_span_is_longer_than_its_backticks(code: str, expected: str) -> None:
    assert markdown(f"<p>Run <code>{code}</code>.</p>") == f"Run {expected}."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="https://other.example/x">GPL</a>', "[GPL](https://other.example/x)"),
        ('<a href="/policy">P</a>', "[P](https://example.com/policy)"),
        ('<a href="next page (2)">N</a>', "[N](https://example.com/docs/next%20page%20%282%29)"),
        ('<a href="javascript:steal()">x</a>', "x"),
        ('<a href="data:text/html,x">x</a>', "x"),
        ('<a href="mailto:a@example.com">x</a>', "x"),
        ('<a href="/x">[a](b)</a>', "[\\[a\\](b)](https://example.com/x)"),
        ('look!<a href="/x">here</a>', "look\\![here](https://example.com/x)"),
        ('<a href="/x"><h3>Card</h3><p>More</p></a>', "### [Card](https://example.com/x)\n\nMore"),
        ("[x](javascript:steal())", "[x\\](javascript:steal())"),
        ("![x](https://evil.example/?q=1)", "![x\\](https://evil.example/?q=1)"),
        ("<b>[x]</b>(https://evil.example/)", "**[x]**(https://evil.example/)"),
        ("&lt;https://evil.example/&gt;", "\\<https://evil.example/>"),
        ("&lt;img src=x&gt;", "\\<img src=x>"),
        ("[x]: https://evil.example/", "\\[x]: https://evil.example/"),
    ],
)
def test_only_the_web_links_of_the_page_are_links(html: str, expected: str) -> None:
    assert markdown(f"<p>{html}</p>" if "<h3>" not in html else html) == expected


def test_links_are_resolved_against_the_base_element() -> None:
    html = '<base href="https://cdn.example/a/"><p><a href="b">B</a></p>'
    assert markdown(html) == "[B](https://cdn.example/a/b)"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p># no title</p>", "\\# no title"),
        ("<p>- no item</p>", "\\- no item"),
        ("<p>1. no item</p>", "1\\. no item"),
        ("<p>2026. A year</p>", "2026\\. A year"),
        ("<p>&gt; no quote</p>", "\\> no quote"),
        ("<p>a<br>---</p>", "a  \n\\---"),
        ("<p>~~~</p><p>x</p>", "\\~\\~~\n\nx"),
        ("<p>--- key: value</p>", "--- key: value"),
        ("<p>5*3 and a * b</p>", "5\\*3 and a * b"),
        ("<p>snake_case and _word_</p>", "snake_case and \\_word\\_"),
        ("<p>&amp;copy; 1</p>", "\\&copy; 1"),
        ("<p>AT&amp;T</p>", "AT&T"),
        ("<p>C:\\dir \\* x</p>", "C:\\dir \\\\\\* x"),
    ],
)
def test_text_is_never_taken_for_a_mark(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <b>bold</b> and <em>soft </em>word</p>", "a **bold** and *soft* word"),
        ("<h2><strong>Title</strong></h2>", "## Title"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<p>a<br>b</p>", "a  \nb"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ("<p>a\n   b\xa0 c</p>", "a b c"),
    ],
)
def test_inline_and_block_marks(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_formula_is_written_as_its_source() -> None:
    note = '<annotation encoding="application/x-tex">x^2</annotation>'
    assert markdown(f"<p><math><semantics><mi>x</mi>{note}</semantics></math></p>") == "$x^2$"


def test_images_are_left_out_unless_asked_for() -> None:
    html = '<p>Map: <img src="data:image/gif;base64,R0lGOD" data-src="/real.jpg" alt="Plan"></p>'
    assert markdown(html) == "Map:"
    assert markdown(html, with_images=True) == "Map: ![Plan](https://example.com/real.jpg)"


@pytest.mark.parametrize("depth", [400, 2_000])
def test_deep_nesting_is_written_without_recursion(depth: int) -> None:
    assert markdown("<div>" * depth + "deep" + "</div>" * depth) == "deep"


def test_deep_lists_stop_indenting() -> None:
    lines = markdown("<ul><li>a" * 200 + "</li></ul>" * 200).splitlines()
    assert len(lines) >= 200
    assert max(map(len, lines)) < 100


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "<br>" * 30_000 + "x</p>",
        "<p>" + " " * 200_000 + "x</p>",
        "<p>" + "-" * 100_000 + "x</p>",
        "<h2>Related</h2>" * 5_000,
        "<table><tr>" + "<td colspan=99999>a</td>" * 3_000 + "</tr></table>",
        "<dialog>a</dialog>" * 5_000 + "<main>b</main>",
        "<b>" * 200 + "<a>x</a>" * 20_000,
        "<p>" + "log in or " * 5,
    ],
    ids=["breaks", "spaces", "dashes", "titles", "spans", "dialogs", "links", "controls"],
)
def test_hostile_size_costs_linear_time(html: str) -> None:
    assert len(markdown(html)) < len(html)


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("<pre><div>a</div><div>  b</div>\n<div>c</div></pre>", "```\na\n  b\nc\n```"),
        ("<p>a <b>b <b>c</b></b> <i>d</i></p>", "a **b c** *d*"),
        ("<p>10<sup>6</sup> and x<sup>2</sup></p>", "10⁶ and x2"),
        ("<p>4<sup>[1]</sup></p>", "4[1]"),
    ],
)
def test_what_elements_mean_is_not_lost_in_the_text(body: str, written: str) -> None:
    assert markdown(body) == written
