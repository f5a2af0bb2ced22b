# ruff: noqa: RUF001 - dates in many languages
from time import process_time

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.date import read_date
from crawler.extraction.fields.reading import Context, Unreadable

CONTEXT = Context("https://example.com/", has_entities=True, is_machine_written=True)
DATES = {
    "2026": "2026",
    "2026-03": "2026-03",
    "2026-09-10": "2026-09-10",
    " 2026-09-10\n": "2026-09-10",
    "2024-02-29": "2024-02-29",
    "2026-03-04T18:00": "2026-03-04T18:00",
    "2026-03-04T18:00:00-05:00": "2026-03-04T18:00:00-05:00",
    "2026-03-04T18:00:00.250Z": "2026-03-04T18:00:00.250Z",
    "2026-03-04 18:00": "2026-03-04T18:00",
    "2026-03-04T18:00+0500": "2026-03-04T18:00+05:00",
    "2026-03-04t18:00z": "2026-03-04T18:00Z",
    "20260304T180000Z": "2026-03-04T18:00:00Z",
    "Wed, 04 Mar 2026 18:00:00 -0500": "2026-03-04T18:00:00-05:00",
    "4 Mar 2026 18:00 GMT": "2026-03-04T18:00Z",
    "Wed, 04 Mar 2026 18:00:00 EST": "2026-03-04T18:00:00-05:00",
    "Wed, 4 March 2026 9:05 PDT": "2026-03-04T09:05-07:00",
    "Wed, 04 Mar 2026 18:00:00 +01:00": "2026-03-04T18:00:00+01:00",
    "Wed, 04 Mar 2026 18:00:00 +0100 (CET)": "2026-03-04T18:00:00+01:00",
    "Wed, 04 Mar 2026 18:00:00 CET": "2026-03-04T18:00:00",
    "Wed, 04 Mar 26 18:00:00 GMT": "2026-03-04T18:00:00Z",
    "04 Sept 96 18:00 UT": "1996-09-04T18:00Z",
    "Wednesday, 04-Mar-26 18:00:00 GMT": "2026-03-04T18:00:00Z",
    "/Date(1565625600000)/": "2019-08-12T16:00:00Z",
    "/Date(1565625600250-0500)/": "2019-08-12T16:00:00.250Z",
    "March 2026": "2026-03",
    "marzo de 2026": "2026-03",
    "November 20, 2019": "2019-11-20",
    "Nov. 20th, 2019": "2019-11-20",
    "20 November 2019": "2019-11-20",
    "20-Nov-2019": "2019-11-20",
    "Wednesday, 20 November 2019": "2019-11-20",
    "Mittwoch, 20. November 2019": "2019-11-20",
    "20. März 2020": "2020-03-20",
    "1er mars 2020": "2020-03-01",
    "1 de enero de 2021": "2021-01-01",
    "5 marca 2026": "2026-03-05",
    "May 5, 2026 at 5:30 pm": "2026-05-05T17:30",
    "May 5, 2026 12:05 AM": "2026-05-05T00:05",
    "25/12/2019": "2019-12-25",
    "12/25/2019": "2019-12-25",
    "3/3/2026": "2026-03-03",
    "25.12.2019 18:30 Uhr": "2019-12-25T18:30",
    "2019/11/20": "2019-11-20",
    "2026-05-09 1:30 pm EDT": "2026-05-09T13:30-04:00",
    "2026-03-04 18:00:00 UTC": "2026-03-04T18:00:00Z",
    "May 5, 2026 7pm": "2026-05-05T19:00",
    "May 5, 2026 @ 7:00 pm": "2026-05-05T19:00",
    "May 5, 2026 - 7:00 PM EDT": "2026-05-05T19:00-04:00",
    "Tuesday, May 5, 2026, 7:00 PM (ET)": "2026-05-05T19:00",
    "the 5th of May, 2026": "2026-05-05",
    "Dienstag, den 5. Mai 2026 um 19 Uhr": "2026-05-05T19:00",
    "le mardi 5 mai 2026 à 19h30": "2026-05-05T19:30",
    "5 mai 2026 à 19h": "2026-05-05T19:00",
    "martes 5 de mayo de 2026, 19:30 h": "2026-05-05T19:30",
    "terça-feira, 5 de maio de 2026": "2026-05-05",
    "martedì 5 maggio 2026 alle ore 19:30": "2026-05-05T19:30",
    "12 d'octubre de 2026": "2026-10-12",
    "dinsdag 5 mei 2026 om 19.30 uur": "2026-05-05T19:30",
    "tirsdag den 5. maj 2026 kl. 19.30": "2026-05-05T19:30",
    "5. marts 2026": "2026-03-05",
    "tiistai 5. toukokuuta 2026 klo 19.30": "2026-05-05T19:30",
    "úterý 5. května 2026": "2026-05-05",
    "5. září 2026": "2026-09-05",
    "5 maja 2026": "2026-05-05",
    "2026. május 5.": "2026-05-05",
    "5 mai 2026": "2026-05-05",
    "5 Mayıs 2026": "2026-05-05",
    "5 мая 2026 г.": "2026-05-05",
    "5 Μαΐου 2026": "2026-05-05",
    "2026年5月5日": "2026-05-05",
    "2026年5月": "2026-05",
    "2026년 5월 5일": "2026-05-05",
    "So 25.12.2016": "2016-12-25",
    "2026-3-4": "2026-03-04",
    "2026/3/4": "2026-03-04",
    "13. 5. 2026": "2026-05-13",
    "2026\u201303\u201304": "2026-03-04",
    "2026-03-04Z": "2026-03-04",
    "2026-03-04+01:00": "2026-03-04",
    "2026-03-04T18:00:00+01:00[Europe/Berlin]": "2026-03-04T18:00:00+01:00",
    "2026-03-04 6:00 PM": "2026-03-04T18:00",
    "Wed Mar 04 2026 18:00:00 GMT+0100 (CET)": "2026-03-04T18:00:00+01:00",
    "Wed Mar  4 18:00:00 2026": "2026-03-04T18:00:00",
    "Wed Mar 4 18:00:00 UTC 2026": "2026-03-04T18:00:00Z",
    "2026年3月4日（水） 18:00": "2026-03-04T18:00",
    "20260304": "2026-03-04",
    "\u200e25/12/2019": "2019-12-25",
}
NO_DATES: list[JsonValue] = [
    "not-a-date",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-00-10",
    "0000-01-01",
    "9999999-01-01",
    "2026-3",
    "20261304",
    "99990304",
    "Thu Mar 04 2026 18:00:00 GMT+0100",
    "2026-03-04T25:00",
    "2026-03-04T18:60",
    "2026-03-04T18:00+25:00",
    "03/04/2026",
    "13/13/2026",
    "31/02/2026",
    "to",
    "a",
    "May",
    "April",
    "March 5",
    "May 2026 5",
    "31 February 2026",
    "8: 100M2_",
    "32° 34'S",
    "of 629",
    "538400",
    "19,60 5",
    "Tuesday, 20 November 2019",
    "Expires 20 November 2019",
    "Copyright 2026",
    "listopada 2020",
    "5 listopad 2026",
    "Mo 25.12.2016",
    "le 5 mai",
    "2026年",
    "5 mai 2026 à 25h",
    "May 5, 2026 13pm",
    "May 5, 2026 7",
    "5 prairial 2026",
    "Nov 20, 2019, 13:00 PM",
    "Nov 20, 2019 25:00",
    "November 20, 2019 EST",
    "20 November 2019 - 21 November 2019",
    "4.3.2026",
    "Tue, 04 Mar 2026 18:00:00 GMT",
    "2026-03-04 and later",
    "2011\u201312",
    "2026-03-04 10:00\u201312:00",
    "4 March 2026 10:00\u201312:00",
    "4 March 2026 10:00-12:00",
    "\u0662\u0660\u0662\u0666-03-04",
    20260304,
    True,
    {"start": "2026-03-04"},
]


@pytest.mark.parametrize(("raw", "value"), DATES.items(), ids=repr)
def test_date_keeps_the_precision_it_was_given(raw: str, value: str) -> None:
    assert read_date(raw, CONTEXT) == value


@pytest.mark.parametrize("raw", NO_DATES, ids=repr)
def test_anything_else_is_no_date(raw: JsonValue) -> None:
    reading = read_date(raw, CONTEXT)

    assert isinstance(reading, Unreadable)
    assert reading.reason is RejectReason.INVALID_DATE


def test_a_long_word_costs_no_more_than_its_length() -> None:
    started = process_time()

    for _ in range(100):
        assert isinstance(read_date("T" * 300, SHOWN), Unreadable)

    assert process_time() - started < 1


SHOWN = Context("https://example.com/", has_entities=False, is_machine_written=False)


@pytest.mark.parametrize(
    "raw", ["Published: 4 March 2026", "Posted on March 4, 2026", "Date and time: 2026-03-04"]
)
def test_a_day_is_read_behind_its_label(raw: str) -> None:
    assert read_date(raw, SHOWN) == "2026-03-04"


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("2026-03-04T10:00-05:00", "2026-03-04T10:00-05:00"),
        ("2026-03-04 10:00:00-05:00", "2026-03-04T10:00:00-05:00"),
        ("2026-03-04 10:00+01:00", "2026-03-04T10:00+01:00"),
        ("4 Mar 2026 10:00:00 -0500", "2026-03-04T10:00:00-05:00"),
    ],
)
def test_an_offset_that_readers_see_is_one(raw: str, value: str) -> None:
    assert read_date(raw, SHOWN) == value


@pytest.mark.parametrize("raw", ["2026-03-04 10:00-12:00", "Date: 4 March 2026 10:00-1200"])
def test_hours_that_readers_see_are_no_offset(raw: str) -> None:
    assert isinstance(read_date(raw, SHOWN), Unreadable)


@pytest.mark.parametrize(
    "raw", ["Copyright: 2026", "May: 2026", "20260304", "Closed 4 March 2026", "Expires: today"]
)
def test_a_number_behind_a_word_is_no_day(raw: str) -> None:
    assert isinstance(read_date(raw, SHOWN), Unreadable)


@pytest.mark.parametrize(
    "raw",
    [None, "", " \n", "0000-00-00 00:00:00", "0001-01-01T00:00:00Z", "-0001-11-30T00:00:00+00:00"],
    ids=repr,
)
def test_nothing_is_absent(raw: JsonValue) -> None:
    assert read_date(raw, CONTEXT) is Missing.ABSENT
