"""An answer is one JSON object in the form asked for, or none at all."""

import json

import pytest

from crawler.extraction.model.answer import (
    MAX_ANSWER,
    UnusableAnswerError,
    find_answer_problem,
    parse_answer,
)

GOOD = '{"price": {"value": 25, "quote": "€25"}, "date": null}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n {GOOD} \n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is the JSON output:\n```json\n{GOOD}\n```\nNote that I only looked once.",
    ],
)
def test_an_answer_is_read_with_or_without_a_fence(text: str) -> None:
    answer = parse_answer(text)

    assert answer["date"] is None
    assert answer["price"] is not None
    assert answer["price"].pairs == [(25, "€25")]
    assert find_answer_problem(text, ("price", "date")) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "I'm sorry.",
        GOOD[:-1],
        GOOD + GOOD,
        '```json\n{"price": {"selectors": ".p"}, ...}\n```',
        '{"price": 25}',
        '{"price": "€25"}',
        '{"price": {"value": 25}}',
        '{"price": {"quote": "€25"}}',
        '{"price": {"value": 25, "quote": "€25", "selector": ".p"}}',
        '{"price": {"value": {"amount": 25}, "quote": "€25"}}',
        '{"price": {"value": NaN, "quote": "€25"}}',
        '{"price": {"value": true, "quote": "€25"}}',
        '{"price": {"value": [1, 2], "quote": ["1"]}}',
        '{"price": {"value": [], "quote": []}}',
        "[" * 100_000,
        json.dumps({"price": {"value": 1, "quote": "x" * MAX_ANSWER}}),
        '{"price": {"value": %s, "quote": "x"}}' % ("9" * 5_000),
    ],
)
def test_anything_else_is_unusable_and_the_message_repeats_none_of_it(text: str) -> None:
    with pytest.raises(UnusableAnswerError) as caught:
        parse_answer(text)

    assert len(str(caught.value)) < 100
    assert "€25" not in str(caught.value)


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (("price",), "it has fields that were not asked for"),
        (("price", "date", "venue"), "it lacks venue"),
    ],
)
def test_an_answer_covers_just_the_fields_asked_for(names: tuple[str, ...], problem: str) -> None:
    assert find_answer_problem(GOOD, names) == problem
