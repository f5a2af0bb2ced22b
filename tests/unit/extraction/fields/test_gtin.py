import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.gtin import read_gtin
from crawler.extraction.fields.reading import Unreadable
from tests.unit.extraction.fields.contexts import JSONLD

NUMBERS: list[tuple[JsonValue, str]] = [
    ("4006381333931", "4006381333931"),
    ("036000291452", "036000291452"),
    ("96385074", "96385074"),
    ("00012345600012", "00012345600012"),
    ("400-6381-333931", "4006381333931"),
    ("EAN: 4006381333931", "4006381333931"),
    ("978-0-306-40615-7", "9780306406157"),
    (4006381333931, "4006381333931"),
    (36000291452, "036000291452"),
]


@pytest.mark.parametrize(("raw", "digits"), NUMBERS, ids=str)
def test_article_number_is_its_digits(raw: JsonValue, digits: str) -> None:
    assert read_gtin(raw, JSONLD) == digits


NO_NUMBERS: list[JsonValue] = [
    "4006381333932",
    "4006381339331",
    "400638133393",
    "123",
    "ABC-4006381333931",
    "0000000000000",
    "\u0664006381333931",
    1.5,
    True,
]


@pytest.mark.parametrize("raw", NO_NUMBERS, ids=repr)
def test_a_number_whose_check_digit_is_wrong_is_none(raw: JsonValue) -> None:
    reading = read_gtin(raw, JSONLD)

    assert isinstance(reading, Unreadable)
    assert reading.reason is RejectReason.AMBIGUOUS_FIELD


@pytest.mark.parametrize("raw", [None, "", " - "], ids=repr)
def test_nothing_is_absent(raw: JsonValue) -> None:
    assert read_gtin(raw, JSONLD) is Missing.ABSENT
