import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.duration import read_duration
from crawler.extraction.fields.reading import Unreadable
from tests.unit.extraction.fields.contexts import JSONLD

MINUTES: dict[str, float] = {
    "PT30M": 30,
    "PT1H30M": 90,
    "PT90M": 90,
    "P0DT0H35M0.000S": 35,
    "P0Y0M0DT0H35M0S": 35,
    "P1DT2H": 1560,
    "P1W": 10_080,
    "PT1.5H": 90,
    "PT0,5H": 30,
    "PT45S": 0.75,
    "pt20m": 20,
    "PT1H 30M": 90,
    "PTH5M": 5,
    "PTH5MS": 5,
    "PT0D0H30M": 30,
    "P2H10M": 130,
    "PT10MIN": 10,
    "PT0M": 0,
    "01:30:00": 90,
    "45 minutes": 45,
    "1 hr 15 mins": 75,
    "1 hour and 5 minutes": 65,
    "1 Stunde 30 Minuten": 90,
    "1h30min": 90,
    "2 heures": 120,
    "1 uur en 10 minuten": 70,
    "Total time: 30 min": 30,
    "1\u00bd hours": 90,
    "1 1/2 hours": 90,
    "120\u00bc min": 120.25,
    "\u00bd hour": 30,
    "30 \u043c\u0438\u043d\u0443\u0442": 30,
    "1\u6642\u959330\u5206": 90,
    "30\ubd84": 30,
}


@pytest.mark.parametrize(("raw", "minutes"), MINUTES.items())
def test_duration_is_read_in_minutes(raw: str, minutes: float) -> None:
    assert read_duration(raw, JSONLD) == minutes


UNCLEAR: list[JsonValue] = [
    30,
    "30",
    "1 h 30",
    "1:30",
    "15 to 30 minutes",
    "15-30 min",
    "15 minutes or less",
    "about an hour",
    "overnight",
    "P1M",
    "P1Y",
    "P30M",
    "PT-30M",
    "30 apples",
    True,
    ["PT5M"],
]


@pytest.mark.parametrize("raw", UNCLEAR, ids=repr)
def test_a_duration_that_is_not_stated_is_not_guessed(raw: JsonValue) -> None:
    reading = read_duration(raw, JSONLD)

    assert isinstance(reading, Unreadable)
    assert reading.reason is RejectReason.AMBIGUOUS_FIELD


@pytest.mark.parametrize("raw", [None, "", "PT", "PTHM", "P"], ids=repr)
def test_a_form_that_was_not_filled_in_is_absent(raw: JsonValue) -> None:
    assert read_duration(raw, JSONLD) is Missing.ABSENT
