"""The part of a page that holds its content."""

from crawler.extraction.content.kind import PageType
from crawler.extraction.content.node import Node
from crawler.extraction.content.noise import CONTENT

PARAGRAPH = 80
"""Characters of a paragraph that says something."""
_PARTS = frozenset({"ul", "ol", "li", "dl", "dd", "p", "pre", "blockquote"})
_BOXES = frozenset({"div", "section", "article", "main", "td"})
_LISTS = frozenset({PageType.COLLECTION, PageType.LISTING})
PROSE_TYPES = frozenset({PageType.ARTICLE, PageType.DOCUMENTATION})


def find_zone(root: Node, kind: PageType) -> Node:
    """Return the part of a region that holds its content: the running text, or all of it."""
    if kind in _LISTS:
        return root
    region = find_region(root)  # with less noise beside it, the main part may count for more
    return find_prose(region) if kind in PROSE_TYPES else region


def find_opening(zone: Node) -> list[Node]:
    """Return the paragraphs between the page's heading and its running text, where there are some.

    One alone is a summary, a caption or a note; several are the beginning, in a box of its own.
    """
    headings = [
        node
        for node in zone.order[: zone.index]
        if node.tag == "h1" and not node.is_removed and node.size
    ]
    if not headings or any(node.tag == "h1" for node in zone.walk()):
        return []
    between = zone.order[headings[-1].end : zone.index]
    opening = [node for node in between if node.tag == "p" and _is_paragraph(node)]
    return opening if len(opening) > 1 else []


def _is_paragraph(node: Node) -> bool:
    return not node.is_removed and node.size >= PARAGRAPH and node.link_share < 0.3


def find_region(root: Node) -> Node:
    """Return the part that the page itself declares to be its main one, or the body."""
    declared = [node for node in root.walk() if node.tag == "main" or node.get("role") == "main"]
    best = max(declared, key=lambda node: (node.prose, node.size), default=root)
    is_large = best.size > 0.3 * root.size or (best.prose > 0.4 * root.prose and best.size > 500)
    return best if is_large else root


def widen_region(region: Node, root: Node, kind: PageType) -> Node:
    """Return the whole page where a shop says more below its list of products than inside."""
    says_more = root.prose > 500 and region.prose < 0.5 * root.prose
    return root if says_more and kind in _LISTS else region


def find_prose(region: Node) -> Node:
    """Return the deepest node that holds most of the running text."""
    declared = _find_declared(region)
    if declared is not None and "articleBody" in declared.get("itemprop"):
        return declared
    node = declared or _find_titled(region) or region
    total = node.prose
    while total:
        heavy = max(node.children, key=lambda child: child.prose, default=None)
        if heavy is None or heavy.prose < 0.8 * total or heavy.tag in _PARTS:
            break
        node = heavy
    return node


def _find_declared(region: Node) -> Node | None:
    """Return the node that is named as the body of an article, where it holds enough of it."""
    named = [node for node in region.walk() if _is_named_body(node)]
    best = max(named, key=lambda node: (node.prose, node.size), default=None)
    if best is None or (best.prose < 0.4 * region.prose and best.size < 0.4 * region.size):
        return None
    apart = [node for node in named if not (node.is_within(best) or best.is_within(node))]
    return None if any(node.prose > 0.15 * best.prose for node in apart) else best


def _is_named_body(node: Node) -> bool:
    if node.tag not in _BOXES:
        return False
    return "articleBody" in node.get("itemprop").split() or CONTENT.search(node.label) is not None


def _find_titled(region: Node) -> Node | None:
    """Return the only article of the page that bears its heading."""
    headings = [node for node in region.walk() if node.tag == "h1"]
    if len(headings) != 1:
        return None
    for node in headings[0].ancestors():
        if node.tag == "article":
            return node if node.prose > 0.2 * region.prose else None
        if node is region:
            return None
    return None
