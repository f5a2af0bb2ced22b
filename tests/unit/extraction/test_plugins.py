import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.contracts.record import Candidate
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import extract
from crawler.sites.builtin import BUILT_IN
from tests.unit.document.pages import make_rules, make_snapshot

WPRM = """<title>The best soup | Blog</title><h1>The best soup</h1>
<h2>Ingredients</h2><ul><li>leeks - the star of it<li>water</ul>
<div class="wprm-recipe-container"><div class="wprm-recipe">
<h2 class="wprm-recipe-name wprm-block-text-bold">Leek soup</h2>
By <span class="wprm-recipe-details wprm-recipe-author">Ada Cook</span>
<div class="wprm-recipe-prep-time-container"><span class="wprm-recipe-details-label">Prep Time: </span>
<span class="wprm-recipe-time"><span class="wprm-recipe-details wprm-recipe-prep_time-minutes">15<span
 class="sr-only"> minutes</span></span> <span class="wprm-recipe-details-unit">minutes</span></span></div>
<span class="wprm-recipe-servings">4</span> <span class="wprm-recipe-servings-unit">people</span>
<ul class="wprm-recipe-ingredients">
<li class="wprm-recipe-ingredient"><span class="wprm-recipe-ingredient-amount">2</span>
<span class="wprm-recipe-ingredient-name">leeks,</span>
<span class="wprm-recipe-ingredient-notes wprm-recipe-ingredient-notes-faded">washed</span></li>
<li class="wprm-recipe-ingredient"><span class="wprm-recipe-ingredient-name">salt</span>
<span class="wprm-recipe-ingredient-notes">(a pinch)</span></li></ul>
<ul><li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">Slice.</div></li>
<li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">Boil.</div></li></ul>
</div></div>"""
TASTY = """<h1>Soup</h1><div class="tasty-recipes tasty-recipes-8"><h2 class="tasty-recipes-title">Leek
soup</h2><span class="tasty-recipes-yield">4 bowls</span><span class="tasty-recipes-prep-time">15
minutes</span><div class="tasty-recipes-ingredients"><h3>Ingredients</h3><ul><li>2 leeks<li>salt</ul></div>
<div class="tasty-recipes-instructions"><ol><li>Slice.<li>Boil.</ol></div></div>"""
CREATE = """<h1>Soup</h1><section class="mv-create-card"><h2 class="mv-create-title">Leek soup</h2>
<div class="mv-create-time mv-create-time-prep"><strong>Prep Time</strong> <span
 class="mv-create-time-format">15 minutes</span></div><div class="mv-create-ingredients"><h3>Ingredients</h3>
<ul><li>2 leeks</li><li>salt</li></ul></div><div class="mv-create-instructions"><ol><li>Slice.</li>
<li>Boil.</li></ol></div></section>"""
SOUP: dict[str, JsonValue] = {
    "name": "Leek soup",
    "ingredients": ["2 leeks", "salt"],
    "instructions": ["Slice.", "Boil."],
    "prep_minutes": 15,
}
EVENT = """<title>Committee | Council</title><div id="tribe-events-content" class="tribe-events-single">
<h1 class="tribe-events-single-event-title">Committee</h1><dl><dt>Date:</dt><dd><abbr
 class="tribe-events-abbr tribe-events-start-date published dtstart" title="2026-05-09"> May 9 </abbr></dd></dl>
<dd class="tribe-venue"> Hall A </dd><dd class="tribe-organizer">The council</dd></div>"""
SHOP = """<title>Lamp | Shop</title><body class="single-product"><div id="product-9"
 class="product type-product instock"><h1 class="product_title entry-title">Lamp</h1>
<div class="summary"><div class="star-rating"><strong class="rating">4.76</strong> out of 5</div>
<a class="woocommerce-review-link">(<span class="count">29</span> reviews)</a>
<p class="stock in-stock">In stock</p><div class="product_meta">SKU: <span class="sku">L-1</span>
Category: Lamps</div></div><ul><li class="product type-product"><h2>Other</h2><span class="sku">O-2</span></li>
</ul></div>"""
HOURS = (
    '<dd><div class="tribe-events-abbr tribe-events-start-time" title="2026-05-09"> 1:30 pm - 4:00 pm '
    '<span class="timezone">EDT</span></div></dd><dd class="tribe-address"><span>12 Main St</span>'
    "<span>Akron</span></dd>"
)
PAGES: dict[str, tuple[str, str, dict[str, JsonValue]]] = {
    "WP Recipe Maker": (
        "recipe",
        WPRM,
        {
            **SOUP,
            "authors": ["Ada Cook"],
            "yields": "4",
            "ingredients": ["2 leeks (washed)", "salt (a pinch)"],
        },
    ),
    "Tasty Recipes": ("recipe", TASTY, {**SOUP, "yields": "4 bowls"}),
    "Mediavine Create": ("recipe", CREATE, SOUP),
    "The Events Calendar": (
        "event",
        EVENT,
        {
            "name": "Committee",
            "starts_at": "2026-05-09",
            "venue": "Hall A",
            "organizer": "The council",
        },
    ),
    "The Events Calendar, with hours and an address": (
        "event",
        EVENT.replace("</dl>", f"{HOURS}</dl>"),
        {"starts_at": "2026-05-09T13:30-04:00", "address": "12 Main St Akron"},
    ),
    "The Events Calendar, with hours that are none": (
        "event",
        EVENT.replace("</dl>", f"{HOURS.replace('1:30 pm', 'noon')}</dl>"),
        {"starts_at": "2026-05-09"},
    ),
    "WooCommerce": (
        "product",
        SHOP,
        {
            "name": "Lamp",
            "rating": 4.76,
            "review_count": 29,
            "availability": "in_stock",
            "sku": "L-1",
        },
    ),
}


def read(kind: str, body: str) -> list[Candidate]:
    snapshot = make_snapshot(body)
    extracted = extract(Document(snapshot), snapshot, make_rules(BUILT_IN[kind]))
    return [candidate for candidate, _ in extracted.records]


@pytest.mark.parametrize(("kind", "body", "values"), PAGES.values(), ids=PAGES)
def test_what_a_plugin_marks_is_read_with_evidence_that_leads_back(
    kind: str, body: str, values: dict[str, JsonValue]
) -> None:
    (candidate,) = read(kind, body)
    derivation = Derivation(make_snapshot(body))

    assert {name: candidate.values[name] for name in values} == values
    kinds = {spec.name: spec.kind for spec in BUILT_IN[kind].fields}
    for name in values:
        evidence = candidate.fields[name].evidence
        assert evidence is not None
        assert evidence.source is Source.PLUGIN
        assert derivation.derive(kinds[name], evidence) == candidate.values[name]


def card(name: str) -> str:
    return (
        f'<div class="tasty-recipes"><h2 class="tasty-recipes-title">{name}</h2><div '
        f'class="tasty-recipes-ingredients"><ul><li>1 {name}<li>salt</ul></div></div>'
    )


def test_of_several_cards_only_the_one_that_the_page_is_named_after_is_read() -> None:
    (candidate,) = read("recipe", f"<title>Soup - Blog</title>{card('Salad')}{card('Soup')}")

    assert candidate.values["ingredients"] == ["1 Soup", "salt"]
    assert read("recipe", f"<title>Five dinners</title>{card('Salad')}{card('Soup')}") == []


@pytest.mark.parametrize(
    "body",
    [
        '<div class="my-tasty-recipes"><h2 class="tasty-recipes-title">A</h2></div>',
        '<h2 class="tasty-recipes-title">A</h2>',
        "<p>tasty-recipes</p>",
    ],
)
def test_a_name_outside_of_a_card_is_none(body: str) -> None:
    assert read("recipe", body) == []
