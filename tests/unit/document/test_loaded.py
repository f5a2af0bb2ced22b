from dataclasses import replace

import pytest

from crawler.contracts.snapshot import Representation, Snapshot
from crawler.document.data import Flaw
from crawler.document.jsonpath import BadPathError
from crawler.document.loaded import Loaded, LoadedPlace, read_loaded_place
from tests.unit.document.pages import make_snapshot

API = "https://example.com/api/rows"


def response(number: int, body: str, url: str = API, **changes: object) -> Snapshot:
    snapshot = make_snapshot(body, url=url, representation=Representation.JSON)
    return replace(snapshot, capture_id=f"urn:uuid:{number}", **changes)  # type: ignore[arg-type]


PLACES = {
    "$.rows[*]": LoadedPlace("", "$.rows[*]"),
    "/api/* $.rows[?@.name == 'a b']": LoadedPlace("/api/*", "$.rows[?@.name == 'a b']"),
    "https://a.example/x  $": LoadedPlace("https://a.example/x", "$"),
    "/api/*": LoadedPlace("/api/*", ""),
}


@pytest.mark.parametrize(("text", "place"), PLACES.items())
def test_a_place_is_a_pattern_and_a_path(text: str, place: LoadedPlace) -> None:
    assert read_loaded_place(text) == place


def test_responses_that_fit_come_in_the_order_in_which_they_were_asked_for() -> None:
    loaded = Loaded(
        (
            response(1, "[1]", f"{API}?page=1"),
            response(2, "{}", "https://example.com/api/other"),
            response(3, "[3]", f"{API}?page=3"),
            response(4, "[1]", f"{API}?page=1"),
            response(5, "[5]", f"{API}?page=1"),
        )
    )

    tops = [each.data.top for each in loaded.choose("/api/rows")]

    assert tops == [[1], [3], [5]], "an equal body from one address counts once"
    assert len(loaded.choose("")) == 4
    assert loaded.choose("/api/none") == []


FLAWED = {
    "an error": (response(1, "[]", status=500), Flaw.UNANSWERED, "status 500"),
    "no JSON": (response(1, "", flags=("not_json",)), Flaw.UNANSWERED, "not_json"),
    "cut": (response(1, '[{"a": 1'), Flaw.CUT, "no JSON: "),
    "broken": (response(1, "[1,,2]"), Flaw.BROKEN, "no JSON: "),
    "no place of rows": (response(1, '{"error": "gone"}'), Flaw.UNANSWERED, "$.rows finds nothing"),
    "no rows": (response(1, '{"rows": [1]}'), Flaw.UNANSWERED, "$.rows finds int where rows"),
}


@pytest.mark.parametrize(("snapshot", "flaw", "problem"), FLAWED.values(), ids=FLAWED)
def test_what_is_no_answer_says_why(snapshot: Snapshot, flaw: Flaw, problem: str) -> None:
    (found,) = Loaded((snapshot,)).choose("")

    data = found.with_rows("$.rows", "https://example.com/").data

    assert (data.flaw, data.entries) == (flaw, ())
    assert data.problem.startswith(problem)


def test_rows_are_read_as_those_of_the_page() -> None:
    (found,) = Loaded((response(1, '{"rows": [{"a": 1}, {"a": 2}]}'),)).choose("")

    data = found.with_rows("$.rows", "https://example.com/board").data

    assert [entry.node.value for entry in data.entries] == [{"a": 1}, {"a": 2}]
    assert {entry.base_url for entry in data.entries} == {"https://example.com/board"}


def test_a_response_is_found_by_its_name() -> None:
    loaded = Loaded((response(1, "[1]"), response(2, "[2]")))

    found = loaded.find("urn:uuid:2")

    assert found is not None
    assert found.data.top == [2]
    assert loaded.find("urn:uuid:3") is None


def test_a_pattern_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(BadPathError):
        Loaded((response(1, "[1]"),)).choose("/a{b")
