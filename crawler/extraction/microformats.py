"""Microformats, old (hAtom, hCalendar, hRecipe, hProduct, hCard) and second, by schema.org's names."""

import re
from collections.abc import Sequence

from lxml import etree

from crawler.contracts.evidence import Source
from crawler.document.document import Node
from crawler.extraction.class_items import WITH_CLASS, ItemClasses, classes_of
from crawler.extraction.items import Syntax
from crawler.extraction.microdata import image_attribute

ROOTS = ItemClasses(
    {
        "hentry": "Article",
        "h-entry": "Article",
        "vevent": "Event",
        "h-event": "Event",
        "hrecipe": "Recipe",
        "h-recipe": "Recipe",
        "hproduct": "Product",
        "h-product": "Product",
        "vcard": "Person",
        "h-card": "Person",
    }
)
_SHARED = {
    "p-name": "name",
    "u-url": "url",
    "p-author": "author",
    "author": "author",
    "dt-published": "datePublished",
    "published": "datePublished",
    "dt-updated": "dateModified",
    "updated": "dateModified",
    "p-summary": "description",
    "p-comment": "comment",
    "u-comment": "comment",
}
_PHOTOS = {"u-photo": "image", "u-featured": "image", "photo": "image"}
PROPERTIES: dict[str, dict[str, str]] = {
    "Article": {**_SHARED, "entry-title": "headline", "u-featured": "image"},
    "Event": {
        **_SHARED,
        **_PHOTOS,
        "summary": "name",
        "dtstart": "startDate",
        "dt-start": "startDate",
        "dtend": "endDate",
        "dt-end": "endDate",
        "location": "location",
        "p-location": "location",
        "organizer": "organizer",
        "p-organizer": "organizer",
        "description": "description",
        "p-description": "description",
        "url": "url",
    },
    "Recipe": {
        **_SHARED,
        **_PHOTOS,
        "fn": "name",
        "ingredient": "recipeIngredient",
        "p-ingredient": "recipeIngredient",
        "instructions": "recipeInstructions",
        "e-instructions": "recipeInstructions",
        "yield": "recipeYield",
        "p-yield": "recipeYield",
        "preptime": "prepTime",
        "cooktime": "cookTime",
        "duration": "totalTime",
        "dt-duration": "totalTime",
    },
    "Product": {
        **_SHARED,
        **_PHOTOS,
        "fn": "name",
        "brand": "brand",
        "p-brand": "brand",
        "price": "price",
        "p-price": "price",
        "description": "description",
        "e-description": "description",
    },
    "Person": {
        "fn": "name",
        "p-name": "name",
        "url": "url",
        "u-url": "url",
        "adr": "address",
        "p-adr": "address",
        "h-adr": "address",
    },
}
_DATES = frozenset(
    {"datePublished", "dateModified", "startDate", "endDate", "prepTime", "cookTime", "totalTime"}
)
_ADDRESSES = frozenset({"url", "image"})


def _names_of(element: Node) -> tuple[str, ...]:
    """Return the properties that the element is of the item around it."""
    classes = classes_of(element)
    around = next(filter(ROOTS.is_item, element.iterancestors()), None) if classes else None
    if around is None:
        return ()
    known = PROPERTIES[ROOTS.types_of(around)[0]]
    return tuple(dict.fromkeys(known[name] for name in classes if name in known))


def _properties(root: Node) -> Sequence[Node]:
    return [element for element in _WITH_CLASS(root) if not _KNOWN.isdisjoint(classes_of(element))]


_WITH_CLASS = etree.XPath("descendant::*[@class]")
_KNOWN = frozenset(name for names in PROPERTIES.values() for name in names)


def _attribute_of(element: Node) -> str | None:
    names = set(_names_of(element))
    if element.tag == "time" and "datetime" in element.attrib:
        return "datetime"
    if element.tag == "abbr" and names & _DATES and "title" in element.attrib:
        return "title"
    if element.tag == "img":
        return image_attribute(element)
    return "href" if names & _ADDRESSES and "href" in element.attrib else None


def _marker_of(types: tuple[str, ...]) -> str:
    names = map(re.escape, ROOTS.classes_for(types))
    return "|".join(rf"{name}(?<![\w-]{name})(?![\w-])" for name in names)


MICROFORMATS = Syntax(
    source=Source.MICROFORMATS,
    needed_for=lambda types: tuple(name.encode() for name in ROOTS.classes_for(types)),
    marker_of=_marker_of,
    items=WITH_CLASS,
    properties=_properties,
    is_item=ROOTS.is_item,
    types_of=ROOTS.types_of,
    names_of=_names_of,
    id_of=lambda _: None,
    attribute_of=_attribute_of,
    roots_of=lambda element: (element,),
    implies_name=True,
)
