"""Whether selectors and rules can be evaluated at all, found out before a page is fetched."""

import re
from collections.abc import Callable

from cssselect import GenericTranslator, SelectorError
from cssselect import HTMLTranslator as ElementTranslator
from lxml import etree
from parsel.csstranslator import HTMLTranslator as ValueTranslator

from crawler.contracts.site.record import JSONLD_ROWS, LOADED_PREFIX
from crawler.document.loaded import read_loaded_place
from crawler.extraction.shown import SHOWN
from crawler.sites.globs import find_glob_fault
from crawler.sites.quoting import shorten

SHOWN_NAMES = frozenset(SHOWN)
CONTENT_FORMS = frozenset({"markdown"})
PAGE_PROPERTIES = frozenset({"heading", "url"})

_PLAIN_PATH = re.compile(
    r"\$(?:\.[A-Za-z_][A-Za-z0-9_]{0,100}|\['[@A-Za-z0-9_-]{1,100}'\]|\[\*\]){0,50}"
)
"""Member names and wildcards only: right in any grammar of JSONPath."""
_ELEMENTS = ElementTranslator()
_VALUES = ValueTranslator()  # knows ::text and ::attr(), as rules need them


def find_selector_fault(text: str) -> str | None:
    """Return what keeps *text* from selecting elements by CSS."""
    fault = _find_css_fault(text, _ELEMENTS)
    source = text.partition(":")[0]
    if fault is None or source not in RULE_SOURCES:
        return fault
    return f"expected a bare CSS selector ({source}: is for rules of fields), found {shorten(text)}"


def find_row_fault(text: str) -> str | None:
    """Return what keeps *text* from naming the rows of a page."""
    if text.startswith(JSONLD_ROWS):
        return find_json_path_fault(text.removeprefix(JSONLD_ROWS))
    return find_part_fault(text)


def find_part_fault(text: str) -> str | None:
    """Return what keeps *text* from naming elements of a page, or a place in what it loaded."""
    if text.startswith(LOADED_PREFIX):
        return _find_loaded_fault(text.removeprefix(LOADED_PREFIX))
    return find_selector_fault(text)


def find_rule_fault(text: str) -> str | None:
    """Return what keeps *text* from being the rule of a field."""
    source, _, path = text.partition(":")
    find_fault = RULE_SOURCES.get(source)
    if find_fault is None or not path:
        return f"expected {RULE_WORDS}, found {shorten(text)}"
    return find_fault(path)


def _find_loaded_fault(text: str) -> str | None:
    place = read_loaded_place(text)
    if place.pattern and (fault := find_glob_fault(place.pattern)):
        return fault
    if not place.path:
        return f"expected {LOADED_WORDS}, found {shorten(LOADED_PREFIX + text)}"
    return find_json_path_fault(place.path)


def _find_value_fault(text: str) -> str | None:
    return _find_css_fault(text, _VALUES)


def _find_css_fault(text: str, translator: GenericTranslator) -> str | None:
    try:
        fault = _find_xpath_fault(translator.css_to_xpath(text))
    except (SelectorError, RecursionError) as error:
        fault = str(error)
    return fault and f"expected a CSS selector, found {shorten(text)} ({_first_line(fault)})"


def _find_expression_fault(text: str) -> str | None:
    fault = _find_xpath_fault(text)
    return fault and f"expected an XPath expression, found {shorten(text)} ({_first_line(fault)})"


def _find_xpath_fault(text: str) -> str | None:
    try:
        # Unknown functions, prefixes and variables show only when an expression is evaluated.
        etree.XPath(text)(etree.Element("html"))
    except (etree.XPathError, ValueError) as error:
        return str(error)
    return None


def find_json_path_fault(text: str) -> str | None:
    """Return what keeps *text* from being a JSONPath."""
    if _PLAIN_PATH.fullmatch(text):
        return None
    fault = _find_grammar_fault(text) if text.startswith("$") else "it begins with $"
    return fault and (
        f"expected a JSONPath (RFC 9535) such as $.name, found {shorten(text)} ({fault})"
    )


def _find_grammar_fault(text: str) -> str | None:
    # Loaded only for paths that need it: a tenth of what a crawl takes to start.
    import jsonpath  # noqa: PLC0415
    from jsonpath import JSONPathError  # noqa: PLC0415

    try:
        jsonpath.compile(text, strict=True)
    except (JSONPathError, RecursionError) as error:
        return _first_line(str(error))
    return None


def _find_name_fault(text: str) -> str | None:
    if re.fullmatch(r"[^\s\"'<>]{1,100}", text):
        return None
    return f"expected the name of a <meta> tag such as og:title, found {shorten(text)}"


def _find_label_fault(text: str) -> str | None:
    if re.fullmatch(r"[^\s<>][^<>\n]{0,79}", text) and any(map(str.isalpha, text)):
        return None
    return f"expected the words of a label such as Prep time, found {shorten(text)}"


def _find_shown_fault(text: str) -> str | None:
    if text in SHOWN_NAMES:
        return None
    known = ", ".join(f"html:{name}" for name in sorted(SHOWN_NAMES))
    return f"expected one of {known}; found {shorten(f'html:{text}')}"


def _find_state_fault(text: str) -> str | None:
    name, _, path = text.partition(":")
    if not re.fullmatch(r"[\w$][\w$.-]{0,99}", name, re.ASCII) or not path:
        return (
            f"expected a name and a JSONPath such as __NEXT_DATA__:$.props, found {shorten(text)}"
        )
    return find_json_path_fault(path)


def _find_property_fault(text: str) -> str | None:
    if text in PAGE_PROPERTIES:
        return None
    known = " or ".join(f"page:{name}" for name in sorted(PAGE_PROPERTIES))
    return f"expected {known}, found {shorten(f'page:{text}')}"


def _find_content_fault(text: str) -> str | None:
    if text in CONTENT_FORMS:
        return None
    return f"expected content:markdown, found {shorten(f'content:{text}')}"


def _find_entry_fault(text: str) -> str | None:
    if re.fullmatch(r"[A-Za-z_]\w{0,99}(?:\.[A-Za-z_]\w{0,99}){0,9}", text, re.ASCII):
        return None
    return f"expected the name of a value of an entry such as title, found {shorten(text)}"


def _find_calendar_fault(text: str) -> str | None:
    if re.fullmatch(r"[A-Z][A-Z0-9-]{0,99}(?:;[A-Z][A-Z0-9-]{0,99})?", text, re.ASCII):
        return None
    return (
        "expected a property of an event such as SUMMARY, or a parameter of one such as "
        f"ORGANIZER;CN, found {shorten(text)}"
    )


def _find_hint_fault(text: str) -> str | None:
    if text.strip() and text.isprintable():
        return None
    return (
        f"expected a hint on one line, such as model:the price at the door, found {shorten(text)}"
    )


LOADED_WORDS = "loaded:$.path or loaded:/url/pattern $.path"
RULE_WORDS = (
    "a rule: jsonld:$.path, microdata:$.path, rdfa:$.path, microformats:$.path, plugin:$.path, "
    "opengraph:name, meta:name, state:NAME:$.path, object:$.path, loaded:$.path, label:words, list:words, html:name, feed:name, "
    "ical:PROPERTY, json:$.path, "
    "css:selector, xpath:expression, "
    "content:markdown, page:heading, page:url or model:hint"
)
RULE_SOURCES: dict[str, Callable[[str], str | None]] = {
    "jsonld": find_json_path_fault,
    "microdata": find_json_path_fault,
    "rdfa": find_json_path_fault,
    "microformats": find_json_path_fault,
    "plugin": find_json_path_fault,
    "label": _find_label_fault,
    "list": _find_label_fault,
    "html": _find_shown_fault,
    "opengraph": _find_name_fault,
    "meta": _find_name_fault,
    "state": _find_state_fault,
    "loaded": _find_loaded_fault,
    "object": find_json_path_fault,
    "feed": _find_entry_fault,
    "ical": _find_calendar_fault,
    "json": find_json_path_fault,
    "css": _find_value_fault,
    "xpath": _find_expression_fault,
    "content": _find_content_fault,
    "page": _find_property_fault,
    "model": _find_hint_fault,
}


def _first_line(text: str) -> str:
    return text.partition("\n")[0].rstrip(" .")
