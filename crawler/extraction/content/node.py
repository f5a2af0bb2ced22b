"""A page reduced to what is shown: the elements that may be content, measured."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from lxml import etree

Element = etree._Element


@dataclass(slots=True, eq=False)
class Node:
    """One shown element. Sizes count characters, whitespace at the ends of each text left out."""

    element: Element
    tag: str
    label: str
    """Its id, classes, role and the like in lower case, words apart by ``-`` or space."""
    parent: "Node | None"
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
        return str(self.element.get(name) or "")

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below it in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(
                [
                    part
                    for part in reversed(node.parts)
                    if isinstance(part, Node) and not part.is_removed
                ]
            )

    def ancestors(self) -> Iterator["Node"]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def is_within(self, other: "Node") -> bool:
        """Whether this node is *other* or below it, with nothing removed between them."""
        if self is other:
            return True
        return not self.is_removed and any(
            above is other
            for above in takewhile(lambda node: not node.is_removed, self.ancestors())
        )

    def text(self) -> str:
        """Return all text below, as written."""
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
                stack.extend(reversed(part.parts))
        return "".join(pieces)

    def remove(self) -> None:
        """Take this node out of the page, and its size out of all above."""
        if self.is_removed or self.parent is None:
            return
        self.is_removed = True
        for above in self.ancestors():
            above.size -= self.size
            above.link_size -= self.link_size
            above.prose -= self.prose


Admit = Callable[[Element, str, str], bool]
"""Whether an element with this tag and label is shown."""


def grow(root: Element, label_of: Callable[[Element], str], admit: Admit) -> Node:
    """Return *root* and what is admitted below it; no recursion, whatever the depth."""
    top = Node(root, str(root.tag), label_of(root), None)
    _add_text(top, root.text)
    stack = [(top, root.iterchildren())]
    while stack:
        node, children = stack[-1]
        entered = _enter_next(node, children, label_of, admit)
        if entered is None:
            stack.pop()
            _count(node)
        else:
            stack.append((entered, entered.element.iterchildren()))
    return top


def _enter_next(
    node: Node,
    children: Iterator[Element],
    label_of: Callable[[Element], str],
    admit: Admit,
) -> Node | None:
    for child in children:
        tag = child.tag
        if not isinstance(tag, str):  # a comment or a processing instruction
            _add_text(node, child.tail)
            continue
        label = label_of(child)
        if not admit(child, tag, label):
            node.parts.append(" ")
            _add_text(node, child.tail)
            continue
        entered = Node(child, tag, label, node)
        node.parts.append(entered)
        _add_text(node, child.tail)
        _add_text(entered, child.text)
        return entered
    return None


def _add_text(node: Node, text: str | None) -> None:
    if text:
        node.parts.append(text)
        node.size += len(text.strip())


def _count(node: Node) -> None:
    """Add a finished node to its parent's sizes."""
    if node.tag == "a":
        for linked in node.walk():
            linked.link_size = linked.size
    if node.parent is not None:
        node.parent.size += node.size
        node.parent.link_size += node.link_size
