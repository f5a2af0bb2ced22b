from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.admission.retry_after import LONGEST, parse_retry_after

NOW = datetime(2026, 8, 13, 15, 36, 13, tzinfo=UTC).timestamp()

CASES: dict[str, tuple[list[str], float | None]] = {
    "seconds": (["120"], 120),
    "zero": (["0"], 0),
    "leading zeros": (["007"], 7),
    "white space around, as on the wire": (["\t42 "], 42),
    "ten digits": (["9999999999"], 9_999_999_999),
    "10^20": (["1" + "0" * 20], LONGEST),
    "5,000 digits": (["9" * 5000], LONGEST),
    "negative": (["-1"], None),
    "signed": (["+1"], None),
    "fraction": (["1.5"], None),
    "exponent": (["1e3"], None),
    "hexadecimal": (["0x10"], None),
    "underscore": (["1_000"], None),
    "duration": (["1m0s"], None),
    "empty": ([""], None),
    "blank": ([" "], None),
    "no header": ([], None),
    "word": (["abc"], None),
    "superscript": (["\u00b2"], None),
    "Arabic digit": (["\u0663"], None),
    "two headers": (["2", "30"], 30),
    "one of two valid": (["soon", "30"], 30),
    "joined on the way": (["2, 30"], 30),
    "IMF-fixdate": (["Thu, 13 Aug 2026 15:37:13 GMT"], 60),
    "lower case": (["thu, 13 aug 2026 15:37:13 gmt"], 60),
    "UTC and one-digit day": (["Wed, 9 Sep 2026 15:36:13 UTC"], 27 * 86400),
    "RFC 850": (["Thursday, 13-Aug-26 15:37:13 GMT"], 60),
    "RFC 850, past century": (["Sunday, 06-Nov-94 08:49:37 GMT"], 0),
    "asctime": (["Thu Aug 13 15:37:13 2026"], 60),
    "asctime, padded day": (["Sat Aug  1 15:37:13 2026"], 0),
    "past date": (["Wed, 21 Oct 2015 07:28:00 GMT"], 0),
    "a hundred years ahead": (["Thu, 13 Aug 2126 15:36:13 GMT"], 36524 * 86400),
    "leap second": (["Thu, 13 Aug 2026 15:36:60 GMT"], 47),
    "year 9999999": (["Thu, 13 Aug 9999999 15:36:13 GMT"], None),
    "day 32": (["Thu, 32 Aug 2026 15:36:13 GMT"], None),
    "hour 25": (["Thu, 13 Aug 2026 25:36:13 GMT"], None),
    "no such month": (["Thu, 13 Foo 2026 15:36:13 GMT"], None),
    "other zone": (["Thu, 13 Aug 2026 15:37:13 CEST"], None),
    "ISO 8601": (["2026-08-13T15:37:13Z"], None),
    "JavaScript": (["Thu Aug 13 2026 15:37:13 GMT"], None),
    "non-ASCII digits in a date": (["Thu, 1\u0663 Aug 2026 15:37:13 GMT"], None),
}


@pytest.mark.parametrize(("values", "seconds"), CASES.values(), ids=CASES)
def test_every_form_has_a_defined_result(values: list[str], seconds: float | None) -> None:
    assert parse_retry_after(values, now=NOW) == seconds


def test_a_date_counts_from_the_date_of_the_response() -> None:
    value = ["Thu, 13 Aug 2026 15:37:13 GMT"]
    date_header = "Thu, 13 Aug 2026 15:36:43 GMT"
    assert parse_retry_after(value, date_header=date_header, now=NOW - 86400) == 30


def test_an_invalid_date_of_the_response_is_ignored() -> None:
    value = ["Thu, 13 Aug 2026 15:37:13 GMT"]
    assert parse_retry_after(value, date_header="yesterday", now=NOW) == 60


@given(st.lists(st.text(max_size=40), max_size=3), st.text(max_size=40))
def test_no_header_can_raise(values: list[str], date_header: str) -> None:
    seconds = parse_retry_after(values, date_header=date_header, now=NOW)
    assert seconds is None or 0 <= seconds <= LONGEST
