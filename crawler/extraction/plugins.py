"""What widely used publishing plugins mark with class names of their own, by schema.org's names.

WP Recipe Maker, Tasty Recipes, Mediavine Create, WPZOOM Recipe Card, The Events Calendar and
WooCommerce: their pages look different everywhere, and these names are the same everywhere.
"""

import re
from collections.abc import Sequence
from itertools import islice

from lxml import etree

from crawler.contracts.evidence import Source
from crawler.document.document import Node
from crawler.document.text import block_text, normalize_space
from crawler.extraction.class_items import WITH_CLASS, ItemClasses, classes_of
from crawler.extraction.items import Syntax
from crawler.extraction.microdata import image_attribute

MAX_CLIMB = 8
"""Steps from an element up to the part of a card that says what it is."""
ROOTS = ItemClasses(
    {
        "wprm-recipe-container": "Recipe",
        "tasty-recipes": "Recipe",
        "mv-create-card": "Recipe",
        "wp-block-wpzoom-recipe-card-block-recipe-card": "Recipe",
        "tribe-events-single": "Event",
        "type-product": "Product",
    }
)
"""The class of the element that is the item."""
MARKS = {
    "wprm-recipe-name": "name",
    "wprm-recipe-author": "author",
    "wprm-recipe-ingredient": "recipeIngredient",
    "wprm-recipe-instruction-text": "recipeInstructions",
    "wprm-recipe-instruction-group-name": "recipeInstructions",
    "wprm-recipe-servings-with-unit": "recipeYield",
    "wprm-recipe-servings": "recipeYield",
    "tasty-recipes-title": "name",
    "tasty-recipes-author-name": "author",
    "tasty-recipes-yield": "recipeYield",
    "tasty-recipes-prep-time": "prepTime",
    "tasty-recipes-cook-time": "cookTime",
    "tasty-recipes-total-time": "totalTime",
    "mv-create-title": "name",
    "recipe-card-title": "name",
    "tribe-events-single-event-title": "name",
    "tribe-events-start-date": "startDate",
    "tribe-events-start-datetime": "startDate",
    "tribe-events-start-time": "startTime",
    "tribe-events-end-date": "endDate",
    "tribe-events-end-datetime": "endDate",
    "tribe-venue": "location",
    "tribe-address": "address",
    "tribe-organizer": "organizer",
    "product_title": "name",
}
"""Classes of an element that is a value."""
WITHIN = {
    ("li", "tasty-recipes-ingredients"): "recipeIngredient",
    ("li", "tasty-recipes-instructions"): "recipeInstructions",
    ("li", "mv-create-ingredients"): "recipeIngredient",
    ("li", "mv-create-instructions"): "recipeInstructions",
    ("li", "ingredients-list"): "recipeIngredient",
    ("li", "directions-list"): "recipeInstructions",
    ("wprm-recipe-time", "wprm-recipe-prep-time-container"): "prepTime",
    ("wprm-recipe-time", "wprm-recipe-cook-time-container"): "cookTime",
    ("wprm-recipe-time", "wprm-recipe-total-time-container"): "totalTime",
    ("mv-create-time-format", "mv-create-time-prep"): "prepTime",
    ("mv-create-time-format", "mv-create-time-active"): "cookTime",
    ("mv-create-time-format", "mv-create-time-total"): "totalTime",
    ("stock", "summary"): "availability",
    ("sku", "product_meta"): "sku",
    ("star-rating", "summary"): "ratingValue",
    ("count", "woocommerce-review-link"): "reviewCount",
}
"""An element or class, inside of another class."""
_CLOCK = r"\d{1,2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?"
_HOURS = re.compile(rf"({_CLOCK})(?:\s*[-\u2013]\s*{_CLOCK})?(?:\s+([A-Z]{{2,5}}))?")
NOTES = "wprm-recipe-ingredient-notes"
_INNER = frozenset(inner for inner, _ in WITHIN)
_MARKED = etree.XPath("descendant::*[@class] | descendant::li")


def _names_of(element: Node) -> tuple[str, ...]:
    classes = classes_of(element)
    names = [MARKS[name] for name in classes if name in MARKS]
    inner = _INNER.intersection((str(element.tag), *classes))
    if inner:
        around = [
            name for each in islice(element.iterancestors(), MAX_CLIMB) for name in classes_of(each)
        ]
        pairs = ((own, other) for own in inner for other in around)
        names += [WITHIN[pair] for pair in pairs if pair in WITHIN]
    return tuple(dict.fromkeys(names))


def _properties(root: Node) -> Sequence[Node]:
    return [element for element in _MARKED(root) if _names_of(element)]


def _attribute_of(element: Node) -> str | None:
    if element.tag == "img":
        return image_attribute(element)
    if element.tag == "abbr" and "title" in element.attrib:
        return "title"
    return None


def _text_of(element: Node) -> str:
    classes = classes_of(element)
    return next((TEXTS[name](element) for name in classes if name in TEXTS), _noted(element))


def _beginning(element: Node) -> str:
    """Return when an event begins of the hours that it takes, whose day is the title of them."""
    text = block_text(element)
    hours = _HOURS.fullmatch(normalize_space(text))
    return " ".join(filter(None, (element.get("title"), *hours.groups()))) if hours else text


def _noted(element: Node) -> str:
    """Return the text, a note to an ingredient in brackets: its place or colour sets it apart."""
    notes = [each for each in element.iterdescendants("span") if NOTES in classes_of(each)]
    text = block_text(element)
    for note in notes:
        said = normalize_space("".join(note.itertext()))
        if said and text.endswith(said) and not said.startswith("("):
            text = f"{text.removesuffix(said).rstrip(' ,')} ({said})"
    return text


TEXTS = {"tribe-events-start-time": _beginning}
"""Classes of an element that is more than its text."""

PLUGINS = Syntax(
    source=Source.PLUGIN,
    needed_for=lambda types: tuple(name.encode() for name in ROOTS.classes_for(types)),
    items=WITH_CLASS,
    properties=_properties,
    is_item=ROOTS.is_item,
    types_of=ROOTS.types_of,
    names_of=_names_of,
    id_of=lambda _: None,
    attribute_of=_attribute_of,
    roots_of=lambda element: (element,),
    text_of=_text_of,
)
