import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.extraction.fields.rating import read_count, read_rating
from crawler.extraction.fields.reading import Unreadable
from tests.unit.extraction.fields.contexts import JSONLD, VISIBLE

RATINGS: list[tuple[JsonValue, float]] = [
    ("Rated 4.76 out of 5 based on 29 customer ratings", 4.76),
    ("4.4 stars out of 1935 reviews", 4.4),
    ("5.0 (406)", 5),
    (4.5, 4.5),
    ("4.5", 4.5),
    ("4,5", 4.5),
    ("5.0", 5),
    ("4.5 out of 5", 4.5),
    ("4,6 von 5", 4.6),
    ("5 de 5", 5),
    ("4.90/5.00", 4.9),
    ("4.8 (178)", 4.8),
    ("4.8 (1,178 reviews)", 4.8),
    ("4.8 - 178 reviews", 4.8),
    ("Rating - 4.8", 4.8),
    ("4.9 | 10 Reviews", 4.9),
    ("Rated 4 stars", 4),
    ({"ratingValue": "3.5"}, 3.5),
]


@pytest.mark.parametrize(("raw", "value"), RATINGS, ids=str)
def test_rating_is_the_mean_and_not_its_scale(raw: JsonValue, value: float) -> None:
    assert read_rating(raw, VISIBLE) == value


@pytest.mark.parametrize(
    "raw", ["90%", "great", "3 4", "4.5-5", "1234", "-1", "4\u00bd", True, [4]], ids=repr
)
def test_what_could_be_another_number_is_no_rating(raw: JsonValue) -> None:
    assert isinstance(read_rating(raw, VISIBLE), Unreadable)


COUNTS: list[tuple[JsonValue, int]] = [
    ("4.4 stars out of 1,935 reviews", 1935),
    ("5.0 (406)", 406),
    (178, 178),
    ("178", 178),
    ("1,178", 1178),
    ("1.178", 1178),
    ("12 345 avis", 12_345),
    ("(178)", 178),
    ("178 reviews", 178),
    ("178.0", 178),
    ("0", 0),
]


@pytest.mark.parametrize(("raw", "value"), COUNTS, ids=str)
def test_count_is_a_whole_number(raw: JsonValue, value: int) -> None:
    assert read_count(raw, JSONLD) == value


@pytest.mark.parametrize("raw", ["1.2k", "12.5", "-3", "12+", "3 of 5", "many", True], ids=repr)
def test_what_is_no_whole_number_is_no_count(raw: JsonValue) -> None:
    assert isinstance(read_count(raw, JSONLD), Unreadable)


@pytest.mark.parametrize("raw", [None, "", " "], ids=repr)
def test_nothing_is_absent(raw: JsonValue) -> None:
    assert read_rating(raw, JSONLD) is Missing.ABSENT
    assert read_count(raw, JSONLD) is Missing.ABSENT
