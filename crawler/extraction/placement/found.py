"""What a rule found, parted into what stands where the field may stand, and strays."""

from collections.abc import Sequence
from dataclasses import replace

from crawler.contracts.evidence import Source
from crawler.contracts.record import FieldSpec
from crawler.document.document import Node
from crawler.document.text import text_without
from crawler.extraction.place import MAX_RAW, Found, Place
from crawler.extraction.placement.misplaced import find_misplaced, is_retracted
from crawler.extraction.placement.offers import read_offer
from crawler.extraction.placement.signs import MONEY, Sign, signs_against

FOR_READERS = frozenset({Source.CSS, Source.XPATH})
"""Sources that point at what a reader sees; the others are written for programs."""


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
    """Return the text of *node* without what is struck through or named as a former price."""
    return text_without(node, is_retracted)


def _find_fault(item: Found, spec: FieldSpec, place: Place) -> str | None:
    if spec.kind in MONEY and (said := read_offer(item.beside) & signs_against(spec)):
        return f"{min(said)}: {item.evidence.locator}"
    node = item.node
    if node is None:
        return None
    if place.rows and (row := _row_of(node, place)) is not place.row and row is not None:
        return f"{Sign.OTHER_ROW}: {place.document.path_of(node)}"
    is_shown = item.evidence.source in FOR_READERS and not item.is_machine_written
    return find_misplaced(place.document, node, spec, _boundary(place), is_shown=is_shown)


def _row_of(node: Node, place: Place) -> Node | None:
    element: Node | None = node
    while element is not None and element not in place.rows:
        element = element.getparent()
    return element


def _boundary(place: Place) -> Node | None:
    """Return the element that is the record, on a page with several."""
    if place.row is not None or place.item is None or place.is_whole_page:
        return place.row
    return place.item.origins.get(())


def _without_retracted(item: Found, spec: FieldSpec) -> Found | None:
    """Read a price without the one it replaced, where both stand in one element.

    None where nothing else stands there.
    """
    is_text = item.evidence.source in FOR_READERS and not item.evidence.locator.endswith("text()")
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
