import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.extraction.fields.entries import (
    read_entries,
    read_names,
    read_prose_text,
    read_steps,
    read_yield,
)
from crawler.extraction.fields.reading import Unreadable
from tests.unit.extraction.fields.contexts import JSONLD, VISIBLE

ENTRIES: list[tuple[JsonValue, list[str]]] = [
    ("1 cup flour", ["1 cup flour"]),
    ("1 cup flour\n2 eggs\r\n\n", ["1 cup flour", "2 eggs"]),
    ("<li>1 cup flour</li><li>2 <b>eggs</b></li>", ["1 cup flour", "2 eggs"]),
    ("Salt &amp; pepper", ["Salt & pepper"]),
    ("1 apple , cored", ["1 apple, cored"]),
    ("milk ((full fat))", ["milk (full fat)"]),
    ("f(g(x))", ["f(g(x))"]),
    ("a < b, c > d", ["a < b, c > d"]),
    ({"@type": "PropertyValue", "name": "2 eggs"}, ["2 eggs"]),
    (
        {"@type": "PropertyValue", "value": "3/4", "unitText": "cup", "name": "sugar"},
        ["3/4 cup sugar"],
    ),
    ({"@type": "PropertyValue", "value": 1, "name": "egg"}, ["1 egg"]),
    (5, ["5"]),
]


@pytest.mark.parametrize(("raw", "entries"), ENTRIES, ids=str)
def test_text_of_several_lines_is_several_entries(raw: JsonValue, entries: list[str]) -> None:
    assert read_entries(raw, JSONLD) == entries


def test_a_yield_is_its_amount_with_its_unit() -> None:
    assert read_yield(
        {"@type": "QuantitativeValue", "value": 4, "unitText": "servings"}, JSONLD
    ) == ("4 servings")
    assert read_yield("4 servings", JSONLD) == "4 servings"


STEP: dict[str, JsonValue] = {"@type": "HowToStep", "text": "Mix."}
STEPS: dict[str, tuple[JsonValue, list[str]]] = {
    "text": ("Mix.\nBake.", ["Mix.", "Bake."]),
    "markup": ("<p>Mix.</p><p>Bake &amp;amp; eat.</p>", ["Mix.", "Bake & eat."]),
    "markup escaped": ("&lt;p&gt;Mix.&lt;/p&gt;", ["Mix."]),
    "step": (STEP, ["Mix."]),
    "step named like its text": ({**STEP, "name": "Mix."}, ["Mix."]),
    "step whose name is cut": (
        {"text": "Mix the flour.", "name": "Mix the\u2026"},
        ["Mix the flour."],
    ),
    "step with a title": ({**STEP, "name": "Dough"}, ["Dough", "Mix."]),
    "step with a number": ({**STEP, "name": "Step 1"}, ["Mix."]),
    "step that is only a name": ({"name": "Mix."}, ["Mix."]),
    "section": (
        {"@type": "HowToSection", "name": "Crust", "itemListElement": [STEP, {"text": "Bake."}]},
        ["Crust", "Mix.", "Bake."],
    ),
    "directions": ({"itemListElement": [{"@type": "HowToDirection", "text": "Mix."}]}, ["Mix."]),
    "list item": ({"@type": "ListItem", "item": STEP}, ["Mix."]),
}


@pytest.mark.parametrize(("raw", "steps"), STEPS.values(), ids=STEPS)
def test_instructions_of_every_form_are_steps_one_after_the_other(
    raw: JsonValue, steps: list[str]
) -> None:
    assert read_steps(raw, JSONLD) == steps


def test_steps_inside_each_other_end_somewhere() -> None:
    raw: JsonValue = "Mix."
    for _ in range(50):
        raw = {"itemListElement": [raw]}

    assert read_steps(raw, JSONLD) is Missing.ABSENT


NAMES: dict[str, tuple[JsonValue, list[str]]] = {
    "text": ("Ada Lovelace", ["Ada Lovelace"]),
    "person": ({"@type": "Person", "name": "Ada Lovelace"}, ["Ada Lovelace"]),
    "link with text": ({"@id": "/ada", "@value": "Ada"}, ["Ada"]),
    "name in parts": ({"givenName": "Ada", "familyName": "Lovelace"}, ["Ada Lovelace"]),
    "list of names": ({"name": ["Ada", "Grace"]}, ["Ada", "Grace"]),
    "literal": ({"name": {"@value": "Ada"}}, ["Ada"]),
    "byline": ("Recipe by Ada Lovelace", ["Ada Lovelace"]),
    "no byline": ("By the Sea", ["By the Sea"]),
    "label": ("Author: Ada Lovelace", ["Ada Lovelace"]),
    "byline in German": ("Von Ada Lovelace", ["Ada Lovelace"]),
    "byline in French": ("par Ada", ["Ada"]),
    "a name like a byline": ("Von Miller", ["Von Miller"]),
}


@pytest.mark.parametrize(("raw", "names"), NAMES.values(), ids=NAMES)
def test_people_are_read_by_name(raw: JsonValue, names: list[str]) -> None:
    assert read_names(raw, JSONLD) == names


@pytest.mark.parametrize(
    "raw", ["https://facebook.com/ada", "www.example.com/ada", {"name": "http://example.com/ada"}]
)
def test_the_address_of_a_profile_is_no_name(raw: JsonValue) -> None:
    assert read_names(raw, JSONLD) in (Missing.NOT_FOUND, Missing.ABSENT)


@pytest.mark.parametrize("read", [read_entries, read_steps, read_names, read_prose_text])
@pytest.mark.parametrize("raw", [None, "", " "], ids=repr)
def test_nothing_is_absent(read: object, raw: JsonValue) -> None:
    assert callable(read)
    assert read(raw, JSONLD) is Missing.ABSENT


def test_prose_loses_its_markup_and_keeps_what_only_looks_like_it() -> None:
    assert (
        read_prose_text("<p>One<br>two</p><script>x()</script> if a<b", JSONLD) == "One two if a<b"
    )
    assert read_prose_text("&lt;p&gt;", VISIBLE) == "&lt;p&gt;"


@pytest.mark.parametrize("read", [read_entries, read_steps, read_prose_text])
def test_truth_is_no_text(read: object) -> None:
    assert callable(read)
    assert isinstance(read(True, JSONLD), Unreadable)
