import pytest
from pydantic import JsonValue

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.site.record import RecordRules
from crawler.extraction.fields.date import read_date
from crawler.extraction.fields.locale import LOCALES
from crawler.extraction.fields.number import read_number
from crawler.extraction.fields.price import read_price
from crawler.extraction.fields.reading import Context, Unreadable
from crawler.interpretation.page import interpret
from tests.unit.document.pages import make_rules, make_snapshot


def context(locale: str, *, is_machine_written: bool = False) -> Context:
    return Context(
        "", has_entities=False, is_machine_written=is_machine_written, locale=LOCALES[locale]
    )


@pytest.mark.parametrize(
    ("locale", "raw", "date"),
    [
        ("de", "4.3.2026", "2026-03-04"),
        ("en-GB", "04/03/2026", "2026-03-04"),
        ("en-US", "04/03/2026", "2026-04-03"),
        ("en-US", "04/03/2026 7:30 pm", "2026-04-03T19:30"),
        ("en-US", "25/12/2026", "2026-12-25"),
        ("de", "Mittwoch, 4.3.2026", "2026-03-04"),
        ("en", "04/03/2026", None),
        ("fr-CA", "04/03/2026", None),
        ("de", "Dienstag, 4.3.2026", None),
        ("de", "31.2.2026", None),
    ],
)
def test_a_locale_tells_the_day_from_the_month(locale: str, raw: str, date: str | None) -> None:
    reading = read_date(raw, context(locale))

    assert (None if isinstance(reading, Unreadable) else reading) == date


@pytest.mark.parametrize("read", [read_number, read_price])
@pytest.mark.parametrize(
    ("locale", "raw", "value"),
    [
        ("de", "140.000", 140_000),
        ("de", "140,000", 140),
        ("en", "140.000", 140),
        ("en-US", "140,000", 140_000),
        ("de-CH", "140.000", 140),
        ("de", "€ 1.459", 1459),
        ("de", "1.234.567,5", 1234567.5),
        ("en", "12,50", 12.5),
        ("es", "140.000", None),
    ],
)
def test_a_locale_tells_decimals_from_thousands(
    read: object, locale: str, raw: str, value: float | None
) -> None:
    assert callable(read)
    reading = read(raw, context(locale))

    assert (None if isinstance(reading, Unreadable) else reading) == value


def test_what_programs_write_has_a_point_in_any_locale() -> None:
    assert read_number("140.000", context("de", is_machine_written=True)) == 140


def test_the_locale_of_a_site_file_decides_and_its_values_are_derived_again() -> None:
    fields: dict[str, tuple[str, ...]] = {"day": ("css:.day",), "amount": ("css:.amount",)}
    kind = RecordType(
        "sale",
        "sale.v1",
        (),
        (),
        (FieldSpec("day", FieldKind.DATE), FieldSpec("amount", FieldKind.NUMBER)),
    )
    snapshot = make_snapshot("<p class=day>4.3.2026<p class=amount>1.234")

    def read(locale: str | None) -> list[dict[str, JsonValue]]:
        report = interpret(
            snapshot, make_rules(kind, RecordRules(type="sale", fields=fields, locale=locale))
        )
        return [candidate.values for candidate in report.candidates]

    assert read("de") == [{"day": "2026-03-04", "amount": 1234}]
    assert read(None) == []
