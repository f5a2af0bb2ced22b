from dataclasses import replace

import pytest

from crawler.contracts.evidence import Evidence
from crawler.contracts.record import Candidate
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import extract
from tests.unit.document.pages import PRODUCT, ld_json, make_rules, make_snapshot

PAGE = (
    ld_json(
        [
            {
                "@type": "Product",
                "name": "Salt &amp; Pepper",
                "offers": [{"price": "19.00", "priceCurrency": "GBP"}],
                "keywords": ["a", "b"],
                "image": {"@id": "#i"},
                "releaseDate": "2026-03-04 18:00",
            },
            {"@id": "#i", "url": "/i.jpg"},
        ]
    )
    + "<h1>Salt  <b>and</b> pepper</h1><p data-price='140.000'>x</p>"
)
BY_SELECTORS = RecordRules(
    type="product",
    fields={"name": ("xpath:string(//h1)",), "price": ("css:p::attr(data-price)",)},
)


def read(snapshot: Snapshot, rules: Rules) -> Candidate:
    ((candidate, _),) = extract(Document(snapshot), snapshot, rules).records
    return candidate


@pytest.mark.parametrize("rules", [make_rules(), make_rules(PRODUCT, BY_SELECTORS)])
def test_every_value_is_derived_again_from_its_evidence_alone(rules: Rules) -> None:
    snapshot = make_snapshot(PAGE)
    candidate = read(snapshot, rules)

    derivation = Derivation(snapshot)

    again = {
        spec.name: derivation.derive(spec.kind, evidence)
        for spec in PRODUCT.fields
        if (evidence := candidate.fields[spec.name].evidence)
    }
    assert again == {name: value for name, value in candidate.values.items() if value is not None}
    assert set(again) >= {"name", "price", "url", "tags", "image", "released"}


def name_evidence(snapshot: Snapshot) -> Evidence:
    evidence = read(snapshot, make_rules()).fields["name"].evidence
    assert evidence is not None
    return evidence


FORGED = {
    "another place": {"locator": "0:$[0]['releaseDate']"},
    "no such place": {"locator": "0:$[0]['title']"},
    "no such block": {"locator": "7:$[0]['name']"},
    "no locator": {"locator": "name"},
    "another text": {"raw": "Sugar"},
    "another document": {"digest": "0" * 64},
    "another observation": {"capture_id": "urn:uuid:00000000-0000-4000-8000-000000000002"},
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_forged_evidence_leads_to_nothing(change: dict[str, str]) -> None:
    snapshot = make_snapshot(PAGE)
    forged = replace(name_evidence(snapshot), **change)  # type: ignore[arg-type]

    assert Derivation(snapshot).derive(PRODUCT.fields[0].kind, forged) is None
