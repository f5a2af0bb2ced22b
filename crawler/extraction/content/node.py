"""A page reduced to what is shown: the elements that may be content, measured."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from crawler.extraction.content.apart import INLINE, are_apart, is_labelled

Element = etree._Element
Attributes = Mapping[str, str]
_NONE: Attributes = {}
_NO_BLOCKS = INLINE | {"td", "th", "tr", "pre"}


@dataclass(slots=True, eq=False)
class Node:
    """One shown element. Sizes count characters, whitespace at the ends of each text left out."""

    element: Element
    tag: str
    attributes: Attributes
    label: str
    """Its id, classes, role and the like in lower case, words apart by ``-`` or space."""
    parent: "Node | None"
    order: list["Node"]
    """All nodes of the page in document order; shared by them."""
    index: int
    """Its own place in the order."""
    end: int = 0
    """The place behind the last node below it."""
    parts: list["Node | str"] = field(default_factory=list)
    size: int = 0
    link_size: int = 0
    """How much of the size is in links."""
    prose: float = 0.0
    """How much running text is below, see ``prose.weigh``."""

    is_removed: bool = False

    @property
    def children(self) -> Iterator["Node"]:
        return (part for part in self.parts if isinstance(part, Node) and not part.is_removed)

    @property
    def link_share(self) -> float:
        return self.link_size / self.size if self.size else 0.0

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    def walk(self) -> list["Node"]:
        """Return this node and all below it in document order, without what is removed."""
        below = self.order[self.index : self.end]
        return [node for node in below if not node.is_removed]

    def ancestors(self) -> Iterator["Node"]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def is_within(self, other: "Node") -> bool:
        """Whether this node is *other* or below it, and not removed."""
        return other.index <= self.index < other.end and not self.is_removed

    def text(self, edge: str = "") -> str:
        """Return all text below, as written, with *edge* where a block begins or ends."""
        pieces: list[str] = []
        stack: list[Node | str] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                pieces.append(part)
            elif part.is_removed:
                pieces.append(" ")
            elif part.tag == "br":
                pieces.append("\n")
            else:
                is_block = edge and part is not self and part.tag not in INLINE
                stack.extend([edge] if is_block else [])
                stack.extend(reversed(part.parts))
                stack.extend([edge] if is_block else [])
        return "".join(pieces)

    def plain_text(self) -> str:
        """Return all text below, with its whitespace collapsed."""
        return " ".join(self.text().split())

    def innermost_blocks(self) -> list["Node"]:
        """Return the blocks below that hold text and inline elements only."""
        return [
            node
            for node in self.walk()
            if node is not self
            and node.size
            and node.tag not in _NO_BLOCKS
            and all(child.tag in INLINE for child in node.children)
        ]

    def remove(self) -> None:
        """Take this node and all below out of the page, and its size out of all above."""
        if self.is_removed or self.parent is None:
            return
        for above in self.ancestors():
            above.size -= self.size
            above.link_size -= self.link_size
            above.prose -= self.prose
        for node in self.order[self.index : self.end]:
            node.is_removed = True


def dissolve(top: Node) -> None:
    """Part the nodes of a page that is read: their memory is free without the cycle collector."""
    for node in top.order:
        node.parts.clear()
        node.parent = None
    top.order.clear()


Admit = Callable[[Element, str, Attributes, str], bool]
"""Whether an element with this tag, these attributes and a parent of that tag is shown."""
Name = Callable[[Attributes], str]


def grow(root: Element, label_of: Name, admit: Admit) -> Node:
    """Return *root* and what is admitted below it; no recursion, whatever the depth."""
    attributes = dict(root.items())
    top = _open(Node(root, str(root.tag), attributes, label_of(attributes), None, [], 0))
    around = [(top, root.iterchildren())]
    while around:
        node, children = around[-1]
        for child in children:
            entered = _enter(node, child, label_of, admit)
            if entered is None:
                continue
            if len(child):
                around.append((entered, child.iterchildren()))
                break
            _close(entered)
        else:
            around.pop()
            _close(node)
    return top


def _enter(node: Node, child: Element, label_of: Name, admit: Admit) -> Node | None:
    """Add a child, and the text behind it, to its parent; None for one that is not shown."""
    tag = child.tag
    if not isinstance(tag, str):  # a comment or a processing instruction
        _add_text(node, child.tail)
        return None
    items = child.items()
    attributes = dict(items) if items else _NONE
    if not admit(child, tag, attributes, node.tag):
        node.parts.append(" ")
        _add_text(node, child.tail)
        return None
    if tag in INLINE and _is_apart(node, child):
        node.parts.append(" ")
    label = label_of(attributes) if items else ""
    entered = Node(child, tag, attributes, label, node, node.order, len(node.order))
    node.parts.append(entered)
    _add_text(node, child.tail)
    return _open(entered)


def _is_apart(node: Node, child: Element) -> bool:
    last = node.parts[-1] if node.parts else ""
    if isinstance(last, str):
        return is_labelled(last, child)
    return last.tag in INLINE and are_apart(last.element, child)


def _open(node: Node) -> Node:
    node.order.append(node)
    _add_text(node, node.element.text)
    return node


def _add_text(node: Node, text: str | None) -> None:
    if text and not (node.tag == "details" and "open" not in node.attributes):
        node.parts.append(text)
        node.size += len(text.strip())


def _close(node: Node) -> None:
    """Add a finished node to its parent's sizes."""
    node.end = len(node.order)
    if node.tag == "a":
        for linked in node.order[node.index :]:
            linked.link_size = linked.size
    if node.parent is not None:
        node.parent.size += node.size
        node.parent.link_size += node.link_size
