"""A page becomes the Markdown of its content zone."""

import hashlib
import re
from dataclasses import dataclass

from crawler.contracts.site.record import ContentRules
from crawler.document.document import Document
from crawler.extraction.content.kind import PageType, decide_type, read_signs
from crawler.extraction.content.lines import Line, read_lines
from crawler.extraction.content.markdown import write_markdown
from crawler.extraction.content.node import Attributes, Element, Node, dissolve, grow
from crawler.extraction.content.noise import (
    is_shown,
    label_of,
    remove_noise,
    settle_noscript,
)
from crawler.extraction.content.prose import weigh
from crawler.extraction.content.prune import prune
from crawler.extraction.content.title import find_title
from crawler.extraction.content.visible import (
    hidden_names,
    is_faded,
    is_hidden,
    is_hidden_by_name,
)
from crawler.extraction.content.zone import (
    PROSE_TYPES,
    find_opening,
    find_region,
    find_zone,
    widen_region,
)

_WORD = re.compile(r"\w+")
SMALL_SHARE = 0.1
MIN_SHOWN = 200
"""Characters below which a page shows next to nothing without its scripts."""
DEFAULTS = ContentRules()


@dataclass(frozen=True, slots=True)
class Content:
    """What a page says. An unusable page has no Markdown, and a problem that says why."""

    markdown: str
    title: str
    kind: PageType | None
    word_count: int
    content_hash: str
    """SHA-256 of the Markdown: equal for equal content, whatever stands around it."""
    zone: str = ""
    """Path of the element whose content this is; several one a line."""
    share: float = 0.0
    """How much of the text that the page shows is in the zone."""
    problem: str | None = None


def read_content(
    document: Document,
    rules: ContentRules = DEFAULTS,
    *,
    kind: PageType | None = None,
    with_images: bool = False,
) -> Content:
    """Return the content zone of a page of a known or recognised type.

    Raises BadSelectorError for a rule that is none.
    """
    root = document.root
    if document.is_too_deep:
        return _content("", document, problem="too_deep")
    if root is None:
        return _content("", document, problem="empty")
    top = _shown_part(document, root, rules)
    shown = top.size
    zones, kind = _choose(document, top, rules, kind)
    parts = [write_markdown(zone, document.base_url, with_images=with_images) for zone in zones]
    markdown = "\n\n".join(part for part in parts if part)
    share = min(1.0, sum(zone.size for zone in zones) / shown) if shown else 0.0
    paths = [document.path_of(zone.element) for zone in zones]
    dissolve(top)
    return _content(
        markdown,
        document,
        kind=kind,
        zone="\n".join(paths),
        share=round(share, 4),
        problem=_find_problem(markdown, share, rules),
    )


def read_zone(document: Document, rules: ContentRules = DEFAULTS) -> tuple[Line, ...]:
    """Return the content zone as lines of what is shown, each with its place in the document.

    Raises BadSelectorError for a rule that is none.
    """
    root = document.root
    if root is None or document.is_too_deep:
        return ()
    zones, _ = _choose(document, _shown_part(document, root, rules), rules, None)
    return read_lines(zones)


def read_shown(document: Document, element: Element) -> tuple[Line, ...]:
    """Return what is shown of one element, whatever the content of its page is."""
    root = document.root
    names = frozenset() if root is None else hidden_names(root)

    def admit(inner: Element, tag: str, attributes: Attributes, above: str) -> bool:
        if names and is_hidden_by_name(inner, attributes, names):
            return False
        return is_shown(inner, tag, attributes, above)

    return read_lines([grow(element, label_of, admit)])


def _shown_part(document: Document, root: Element, rules: ContentRules) -> Node:
    body = root.find("body")
    noise = {node for selector in rules.noise for node in document.css(selector)}
    names = hidden_names(root)

    def admit(element: Element, tag: str, attributes: Attributes, above: str) -> bool:
        if not is_shown(element, tag, attributes, above):
            return False
        is_named = names and attributes and is_hidden_by_name(element, attributes, names)
        return not (is_named or (noise and element in noise))

    def admit_covered(element: Element, tag: str, attributes: Attributes, above: str) -> bool:
        if admit(element, tag, attributes, above):
            return True
        return element in covers and element not in noise

    start = root if body is None else body
    top = grow(start, label_of, admit)
    covers = set() if _shows_main(top) else _hidden_covers(root)
    if covers and (top.size < MIN_SHOWN or all(is_faded(dict(each.items())) for each in covers)):
        whole = grow(start, label_of, admit_covered)
        top = whole if top.size < MIN_SHOWN or whole.size > 2 * top.size else top
    settle_noscript(top)
    weigh(top)
    return top


def _shows_main(top: Node) -> bool:
    """Whether the page shows a heading or main part, and enough text, as it is."""
    return top.size >= MIN_SHOWN and any(node.tag in {"h1", "main"} for node in top.order)


def _hidden_covers(root: Element) -> set[Element]:
    """Return what hides the page's heading or main part: it waits for a script to show it."""
    parts = {above for part in root.iter("h1", "main") for above in part.iterancestors()}
    parts.update(root.iter("main"))
    # Where nothing opens a body, libxml2 leaves an element that HTML 4 did not know in the head.
    return {part for part in parts if part.tag == "head" or is_hidden(dict(part.items()))}


def _choose(
    document: Document, top: Node, rules: ContentRules, kind: PageType | None
) -> tuple[list[Node], PageType | None]:
    if rules.zone is not None:
        return _named_zones(document, top, rules.zone), kind
    remove_noise(top, None)
    region = find_region(top)
    kind = kind or decide_type(read_signs(document, region))
    region = widen_region(region, top, kind)
    remove_noise(region, kind)
    zone = find_zone(region, kind)
    prune(zone, kind)
    opening = find_opening(zone) if kind in PROSE_TYPES else []
    return [*opening, zone], kind


def _named_zones(document: Document, top: Node, selector: str) -> list[Node]:
    """Return what the site file names as the content, the outermost of nested matches."""
    wanted = set(document.css(selector))
    found = [node for node in top.walk() if node.element in wanted]
    return [node for node in found if not any(each.element in wanted for each in node.ancestors())]


def _find_problem(markdown: str, share: float, rules: ContentRules) -> str | None:
    if not markdown:
        return "zone_not_found" if rules.zone is not None else "empty"
    return "small_zone" if share < SMALL_SHARE and rules.zone is None else None


def _content(
    markdown: str,
    document: Document,
    *,
    kind: PageType | None = None,
    zone: str = "",
    share: float = 0.0,
    problem: str | None = None,
) -> Content:
    return Content(
        markdown=markdown,
        title=find_title(document),
        kind=kind,
        word_count=len(_WORD.findall(markdown)),
        content_hash=hashlib.sha256(markdown.encode("utf-8", "replace")).hexdigest(),
        zone=zone,
        share=share,
        problem=problem,
    )
