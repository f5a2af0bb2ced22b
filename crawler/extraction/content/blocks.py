"""Blocks that hold blocks: what is done where one begins, and where it ends."""

from collections.abc import Callable

from crawler.extraction.content.node import Node
from crawler.extraction.content.writer import Container, List, Writer

_LISTS = frozenset({"ul", "ol"})


def _begin_heading(writer: Writer, node: Node) -> None:
    writer.heading = int(node.tag[1])


def _end_heading(writer: Writer, node: Node) -> None:
    writer.heading = 0


def _begin_list(writer: Writer, node: Node) -> None:
    start = node.get("start").strip()
    number = int(start) if start.isdecimal() and len(start) < 10 else 1
    above = node.parent.tag if node.parent is not None else ""
    outer = writer.lists[-1] if writer.lists else None
    is_stray = outer is not None and outer.is_begun and above in _LISTS
    if is_stray:
        width = "  " if outer is None or outer.number is None else "   "
        writer.containers.append(Container(width, width, is_begun=True))
    is_inner = is_stray or (above == "li" and outer is not None)
    writer.lists.append(List(number if node.tag == "ol" else None, is_inner, is_stray))


def _end_list(writer: Writer, node: Node) -> None:
    if writer.lists.pop().is_stray:
        writer.containers.pop()


def _begin_item(writer: Writer, node: Node) -> None:
    if not writer.lists:
        writer.lists.append(List(None, is_inner=False, is_stray=False))
    items = writer.lists[-1]
    writer.is_tight = items.is_begun or (items.is_inner and items.number in {None, 1})
    items.is_begun = True
    first = "- "
    if items.number is not None:
        first, items.number = f"{items.number}. ", items.number + 1
    writer.containers.append(Container(first, " " * len(first)))


def _end_container(writer: Writer, node: Node) -> None:
    writer.containers.pop()


def _begin_quote(writer: Writer, node: Node) -> None:
    writer.containers.append(Container("> ", "> "))


Step = Callable[[Writer, Node], None]
_HEADINGS = tuple(f"h{level}" for level in range(1, 7))
BEGIN: dict[str, Step] = {
    **dict.fromkeys(_HEADINGS, _begin_heading),
    **dict.fromkeys(("ul", "ol"), _begin_list),
    "li": _begin_item,
    "blockquote": _begin_quote,
}
END: dict[str, Step] = {
    **dict.fromkeys(_HEADINGS, _end_heading),
    **dict.fromkeys(("ul", "ol"), _end_list),
    **dict.fromkeys(("li", "blockquote"), _end_container),
}
