import json
import math

import pytest

from crawler.contracts.inert import dump_json, neutral_cell

CELLS = {
    "formula": ("=1+1", "'=1+1"),
    "plus": ("+1", "'+1"),
    "minus": ("-1", "'-1"),
    "at": ("@SUM(A1)", "'@SUM(A1)"),
    "tab": ("\t=1", "'\t=1"),
    "carriage return": ("\r=1", "'\r=1"),
    "line feed": ("\n=1", "'\n=1"),
    "full width": ("\uff1d1", "'\uff1d1"),
    "behind a control": ("\x00=1", "'=1"),
    "inside": ("a=1", "a=1"),
    "quoted": ('"=1"', '"=1"'),
    "apostrophe": ("'=1", "'=1"),
    "number": (-1.5, -1.5),
    "true": (True, True),
    "zero": (0, 0),
    "nothing": (None, ""),
    "empty": ("", ""),
    "list": (["=1"], '["=1"]'),
    "object": ({"a": "\u202e"}, '{"a": "\\u202e"}'),
    "escape code": ("\x1b[31mred", "[31mred"),
    "two lines": ("a\nb\tc", "a\nb\tc"),
    "turned around": ("\u202egnp.exe", "\\u202egnp.exe"),
    "accent": ("café", "café"),
}


@pytest.mark.parametrize(("value", "cell"), CELLS.values(), ids=CELLS)
def test_a_cell_shows_its_text_and_does_nothing(value: object, cell: object) -> None:
    assert neutral_cell(value) == cell


TEXTS = {
    "accent": "café",
    "escape code": "\x1b[31m",
    "control sequence in one character": "\x9b31m",
    "turned around": "\u202egnp.exe",
    "isolates": "\u2066a\u2069",
    "line separator": "a\u2028b",
    "byte order mark": "\ufeffa",
    "lone surrogate": "a\ud800b",
    "escaped already": "\\u202e",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_json_is_one_printable_line_that_reads_back_exactly(text: str) -> None:
    dumped = dump_json({text: [text]})

    assert json.loads(dumped) == {text: [text]}
    assert dumped.isprintable()
    assert dumped.splitlines() == [dumped]


def test_json_keeps_letters_readable() -> None:
    assert dump_json(["café", "日本", "👋🏽", "نص"]) == '["café", "日本", "👋🏽", "نص"]'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_json_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        dump_json({"price": number})
