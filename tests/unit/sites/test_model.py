"""A rule that asks a model, and the section that says which: neither works alone."""

import pytest

from tests.unit.sites.builders import parse, problems_of, site_text

SECTION = 'model: {name: "openai:gpt-5-mini"}'


def record(*rules: str, more: str = "") -> str:
    listed = ", ".join(f'"{rule}"' for rule in rules)
    return f"record: {{type: event, fields: {{price_min: [{listed}]}}{more}}}"


def test_a_model_is_asked_only_where_the_site_file_names_one() -> None:
    assert parse(site_text()).config.model is None

    model = parse(site_text(record=record("model:the price"), model=SECTION)).rules.model

    assert model is not None
    assert (model.name, model.tries, model.run_cost) == ("openai:gpt-5-mini", 2, None)


@pytest.mark.parametrize(
    ("parts", "line", "field", "words"),
    [
        ({"record": record("model:x")}, 4, "record.fields.price_min[0]", "there is none"),
        ({"model": SECTION}, 5, "model", "none asks the model"),
        (
            {"record": record("model:x", "css:.p"), "model": SECTION},
            4,
            "record.fields.price_min[0]",
            "last resort",
        ),
        (
            {"record": record("model:x", more=", each: article"), "model": SECTION},
            4,
            "record.each",
            "not for its rows",
        ),
        ({"record": record("model: ")}, 4, "record.fields.price_min[0]", "hint on one line"),
        (
            {"record": record("model:x"), "model": 'model: {name: "gpt-5-mini"}'},
            5,
            "model.name",
            "expected openai:NAME or anthropic:NAME",
        ),
        (
            {"record": record("model:x"), "model": 'model: {name: "openai:m", run_cost: 1}'},
            5,
            "model.run_cost",
            "model.price",
        ),
        (
            {"record": record("model:x"), "model": 'model: {name: "openai:m", api_key: sk-1}'},
            5,
            "model.api_key",
            "unknown key",
        ),
    ],
)
def test_a_mistake_is_told_where_it_stands(
    parts: dict[str, str], line: int, field: str, words: str
) -> None:
    [problem] = problems_of(site_text(**parts))

    assert (problem.line, problem.field) == (line, field)
    assert words in problem.message


def test_the_version_of_rules_is_what_it_was_where_no_model_is_asked() -> None:
    with_model = parse(site_text(record=record("css:.p", "model:x"), model=SECTION))
    without = parse(site_text(record=record("css:.p")))

    assert with_model.rules.version != without.rules.version
