import json

import pytest

from crawler.contracts.evidence import Evidence, FieldValue, Missing, Source
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Rejection
from crawler.ledger.text import (
    FIELDS,
    REJECTION,
    canonical_json,
    hash_content,
    name_record,
    storable,
)

TEXTS = {
    "plain": "Title",
    "umlaut": "Münster",
    "emoji": "🎷",
    "NUL": "a\x00b",
    "lone surrogate": "a\ud800b",
    "quote and slash": '"\\/',
}


def make_evidence(raw: str) -> Evidence:
    return Evidence(Source.JSONLD, "urn:uuid:1", "d", "0:$.name", raw, "rule", "r1", span=(3, 9))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_fields_come_back_as_they_went_in(text: str) -> None:
    fields = {
        "title": FieldValue(text, make_evidence(text)),
        "tags": FieldValue([text, 1, None, {"k": 1.5}], None),
        "price": FieldValue(None, None, Missing.NOT_FOUND),
    }

    stored = FIELDS.dump(fields)

    stored.encode()  # any database takes it
    assert "\x00" not in stored
    assert FIELDS.load(stored) == fields


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_rejection_comes_back_with_its_candidate(text: str) -> None:
    candidate = Candidate("notice", text, "v1", {"title": FieldValue(text, make_evidence(text))})
    rejection = Rejection(RejectReason.DUPLICATE_ID, text, candidate=candidate, evidence=(text,))

    assert REJECTION.load(REJECTION.dump(rejection)) == rejection


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_canonical_json_is_json_that_any_database_takes(text: str) -> None:
    stored = canonical_json({"b": text, "a": 1})

    stored.encode()
    assert json.loads(stored) == {"a": 1, "b": text}
    assert stored.startswith('{"a":1,')


def test_content_is_told_apart_by_values_and_not_by_their_order() -> None:
    assert hash_content({"a": 1, "b": [1, 2]}) == hash_content({"b": [1, 2], "a": 1})
    assert hash_content({"a": [1, 2]}) != hash_content({"a": [2, 1]})
    assert hash_content({"a": 1}) != hash_content({"a": "1"})
    assert hash_content({"a": None}) != hash_content({})


def test_parts_of_a_record_name_do_not_run_into_each_other() -> None:
    assert name_record("a", "b", "cd") != name_record("a", "bc", "d")


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain", "plain"),
        ("a\x00b", "a\ufffdb"),
        ("a\ud800", "a\ufffd"),
        ("\U0001f3b7", "\U0001f3b7"),
    ],
)
def test_what_no_database_stores_is_replaced(text: str, stored: str) -> None:
    assert storable(text) == stored
