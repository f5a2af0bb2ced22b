"""What a rule found, parted into what stands where the field may stand, and strays."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from lxml import etree

from crawler.contracts.evidence import Source
from crawler.contracts.record import FieldSpec
from crawler.document.document import Node
from crawler.document.text import BLOCKS, amount_text, inner_text
from crawler.extraction.place import MAX_RAW, Found, Place
from crawler.extraction.placement.context import words_around_passage
from crawler.extraction.placement.misplaced import find_misplaced, is_retracted
from crawler.extraction.placement.offers import read_offer
from crawler.extraction.placement.signs import MONEY, Sign, signs_against

POINTED = frozenset({Source.CSS, Source.XPATH})
"""Sources whose values are the text of an element, or an attribute of it."""
NEAR_LABEL = 3
"""Steps up from a value."""
FOR_READERS = POINTED | {Source.LABEL}
"""Sources that point at what a reader sees; the others are written for programs."""

WITH_TEXT = POINTED | {Source.MICRODATA, Source.RDFA, Source.HTML}
"""Sources whose values may be all that an element says."""


def keep_placed(
    found: Sequence[Found], spec: FieldSpec, place: Place
) -> tuple[list[Found], list[tuple[Found, str]]]:
    """Return what may be read, and what may not with the reason."""
    kept: list[Found] = []
    strays: list[tuple[Found, str]] = []
    for item in found:
        why = _find_fault(item, spec, place)
        current = None if why else _without_retracted(item, spec)
        if current is not None:
            kept.append(current)
        else:
            strays.append((item, why or f"{Sign.STRUCK}: {item.evidence.locator}"))
    return kept, strays


def current_text(node: Node) -> str:
    """Return the text of *node* without what is struck through or named as a former price.

    Raised cents are behind a point then, and the number of a footnote is left out.
    """
    return amount_text(node, lambda element: is_retracted(element) or _is_footnote(element))


def _is_footnote(element: Node) -> bool:
    return element.tag == "sup" and len(text := inner_text(element)) == 1 and text.isdigit()


def _find_fault(item: Found, spec: FieldSpec, place: Place) -> str | None:
    if spec.kind in MONEY and (said := read_offer(item.beside) & signs_against(spec)):
        return f"{min(said)}: {item.evidence.locator}"
    node = item.node
    if node is None or _was_chosen(item, place):
        return None
    row = place.rows.around(node) if place.rows else None
    if row is not None and row is not place.row:
        return f"{Sign.OTHER_ROW}: {place.document.path_of(node)}"
    if item.line is not None and Sign.STRUCK in signs_against(spec) and _holds_struck(item, node):
        return f"{Sign.STRUCK}: {place.document.path_of(node)}"
    is_shown = item.evidence.source in FOR_READERS and not item.is_machine_written
    boundary = _boundary(item, place)
    words = _words_of(item, node)
    return find_misplaced(place.document, node, spec, boundary, is_shown=is_shown, words=words)


def _was_chosen(item: Found, place: Place) -> bool:
    """Whether the attribute of an element was looked for in the right part of the page already."""
    is_of_page = place.row is None and item.evidence.source is Source.HTML
    return is_of_page and item.is_machine_written


def _holds_struck(item: Found, node: Node) -> bool:
    """Whether a part of what stands in a line no longer holds."""
    inline = (
        each for child in node if child.tag not in BLOCKS for each in child.iter(etree.Element)
    )
    return any(is_retracted(each) and inner_text(each) in str(item.raw) for each in inline)


def _words_of(item: Found, node: Node) -> tuple[str, str, str] | None:
    if item.line is None:
        return None
    end = len(item.line)
    return words_around_passage(node, item.line, end - len(str(item.raw)), end)


def _boundary(item: Found, place: Place) -> Node | None:
    """Return the element that is the record, on a page with several; around a label on a page about
    one thing, what is too far away to say something of both it and its value."""
    if place.row is None and place.item is not None and not place.is_whole_page:
        return place.item.origins.get(())
    if place.row is None and item.line is not None and item.node is not None:
        return next(islice(item.node.iterancestors(), NEAR_LABEL, None), None)
    return place.row


def _without_retracted(item: Found, spec: FieldSpec) -> Found | None:
    """Read a price without the one it replaced, where both stand in one element.

    None where nothing else stands there.
    """
    is_text = item.evidence.source in WITH_TEXT and not item.evidence.locator.endswith("text()")
    if item.node is None or spec.kind not in MONEY or item.is_machine_written or not is_text:
        return item
    text = current_text(item.node)
    if Sign.STRUCK not in signs_against(spec) or text == item.raw:
        return item
    return (
        replace(item, raw=text, evidence=replace(item.evidence, raw=text[:MAX_RAW]))
        if text
        else None
    )
