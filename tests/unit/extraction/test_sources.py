"""Records of the built-in types from every source, each value derived again from its evidence."""

import json

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing, Source
from crawler.contracts.record import Candidate, FieldKind
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import Extracted, extract
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import build_rules
from tests.unit.document.pages import ld_json, make_snapshot

Fields = dict[str, tuple[str, ...]]


def rules_of(name: str, fields: Fields | None = None) -> Rules:
    return build_rules("test", RecordRules(type=name, fields=fields or {}), BUILT_IN[name])


def read(
    name: str, body: str, page_kind: PageKind = PageKind.DETAIL, fields: Fields | None = None
) -> tuple[Snapshot, Extracted]:
    snapshot = make_snapshot(body, page_kind=page_kind)
    return snapshot, extract(Document(snapshot), snapshot, rules_of(name, fields))


def only(name: str, body: str, fields: Fields | None = None) -> Candidate:
    """Return the one record of a page after all of its values were derived again."""
    snapshot, extracted = read(name, body, fields=fields)
    ((candidate, problems),) = extracted.records
    assert problems == ()
    derivation = Derivation(snapshot)
    for spec in BUILT_IN[name].fields:
        field = candidate.fields[spec.name]
        if field.value is not None:
            assert field.evidence is not None
            assert derivation.derive(spec.kind, field.evidence) == field.value, spec.name
    return candidate


def source_of(candidate: Candidate, field: str) -> Source:
    evidence = candidate.fields[field].evidence
    assert evidence is not None
    return evidence.source


PRODUCT = """
<div itemscope itemtype="https://schema.org/Product">
  <h1 itemprop="name">Desk  lamp</h1>
  <img itemprop="image" src="lamp.jpg">
  <div itemprop="brand" itemscope itemtype="https://schema.org/Brand"><b itemprop="name">Lux</b></div>
  <meta itemprop="gtin13" content="4006381333931"><span itemprop="sku">L-1</span>
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <span itemprop="price" content="140.000">£140</span><span class="unit">3.350 each</span>
    <meta itemprop="priceCurrency" content="GBP">
    <link itemprop="availability" href="https://schema.org/InStock">
  </div>
  <div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">
    <span itemprop="ratingValue">4,5</span> of <span itemprop="bestRating">5</span>
    (<span itemprop="reviewCount">1,204</span>)
  </div>
  <div itemprop="description"><p>Bright.</p><p>And warm.</p></div>
</div>
"""
JOB = {
    "@type": "JobPosting",
    "title": "Welder",
    "hiringOrganization": {"@type": "Organization", "name": "Forge"},
    "jobLocation": [
        {"address": {"addressLocality": "Ghent", "addressCountry": "BE"}},
        {"address": {"addressLocality": "Lille", "addressCountry": "FR"}},
    ],
    "employmentType": ["FULL_TIME", "CONTRACTOR"],
    "baseSalary": {
        "currency": "EUR",
        "value": {"minValue": 20, "maxValue": "25.50", "unitText": "HOUR"},
    },
    "datePosted": "2026-03-04",
    "validThrough": "2026-04-04T00:00",
    "description": "<p>Weld.</p><ul><li>Well</li></ul>",
}
RECIPE = {
    "@type": "Recipe",
    "name": "Soup",
    "author": [{"@type": "Person", "name": "Ada"}, {"@type": "Person", "name": "Ada"}, "Grace"],
    "recipeIngredient": ["1 leek , cut", "1 l water"],
    "recipeInstructions": [
        {"@type": "HowToSection", "name": "Broth", "itemListElement": [{"text": "Boil."}]},
        {"@type": "HowToStep", "text": "Serve."},
    ],
    "recipeYield": ["4", "4 bowls"],
    "prepTime": "PT10M",
    "cookTime": "PT1H",
    "totalTime": "PT1H10M",
    "image": ["a-300x200.jpg", "a.jpg"],
}
ARTICLE = """
<title>Rain again | Gazette</title>
<meta property="og:type" content="article"><meta property="og:site_name" content="Gazette">
<meta property="og:title" content="Rain again | Gazette"><meta property="og:image" content="/r.jpg">
<meta property="article:published_time" content="2019-01-03T09:00:00+00:00">
<meta property="article:modified_time" content="2026-05-02T09:00:00+00:00">
<meta property="article:author" content="https://social.example/ada"><meta name="author" content="Ada">
<meta name="description" content="It rains.">
<h1>Gazette</h1><h1>Rain again</h1>
"""
CASES: dict[str, tuple[str, str, dict[str, JsonValue]]] = {
    "product in microdata": (
        "product",
        PRODUCT,
        {
            "name": "Desk lamp",
            "price": 140,
            "currency": "GBP",
            "availability": "in_stock",
            "sku": "L-1",
            "gtin": "4006381333931",
            "brand": "Lux",
            "rating": 4.5,
            "review_count": 1204,
            "image": "https://example.com/p/lamp.jpg",
            "description": "Bright. And warm.",
            "url": "https://example.com/p/1",
        },
    ),
    "job posting in JSON-LD": (
        "job_posting",
        ld_json(JOB),
        {
            "title": "Welder",
            "company": "Forge",
            "location": "Ghent, BE; Lille, FR",
            "employment_type": ["full_time", "contractor"],
            "salary_min": 20,
            "salary_max": 25.5,
            "salary_currency": "EUR",
            "salary_period": "hour",
            "posted_at": "2026-03-04",
            "valid_through": "2026-04-04T00:00",
            "description": "Weld. Well",
        },
    ),
    "job posting in labels": (
        "job_posting",
        (
            "<h1>Welder</h1><table><tr><td>Company:<td>Forge<tr><td>Base Pay:<td>$20 - $25 / hour"
            "<tr><td>Employee Type:<td>Full-Time<tr><td>Location:<td>Ghent</table>"
        ),
        {
            "title": "Welder",
            "company": "Forge",
            "location": "Ghent",
            "employment_type": ["full_time"],
            "salary_min": 20,
            "salary_max": 25,
        },
    ),
    "pay of one amount": (
        "job_posting",
        ld_json({"@type": "JobPosting", "title": "A", "baseSalary": {"value": {"value": 30}}}),
        {"salary_min": 30, "salary_max": 30},
    ),
    "recipe in JSON-LD": (
        "recipe",
        ld_json(RECIPE),
        {
            "name": "Soup",
            "authors": ["Ada", "Grace"],
            "ingredients": ["1 leek, cut", "1 l water"],
            "instructions": ["Broth", "Boil.", "Serve."],
            "yields": "4 bowls",
            "prep_minutes": 10,
            "cook_minutes": 60,
            "total_minutes": 70,
            "image": "https://example.com/p/a.jpg",
        },
    ),
    "article in meta tags": (
        "article",
        ARTICLE,
        {
            "headline": "Rain again",
            "published_at": "2019-01-03T09:00:00+00:00",
            "modified_at": "2026-05-02T09:00:00+00:00",
            "authors": ["Ada"],
            "description": "It rains.",
            "image": "https://example.com/r.jpg",
        },
    ),
    "product in RDFa": (
        "product",
        (
            '<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Lamp</h1>'
            '<div property="offers" typeof="Offer"><b property="price">19,90 €</b></div></div>'
        ),
        {"name": "Lamp", "price": 19.9},
    ),
    "organisation": (
        "organization",
        ld_json(
            {
                "@type": "Corporation",
                "name": "Forge",
                "address": {"streetAddress": "1 Main St", "addressLocality": "Ghent"},
                "logo": {"@type": "ImageObject", "url": "/logo.png"},
            }
        ),
        {"address": "1 Main St, Ghent", "logo": "https://example.com/logo.png"},
    ),
    "place": (
        "place",
        ld_json({"@type": "Museum", "name": "M", "geo": {"latitude": "51.05", "longitude": 3.72}}),
        {"latitude": 51.05, "longitude": 3.72},
    ),
    "event in microdata": (
        "event",
        (
            '<div itemscope itemtype="http://schema.org/MusicEvent"><b itemprop="name">Jazz</b>'
            '<time itemprop="startDate" datetime="2026-03-04T20:00">4 March</time></div>'
        ),
        {"name": "Jazz", "starts_at": "2026-03-04T20:00"},
    ),
}


@pytest.mark.parametrize(("name", "body", "values"), CASES.values(), ids=CASES)
def test_a_record_of_each_type_is_read_with_evidence_that_leads_back(
    name: str, body: str, values: dict[str, JsonValue]
) -> None:
    candidate = only(name, body)

    assert {field: candidate.values[field] for field in values} == values


def test_relative_addresses_in_microdata_follow_the_base() -> None:
    candidate = only("product", '<base href="https://cdn.example.com/z/">' + PRODUCT)

    assert candidate.values["image"] == "https://cdn.example.com/z/lamp.jpg"


def test_what_json_ld_leaves_open_is_taken_from_the_item_of_the_same_name() -> None:
    body = ld_json({"@type": "Product", "name": "Desk lamp", "sku": "X"}) + PRODUCT

    candidate = only("product", body)

    assert candidate.values["sku"] == "X"
    assert candidate.values["price"] == 140
    assert source_of(candidate, "price") is Source.MICRODATA


def test_an_item_of_another_name_is_another_thing() -> None:
    body = ld_json({"@type": "Product", "name": "Chair"}) + PRODUCT

    candidate = only("product", body)

    assert candidate.fields["price"].missing is Missing.NOT_FOUND


def test_a_page_whose_fields_are_all_in_json_ld_never_becomes_a_tree() -> None:
    snapshot = make_snapshot(ld_json({**RECIPE, "url": "/p/1"}) + PRODUCT)
    document = Document(snapshot)

    extract(document, snapshot, rules_of("recipe"))

    assert not document.is_parsed


def test_of_several_items_the_one_about_the_page_is_read_and_the_note_says_why() -> None:
    related = (
        '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Chair</b>'
        '<a itemprop="url" href="/p/2">Chair</a></div>'
    )

    _, extracted = read("product", related + PRODUCT.replace("L-1", "L-2"))

    ((candidate, _),) = extracted.records
    assert candidate.values["name"] == "Desk lamp"
    assert any("left alone: its name is the heading" in note for note in extracted.notes)


def test_on_a_listing_without_json_ld_every_item_is_a_record() -> None:
    row = '<li itemscope itemtype="https://schema.org/Product"><b itemprop="name">{}</b></li>'

    _, extracted = read("product", row.format("A") + row.format("B"), PageKind.LISTING)

    assert [candidate.values["name"] for candidate, _ in extracted.records] == ["A", "B"]


META_ONLY = '<meta property="og:title" content="About us"><meta property="og:type" content="{}">'


@pytest.mark.parametrize(("og_type", "is_record"), [("product", True), ("website", False)])
def test_meta_tags_alone_make_a_record_only_when_they_name_its_type(
    og_type: str, is_record: bool
) -> None:
    _, extracted = read("product", META_ONLY.format(og_type))

    assert len(extracted.records) == is_record
    assert [hint.values["name"] for hint in extracted.hints] == ["About us"] * (not is_record)


def test_the_meta_tags_of_a_listing_make_no_record() -> None:
    _, extracted = read("product", META_ONLY.format("product"), PageKind.LISTING)

    assert extracted.records == ()


def test_a_heading_alone_makes_no_record() -> None:
    _, extracted = read("article", "<title>News</title><h1>News</h1>")

    assert extracted.records == ()
    assert extracted.hints == ()


NO_DATES = {
    "expiry in a script, copyright year": (
        '<script>var ad={"expires":"2031-01-31"}</script><p>Story</p><footer>Copyright 2026</footer>'
    ),
    "only when it was changed": '<meta property="article:modified_time" content="2026-05-02">',
}


@pytest.mark.parametrize("body", NO_DATES.values(), ids=NO_DATES)
def test_what_is_no_date_of_publication_is_not_taken_for_one(body: str) -> None:
    article = ld_json({"@type": "Article", "headline": "Story", "dateCreated": "2019-01-01"})

    assert only("article", article + body).fields["published_at"].missing is Missing.NOT_FOUND


def test_a_date_in_the_address_is_no_evidence_beside_a_stated_one() -> None:
    body = ld_json({"@type": "Article", "headline": "Story"})
    body += '<meta name="dc.date" content="2023-01-02">'

    assert only("article", body).values["published_at"] == "2023-01-02"


def test_every_picture_that_a_page_puts_forward_is_listed_in_order() -> None:
    tags = "".join(
        f'<meta property="og:image" content="https://example.com/{number}.jpg">'
        for number in (1, 2)
    )

    candidate = only(
        "place",
        ld_json({"@type": "Place", "name": "A"}) + tags,
        {"opening_hours": ("opengraph:og:image",)},
    )

    assert candidate.values["opening_hours"] == [
        "https://example.com/1.jpg",
        "https://example.com/2.jpg",
    ]


STATE = json.dumps({"props": {"pageProps": {"product": {"title": "Lamp", "price": {"now": 5}}}}})


def test_embedded_state_is_read_by_path_with_the_span_of_its_script() -> None:
    body = f'<script id="__NEXT_DATA__" type="application/json">{STATE}</script>'
    product = "state:__NEXT_DATA__:$.props.pageProps.product"

    rules: Fields = {"name": (f"{product}.title",), "price": (f"{product}.price.now",)}

    candidate = only("product", body, rules)

    evidence = candidate.fields["price"].evidence
    assert candidate.values["name"] == "Lamp"
    assert candidate.values["price"] == 5
    assert evidence is not None
    assert evidence.locator == "__NEXT_DATA__:$['props']['pageProps']['product']['price']['now']"
    assert evidence.span is not None
    assert body[slice(*evidence.span)] == STATE


def test_a_rule_for_a_state_that_is_not_there_finds_nothing() -> None:
    body = ld_json({"@type": "Product", "name": "A"})

    candidate = only(
        "product", body, {"sku": ("state:__NEXT_DATA__:$.a", "meta:nosuch", "rdfa:$.sku")}
    )

    assert candidate.fields["sku"].missing is Missing.NOT_FOUND


TOTALS: dict[str, tuple[dict[str, str], int | None]] = {
    "stated": ({"totalTime": "PT2H", "prepTime": "PT10M", "cookTime": "PT20M"}, 120),
    "both parts": ({"prepTime": "PT10M", "cookTime": "PT20M"}, 30),
    "one part": ({"prepTime": "PT10M"}, None),
    "a total of nothing": ({"totalTime": "PT0M", "prepTime": "PT10M", "cookTime": "PT0M"}, 10),
    "nothing but zeros": ({"totalTime": "PT0M", "prepTime": "PT0M", "cookTime": "PT0M"}, None),
    "a part in words": ({"prepTime": "a while", "cookTime": "PT20M"}, None),
}


@pytest.mark.parametrize(("times", "total"), TOTALS.values(), ids=TOTALS)
def test_a_total_is_stated_or_the_sum_of_all_its_parts(
    times: dict[str, str], total: int | None
) -> None:
    node = {"@type": "Recipe", "name": "Soup", "recipeIngredient": ["1 leek"], **times}

    assert only("recipe", ld_json(node)).values["total_minutes"] == total


LENIENT: dict[str, JsonValue] = {
    "gtin": "4006381333932",
    "offers": {"availability": "maybe", "priceCurrency": "$"},
    "aggregateRating": {"ratingValue": "great"},
}


def test_an_optional_field_with_a_slip_is_noted_and_costs_the_record_nothing() -> None:
    _, extracted = read("product", ld_json({"@type": "Product", "name": "A", **LENIENT}))

    ((candidate, problems),) = extracted.records
    assert problems == ()
    assert candidate.fields["gtin"].missing is Missing.AMBIGUOUS
    assert {note.partition(":")[0] for note in extracted.notes} == {
        "gtin",
        "availability",
        "currency",
        "rating",
    }


def test_a_title_loses_the_name_of_its_site_and_leads_back() -> None:
    body = (
        '<meta property="og:type" content="article"><meta property="og:site_name" content="Gazette">'
        '<meta property="og:title" content="Rain again | Gazette">'
    )
    candidate = only("article", body)
    evidence = candidate.fields["headline"].evidence

    assert candidate.values["headline"] == "Rain again"
    assert evidence is not None
    assert evidence.locator == "meta[3]/@content/without-site"
    assert Derivation(make_snapshot(body)).derive(FieldKind.TEXT, evidence) == "Rain again"


def test_a_node_in_another_block_is_found_by_its_name() -> None:
    candidate = only(
        "product",
        ld_json(
            {
                "@type": "Product",
                "name": "Lamp",
                "offers": {"@id": "#o"},
                "brand": {"@id": "#none"},
            },
            {"@type": "WebSite", "name": "Shop"},
            {"@id": "#o", "@type": "Offer", "price": "19.00", "priceCurrency": "GBP"},
        ),
    )

    evidence = candidate.fields["price"].evidence
    assert evidence is not None
    assert (candidate.values["price"], candidate.values["currency"]) == (19, "GBP")
    assert candidate.values["brand"] is None
    assert evidence.locator == "2:$['price']"


TAGS: dict[str, tuple[str, str, JsonValue]] = {
    "address of the picture": (
        '<meta property="og:image:url" content="/a.jpg">',
        "image",
        "https://example.com/a.jpg",
    ),
    "picture for posts": (
        '<meta name="twitter:image" content="/a.jpg">',
        "image",
        "https://example.com/a.jpg",
    ),
    "day of a citation": (
        '<meta name="citation_date" content="2019/01/03">',
        "published_at",
        "2019-01-03",
    ),
    "month of a citation": (
        '<meta name="citation_publication_date" content="2019/01">',
        "published_at",
        "2019-01",
    ),
    "count of seconds": (
        '<meta property="og:updated_time" content="1746130800">',
        "modified_at",
        "2025-05-01T20:20:00Z",
    ),
}


@pytest.mark.parametrize(("tag", "field", "value"), TAGS.values(), ids=TAGS)
def test_a_tag_says_a_value_of_the_page(tag: str, field: str, value: JsonValue) -> None:
    candidate = only(
        "article", f'<meta property="og:type" content="article">{tag}<h1>Rain again</h1>'
    )

    assert candidate.values[field] == value


def test_the_price_of_a_sale_is_what_one_pays() -> None:
    candidate = only(
        "product",
        '<meta property="og:type" content="product"><h1>Lamp</h1>'
        '<meta property="product:price:amount" content="25.00">'
        '<meta property="product:sale_price:amount" content="19.00">',
    )

    assert candidate.values["price"] == 19
