import json
import time

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.contracts.record import Candidate
from crawler.contracts.snapshot import PageKind
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import extract
from crawler.sites.builtin import BUILT_IN
from tests.unit.document.pages import ld_json, make_rules, make_snapshot

LAMP: dict[str, JsonValue] = {
    "@type": "Product",
    "name": "Lamp",
    "url": "/p/1",
    "offers": {"price": 19, "priceCurrency": "GBP"},
}
OTHER: dict[str, JsonValue] = {**LAMP, "name": "Vase", "url": "/p/2"}
TEXT = json.dumps(LAMP)


def page(*scripts: str) -> str:
    return f"<title>Page</title><script>var x = 1</script>{''.join(scripts)}<h1>A lamp</h1>"


def script(text: str, attributes: str = "") -> str:
    return f"<script{attributes}>{text}</script>"


def read(
    body: str, kind: str = "product", page_kind: PageKind = PageKind.DETAIL
) -> list[Candidate]:
    snapshot = make_snapshot(body, page_kind=page_kind)
    extracted = extract(Document(snapshot), snapshot, make_rules(BUILT_IN[kind]))
    return [candidate for candidate, _ in extracted.records]


STATES = {
    "state of a framework": script(
        json.dumps({"props": {"pageProps": {"schemaData": LAMP}}}),
        ' id="__NEXT_DATA__" type="application/json"',
    ),
    "the whole of a script": script(TEXT),
    "a variable": script(f"window.__STATE__ = {json.dumps({'a': [1, LAMP]})};"),
    "a variable among others": script(f"var a = {{}}, b = {json.dumps([LAMP])}; go(b)"),
    "parsed text": script(f"window['s'] = JSON.parse({json.dumps(TEXT)})"),
    "streamed": script(f"self.__next_f.push([1,{json.dumps('5:[{}]' + TEXT)}])"),
    "markup in a streamed state": script(
        f"self.__next_f.push([1,{json.dumps(json.dumps({'__html': TEXT}))}])"
    ).replace("5:[", "["),
    "an argument": script(f'render("x", {json.dumps({**LAMP})})'),
    "beside others of the type": script(json.dumps({"related": [OTHER], "product": LAMP})),
    "without a type": script(
        json.dumps({"product": {key: LAMP[key] for key in ("name", "url", "offers")}})
    ),
}


@pytest.mark.parametrize("scripts", STATES.values(), ids=STATES)
def test_an_object_that_the_page_calls_its_own_is_read_and_leads_back(scripts: str) -> None:
    body = page(scripts)
    (candidate,) = read(body)

    assert [candidate.values[name] for name in ("name", "price", "currency")] == ["Lamp", 19, "GBP"]
    evidence = candidate.fields["price"].evidence
    assert evidence is not None
    assert evidence.source is Source.STATE
    assert evidence.locator.startswith("script[1]:$")
    assert evidence.span is not None
    kind = next(spec.kind for spec in BUILT_IN["product"].fields if spec.name == "price")
    assert Derivation(make_snapshot(body)).derive(kind, evidence) == 19


NONE = {
    "another thing": page(script(json.dumps({"related": [OTHER]}))),
    "another type": page(script(json.dumps({**LAMP, "@type": "Event"}))),
    "a typed object that is only shaped so": page(script(json.dumps({**LAMP, "@type": "Thing"}))),
    "a program": page(script('x = {"@type": type, name: "Lamp"}')),
    "too little of the shape": page(script(json.dumps({"name": "Lamp", "url": "/p/1"}))),
    "text for readers": page(f"<pre>{TEXT}</pre>"),
}


@pytest.mark.parametrize("body", NONE.values(), ids=NONE)
def test_what_is_not_said_of_the_page_makes_no_record(body: str) -> None:
    assert read(body) == []


def test_json_ld_goes_before_what_scripts_keep() -> None:
    body = ld_json({"@type": "Product", "name": "From JSON-LD"}) + script(TEXT)

    (candidate,) = read(body)

    assert candidate.values["name"] == "From JSON-LD"
    assert candidate.values["price"] is None


def test_on_a_listing_scripts_are_left_alone() -> None:
    assert read(page(script(TEXT)), page_kind=PageKind.LISTING) == []


@pytest.mark.parametrize(
    "text",
    [
        'a = {"' * 50_000 + "@type Product",
        '{"@type":' * 50_000 + "Product",
        '[{"@type":"Product"},' * 50_000,
        "[" * 100_000 + '"@type" Product',
        json.dumps('{"@type":' * 20_000 + "Product"),
        'x={"a":undefined,"@type":"Product"' * 5_000,
    ],
    ids=lambda text: text[:20],
)
def test_a_hostile_script_is_left_soon(text: str) -> None:
    started = time.process_time()

    assert read(page(script(text))) == []
    assert time.process_time() - started < 2


SHOP = {
    "title": "A lamp",
    "vendor": "Acme",
    "variants": [{"sku": "L-1", "barcode": "4006381333931"}],
}
NAMED = {
    "the whole of a script": script(json.dumps(SHOP), ' type="application/json"'),
    "inside of a state": script(f"var meta = {json.dumps({'product': SHOP})};"),
    "passed to analytics": script(f"push({json.dumps({'items': [SHOP]})})"),
    "passed behind a name": script(f'gtag("event", "view_item", {json.dumps({"items": [SHOP]})})'),
    "twice": script(json.dumps([SHOP, {**SHOP, "title": "A &amp; B"}])) + script(json.dumps(SHOP)),
    "beside others": script(json.dumps([{**SHOP, "title": "A vase", "vendor": "Other"}, SHOP])),
}


@pytest.mark.parametrize("scripts", NAMED.values(), ids=NAMED)
def test_an_object_of_the_name_of_the_page_gives_what_a_shop_keeps(scripts: str) -> None:
    body = f'{page(scripts)}<meta property="og:type" content="product">'
    (candidate,) = read(body)

    names = {"brand": "Acme", "sku": "L-1", "gtin": "4006381333931"}
    assert {name: candidate.values[name] for name in names} == names
    kinds = {spec.name: spec.kind for spec in BUILT_IN["product"].fields}
    for name, value in names.items():
        evidence = candidate.fields[name].evidence
        assert evidence is not None
        assert (evidence.source, evidence.rule[:7]) == (Source.STATE, "object:")
        assert Derivation(make_snapshot(body)).derive(kinds[name], evidence) == value


UNNAMED = {
    "another name": script(json.dumps({**SHOP, "title": "A vase"})),
    "a part of the name": script(json.dumps({**SHOP, "title": "A lamp shade"})),
    "several values": script(json.dumps([SHOP, {**SHOP, "vendor": "Other"}])),
    "no object of a product": script(json.dumps({"title": "A lamp", "by": "Acme"})),
    "a program": script('push({title: "A lamp", vendor: "Acme"})'),
}


@pytest.mark.parametrize("scripts", UNNAMED.values(), ids=UNNAMED)
def test_an_object_that_may_be_another_thing_gives_nothing(scripts: str) -> None:
    brands = [candidate.values["brand"] for candidate in read(f"{page(scripts)}<p>SKU: 12</p>")]

    assert brands == [None]
