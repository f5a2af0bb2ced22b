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
    "surrogate pair": (r'{"a":"\ud83d\ude00"}', {"a": "\U0001f600"}),
}


@pytest.mark.parametrize(("text", "value"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_parses_is_never_repaired(text: str, value: JsonValue) -> None:
    assert parse_tolerantly(text) == (value, ())


REFUSED = {
    "empty": " \n",
    "no JSON": "{broken",
    "JavaScript": "var x = {};",
    "template": '{"name": {{ title }}}',
    "bare keys": "{name: 'x'}",
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
