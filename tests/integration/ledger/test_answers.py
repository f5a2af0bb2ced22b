"""Answers of models: durable, by all that they depend on, and the first one stands."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from crawler.contracts.model import AnswerKey, ModelAnswer
from crawler.ledger.answers import find_answer, keep_answer

KEY = AnswerKey("shows", "a" * 64, "b" * 16, "openai:m")
ANSWER = ModelAnswer(KEY, "urn:uuid:1", '{"price": null}', 900, 40)


def keep(engine: sa.Engine, answer: ModelAnswer) -> ModelAnswer:
    with engine.begin() as conn:
        return keep_answer(conn, answer, 1.0)


def find(engine: sa.Engine, key: AnswerKey) -> ModelAnswer | None:
    with engine.connect() as conn:
        return find_answer(conn, key)


def test_an_answer_is_found_by_what_it_was_kept_under(engine: sa.Engine) -> None:
    assert find(engine, KEY) is None

    assert keep(engine, ANSWER) == ANSWER
    assert find(engine, KEY) == ANSWER


@pytest.mark.parametrize("part", ["site", "zone_hash", "rule_version", "model"])
def test_under_anything_else_there_is_none(engine: sa.Engine, part: str) -> None:
    keep(engine, ANSWER)

    assert find(engine, replace(KEY, **{part: "other"})) is None


def test_the_first_answer_stands(engine: sa.Engine) -> None:
    keep(engine, ANSWER)

    assert keep(engine, replace(ANSWER, text="{}", capture_id="urn:uuid:2")) == ANSWER
    assert find(engine, KEY) == ANSWER


def test_text_that_no_database_stores_is_kept_as_far_as_it_can_be(engine: sa.Engine) -> None:
    kept = keep(engine, replace(ANSWER, text='{"a": "\0\ud800"}'))

    assert kept.text == '{"a": "\ufffd\ufffd"}'
