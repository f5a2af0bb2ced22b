import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.price import read_highest, read_lowest, read_price
from crawler.extraction.fields.reading import Context, Unreadable
from tests.unit.extraction.fields.contexts import ATTRIBUTE, JSONLD, VISIBLE

PRICES: dict[str, tuple[JsonValue, Context, float]] = {
    "number": (19.5, JSONLD, 19.5),
    "literal": ({"@value": "19.50"}, JSONLD, 19.5),
    "attribute is dot-decimal": ("140.000", ATTRIBUTE, 140),
    "groups of commas and a point": ("1,234,567.890", VISIBLE, 1234567.89),
    "decimal comma first": (",89 €", VISIBLE, 0.89),
    "label before": ("Price: $ 34.44", VISIBLE, 34.44),
    "label before a bare number": ("Our price: 34.44", VISIBLE, 34.44),
    "star behind": ("34,50 € *", VISIBLE, 34.5),
    "dash for no cents": ("CHF 10.-", VISIBLE, 10),
    "dash behind a comma": ("1.198,- kr", VISIBLE, 1198),
    "apostrophe": ("CHF 1'049,95", VISIBLE, 1049.95),
    "spaces as groups": ("PTE 120 000 000", VISIBLE, 120_000_000),
    "thousands, as money has two decimals": ("$ 119,999", VISIBLE, 119_999),
    "thousands with a dot": ("€1.459", VISIBLE, 1459),
    "thousands a month": ("$2,500 per month", VISIBLE, 2500),
    "leading zero": ("0,500 €", VISIBLE, 0.5),
    "quantity beside the price": ("2 pairs for $349", VISIBLE, 349),
    "old price beside the new one": ("Was $120.00 Now $60.00", VISIBLE, 60),
    "old price in German": ("statt 120,00 € nur 60,00 €", VISIBLE, 60),
    "one price twice": ("$5.00 ($5.00)", VISIBLE, 5),
    "cents behind the sign": ("35€ 99", VISIBLE, 35.99),
    "cents behind a sign that stands apart": ("35 € 99", VISIBLE, 35.99),
    "price beside what is taken off": ("$20.00 $5 off", VISIBLE, 20),
    "days behind the sign": ("5€ 30 Tage", VISIBLE, 5),
    "cents apart": ("$ 8. 94", VISIBLE, 8.94),
    "letters of another script": ("1 400 \u0440\u0443\u0431.", VISIBLE, 1400),
    "code attached": ("EUR29.66", VISIBLE, 29.66),
    "number of a model": ("iPhone 15 - 799 €", VISIBLE, 799),
    "number of seats": ("Table for 2 \u2013 €49", VISIBLE, 49),
    "number of seats before a sign": ("Table 5 \u20ac49", VISIBLE, 49),
    "number in a name": ("Galaxy S23 799 \u20ac", VISIBLE, 799),
    "number of a model, and a word": ("iPhone 15 Pro 799 \u20ac", VISIBLE, 799),
    "spaces as groups behind a label": ("B\u011b\u017en\u00e1 cena 9 800 K\u010d", VISIBLE, 9800),
    "spaces as groups behind a dash": ("iPhone \u2013 1 299 \u20ac", VISIBLE, 1299),
    "spaces as groups behind a word for now": ("Only 15 799 \u20ac", VISIBLE, 15_799),
    "no letter of a name": ("\u7ea6100\u5143", VISIBLE, 100),
    "nothing to pay": ("Free!", VISIBLE, 0),
    "nothing to pay, in a sentence": ("Admission: free and open to the public", VISIBLE, 0),
    "nothing to pay in French": ("Entrée libre", VISIBLE, 0),
    "lakhs": ("₹ 12,34,567.50", VISIBLE, 1234567.5),
    "wide signs": ("\uffe51,980", VISIBLE, 1980),
    "Arabic figures": ("\u0661\u0662\u066b\u0665\u0660 ر.س", VISIBLE, 12.5),
    "pieces apart": ("$ 19 . 99", VISIBLE, 19.99),
    "grouped by spaces behind a label": ("Cena: 1 299 zł", VISIBLE, 1299),
    "below zero": ("-$19.99", VISIBLE, -19.99),
    "with the stroke and dash of rupees": ("Rs. 1,299/-", VISIBLE, 1299),
    "below zero with its own sign": ("\u221219.99", VISIBLE, -19.99),
}


@pytest.mark.parametrize(("raw", "context", "value"), PRICES.values(), ids=PRICES)
def test_price_is_the_one_amount_that_is_asked_for(
    raw: JsonValue, context: Context, value: float
) -> None:
    assert read_price(raw, context) == value


NO_ONE_PRICE = [
    "$30 $20",
    "$30.00 $20.00",
    "30 $20",
    "Price 30 $20",
    "$30 20",
    "19 99 \u20ac",
    "iPhone 15 \u20ac 799",
    "iPhone 15 799 \u20ac",
    "iPhone-15 799 \u20ac",
    "RTX4090 1 299 \u20ac",
    "Pack of 6 120 \u20ac",
    "$100 - $240",
    "841,00 zł \u2013 995,00 zł",
    "2 pairs from $349",
    "From: $14.97",
    "ab 3,63 EUR",
    "Orders $49+",
    "3,49 zł 1,75 zł",
    "129.900",
    "140.000",
    "100 - 240 €",
    "100-240€",
    "1,459 €/L",
    "1,250 KWD",
    "1,459 € per kg",
    "AED 8000 (USD 2179)",
    "over $20",
    "less than $50",
    "~$20",
    "ca. 20 €",
    "\u043e\u0442 199 грн",
    "iPhone 15 799 €",
    "Free for members, $10 for all others",
]


@pytest.mark.parametrize("raw", NO_ONE_PRICE)
def test_what_could_be_several_prices_is_ambiguous(raw: str) -> None:
    reading = read_price(raw, VISIBLE)

    assert isinstance(reading, Unreadable)
    assert reading.reason is RejectReason.AMBIGUOUS_FIELD


@pytest.mark.parametrize(
    "raw",
    [
        *("2 pairs", "a lot", "Free shipping", "Was $120.00", "4 stars", "$", "$5.00 off"),
        *("5 € Rabatt", "-20%", "#1234", "SKU 1234", "4 payments of $5.00", "$2M", "$1.5k"),
        *("99¢", "50 ct"),
    ],
)
def test_what_names_no_price_is_none(raw: str) -> None:
    assert isinstance(read_price(raw, VISIBLE), Unreadable)


@pytest.mark.parametrize("raw", [None, "", " \n"], ids=repr)
def test_nothing_is_absent(raw: JsonValue) -> None:
    assert read_price(raw, VISIBLE) is Missing.ABSENT


def test_an_object_that_holds_prices_is_not_one() -> None:
    assert read_price({"minValue": 1, "maxValue": 2}, JSONLD) is Missing.NOT_FOUND


@pytest.mark.parametrize(
    "raw",
    ["1 Lek", "KSh 1", "1 ש״ח", "1 د.إ", "1 francs", "S/ 1", "1 сом", "1 Inc GST", "1.00 each"],
)
def test_money_is_known_by_its_names(raw: str) -> None:
    assert read_price(raw, VISIBLE) == 1


@pytest.mark.parametrize("raw", ["1 L", "1 pack", "1 Nucleus", "Size K 1", "1 denim"])
def test_a_word_that_only_begins_like_a_name_of_money_is_none(raw: str) -> None:
    assert isinstance(read_price(raw, VISIBLE), Unreadable)


BOUNDS: dict[str, tuple[float | None, float | None]] = {
    "$100 - $240": (100, 240),
    "$100 to $240": (100, 240),
    "100 - 240 €": (100, 240),
    "12-25": (12, 25),
    "zwischen 10,50 € und 20 €": (10.5, 20),
    "de 10 à 20 €": (10, 20),
    "$1,000\u2013$2,500 per month": (1000, 2500),
    "Cena od 1 299 K\u010d": (1299, None),
    "iPhone 15 799 \u20ac": (None, None),
    "From: $14.97": (14.97, None),
    "ab 3,63 EUR": (3.63, None),
    "$49+": (49, None),
    "up to $50": (None, 50),
    "over $50": (50, None),
    "under $50": (None, 50),
    "about $50": (None, None),
    "bis zu 50 €": (None, 50),
    "$60.00": (60, 60),
    "Was $120.00 Now $60.00": (60, 60),
    "Free": (0, 0),
    "Price: 10 - 20 €": (10, 20),
    "iPhone 15 - 799 €": (799, 799),
    "$240 - $100": (None, None),
    "$10, $15 or $20": (None, None),
    "$10 - €20": (None, None),
    "$10 plus $2 fee": (None, None),
    "140.000 - 200.000": (None, None),
}


@pytest.mark.parametrize(("raw", "bounds"), BOUNDS.items())
def test_a_range_has_two_bounds_where_it_says_so(
    raw: str, bounds: tuple[float | None, float | None]
) -> None:
    readings = [read(raw, VISIBLE) for read in (read_lowest, read_highest)]

    assert [None if isinstance(each, Unreadable) else each for each in readings] == [*bounds]
