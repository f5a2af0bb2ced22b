import json
from time import process_time

import pytest

from crawler.contracts.record import RecordType
from crawler.interpretation.page import interpret
from crawler.sites.builtin_article import ARTICLE
from crawler.sites.builtin_product import PRODUCT
from crawler.sites.builtin_recipe import RECIPE
from tests.unit.document.pages import ld_json, make_rules, make_snapshot

OFFERS = {
    "@graph": [
        {"@id": "#p", "@type": "Product", "name": "Lamp", "offers": [{"@id": "#o"}] * 9_000},
        {"@id": "#o", "@type": "Offer", "price": ["3"] * 9_000},
    ]
}
HOSTILE = {
    "offers that are all one with many prices": (PRODUCT, ld_json(json.dumps(OFFERS))),
    "authors": (ARTICLE, "<a rel=author href=/>Ann</a>" * 30_000),
    "labels": (PRODUCT, "".join(f"<p>Brand: {number}</p>" for number in range(30_000))),
    "headings of lists": (RECIPE, "<dl><dt>Ingredients<dd>salt" * 20_000),
}


@pytest.mark.parametrize(("type_", "page"), HOSTILE.values(), ids=HOSTILE)
def test_a_page_costs_no_more_than_its_length(type_: RecordType, page: str) -> None:
    started = process_time()

    interpret(make_snapshot(f"<h1>Page</h1>{page}"), make_rules(type_))

    assert process_time() - started < 4
