import json

import pytest
from pydantic import JsonValue

from crawler.contracts.site.collect import ApiSource, Collect
from crawler.contracts.snapshot import Representation
from crawler.document.data import Data, Flaw
from crawler.document.jsonpath import value_at
from crawler.document.open_data import open_data
from tests.unit.document.pages import make_snapshot


def read(body: str | bytes, rows: str = "$.items[*]", row_id: str | None = None) -> Data:
    snapshot = make_snapshot(
        body,
        headers=(("Content-Type", "application/json"),),
        representation=Representation.JSON,
    )
    return open_data(snapshot, Collect(api=ApiSource(rows=rows, id=row_id)))


ROWS = {
    "every element": ('{"items": [{"a": 1}, {"a": 2}]}', "$.items[*]", [{"a": 1}, {"a": 2}]),
    "the list itself": ('{"items": [{"a": 1}]}', "$.items", [{"a": 1}]),
    "by default": ('[{"a": 1}]', "$[*]", [{"a": 1}]),
    "objects by name": ('{"items": {"x": {"a": 1}}}', "$.items[*]", [{"a": 1}]),
    "one row": ('{"item": {"a": 1}}', "$.item", [{"a": 1}]),
    "chosen": ('{"items": [{"a": 1}, {"a": 5}]}', "$.items[?@.a > 2]", [{"a": 5}]),
    "none": ('{"items": []}', "$.items[*]", []),
    "none chosen": ('{"items": [{"a": 1}]}', "$.items[?@.a > 2]", []),
    "behind a guard": (')]}\',\n[{"a": 1}]', "$[*]", [{"a": 1}]),
    "behind a mark": ('\ufeff[{"a": 1}]', "$[*]", [{"a": 1}]),
    "an object with an @id alone": ('[{"@id": "/a"}]', "$[*]", [{"@id": "/a"}]),
}


@pytest.mark.parametrize(("body", "path", "expected"), ROWS.values(), ids=ROWS)
def test_rows_are_found_where_the_site_file_says(
    body: str, path: str, expected: list[JsonValue]
) -> None:
    data = read(body, path)

    assert (data.flaw, [entry.node.value for entry in data.entries]) == (None, expected)


def test_more_rows_are_read_than_a_path_selects_at_once() -> None:
    body = json.dumps({"items": [{"a": number} for number in range(2_500)]})

    assert len(read(body).entries) == 2_500


FLAWS = {
    "an error": ('{"error": {"message": "away"}}', Flaw.UNANSWERED, "away"),
    "null": ('{"items": null}', Flaw.UNANSWERED, "null"),
    "another place": ('{"results": []}', Flaw.UNANSWERED, "finds nothing"),
    "texts": ('{"items": ["a"]}', Flaw.UNANSWERED, "str"),
    "cut in a text": ('{"items": [{"a": "b', Flaw.CUT, "Unterminated"),
    "cut behind a value": ('{"items": [{"a": 1}', Flaw.CUT, "character"),
    "no JSON": ('{"items": nope}', Flaw.BROKEN, "no JSON"),
    "deep": ("[" * 5_000 + "]" * 5_000, Flaw.BROKEN, "refused"),
    "a number out of range": ('{"items": [{"a": 1e400}]}', Flaw.BROKEN, "range"),
    "no number": ('{"items": [{"a": NaN}]}', Flaw.BROKEN, "NaN"),
}


@pytest.mark.parametrize(("body", "flaw", "words"), FLAWS.values(), ids=FLAWS)
def test_a_response_without_rows_says_why(body: str, flaw: Flaw, words: str) -> None:
    data = read(body)

    assert (data.flaw, data.entries) == (flaw, ())
    assert words in data.problem


def test_a_row_is_named_by_its_id() -> None:
    data = read('{"items": [{"sku": 7}, {"sku": "b"}, {}]}', row_id="$.sku")

    assert [entry.id for entry in data.entries] == ["7", "b", ""]


def test_every_value_has_its_bytes() -> None:
    body = (
        ' {"é\\u0041": [1, {"b": "ü\\"]"} , []], "items" : [ {"a":[ "x" , -1.5e1 ]} ]}\n'.encode()
    )
    data = read(body)

    for parts in [("éA", 0), ("éA", 1), ("éA", 1, "b"), ("éA", 2), ("items", 0, "a", 1)]:
        span = data.spans.get(parts)
        assert span is not None
        assert json.loads(body[slice(*span)]) == value_at(data.top, parts)
    assert data.spans.get(("items", 1)) is None
