import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Unreadable
from crawler.extraction.fields.tokens import (
    read_availability,
    read_currency,
    read_employment,
    read_period,
)
from tests.unit.extraction.fields.contexts import JSONLD

AVAILABILITIES: list[tuple[JsonValue, str]] = [
    ("https://schema.org/InStock", "in_stock"),
    ("http://www.schema.org/OutOfStock", "out_of_stock"),
    ("schema:PreOrder", "pre_order"),
    ("InStock", "in_stock"),
    ("in stock", "in_stock"),
    ("In-Stock", "in_stock"),
    ("instock", "in_stock"),
    ("oos", "out_of_stock"),
    ({"@id": "https://schema.org/SoldOut"}, "sold_out"),
    ("http://schema.org/instock", "in_stock"),
    ("HTTPS://SCHEMA.ORG/INSTOCK", "in_stock"),
    ("https://schema.org/InStock/", "in_stock"),
    ("schema.org/InStock", "in_stock"),
    ("//schema.org/BackOrder", "back_order"),
    ("https://schema.org/ItemAvailability/InStock", "in_stock"),
    ("http://schema.org/ItemAvailability#OutOfStock", "out_of_stock"),
    ("LIMITED_AVAILABILITY", "limited_availability"),
    (True, "in_stock"),
    ("Availability: In stock", "in_stock"),
    ("Only 3 left in stock", "in_stock"),
    ("Currently unavailable.", "out_of_stock"),
    ("Auf Lager", "in_stock"),
    ("Nicht auf Lager", "out_of_stock"),
    ("Rupture de stock", "out_of_stock"),
    ("Ausverkauft!", "sold_out"),
    ("Available on backorder", "back_order"),
]


@pytest.mark.parametrize(("raw", "token"), AVAILABILITIES, ids=str)
def test_availability_is_one_plain_word(raw: JsonValue, token: str) -> None:
    assert read_availability(raw, JSONLD) == token


@pytest.mark.parametrize(
    "raw", ["yes", "3", "not in stock", "0 in stock", "https://example.com/InStock", "schema", 1]
)
def test_an_unknown_availability_is_not_guessed(raw: JsonValue) -> None:
    reading = read_availability(raw, JSONLD)

    assert isinstance(reading, Unreadable)
    assert reading.reason is RejectReason.AMBIGUOUS_FIELD


CURRENCIES = {"EUR": "EUR", "usd": "USD", "€": "EUR", "£": "GBP", "US$": "USD", "zł": "PLN"}
CURRENCIES |= {
    "£18.00 £14.50": "GBP",
    "12 zł": "PLN",
    "19.00 USD": "USD",
    "EUR 19,00": "EUR",
    "$19 CAD": "CAD",
}


@pytest.mark.parametrize(("raw", "code"), CURRENCIES.items())
def test_currency_is_a_code(raw: str, code: str) -> None:
    assert read_currency(raw, JSONLD) == code


@pytest.mark.parametrize("raw", ["$", "kr", "¥", "dollars", "US", "EURO2", "£5 €6", "£5 $6"])
def test_a_sign_of_several_currencies_is_none(raw: str) -> None:
    assert isinstance(read_currency(raw, JSONLD), Unreadable)


EMPLOYMENTS: list[tuple[str, list[str]]] = [
    ("FULL_TIME", ["full_time"]),
    ("Full-time", ["full_time"]),
    ("FULL_TIME, PART_TIME", ["full_time", "part_time"]),
    ("https://schema.org/CONTRACTOR", ["contractor"]),
    ("Temps plein", ["Temps plein"]),
    ("full time summer", ["full time summer"]),
]


@pytest.mark.parametrize(("raw", "tokens"), EMPLOYMENTS, ids=str)
def test_kinds_of_employment_are_tokens_where_they_are_known(raw: str, tokens: list[str]) -> None:
    assert read_employment(raw, JSONLD) == tokens


@pytest.mark.parametrize(
    ("raw", "period"),
    [
        ("YEAR", "year"),
        ("Hourly", "hour"),
        ("MONTH", "month"),
        ("ANN", "year"),
        ("per hour", "hour"),
        ("/ month", "month"),
    ],
)
def test_period_is_one_of_five(raw: str, period: str) -> None:
    assert read_period(raw, JSONLD) == period


@pytest.mark.parametrize("raw", ["fortnight", "2 years", "EUR"])
def test_another_period_is_not_guessed(raw: str) -> None:
    assert isinstance(read_period(raw, JSONLD), Unreadable)


@pytest.mark.parametrize("raw", [19, 19.5, "19.00"])
def test_an_amount_alone_names_no_currency(raw: JsonValue) -> None:
    assert read_currency(raw, JSONLD) is Missing.NOT_FOUND


@pytest.mark.parametrize("read", [read_availability, read_currency, read_employment, read_period])
@pytest.mark.parametrize("raw", [None, "", " "], ids=repr)
def test_nothing_is_absent(read: object, raw: JsonValue) -> None:
    assert callable(read)
    assert read(raw, JSONLD) is Missing.ABSENT
