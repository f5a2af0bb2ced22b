"""Selectors are held to the right place, and what they find beside it is left out."""

import pytest

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind
from crawler.interpretation.page import interpret
from tests.unit.document.pages import make_rules, make_snapshot

OFFER = RecordType(
    name="offer",
    schema_version="offer.v1",
    schema_types=("Product",),
    key=("name",),
    fields=(
        FieldSpec("name", is_required=True),
        FieldSpec("price", FieldKind.PRICE),
        FieldSpec("was", FieldKind.PRICE),
        FieldSpec("published", FieldKind.DATE),
    ),
)


def read(body: str, each: str | None = None, *, reject: str = "batch", **rules: str) -> PageReport:
    fields = {name: tuple(rule.split(" | ")) for name, rule in rules.items()}
    record = RecordRules.model_validate(
        {"type": "offer", "each": each, "fields": {"name": ("css:h1, h3",), **fields}}
        | {"reject": reject}
    )
    snapshot = make_snapshot(
        f"<html><body>{body}</body></html>",
        page_kind=PageKind.LISTING if each else PageKind.DETAIL,
    )
    return interpret(snapshot, make_rules(OFFER, record))


UNSUPPORTED = {
    "carousel": "<h1>A</h1><div class=carousel><b class=price>$9</b></div>",
    "shipping": "<h1>A</h1><p>Shipping: <b class=price>$9</b></p>",
    "old": "<h1>A</h1><p><del class=price>$9</del></p>",
    "related": "<h1>A</h1><h2>You may also like</h2><p class=price>$9</p>",
    "footer": "<h1>A</h1><footer class=price>$9</footer>",
}


@pytest.mark.parametrize("body", UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_a_selector_that_leads_only_to_the_wrong_place_rejects_the_record(body: str) -> None:
    report = read(body, price="css:.price")

    (rejection,) = report.rejections
    assert report.candidates == ()
    assert (rejection.reason, rejection.field) == (RejectReason.UNSUPPORTED_EVIDENCE, "price")
    assert "wrong place" in rejection.detail
    assert rejection.candidate is not None
    evidence = rejection.candidate.fields["price"].evidence
    assert evidence is not None
    assert evidence.raw == "$9"


def test_a_copyright_year_is_no_date() -> None:
    report = read("<h1>A</h1><p>© <span class=y>2024</span> ACME</p>", published="css:.y")

    assert [r.reason for r in report.rejections] == [RejectReason.UNSUPPORTED_EVIDENCE]


def test_what_else_the_selector_finds_in_its_place_counts_alone() -> None:
    report = read(
        "<h1>A</h1><b class=price>$20</b><div class=carousel><b class=price>$9</b></div>",
        price="css:.price",
    )

    assert [candidate.values["price"] for candidate in report.candidates] == [20]


def test_the_next_rule_may_lead_to_the_right_place() -> None:
    body = "<h1>A</h1><del class=price>$30</del><b class=now>$20</b>"

    report = read(body, price="css:.price | css:.now")

    assert [candidate.values["price"] for candidate in report.candidates] == [20]


STRUCK_INSIDE = {
    "del": "<p class=price><del>$120.00</del> Now $60.00</p>",
    "class": "<p class=price><span class=old-price>$120.00</span> <b>$60.00</b></p>",
    "nested": "<p class=price><s>was <b>$120.00</b></s> $60.00</p>",
}


@pytest.mark.parametrize("body", STRUCK_INSIDE.values(), ids=STRUCK_INSIDE)
def test_a_price_is_read_without_the_one_it_replaced(body: str) -> None:
    report = read(f"<h1>A</h1>{body}", price="css:.price")

    (candidate,) = report.candidates
    assert candidate.values["price"] == 60
    evidence = candidate.fields["price"].evidence
    assert evidence is not None
    assert "120" not in evidence.raw


IN_PIECES = {
    "$19<sup>99</sup>": 19.99,
    "<sup>$</sup>1,299<sup>99</sup>": 1299.99,
    "1.299<sup>99</sup> €": 1299.99,
    "19<sup>€99</sup>": 19.99,
    "$<span>19</span><span>99</span>": 19.99,
    "$19.99<sup>1</sup>": 19.99,
    "$1,299<sup>2</sup>": 1299,
    "$1<!-- -->9.99": 19.99,
}


@pytest.mark.parametrize(("price", "value"), IN_PIECES.items())
def test_figures_of_two_elements_are_never_one_number(price: str, value: float) -> None:
    report = read(f"<h1>A</h1><p class=price>{price}</p>", price="css:.price")

    assert [candidate.values["price"] for candidate in report.candidates] == [value]


def test_a_field_for_the_old_price_may_have_it() -> None:
    report = read("<h1>A</h1><p class=p><del>$120.00</del></p>", was="css:.p", price="css:.p")

    assert [r.field for r in report.rejections] == ["price"]
    (rejection,) = report.rejections
    assert rejection.candidate is not None
    assert rejection.candidate.values["was"] == 120


def test_a_row_does_not_take_its_values_from_another() -> None:
    body = "<article><h3>A</h3></article><article><h3>B</h3><b class=price>$9</b></article>"

    report = read(body, "article", reject="row", price="xpath:following::b | css:.price")

    assert [candidate.key for candidate in report.candidates] == ["B"]
    assert [r.reason for r in report.rejections] == [RejectReason.UNSUPPORTED_EVIDENCE]
    assert "another row" in report.rejections[0].detail


def test_a_row_may_take_what_stands_above_all_rows() -> None:
    body = "<h2 class=day>2026-05-01</h2><article><h3>A</h3></article>"

    report = read(body, "article", published="xpath:preceding::h2[1]")

    assert [candidate.values["published"] for candidate in report.candidates] == ["2026-05-01"]


def test_a_default_of_the_type_looks_elsewhere_and_says_so() -> None:
    item = "<div itemscope itemtype='https://schema.org/Product'>{}</div>"
    body = item.format("<h1 itemprop=name>A</h1><del itemprop=price>$9</del>")
    spec = FieldSpec("price", FieldKind.PRICE, rules=("microdata:$.price",))
    name = FieldSpec("name", rules=("microdata:$.name",), is_required=True)
    kind = RecordType("offer", "v1", ("Product",), ("name",), (name, spec))

    report = interpret(make_snapshot(body), make_rules(kind))

    (candidate,) = report.candidates
    assert candidate.fields["price"].missing is Missing.NOT_FOUND
    assert any("struck through" in note for note in report.notes)
