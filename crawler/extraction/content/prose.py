"""Where the running text of a page stands, and how much it is."""

from crawler.extraction.content.apart import INLINE
from crawler.extraction.content.node import Node

_PARAGRAPHS = frozenset({"p", "pre", "blockquote"})
_SHORT = 40
_CLUSTER = 1000.0


def weigh(root: Node) -> None:
    """Set the prose of each node: long unlinked text, little of it where it stands alone.

    The paragraphs of an article are siblings; the teasers of other pages stand each in its own box.
    """
    order = list(root.walk())
    clusters = _gather(root, order)
    for node in order:
        size = clusters.get(node, 0.0)
        node.prose = size * min(1.0, size / _CLUSTER)
    for node in reversed(order):
        if node.parent is not None and node is not root:
            node.parent.prose += node.prose


def _gather(root: Node, order: list[Node]) -> dict[Node, float]:
    """Return how much running text stands right in a node: paragraphs count for their parent."""
    clusters: dict[Node, float] = {}
    for node in order:
        if node.size <= node.link_size:
            continue
        plain = _plain_text(node)
        if plain > 0:
            is_paragraph = node.tag in _PARAGRAPHS and node is not root
            home = node.parent if is_paragraph and node.parent is not None else node
            clusters[home] = clusters.get(home, 0.0) + plain
    return clusters


def _plain_text(node: Node) -> float:
    """Return the size of the running text right inside *node*, links counting against it."""
    if node.tag in INLINE:
        return 0.0
    plain = 0
    for part in node.parts:
        if isinstance(part, str):
            plain += len(part.strip())
        elif part.tag in INLINE:
            plain += part.size - 2 * part.link_size
    return plain if plain > _SHORT else 0.0
