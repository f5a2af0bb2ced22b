import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.extraction.fields.reading import Context, Unreadable
from crawler.extraction.fields.text import read_text

JSONLD = Context("https://example.com/", has_entities=True, is_machine_written=True)
NODE = Context("https://example.com/", has_entities=False, is_machine_written=False)
TEXTS: dict[str, tuple[JsonValue, Context, str]] = {
    "entities": ("Salt &amp; Pepper &#8211; 2 pack", JSONLD, "Salt & Pepper \u2013 2 pack"),
    "entities once only": ("&amp;lt;b&amp;gt;", JSONLD, "&lt;b&gt;"),
    "what looks like an entity in an address": ("?a=1&copy=2", JSONLD, "?a=1&copy=2"),
    "entity in a node was decoded by the parser": ("a &amp; b", NODE, "a &amp; b"),
    "white space": ("Phone\n\tX\u00a0Y", JSONLD, "Phone X Y"),
    "windows-1252 characters as controls": ("lawyer\x92s \x97", JSONLD, "lawyer\u2019s \u2014"),
    "other controls": ("a\x00b\x07c", JSONLD, "abc"),
    "marks of direction, tags and soft hyphens": (
        "\u202eAc\u00adme\U000e0041\u200f Ltd\u2069",
        JSONLD,
        "Acme Ltd",
    ),
    "markup in a text for a page": (
        "<b>So</b>up<br>of <i class='x'>leek</i>",
        JSONLD,
        "Soup of leek",
    ),
    "markup that is meant to be read": ("Use &lt;b&gt; for bold", JSONLD, "Use <b> for bold"),
    "markup that a page shows": ("Use <b> for bold", NODE, "Use <b> for bold"),
    "what only looks like markup": ("a <b or <3", JSONLD, "a <b or <3"),
    "number": (42, JSONLD, "42"),
    "literal with language": ({"@value": "x", "@language": "en"}, JSONLD, "x"),
    "postal address of lists and literals": (
        {
            "@type": ["PostalAddress"],
            "streetAddress": ["1 Main St"],
            "addressLocality": {"@value": "Ghent"},
        },
        JSONLD,
        "1 Main St, Ghent",
    ),
    "postal address": (
        {
            "@type": "PostalAddress",
            "streetAddress": "1 Main St",
            "addressLocality": "Ghent",
            "addressCountry": {"name": "BE"},
        },
        JSONLD,
        "1 Main St, Ghent, BE",
    ),
}


@pytest.mark.parametrize(("raw", "context", "text"), TEXTS.values(), ids=TEXTS)
def test_text_is_cleaned(raw: JsonValue, context: Context, text: str) -> None:
    assert read_text(raw, context) == text


LACKS: dict[str, tuple[JsonValue, Missing]] = {
    "null": (None, Missing.ABSENT),
    "empty": ("", Missing.ABSENT),
    "white space": (" \u200b\n", Missing.ABSENT),
    "address of nulls": (
        {"@type": "PostalAddress", "streetAddress": None, "addressCountry": ""},
        Missing.ABSENT,
    ),
    "object of another kind": ({"@type": "Person", "name": "x"}, Missing.NOT_FOUND),
}


@pytest.mark.parametrize(("raw", "missing"), LACKS.values(), ids=LACKS)
def test_a_lack_is_named(raw: JsonValue, missing: Missing) -> None:
    assert read_text(raw, JSONLD) is missing


def test_truth_is_no_text() -> None:
    assert isinstance(read_text(True, JSONLD), Unreadable)
