from typing import Any

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.document.document import Document
from crawler.extraction.records import extract
from crawler.sites.builtin import BUILT_IN
from tests.unit.document.pages import ld_json, make_rules, make_snapshot

ONE: dict[str, JsonValue] = {"price": "19.00", "priceCurrency": "GBP"}
PRICES: dict[str, tuple[JsonValue, dict[str, JsonValue]]] = {
    "one offer": (ONE, {"price": 19, "price_min": None, "price_max": None}),
    "a sale beside its list price": (
        {
            "priceSpecification": [
                {"@type": "UnitPriceSpecification", "price": 29},
                {
                    "@type": "UnitPriceSpecification",
                    "price": 39,
                    "priceType": "https://schema.org/ListPrice",
                },
            ]
        },
        {"price": 29},
    ),
    "a sale beside a struck price": (
        {
            "priceSpecification": [
                {"price": 39, "priceType": "StrikethroughPrice"},
                {"price": 29, "priceType": "http://schema.org/SalePrice"},
            ]
        },
        {"price": 29},
    ),
    "a price beside that of a unit": (
        {
            "priceSpecification": [
                {"price": 3.5, "referenceQuantity": {"value": 1, "unitCode": "LTR"}},
                {"price": 7},
            ]
        },
        {"price": 7},
    ),
    "a price beside that of delivery": (
        {
            "priceSpecification": [
                {"@type": "DeliveryChargeSpecification", "price": 4},
                {"price": 7},
            ]
        },
        {"price": 7},
    ),
    "a price beside that for members": (
        {
            "priceSpecification": [
                {"validForMemberTier": {"name": "gold"}, "price": 5},
                {"price": 7},
            ]
        },
        {"price": 7},
    ),
    "two prices that nothing tells apart": (
        {"priceSpecification": [{"price": 1}, {"price": 2}]},
        {"price": None},
    ),
    "only a list price": (
        {"priceSpecification": {"price": 9, "priceType": "MSRP"}},
        {"price": None},
    ),
    "a range": (
        {"@type": "AggregateOffer", "lowPrice": "10", "highPrice": "12", "offerCount": 3},
        {"price": None, "price_min": 10, "price_max": 12},
    ),
    "a range of one price": (
        {"@type": "AggregateOffer", "lowPrice": "10.00", "highPrice": 10},
        {"price": 10, "price_min": 10, "price_max": 10},
    ),
    "only the lower end": (
        {"@type": "AggregateOffer", "lowPrice": "10"},
        {"price": None, "price_min": 10, "price_max": None},
    ),
    "a range in a list": (
        [{"@type": "AggregateOffer", "lowPrice": 10, "highPrice": 12}],
        {"price": None, "price_min": 10, "price_max": 12},
    ),
    "sellers that agree": (
        {"@type": "AggregateOffer", "lowPrice": 10, "offers": [{"price": 10}, {"price": "10.0"}]},
        {"price": 10, "price_min": 10},
    ),
}


def read(kind: str, node: dict[str, Any], rules: Rules | None = None) -> Candidate:
    snapshot = make_snapshot(ld_json(node))
    extracted = extract(Document(snapshot), snapshot, rules or make_rules(BUILT_IN[kind]))
    ((candidate, _),) = extracted.records
    return candidate


@pytest.mark.parametrize(("offers", "values"), PRICES.values(), ids=PRICES)
def test_a_price_is_what_one_pays_and_a_range_is_none(
    offers: JsonValue, values: dict[str, JsonValue]
) -> None:
    candidate = read("product", {"@type": "Product", "name": "A", "offers": offers})

    assert {name: candidate.values[name] for name in values} == values


def test_a_range_is_called_ambiguous() -> None:
    offers = {"@type": "AggregateOffer", "lowPrice": "10", "highPrice": "12"}

    candidate = read("product", {"@type": "Product", "name": "A", "offers": offers})

    assert candidate.fields["price"].missing is Missing.AMBIGUOUS


def test_a_rule_of_the_site_that_leads_to_a_list_price_is_unsupported() -> None:
    rule = ("jsonld:$.offers.priceSpecification.price",)
    rules = make_rules(BUILT_IN["product"], RecordRules(type="product", fields={"price": rule}))
    listed = {"priceSpecification": {"price": 9, "priceType": "ListPrice"}}
    snapshot = make_snapshot(ld_json({"@type": "Product", "name": "A", "offers": listed}))

    ((_, (problem,)),) = extract(Document(snapshot), snapshot, rules).records

    assert problem.reason is RejectReason.UNSUPPORTED_EVIDENCE
    assert problem.detail.startswith("price stands in the wrong place: an old or list price")


PLACES: dict[str, tuple[JsonValue, dict[str, JsonValue]]] = {
    "a real and an online one": (
        [
            {"@type": "VirtualLocation", "name": "Stream", "url": "https://example.com/live"},
            {"@type": "Place", "name": "Hall A", "address": "1 Main St"},
        ],
        {"venue": "Hall A", "address": "1 Main St", "online_url": "https://example.com/live"},
    ),
    "only online": (
        {"@type": "VirtualLocation", "name": "Stream", "url": "/live"},
        {"venue": "Stream", "address": None, "online_url": "https://example.com/live"},
    ),
    "the page of a hall": (
        {"@type": "Place", "name": "Hall A", "url": "https://hall.example/"},
        {"venue": "Hall A", "online_url": None},
    ),
    "a text": ("Hall B", {"venue": "Hall B", "address": None, "online_url": None}),
    "a cancellation": (
        {"@type": "Place", "name": "CANCELLED - will be rescheduled"},
        {"venue": None, "address": None},
    ),
}


@pytest.mark.parametrize(("location", "values"), PLACES.values(), ids=PLACES)
def test_the_places_of_an_event_are_kept_apart(
    location: JsonValue, values: dict[str, JsonValue]
) -> None:
    candidate = read("event", {"@type": "Event", "name": "A", "location": location})

    assert {name: candidate.values[name] for name in values} == values
