import time

import pytest

from crawler.document.document import Document
from crawler.extraction.labels import find_beside, find_under
from crawler.extraction.lines import Lines, read_line_again
from tests.unit.document.pages import make_snapshot


def beside(body: str, name: str) -> list[str]:
    document = Document(make_snapshot(body))
    found = find_beside(document, Lines(document), name)
    assert [read_line_again(document, match.locator) for match in found] == [
        match.raw for match in found
    ]
    return [match.raw for match in found]


def under(body: str, name: str) -> list[str]:
    document = Document(make_snapshot(body))
    return [match.raw for match in find_under(document, Lines(document), name)]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("<p>Prep time: 20 minutes</p>", "20 minutes"),
        ("<p><b>Prep time:</b> 20 minutes</p>", "20 minutes"),
        ("<dl><dt>Prep time</dt><dd>20 min</dd></dl>", "20 min"),
        ("<table><tr><th>Prep Time</th><td>20 min</td></tr></table>", "20 min"),
        ("<p><span>Prep time</span><span>20 min</span></p>", "20 min"),
        ("<p>Vorbereitungszeit: 20 Min.</p>", "20 Min."),
        ("<p>Cooking<br>Prep time: 5 min<br>Total: 9</p>", "5 min"),
    ],
)
def test_a_value_stands_beside_its_label(body: str, value: str) -> None:
    assert beside(body, "prep time") == [value]


@pytest.mark.parametrize(
    "body",
    [
        "<p>In our prep time: a story of twenty minutes</p>",
        "<nav><p>Prep time: 20 min</p></nav>",
        "<div><div><p>Prep time</p></div></div><div><div><div><p>20 min</p></div></div></div>",
        "<p>Preparations: 20 min</p>",
        "<p>Prep time</p>",
    ],
)
def test_what_only_resembles_a_label_gives_nothing(body: str) -> None:
    assert beside(body, "prep time") == []


LONG = f"<p>{'Mix and wait. ' * 10}</p>"


@pytest.mark.parametrize(
    ("body", "values"),
    [
        (f"<h1>Soup</h1><p>Prep time: 20 min</p>{LONG}", ["20 min"]),
        (f"<p>Prep time: 20 min</p>{LONG * 3}", ["20 min"]),
        (f"<p>Prep time: 20 min</p>{LONG * 2}", []),
        (f"<p>Prep time: 20 min</p><textarea>{LONG * 3}</textarea>", []),
        (f"<nav><p>Prep time: 20 min</p></nav>{LONG * 3}", []),
    ],
    ids=["with the heading", "with texts", "a form to fill in", "a text to fill in", "a menu"],
)
def test_a_form_around_the_whole_page_hides_no_label(body: str, values: list[str]) -> None:
    assert beside(f"<form>{body}</form>", "prep time") == values


def test_a_value_that_stands_there_often_is_located_once() -> None:
    started = time.process_time()

    assert beside("SKU<br>1<br>" * 5_000, "sku") == ["1"]

    assert time.process_time() - started < 2.0


def test_a_name_without_translations_is_a_label_itself() -> None:
    assert beside("<p>Konferenzraum: Saal 3</p>", "Konferenzraum") == ["Saal 3"]


@pytest.mark.parametrize(
    ("body", "entries"),
    [
        ("<h2>Ingredients</h2><ul><li>1 egg</li><li>salt</li></ul>", ["1 egg", "salt"]),
        ("<h2>Zutaten für 4 Personen</h2><ul><li>1 Ei<li>Salz</ul>", ["1 Ei", "Salz"]),
        ("<h3>Ingredients (2)</h3><button>1x</button><ul><li>1 egg<li>salt</ul>", ["1 egg", "salt"]),
        (
            """<h2>Ingredients</h2><h3>Dough</h3><ul><li>1 egg<li>2 g salt</ul>
            <h3>Filling</h3><ul><li>jam</ul><h2>Notes</h2><ul><li>keep cold<li>eat</ul>""",
            ["1 egg", "2 g salt", "jam"],
        ),
        (
            """<h2>Ingredients</h2><ul><li>Eggs: any size<li>Salt: a pinch of it</ul>
            <h2>The recipe</h2><h3>Ingredients</h3><ul><li>1 egg<li>2 g salt</ul>""",
            ["1 egg", "2 g salt"],
        ),
        (
            "<h2>Ingredients</h2><ul><li><span>1</span><span>egg</span><li><i>2 g</i> salt</ul>",
            ["1 egg", "2 g salt"],
        ),
        ("<p>Ingredients:</p><ul><li>Sauce<ul><li>1 egg<li>salt</ul></ul>", ["1 egg", "salt"]),
        ("<h2>Ingredients</h2><table><tr><td>1<td>egg<tr><td>2 g<td>salt</table>", ["1 egg", "2 g salt"]),
    ],
)  # fmt: skip
def test_the_entries_under_a_heading_are_a_list(body: str, entries: list[str]) -> None:
    assert under(body, "ingredients") == entries


@pytest.mark.parametrize(
    "body",
    [
        "<nav><h2>Ingredients</h2><ul><li>1 egg<li>salt</ul></nav>",
        "<h2><a href='/i'>Ingredients</a></h2><ul><li>1 egg<li>salt</ul>",
        "<h2>Ingredients</h2><ul><li><a href=/a>Eggs</a><li><a href=/b>Salt</a></ul>",
        "<h2>Ingredients</h2><h2>Method</h2><ul><li>Beat the egg<li>Add salt</ul>",
        "<h2>Our favourite ingredients shops</h2><ul><li>1 egg<li>salt</ul>",
        "<h2>Ingredients</h2><ul><li>1<li>2</ul>",
    ],
)
def test_what_is_no_list_of_that_name_gives_nothing(body: str) -> None:
    assert under(body, "ingredients") == []
