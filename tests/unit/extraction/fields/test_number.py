import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.number import read_number
from crawler.extraction.fields.reading import Context, Unreadable

MACHINE = Context("https://example.com/", has_entities=True, is_machine_written=True)
VISIBLE = Context("https://example.com/", has_entities=False, is_machine_written=False)
NUMBERS: dict[str, tuple[JsonValue, Context, float]] = {
    "integer": (19, MACHINE, 19),
    "float": (19.5, MACHINE, 19.5),
    "decimal": ("19.00", MACHINE, 19.0),
    "three decimals for a program": ("140.000", MACHINE, 140.0),
    "negative": ("-5", MACHINE, -5),
    "visible decimal": ("19.99", VISIBLE, 19.99),
    "decimal comma": ("19,99", VISIBLE, 19.99),
    "both separators, comma last": ("1.234,56", VISIBLE, 1234.56),
    "both separators, dot last": ("1,234.56", VISIBLE, 1234.56),
    "literal": ({"@value": "19.00"}, MACHINE, 19.0),
    "groups of one sign, decimals of the other": ("1,234,567.890", VISIBLE, 1234567.89),
    "grouped twice": ("1.234.567", VISIBLE, 1234567),
    "grouped by spaces": ("1 234,50", VISIBLE, 1234.5),
    "grouped by no-break spaces": ("12\u00a0345", VISIBLE, 12345),
    "symbol before": ("£10", VISIBLE, 10),
    "symbol behind": ("10,50 €", VISIBLE, 10.5),
    "code": ("CHF 10", VISIBLE, 10),
}


@pytest.mark.parametrize(("raw", "context", "value"), NUMBERS.values(), ids=NUMBERS)
def test_number_is_read_where_there_is_one_way_to_read_it(
    raw: JsonValue, context: Context, value: float
) -> None:
    assert read_number(raw, context) == value


UNREADABLE: dict[str, tuple[JsonValue, Context, RejectReason]] = {
    "visible thousands or decimals": ("140.000", VISIBLE, RejectReason.AMBIGUOUS_FIELD),
    "comma even for a program": ("1,234", MACHINE, RejectReason.AMBIGUOUS_FIELD),
    "word": ("Free", MACHINE, RejectReason.INVALID_VALUE),
    "word before": ("from 10", VISIBLE, RejectReason.INVALID_VALUE),
    "range": ("10 - 20", VISIBLE, RejectReason.INVALID_VALUE),
    "wrong groups": ("12.34.56", VISIBLE, RejectReason.INVALID_VALUE),
    "group sign as point": ("1,234,56", VISIBLE, RejectReason.INVALID_VALUE),
    "more digits than a double keeps": ("12345678901234567", MACHINE, RejectReason.INVALID_VALUE),
    "huge integer": (10**300, MACHINE, RejectReason.INVALID_VALUE),
    "truth": (True, MACHINE, RejectReason.INVALID_VALUE),
    "object": ({"a": 1}, MACHINE, RejectReason.INVALID_VALUE),
    "other digits": ("\u0661\u0662", VISIBLE, RejectReason.INVALID_VALUE),
}


@pytest.mark.parametrize(("raw", "context", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_number_that_could_be_another_is_none(
    raw: JsonValue, context: Context, reason: RejectReason
) -> None:
    reading = read_number(raw, context)

    assert isinstance(reading, Unreadable)
    assert reading.reason is reason


@pytest.mark.parametrize("raw", [None, "", " "], ids=repr)
def test_nothing_is_absent(raw: JsonValue) -> None:
    assert read_number(raw, MACHINE) is Missing.ABSENT
