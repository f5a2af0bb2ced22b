import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from crawler.document.document import Document
from crawler.document.strict_json import MAX_DEPTH
from crawler.extraction.jsonld import BrokenBlock, JsonLd, parse_tolerantly, read_blocks
from tests.unit.document.pages import ld_json, make_snapshot


def read(*texts: str) -> tuple[tuple[JsonLd, ...], tuple[BrokenBlock, ...]]:
    return read_blocks(Document(make_snapshot(ld_json(*texts))))


LAMP = '{"@type":"Product","name":"Lamp"}'
READ: dict[str, tuple[str, JsonValue, str]] = {
    "CDATA whose end is escaped": (
        f"\n// <![CDATA[\n{LAMP}\n// ]]&gt;\n",
        {"@type": "Product", "name": "Lamp"},
        "wrapper stripped",
    ),
    "CDATA in a comment": (
        f"/*<![CDATA[*/{LAMP}/*]]>*/",
        {"@type": "Product", "name": "Lamp"},
        "wrapper stripped",
    ),
    "bare CDATA": (f"<![CDATA[{LAMP}]]>", {"@type": "Product", "name": "Lamp"}, "wrapper stripped"),
    "HTML comment": (f"<!--\n{LAMP}\n//-->", {"@type": "Product", "name": "Lamp"}, "wrapper"),
    "byte order mark": (f"\ufeff{LAMP}", {"@type": "Product", "name": "Lamp"}, "wrapper stripped"),
    "whole body escaped": (
        "{&quot;name&quot;:&quot;Mug &amp;amp; Saucer&quot;}",
        {"name": "Mug &amp; Saucer"},
        "HTML entities decoded",
    ),
    "semicolon": ('{"name":"Budget hearing"};', {"name": "Budget hearing"}, "trailing semicolon"),
    "raw control characters": ('{"name":"Phone\n\tX"}', {"name": "Phone\n\tX"}, "raw control"),
    "trailing commas": ('{"a":[1,2,],"b":{"c":3,},}', {"a": [1, 2], "b": {"c": 3}}, "syntax"),
    "comments": (
        '{"a":1, // one\n"b":"http://x/",/* two */ "c":3}',
        {"a": 1, "b": "http://x/", "c": 3},
        "syntax mended",
    ),
    "missing values": ('{"a": , "b":}', {"a": None, "b": None}, "syntax mended"),
    "leading zero": ('{"zip": 01234, "n": 0.5}', {"zip": "01234", "n": 0.5}, "syntax mended"),
    "bad escapes": (
        r'{"a":"don\'t","b":"\d\u00e9\n"}',
        {"a": "don't", "b": "d\u00e9\n"},
        "syntax mended",
    ),
    "quotes that fit nothing else": (
        '{"a":"over the "rainbow" again","b":1}',
        {"a": 'over the "rainbow" again', "b": 1},
        "syntax mended",
    ),
    "quotes and line break in markup": (
        '{"name":"Food bank","description":"See <a href="/hours">hours</a>\nfor details"}',
        {"name": "Food bank", "description": 'See <a href="/hours">hours</a>\nfor details'},
        "syntax mended",
    ),
    "two objects": ('{"a":1}\n{"b":2}', [{"a": 1}, {"b": 2}], "2 values in one block"),
    "contradicting keys": ('{"a":1,"b":2,"a":3}', {"b": 2}, "contradicting key 'a' dropped"),
    "odd white space": (
        '\u200b{\u00a0"a":\u20281,\x00"b":\v2}\ufeff',
        {"a": 1, "b": 2},
        "syntax mended",
    ),
    "statement": ('window.data = {"a":1};', {"a": 1}, "syntax mended"),
    "call": ('add({"a":1});', {"a": 1}, "syntax mended"),
    "messages before it": ('<b>Warning</b>: x on line 3<br>\n{"a":1}', {"a": 1}, "syntax mended"),
    "markup around it": ('<p>{<br />"a":"x",<br />"b":1}</p>', {"a": "x", "b": 1}, "syntax mended"),
    "JSON as a text": (json.dumps('{"a": "b"}'), {"a": "b"}, "text of a string parsed"),
    "escaped twice": ("{&amp;quot;a&amp;quot;:1}", {"a": 1}, "HTML entities decoded twice"),
    "single quotes": (
        "{'a': 'it\\'s 5\" wide', 'b': ['x', 'y']}",
        {"a": "it's 5\" wide", "b": ["x", "y"]},
        "syntax mended",
    ),
    "one text in single quotes": (
        '{"a": \'Oil "fell" today\', "b": 1}',
        {"a": 'Oil "fell" today', "b": 1},
        "syntax mended",
    ),
    "bare keys": (
        '{name: "x", $id: 1, b: {c: 2}}',
        {"name": "x", "$id": 1, "b": {"c": 2}},
        "syntax",
    ),
    "typographic quotes": (
        '{"a": "the \u201cold\u201d one", \u201cb\u201d: \u201cx\u201d}',
        {"a": "the \u201cold\u201d one", "b": "x"},
        "syntax mended",
    ),
    "leading and doubled commas": ('{, "a": 1,, "b": [1,,2]}', {"a": 1, "b": [1, 2]}, "syntax"),
    "missing commas": (
        '{"a": "x" "b": {"c": 1} "d": [{"e": 1} {"f": 2}]}',
        {"a": "x", "b": {"c": 1}, "d": [{"e": 1}, {"f": 2}]},
        "syntax mended",
    ),
    "missing end": ('{"a": [{"b": "c"}', {"a": [{"b": "c"}]}, "syntax mended"),
    "missing end, indented": ('{\n  "a": {\n    "b": 1\n  }', {"a": {"b": 1}}, "syntax mended"),
    "superfluous end": ('{"a": {"b": 1}}}]', {"a": {"b": 1}}, "syntax mended"),
    "missing bracket": ('{"a": [{"b": 1}, {"c": 2}}', {"a": [{"b": 1}, {"c": 2}]}, "syntax mended"),
    "words of other languages": (
        '{"a": undefined, "b": None, "c": True, "d": False}',
        {"a": None, "b": None, "c": True, "d": False},
        "syntax mended",
    ),
    "numbers of other languages": (
        '{"a": +19.00, "b": 19., "c": .5, "d": -.5}',
        {"a": 19.0, "b": 19, "c": 0.5, "d": -0.5},
        "syntax mended",
    ),
    "numbers with commas": (
        '{"a": 19,90, "b": 1,299.00, "c": [1,2,], "d": 3}',
        {"a": "19,90", "b": "1,299.00", "c": [1, 2], "d": 3},
        "syntax mended",
    ),
    "bytes escaped": (r'{"a":"\x41"}', {"a": "A"}, "syntax mended"),
    "lone surrogate in one of two objects": (
        r'{"a":"x\ud83d"}{"b":1}',
        [{"a": "x\ufffd"}, {"b": 1}],
        "lone surrogates replaced",
    ),
    "lone surrogate": (r'{"a":"x\ud83d"}', {"a": "x\ufffd"}, "lone surrogates replaced"),
}


@pytest.mark.parametrize(("text", "value", "repair"), READ.values(), ids=READ)
def test_damaged_block_is_read_and_the_repair_is_noted(
    text: str, value: JsonValue, repair: str
) -> None:
    (block,), broken = read(text)

    assert block.value == value
    assert any(repair in note for note in block.repairs)
    assert broken == ()


UNTOUCHED = {
    "entities in a value": ('{"a":"&quot;x&quot;"}', {"a": "&quot;x&quot;"}),
    "comment marks in a value": ('{"a":"<!-- // ]]> ,}"}', {"a": "<!-- // ]]> ,}"}),
    "the same key twice with one value": ('{"a":1,"a":1}', {"a": 1}),
    "text that begins like an object": ('{"a":"{b"}', {"a": "{b"}),
    "typographic quotes in a value": ('{"a":"\u201cx\u201d"}', {"a": "\u201cx\u201d"}),
    "surrogate pair": (r'{"a":"\ud83d\ude00"}', {"a": "\U0001f600"}),
}


@pytest.mark.parametrize(("text", "value"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_parses_is_never_repaired(text: str, value: JsonValue) -> None:
    assert parse_tolerantly(text) == (value, ())


REFUSED = {
    "empty": " \n",
    "no JSON": "{broken",
    "JavaScript": "var x = f({a: b});",
    "template": '{"name": {{ title }}}',
    "bare words": "{name: x}",
    "no colon": '{"name" "x"}',
    "a missing end inside": '{\n  "@type": "Article",\n  "author": {\n    "@type": "Person",\n  "name": "x"\n}',
    "an end missing behind bare quotes": '{"a": "over the "rainbow"',
    "cut off": '{"name": "x", "offers": {"pri',
    "quotes that fit two ways": '{"a":"say "b", "c": d", "e":1}',
    "100,000 arrays": "[" * 100_000 + "]" * 100_000,
    "deeper than allowed": "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    "5,000 digits": '{"a":' + "9" * 5_000 + "}",
    "1e400": '{"a":1e400}',
    "NaN": '{"a":NaN}',
    "Infinity": '{"a":-Infinity}',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_unreadable_block_costs_only_itself_and_says_where_it_stands(text: str) -> None:
    blocks, (broken,) = read(LAMP, text, '{"@type":"Product","name":"Chair"}')

    assert [block.index for block in blocks] == [0, 2]
    assert broken.index == 1
    assert str(broken).startswith(f"JSON-LD block 1 (bytes {broken.span[0]}-{broken.span[1]}): ")


NAMED: dict[str, tuple[str, JsonValue]] = {
    "prefix of old": ('{"schema:name":"x"}', {"name": "x"}),
    "full address": (
        '{"@type":"http://schema.org/Product","https://schema.org/name":[{"@value":"x"}]}',
        {"@type": ["Product"], "name": [{"@value": "x"}]},
    ),
    "prefix of its own": (
        '{"@context":{"s":"https://schema.org/"},"@type":"s:Product","s:brand":{"s:name":"x"}}',
        {
            "@context": {"s": "https://schema.org/"},
            "@type": ["Product"],
            "brand": {"name": "x"},
        },
    ),
    "aliases of keywords": (
        '{"@context":["https://schema.org",{"type":"@type"}],"type":"Product","name":"x"}',
        {
            "@context": ["https://schema.org", {"type": "@type"}],
            "@type": ["Product"],
            "name": "x",
        },
    ),
    "other words for properties": (
        '{"@context":{"titel":{"@id":"schema:name"}},"titel":"x"}',
        {"@context": {"titel": {"@id": "schema:name"}}, "name": "x"},
    ),
    "another vocabulary": (
        '{"@context":{"foaf":"http://xmlns.com/foaf/0.1/"},"foaf:name":"x","name":"y"}',
        {"@context": {"foaf": "http://xmlns.com/foaf/0.1/"}, "foaf:name": "x", "name": "y"},
    ),
    "both names, the bare one first": ('{"name":"y","schema:name":"x"}', {"name": "y"}),
    "both names": ('{"schema:name":"x","name":"y"}', {"name": "y"}),
    "a value that is a name": ('{"a":"schema:name"}', {"a": "schema:name"}),
}


@pytest.mark.parametrize(("text", "value"), NAMED.values(), ids=NAMED)
def test_properties_bear_the_names_of_schema_org(text: str, value: JsonValue) -> None:
    (block,), _ = read(text)

    assert block.value == value


def test_nesting_up_to_the_limit_is_read() -> None:
    blocks, broken = read("[" * MAX_DEPTH + "]" * MAX_DEPTH)

    assert (len(blocks), len(broken)) == (1, 0)


def test_ten_thousand_blocks_are_bounded_in_time() -> None:
    document = Document(make_snapshot(ld_json(*[LAMP] * 10_000)))
    started = time.process_time()

    blocks, _ = read_blocks(document)

    assert len(blocks) == 1_000
    assert time.process_time() - started < 2.0


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='{}[]:,"\\/ a1\n<!->;&', max_size=60))
def test_whatever_the_text_the_outcome_is_json_or_a_value_error(text: str) -> None:
    try:
        value, _ = parse_tolerantly(text)
    except ValueError:
        return
    json.dumps(value, allow_nan=False).encode()
