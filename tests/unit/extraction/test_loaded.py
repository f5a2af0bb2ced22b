"""Values and rows of what a page loaded, with their evidence."""

from dataclasses import replace

import pytest

from crawler.contracts.evidence import Missing, Source
from crawler.contracts.record import Candidate
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import Extracted, extract
from tests.unit.document.pages import NOTICE, PRODUCT, make_rules
from tests.unit.document.responses import API, LOADED_ROWS, load_page

FIELDS = {
    "name": ("loaded:$.title",),
    "price": ("loaded:/v1/* $.offer.price", "css:.price"),
    "currency": ("loaded:$.offer.priceCurrency",),
    "url": ("loaded:$.href",),
    "tags": ("loaded:$.tags",),
    "released": ("loaded:$.released",),
}
ITEM = {
    "title": "Salt &amp; Pepper",
    "offer": {"price": 19.5, "priceCurrency": "GBP"},
    "href": "/p/1",
    "tags": ["a", "b"],
    "released": "2026-03-04",
}


def read(snapshot: Snapshot, rules: Rules) -> Extracted:
    return extract(Document(snapshot), snapshot, rules)


def read_one(snapshot: Snapshot) -> Candidate:
    rules = make_rules(PRODUCT, RecordRules(type="product", fields=FIELDS))
    ((candidate, _),) = read(snapshot, rules).records
    return candidate


def test_a_field_cites_the_response_it_stands_in() -> None:
    snapshot = load_page(ITEM)

    candidate = read_one(snapshot)

    (loaded,) = snapshot.loaded
    evidence = candidate.fields["price"].evidence
    assert evidence is not None
    assert (evidence.source, evidence.locator) == (Source.JSON, "$['offer']['price']")
    assert (evidence.capture_id, evidence.digest) == (loaded.capture_id, loaded.digest)
    assert evidence.span is not None
    assert loaded.body[slice(*evidence.span)] == b"19.5"


def test_values_are_read_as_those_of_the_load_page() -> None:
    candidate = read_one(load_page(ITEM))

    assert candidate.values["name"] == "Salt & Pepper"
    assert candidate.values["url"] == "https://example.com/p/1", "not of the host of the API"


def test_every_value_is_derived_again_from_its_evidence_alone() -> None:
    snapshot = load_page(ITEM)
    candidate = read_one(snapshot)

    derivation = Derivation(snapshot)

    for spec in PRODUCT.fields:
        evidence = candidate.fields[spec.name].evidence
        if evidence is not None:
            assert derivation.derive(spec.kind, evidence) == candidate.values[spec.name], spec.name
    assert sum(field.evidence is not None for field in candidate.fields.values()) == 6


def test_evidence_of_a_response_that_is_not_there_gives_nothing() -> None:
    evidence = read_one(load_page(ITEM)).fields["price"].evidence
    kind = next(spec.kind for spec in PRODUCT.fields if spec.name == "price")
    assert evidence is not None

    changed = load_page(ITEM | {"offer": {"price": 3}})

    assert Derivation(changed).derive(kind, evidence) is None
    assert Derivation(load_page()).derive(kind, evidence) is None


@pytest.mark.parametrize(
    ("second", "value", "missing"),
    [
        (ITEM, 19.5, None),
        ({"title": "Ad"}, 19.5, None),
        (ITEM | {"offer": {"price": 3}}, None, Missing.AMBIGUOUS),
    ],
    ids=["that say the same", "of which one says nothing", "that differ"],
)
def test_all_responses_are_asked(
    second: dict[str, object], value: float | None, missing: Missing | None
) -> None:
    field = read_one(load_page(ITEM, second)).fields["price"]

    assert (field.value, field.missing) == (value, missing)


def test_where_nothing_was_loaded_the_next_rule_speaks() -> None:
    assert read_one(load_page()).values["price"] == 7
    assert read_one(load_page(ITEM, url="https://api.example.com/v2/items")).values["price"] == 7


def test_a_response_that_is_no_answer_is_told_once() -> None:
    snapshot = load_page(ITEM)
    failed = replace(
        snapshot.loaded[0], capture_id="urn:uuid:failed", status=500, final_url=f"{API}?b"
    )
    rules = make_rules(PRODUCT, RecordRules(type="product", fields=FIELDS))

    extracted = read(replace(snapshot, loaded=(*snapshot.loaded, failed)), rules)

    assert extracted.notes == (f"{API}?b: status 500",)
    assert extracted.records[0][0].values["price"] == 19.5


def test_rows_of_all_responses_are_records() -> None:
    parts = [{"rows": [{"id": f"{n}{m}", "title": "T", "day": "2026-09-10"} for m in "ab"]}
             for n in (1, 2)]  # fmt: skip
    snapshot = load_page(*parts, {"rows": []})

    extracted = read(snapshot, make_rules(NOTICE, LOADED_ROWS))

    assert [candidate.key for candidate, _ in extracted.records] == ["1a", "1b", "2a", "2b"]
    assert extracted.row_count == 4
    cited = {c.fields["id"].evidence.capture_id for c, _ in extracted.records}  # type: ignore[union-attr]
    assert cited == {"urn:uuid:loaded-0", "urn:uuid:loaded-1"}
    derivation = Derivation(snapshot)
    for candidate, _ in extracted.records:
        for spec in NOTICE.fields:
            evidence = candidate.fields[spec.name].evidence
            if evidence is not None:
                assert derivation.derive(spec.kind, evidence) == candidate.values[spec.name]


def test_a_row_without_a_key_is_named_after_the_load_page() -> None:
    record = RecordRules(type="product", each="loaded:$", fields={"name": ("json:$.title",)})
    rules = make_rules(PRODUCT, record)

    ((candidate, _),) = read(load_page([{"title": "Salt"}]), rules).records

    assert candidate.key == "https://example.com/p/1#Salt"


def test_in_rows_of_the_page_nothing_that_it_loaded_is_read() -> None:
    rules = make_rules(PRODUCT, RecordRules(type="product", each="p", fields=FIELDS))

    ((candidate, _),) = read(load_page(ITEM), rules).records

    assert candidate.values["name"] is None
    assert candidate.values["price"] == 7, "only what selectors find"
