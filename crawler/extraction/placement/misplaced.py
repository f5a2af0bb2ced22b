"""Find what speaks against taking a field's value from an element."""

import re
from collections.abc import Iterator
from itertools import islice

from crawler.contracts.record import FieldKind, FieldSpec
from crawler.document.document import Document, Node
from crawler.document.text import HEADINGS, inner_text
from crawler.extraction.content.visible import is_streamed
from crawler.extraction.placement.context import words_around
from crawler.extraction.placement.labels import names_other_date, read_label
from crawler.extraction.placement.signs import (
    MONEY,
    RELATED_HEADING,
    REVIEWS_HEADING,
    Sign,
    read_names,
    signs_against,
)

STRUCK_TAGS = frozenset({"s", "del", "strike"})
CONTENT = frozenset({"article", "main"})
NAMING = ("class", "id", "data-testid", "data-component", "aria-roledescription")
MAX_DEPTH = 200
MAX_SIBLINGS = 200
MAX_HEADING = 80
MAX_LABEL = 60
MAX_BESIDE = 50
HEADED = {Sign.RELATED: RELATED_HEADING, Sign.REVIEWS: REVIEWS_HEADING}
_NUMBERS = re.compile(r"\d[\d.,']*")
_CURRENCY = re.compile(r"[$€£¥₹₩₽₺₴฿₫₪₱]|\b[A-Z]{3}\b")
_STRIKING = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_OPENED = re.compile(
    r"(?:^|[\s_-])(?:tabs?|tabpanel|panel|accordion|collaps\w*|toggle\w*|expand\w*)(?:[\s_-]|$)",
    re.IGNORECASE,
)
"""Names of what a click shows: hidden at first, and meant for readers."""
_REDUCED = re.compile(
    r"(?:^|[\s_-])(?:sale|special|now|final|current|discounted|offer)(?:[\s_-]|$)", re.IGNORECASE
)
_LABELLED = frozenset({FieldKind.DATE, FieldKind.COUNT, FieldKind.RATING}) | MONEY


def find_misplaced(
    document: Document,
    node: Node,
    spec: FieldSpec,
    boundary: Node | None = None,
    *,
    is_shown: bool = True,
    words: tuple[str, str, str] | None = None,
) -> str | None:
    """Return why the text of *node* is no value of the field; None where nothing says so.

    *boundary* is the row or item that is the record: what stands around it does not count.
    *is_shown* says that the value is text for readers, which has to be visible.
    *words* are those of ``words_around``, where the value is only a part of the element.
    """
    against = signs_against(spec) - (frozenset() if is_shown else {Sign.HIDDEN})
    for element in _chain(node, boundary):
        sign = _sign_of(element, node, against, boundary)
        if sign is not None:
            return f"{sign}: {document.path_of(element)}"
    sign = _sign_of_label(node, spec, against, words)
    if sign is None:
        headed = (each for each in HEADED if each in against)
        sign = next(
            (each for each in headed if _is_under_heading(node, boundary, HEADED[each])), None
        )
    return f"{sign}: {document.path_of(node)}" if sign else None


def is_retracted(element: Node) -> bool:
    """Whether the element is struck through, or named as the price of before."""
    return _is_struck(element) or Sign.OLD_PRICE in read_names(_names(element))[0]


def _chain(node: Node, boundary: Node | None) -> Iterator[Node]:
    """Yield *node* and what it stands in, up to the boundary or the body."""
    element: Node | None = node
    for _ in range(MAX_DEPTH):
        if element is None or element is boundary or element.tag in {"body", "html"}:
            return
        yield element
        element = element.getparent()


def _sign_of(
    element: Node, node: Node, against: frozenset[Sign], boundary: Node | None
) -> Sign | None:
    if Sign.STRUCK in against and _is_struck(element):
        return Sign.STRUCK
    if Sign.HIDDEN in against and _is_hidden(element):
        return Sign.HIDDEN
    of_value, of_region = read_names(_names(element))
    for sign in sorted(of_value & against):
        if _speaks_of(element, node) and (
            sign is not Sign.REGULAR_PRICE or _has_reduced_beside(node)
        ):
            return sign
    regions = of_region | _roles_of(element)
    for sign in sorted(regions & against):
        if not _holds_heading(element) and (
            sign is not Sign.FOOTER or _is_of_page(element, boundary)
        ):
            return sign
    return None


def _names(element: Node) -> str:
    """Return what an element is called, the name of its tag among it where a site made it up."""
    attributes, tag = element.attrib, str(element.tag)
    made_up = tag if "-" in tag else ""
    if not attributes:
        return made_up
    names = (str(attributes.get(name, "")) for name in NAMING)
    return " ".join([*names, made_up])


def _roles_of(element: Node) -> frozenset[Sign]:
    """Return what an element is by its tag, its role and the label that it has for readers who hear."""
    signs = {Sign.FOOTER} if _is_footer(element) else set()
    if element.tag == "nav" or element.get("role") == "navigation":
        signs.add(Sign.NAVIGATION)
    label = element.get("aria-label") or ""
    if label and RELATED_HEADING.fullmatch(label[:MAX_HEADING]):
        signs.add(Sign.RELATED)
    return frozenset(signs)


def _is_struck(element: Node) -> bool:
    return (
        element.tag in STRUCK_TAGS
        or _STRIKING.search(element.get("style") or "") is not None
        or Sign.STRUCK in read_names(_names(element))[0]
    )


def _is_hidden(element: Node) -> bool:
    """Whether the element hides what it holds, and no control shows it."""
    attributes = element.attrib
    if element.tag == "template" or (element.tag == "dialog" and "open" not in attributes):
        return True
    if "hidden" not in attributes and not _HIDING.search(str(attributes.get("style", ""))):
        return False
    is_opened = attributes.get("role") == "tabpanel" or _OPENED.search(_names(element))
    return not (is_streamed(element) or is_opened)


def _speaks_of(element: Node, node: Node) -> bool:
    """Whether what an element is called is said of the value: it holds no other number."""
    if element is node:
        return True
    numbers = set(_NUMBERS.findall(inner_text(node)))
    text = inner_text(element)
    return set(_NUMBERS.findall(text)) == numbers if numbers else len(text) <= MAX_LABEL


def _has_reduced_beside(node: Node) -> bool:
    """Whether a price that is called the reduced one, and is another, stands beside *node*."""
    numbers = _NUMBERS.findall(inner_text(node))
    parents = islice(node.iterancestors(), 3)
    return any(
        other
        for parent in parents
        for beside in islice(parent.iterdescendants(), MAX_BESIDE)
        if isinstance(beside.tag, str)
        and _REDUCED.search(_names(beside))
        and (other := _NUMBERS.findall(inner_text(beside)))
        and other != numbers
    )


def _is_footer(element: Node) -> bool:
    return element.tag == "footer" or element.get("role") == "contentinfo"


def _is_of_page(element: Node, boundary: Node | None) -> bool:
    """Whether a footer is that of the page; an article or a record has its own."""
    return boundary is None and not any(each.tag in CONTENT for each in element.iterancestors())


def _holds_heading(element: Node) -> bool:
    """Whether the heading of the page stands inside: what is named so is then its content."""
    return next(element.iter("h1"), None) is not None


def _sign_of_label(
    node: Node,
    spec: FieldSpec,
    against: frozenset[Sign],
    words: tuple[str, str, str] | None,
) -> Sign | None:
    if spec.kind not in _LABELLED:
        return None
    own, before, behind = words or words_around(node)
    if not before.strip(" :-\u2013$€£"):
        before = f"{_spoken_label(node)} {before}"
    if Sign.OTHER_DATE in against and names_other_date(spec.name, before):
        return Sign.OTHER_DATE
    said = read_label(before, behind) & against
    if spec.kind in MONEY and len(set(_NUMBERS.findall(own))) > 1:
        said &= {Sign.INSTALMENT}  # Which of several amounts it means is for the reader to tell.
    if _CURRENCY.search(own):
        said -= {Sign.RATING}
    if Sign.REGULAR_PRICE in said and not _has_reduced_beside(node):
        said -= {Sign.REGULAR_PRICE}
    return min(said, default=None)


def _spoken_label(node: Node) -> str:
    """Return the label for readers who hear, of the element or of the one around it alone."""
    parent = node.getparent()
    around = [node] if parent is None or len(parent) > 1 else [node, parent]
    return next((label for each in around if (label := each.get("aria-label"))), "")[:MAX_LABEL]


def _is_under_heading(node: Node, boundary: Node | None, said: re.Pattern[str]) -> bool:
    """Whether the heading of a part of the page around *node* says it is about other things."""
    for element in _chain(node, boundary):
        heading = next(_headings_before(element), None)
        if heading is not None and heading.tag == "h1":
            return False
        if heading is not None and said.fullmatch(inner_text(heading)[:MAX_HEADING]):
            return True
    return False


def _headings_before(element: Node) -> Iterator[Node]:
    """Yield the headings among what stands before *element* in the same parent, nearest first."""
    for sibling in islice(element.itersiblings(preceding=True), MAX_SIBLINGS):
        if sibling.tag in HEADINGS:
            yield sibling
        elif isinstance(sibling.tag, str) and len(sibling) < 5:
            found = [each for each in islice(sibling.iter(), 20) if each.tag in HEADINGS]
            yield from reversed(found)
