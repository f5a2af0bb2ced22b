import json
import time
from contextlib import suppress

import pytest

from crawler.extraction.jsonld import parse_tolerantly
from crawler.extraction.mending import mend_syntax
from crawler.extraction.repair import strip_terminator, strip_wrappers, unescape_once

NOT_MINE = {
    "an object": '{"a": 1}',
    "white space": ' {"a": 1} ',
    "a script": "var a = 1;",
    "nothing": "",
    "marks inside a string": '{"a": "<!-- x --> // y"}',
}


@pytest.mark.parametrize("text", NOT_MINE.values(), ids=NOT_MINE)
def test_a_text_without_wrapper_is_left_as_it_is(text: str) -> None:
    assert strip_wrappers(text) == text


def test_only_a_trailing_semicolon_is_dropped() -> None:
    assert strip_terminator('{"a": ";"} ; ') == '{"a": ";"}'
    assert strip_terminator('{"a": ";"}') == '{"a": ";"}'


def test_entities_are_decoded_only_where_the_quotes_are_entities() -> None:
    assert unescape_once("{&quot;a&quot;:&#34;&amp;amp;&#34;}") == '{"a":"&amp;"}'
    assert unescape_once('{"a":"&quot;"}') == '{"a":"&quot;"}'


STRICT = {
    "strings": r'{"a": "x \" , } ] : \\ \u00e9", "b": ["", "c"]}',
    "numbers": '{"a": [-1.5e3, 0, 0.25], "b": 10}',
    "words": '{"a": true, "b": null, "c": [false]}',
    "nested": '{"a": {"b": [{"c": {}}, []]}}',
    "slashes": '{"a": "http://x/y//z", "b": "</p>"}',
}


@pytest.mark.parametrize("text", STRICT.values(), ids=STRICT)
def test_mending_keeps_the_value_of_json_that_needs_none(text: str) -> None:
    assert json.loads(mend_syntax(text)) == json.loads(text)


BEHIND_BARE_QUOTES = {
    "text that ends like a member": '{"a":"say "x", and "y"","b":"1"}',
    "inch marks": '{"a":"a 5" nail","b":"1"}',
    "markup": '{"a":"<img width="300" src="x.jpg">","b":"1"}',
    "in a list": '{"a":["a 5" nail", "z"],"b":"1"}',
}


@pytest.mark.parametrize("text", BEHIND_BARE_QUOTES.values(), ids=BEHIND_BARE_QUOTES)
def test_bare_quotes_never_move_a_value_to_another_key(text: str) -> None:
    value, _ = parse_tolerantly(text)

    assert isinstance(value, dict)
    assert value["b"] == "1"
    assert set(value) == {"a", "b"}


HOSTILE = {
    "quotes": '{"a":"' + '"x' * 100_000,
    "keys ahead": '{"a":"' + '","' * 50_000,
    "comments": "{" + "/*" * 100_000,
    "white space": '{"a":1' + " " * 200_000 + "x",
    "semicolons": "{}" + "; " * 100_000 + "x",
    "brackets": "[" * 200_000,
    "blank lines": '{"a":"x"' + "\n " * 100_000 + "y",
    "signs": '{"a":' + "1," * 100_000 + "x",
    "markup": "{" + "<b>" * 100_000,
    "text before it": "[ " * 100_000 + "x",
    "other quotes": "{'a':'" + "' " * 100_000,
    "ends of nothing": "[" * 100_000 + "}" * 100_000,
    "signs before more": "[1]" + "]" * 200_000 + " {",
    "commas": "[" + "," * 200_000 + "]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_mending_is_bounded_in_time(text: str) -> None:
    started = time.process_time()

    with suppress(ValueError, RecursionError):
        parse_tolerantly(text)

    assert time.process_time() - started < 3.0
