"""What a rule finds at a place: one function for each kind of rule."""

from collections.abc import Callable

from crawler.extraction.object_finders import (
    find_in_calendar,
    find_in_feed,
    find_in_json,
    find_in_jsonld,
    find_in_loaded,
    find_in_microdata,
    find_in_microformats,
    find_in_object,
    find_in_plugin,
    find_in_rdfa,
    find_in_state,
)
from crawler.extraction.page_finders import (
    find_beside_label,
    find_by_css,
    find_by_xpath,
    find_content,
    find_in_html,
    find_in_list,
    find_in_meta,
    find_in_opengraph,
    find_page_property,
)
from crawler.extraction.place import Found, Place


def find(place: Place, rule: str) -> list[Found]:
    """Return what *rule* matches. Raises BadPathError or BadSelectorError."""
    source, _, expression = rule.partition(":")
    return FINDERS[source](place, rule, expression)


FINDERS: dict[str, Callable[[Place, str, str], list[Found]]] = {
    "jsonld": find_in_jsonld,
    "microdata": find_in_microdata,
    "rdfa": find_in_rdfa,
    "opengraph": find_in_opengraph,
    "meta": find_in_meta,
    "state": find_in_state,
    "feed": find_in_feed,
    "ical": find_in_calendar,
    "object": find_in_object,
    "json": find_in_json,
    "loaded": find_in_loaded,
    "microformats": find_in_microformats,
    "plugin": find_in_plugin,
    "label": find_beside_label,
    "list": find_in_list,
    "html": find_in_html,
    "css": find_by_css,
    "xpath": find_by_xpath,
    "content": find_content,
    "page": find_page_property,
}
